import LocalSystem
import TripModel

/// What tells the pasts of one data directory apart.
///
/// Where durability is relaxed, a power cut may take what was acknowledged, and the versions that were told are given
/// out anew. No journal shows it: it ends where an older one ended too. So a file beside the trips says while a daemon
/// has something unsynced, and since which start of the machine; a daemon that finds it after another start gives the
/// directory a new tag, and with it each trip a new epoch. So does one that finds a trip there whose journal could
/// not be synced: what the system then still shows of it the disk may not have.
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
    /// Trips whose journals could not be synced: nobody knows what the disk has of them.
    var broken: Set<TripID> = []

    var text: String {
        let trips = broken.isEmpty ? "-" : broken.sorted().map(\.description).joined(separator: " ")
        return "itineraryd lineage 1\ntag \(tag ?? "-")\nunsynced \(unsyncedSince ?? "-")\nbroken \(trips)\n"
    }

    init(tag: String? = nil) { self.tag = tag }

    /// Nil where the bytes are not such a file's.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 4 else { return nil }
        tag = Self.words(lines[1]).first
        unsyncedSince = Self.words(lines[2]).first
        broken = Set(Self.words(lines[3]).compactMap { TripID($0) })
        guard Array(text.utf8) == bytes, tag.map(JournalFormat.isEpoch) != false else { return nil }
    }

    /// What stands behind a line's name.
    private static func words(_ line: Substring) -> [String] {
        line.split(separator: " ").dropFirst().map(String.init).filter { $0 != "-" }
    }
}

extension JournalStore {
    private var lineageFile: String { dataDirectory + "/lineage" }

    /// Finds out whether the disk may have lost something since a daemon was here, and notes whether this one leaves
    /// things unsynced for a while. Once at start, before a trip is opened. Blocks on the disk.
    ///
    /// Where the disk takes no note, the trips are served all the same, under epochs that no other life of the daemon
    /// has.
    ///
    /// - Parameters:
    ///   - machineStart: what tells this start of the machine from others; nil where nobody knows.
    ///   - log: is told of a note that could not be taken.
    ///   - freshTag: makes a tag that no lineage of this directory had.
    package func beginLineage(
        _ durability: Durability, machineStart: String?, log: (LogLine) -> Void = { _ in },
        freshTag: () -> String
    ) -> Lineage {
        do throws(SystemError) {
            let found = try readLineage(freshTag)
            var next = found.file
            if !PlantedBug.lineageForgotten.isPlanted {
                if let start = next.unsyncedSince {
                    // What a process wrote that was killed is there, and is now brought to the disk.
                    var isWhole = start == machineStart
                    if isWhole { isWhole = try syncAllTrips() }
                    if !isWhole { next.tag = freshTag() }
                }
                if !next.broken.isEmpty {
                    next.tag = freshTag()
                    // A sync of the old file could succeed and mean nothing.
                    next.broken = next.broken.filter { !rewrite($0) }
                }
            }
            next.unsyncedSince = durability == .relaxed ? machineStart ?? "unknown" : nil
            if next != found.file || found.isDamaged { try write(next) }
            return Lineage(tag: next.tag)
        } catch {
            log(.warning("the lineage cannot be written, so every trip has a new epoch for now: \(error)"))
            return Lineage(tag: freshTag())
        }
    }

    /// Notes that everything is on the disk. Blocks on the disk.
    ///
    /// - Parameter lineage: that of this life. Where the file has another, this life could not be noted, and what the
    ///   file says is still to be looked into.
    func endUnsynced(_ lineage: Lineage) throws(SystemError) {
        guard var file = try readLineageFile(), file.unsyncedSince != nil, file.tag == lineage.tag else {
            return
        }
        file.unsyncedSince = nil
        try write(file)
    }

    /// Notes that nobody knows what the disk has of a trip's journal. Blocks on the disk.
    func noteBroken(_ trip: TripID) throws(SystemError) {
        var file = try readLineageFile() ?? LineageFile()
        guard file.broken.insert(trip).inserted else { return }
        try write(file)
    }

    private func readLineageFile() throws(SystemError) -> LineageFile? {
        guard try fileSystem.status(lineageFile) != nil else { return nil }
        return LineageFile(try readFile(lineageFile))
    }

    private func readLineage(
        _ freshTag: () -> String
    ) throws(SystemError) -> (file: LineageFile, isDamaged: Bool) {
        guard try fileSystem.status(lineageFile) != nil else { return (LineageFile(), false) }
        if let file = LineageFile(try readFile(lineageFile)) { return (file, false) }
        return (LineageFile(tag: freshTag()), true)
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

    /// Puts what can be read of a journal in its place as a new file; returns whether that is on the disk.
    private func rewrite(_ trip: TripID) -> Bool {
        do throws(SystemError) {
            guard try stamp(of: trip) != nil else { return true }
            let path = journal(of: trip)
            try makeDraft(path + ".tmp", try readFile(path)) { (draft) throws(SystemError) in
                try fileSystem.rename(draft, to: path)
            }
            try fileSystem.syncDirectory(directory(of: trip))
            return true
        } catch {
            return false
        }
    }

    private func write(_ file: LineageFile) throws(SystemError) {
        try makeDraft(lineageFile + ".tmp", Array(file.text.utf8)) { (draft) throws(SystemError) in
            try fileSystem.rename(draft, to: lineageFile)
        }
        try fileSystem.syncDirectory(dataDirectory)
    }
}
