import LocalSystem
import TripModel

/// Distinguishes the histories of one data directory.
///
/// In relaxed durability a power failure may lose acknowledged changes, and their versions are used again for
/// others. The journal does not show this, because it may have ended there anyway. So the file `lineage`
/// records that a daemon has unsynced data, and the boot of the machine since which. A daemon that finds the
/// file after another boot gives the directory a new tag, and thereby each trip a new epoch. The same happens
/// after a journal could not be synced, because the disk may lack data that the system still shows.
package struct Lineage: Equatable, Sendable {
    /// Appended to the epochs of all journals when they are sent; nil while nothing can have been lost.
    package let tag: String?

    /// A lineage with a tag, or the first one of a directory.
    package init(tag: String? = nil) { self.tag = tag }

    /// The epoch for clients, from the one in the journal.
    package func clientEpoch(for journalEpoch: String) -> String {
        tag.map { "\(journalEpoch)-\($0)" } ?? journalEpoch
    }

    /// The epoch in the journal, from the one for clients.
    package func journalEpoch(for clientEpoch: String) -> String {
        guard let tag, clientEpoch.hasSuffix("-\(tag)") else { return clientEpoch }
        return String(clientEpoch.dropLast(tag.count + 1))
    }
}

/// The content of the file.
private struct LineageFile: Equatable {
    var tag: String?
    /// The boot since which data may be unsynced; nil while everything is synced.
    var unsyncedSince: String?
    /// Trips whose journals could not be synced, so that their state on disk is unknown.
    var broken: Set<TripID> = []

    var text: String {
        let trips = broken.isEmpty ? "-" : broken.sorted().map(\.description).joined(separator: " ")
        return "itineraryd lineage 1\ntag \(tag ?? "-")\nunsynced \(unsyncedSince ?? "-")\nbroken \(trips)\n"
    }

    init(tag: String? = nil) { self.tag = tag }

    /// Nil if the bytes are not a valid file.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 4 else { return nil }
        tag = Self.words(lines[1]).first
        unsyncedSince = Self.words(lines[2]).first
        broken = Set(Self.words(lines[3]).compactMap { TripID($0) })
        guard Array(text.utf8) == bytes, tag.map(JournalFormat.isEpoch) != false else { return nil }
    }

    /// The values after a line's name.
    private static func words(_ line: Substring) -> [String] {
        line.split(separator: " ").dropFirst().map(String.init).filter { $0 != "-" }
    }
}

extension JournalStore {
    private var lineageFile: String { dataDirectory + "/lineage" }

    /// Determines whether the disk may have lost data since the last daemon, and records whether this daemon
    /// leaves data unsynced. Called once at start, before a trip is opened. Blocks on the disk.
    ///
    /// If the file cannot be written, the trips are served under epochs that no other run of the daemon has.
    ///
    /// - Parameters:
    ///   - machineStart: identifies the boot of the machine; nil if it is unknown.
    ///   - log: receives a warning if the file cannot be written.
    ///   - freshTag: creates a tag that this directory has never had.
    package func beginLineage(
        _ durability: Durability, bootID: String?, log: (LogLine) -> Void = { _ in },
        freshTag: () -> String
    ) -> Lineage {
        do throws(SystemError) {
            let found = try readLineage(freshTag)
            var next = found.file
            if let start = next.unsyncedSince {
                // Data that a killed process wrote still exists in the system, and is synced now.
                var isWhole = start == bootID
                if isWhole { isWhole = try syncAllTrips() }
                if !isWhole { next.tag = freshTag() }
            }
            if !next.broken.isEmpty {
                next.tag = freshTag()
                // A sync of the old file could succeed without effect, so the file is rewritten.
                next.broken = next.broken.filter { !rewrite($0) }
            }
            next.unsyncedSince = durability == .relaxed ? bootID ?? "unknown" : nil
            if next != found.file || found.isDamaged { try write(next) }
            return Lineage(tag: next.tag)
        } catch {
            log(.warning("the file lineage cannot be written, so every trip gets a new epoch: \(error)"))
            return Lineage(tag: freshTag())
        }
    }

    /// Records that everything is synced. Blocks on the disk.
    ///
    /// - Parameter lineage: the lineage of this run. If the file has another one, this run could not be
    ///   recorded, and the file still describes an earlier run.
    func endUnsynced(_ lineage: Lineage) throws(SystemError) {
        guard var file = try readLineageFile(), file.unsyncedSince != nil, file.tag == lineage.tag else {
            return
        }
        file.unsyncedSince = nil
        try write(file)
    }

    /// Records that the state of a trip's journal on disk is unknown. Blocks on the disk.
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

    /// Syncs all journals; returns whether that succeeded.
    private func syncAllTrips() throws(SystemError) -> Bool {
        for trip in try listTrips() {
            do throws(SystemError) {
                // A name that is not a regular file was not created by a daemon.
                guard try stamp(of: trip) != nil else { continue }
                try OpenFile(journal(of: trip), .append, in: fileSystem).syncData()
                try fileSystem.syncDirectory(directory(of: trip))
            } catch {
                return false
            }
        }
        return true
    }

    /// Replaces a journal by a new file with its readable content; returns whether that is on disk.
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
