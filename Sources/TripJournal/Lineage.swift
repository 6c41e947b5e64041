import LocalSystem

/// What tells the pasts of one data directory apart.
///
/// Where durability is relaxed, a power cut may take what was acknowledged, and the versions that were told are given
/// out anew. No journal shows it: it ends where an older one ended too. So a file beside the trips says while a daemon
/// has something unsynced, and since which start of the machine; a daemon that finds it after another start gives the
/// directory a new tag, and with it each trip a new epoch.
package struct Lineage: Equatable, Sendable {
    /// Follows the epochs of all journals where they are told; nil while nothing can have been taken.
    package let tag: String?

    /// A lineage with a tag, or the first of a directory.
    package init(tag: String? = nil) { self.tag = tag }

    /// The epoch that clients are told, by the one in the journal.
    package func told(_ written: String) -> String { tag.map { "\(written)-\($0)" } ?? written }

    /// The epoch that the journal has, by one that `told` has made.
    package func written(_ told: String) -> String {
        guard let tag, told.hasSuffix("-\(tag)") else { return told }
        return String(told.dropLast(tag.count + 1))
    }
}

/// What the file says.
private struct LineageFile: Equatable {
    var tag: String?
    /// The start of the machine since which something may be unsynced; nil while all is synced.
    var unsyncedSince: String?

    var text: String { "itineraryd lineage 1\ntag \(tag ?? "-")\nunsynced \(unsyncedSince ?? "-")\n" }

    init(tag: String? = nil, unsyncedSince: String? = nil) {
        self.tag = tag
        self.unsyncedSince = unsyncedSince
    }

    /// Nil where the bytes are not such a file's.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 3, lines[1].hasPrefix("tag "), lines[2].hasPrefix("unsynced ") else {
            return nil
        }
        tag = Self.word(lines[1].dropFirst(4))
        unsyncedSince = Self.word(lines[2].dropFirst(9))
        guard Array(text.utf8) == bytes, tag.map(JournalFormat.isEpoch) != false else { return nil }
    }

    private static func word(_ text: Substring) -> String? { text == "-" ? nil : String(text) }
}

extension JournalStore {
    private var lineageFile: String { dataDirectory + "/lineage" }

    /// Finds out whether a power cut may have taken something since a daemon was here, and notes whether this one
    /// leaves things unsynced for a while. Once at start, before a trip is opened. Blocks on the disk.
    ///
    /// - Parameters:
    ///   - machineStart: what tells this start of the machine from others; nil where nobody knows.
    ///   - freshTag: makes a tag that no lineage of this directory had.
    package func beginLineage(
        _ durability: Durability, machineStart: String?, freshTag: () -> String
    ) throws(SystemError) -> Lineage {
        let isThere = try fileSystem.status(lineageFile) != nil
        let found = isThere ? LineageFile(try readFile(lineageFile)) : LineageFile()
        var next = found ?? LineageFile(tag: freshTag())
        if let start = next.unsyncedSince, !PlantedBug.lineageForgotten.isPlanted {
            // What a process wrote that was killed is there, and is now brought to the disk.
            var isWhole = start == machineStart
            if isWhole { isWhole = try syncAllTrips() }
            if !isWhole { next.tag = freshTag() }
        }
        next.unsyncedSince = durability == .relaxed ? machineStart ?? "unknown" : nil
        if next != found || !isThere && next != LineageFile() { try write(next) }
        return Lineage(tag: next.tag)
    }

    /// Notes that everything is on the disk. Blocks on the disk.
    func endUnsynced() throws(SystemError) {
        guard try fileSystem.status(lineageFile) != nil, var file = LineageFile(try readFile(lineageFile)),
            file.unsyncedSince != nil
        else { return }
        file.unsyncedSince = nil
        try write(file)
    }

    /// Brings all journals to the disk; returns whether that is certain.
    private func syncAllTrips() throws(SystemError) -> Bool {
        for trip in try listTrips() {
            do throws(SystemError) {
                // One that is no file is not of a daemon's making.
                guard try stamp(of: trip) != nil else { continue }
                try OpenFile(journal(of: trip), .append, in: fileSystem).syncData()
                try fileSystem.syncDirectory(directory(of: trip))
            } catch {
                return false
            }
        }
        return true
    }

    private func write(_ file: LineageFile) throws(SystemError) {
        let draft = lineageFile + ".tmp"
        if try fileSystem.status(draft) != nil { try fileSystem.unlink(draft) }
        do throws(SystemError) {
            try writeNewFile(draft, Array(file.text.utf8))
            try fileSystem.rename(draft, to: lineageFile)
        } catch {
            do throws(SystemError) { try fileSystem.unlink(draft) } catch {}
            throw error
        }
        try fileSystem.syncDirectory(dataDirectory)
    }
}
