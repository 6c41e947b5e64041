/// The good part of a journal's bytes, from the beginning up to `end`.
package struct JournalContents: Equatable, Sendable {
    /// Where a record is.
    package struct Entry: Equatable, Sendable {
        /// Byte offset of the record's line.
        package let offset: Int
        /// The trip's version after it.
        package let version: Int
        /// Byte offsets of the payload.
        package let payload: Range<Int>
    }

    /// Where the state is that a compacted journal begins with.
    package struct Snapshot: Equatable, Sendable {
        /// The trip's version that it holds.
        package let version: Int
        /// Byte offsets of its parts' payloads.
        package internal(set) var parts: [Range<Int>] = []
        /// Byte offset after its last line.
        package internal(set) var end: Int
    }

    /// Its first line.
    package let header: JournalHeader
    /// What stands in place of the records up to its version; nil where they are all here.
    package internal(set) var snapshot: Snapshot?
    /// At least one when a scan found a journal without snapshot whole or torn.
    package internal(set) var entries: [Entry] = []
    /// Where an encoder goes on.
    package internal(set) var checkpoint: JournalCheckpoint
    /// Byte offset after the last good line.
    package internal(set) var end: Int
    /// The bytes before this offset are known to have been synced: what the last mark says, else the first record.
    package internal(set) var syncedEnd: Int

    /// Byte offset after the header and the snapshot.
    package var baseEnd: Int { snapshot?.end ?? entries.first?.offset ?? end }

    /// Whether there is nothing from which a trip can begin.
    var isEmpty: Bool { snapshot == nil && entries.isEmpty }

    /// The snapshot, copied out of the scanned bytes.
    package func snapshot(in bytes: [UInt8]) -> JournalSnapshot? {
        snapshot.map { snapshot in
            JournalSnapshot(version: snapshot.version, parts: snapshot.parts.map { Array(bytes[$0]) })
        }
    }

    /// The records, which keep the scanned bytes.
    package func records(in bytes: [UInt8]) -> [JournalRecord] {
        entries.map { JournalRecord(version: $0.version, line: bytes[$0.payload]) }
    }
}

/// The end of a last write that a power cut or a kill interrupted.
package struct TornTail: Equatable, Sendable {
    /// What shows that the write was never completed.
    package enum Evidence: Equatable, Sendable {
        /// The file does not end with a newline.
        case lastLineIncomplete
        /// A whole sector of the write is zero: it never reached the disk.
        case sectorLost
    }

    /// Byte offset of the first bad line; nothing from here on was ever acknowledged after a sync.
    package let offset: Int
    /// Why it is taken for torn.
    package let evidence: Evidence
}

/// What is in a journal's bytes.
package enum JournalScan: Equatable, Sendable {
    /// Every byte is good.
    case whole(JournalContents)
    /// All is good but the end of the last write.
    case torn(JournalContents, TornTail)
    /// Something is bad that no interrupted write explains; with what is good before it, if the header is.
    case damaged(JournalDamage, before: JournalContents?)
    /// Written by a newer version, and not readable below format `lowestReader`.
    case newerFormat(lowestReader: Int)

    /// What is good before anything that is wrong.
    package var contents: JournalContents? {
        switch self {
        case .whole(let contents), .torn(let contents, _): contents
        case .damaged(_, let contents): contents
        case .newerFormat: nil
        }
    }
}
