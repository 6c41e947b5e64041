/// The good part of a journal's bytes, from the beginning up to `end`.
package struct JournalContents: Equatable, Sendable {
    /// The location of a record.
    package struct Entry: Equatable, Sendable {
        /// Byte offset of the record's line.
        package let offset: Int
        /// The trip's version after the record.
        package let version: Int
        /// Byte offsets of the payload.
        package let payload: Range<Int>
    }

    /// The location of a compacted journal's snapshot.
    package struct Snapshot: Equatable, Sendable {
        /// The snapshot's version.
        package let version: Int
        /// Byte offsets of its parts' payloads.
        package internal(set) var parts: [Range<Int>] = []
        /// Byte offset after its last line.
        package internal(set) var end: Int
    }

    /// The first line.
    package let header: JournalHeader
    /// The snapshot that replaces the records up to its version; nil if there is none.
    package internal(set) var snapshot: Snapshot?
    /// At least one in a whole or torn journal without a snapshot.
    package internal(set) var entries: [Entry] = []
    /// The position at which an encoder continues.
    package internal(set) var checkpoint: JournalCheckpoint
    /// Byte offset after the last good line.
    package internal(set) var end: Int
    /// The bytes before this offset are known to be synced: from the last sync mark, or else the first record.
    package internal(set) var syncedEnd: Int

    /// Byte offset after the header and the snapshot.
    package var baseEnd: Int { snapshot?.end ?? entries.first?.offset ?? end }

    /// True if there is neither a snapshot nor a record.
    var isEmpty: Bool { snapshot == nil && entries.isEmpty }

    /// The snapshot, copied from the scanned bytes.
    package func snapshot(in bytes: [UInt8]) -> JournalSnapshot? {
        snapshot.map { snapshot in
            JournalSnapshot(version: snapshot.version, parts: snapshot.parts.map { Array(bytes[$0]) })
        }
    }

    /// The records, which retain the scanned bytes.
    package func records(in bytes: [UInt8]) -> [JournalRecord] {
        entries.map { JournalRecord(version: $0.version, line: bytes[$0.payload]) }
    }
}

/// The end of the last write, interrupted by a power failure or a crash.
package struct TornTail: Equatable, Sendable {
    /// The evidence that the write was never completed.
    package enum Evidence: Equatable, Sendable {
        /// The file does not end with a newline.
        case lastLineIncomplete
        /// A whole sector of the write is zero, because it never reached the disk.
        case sectorLost
    }

    /// Byte offset of the first bad line; nothing after it was acknowledged after a sync.
    package let offset: Int
    /// The evidence.
    package let evidence: Evidence
}

/// The result of scanning a journal's bytes.
package enum JournalScan: Equatable, Sendable {
    /// Every byte is good.
    case whole(JournalContents)
    /// All is good except the end of the last write.
    case torn(JournalContents, TornTail)
    /// A bad line that an interrupted write cannot explain; with the good part before it if the header is good.
    case damaged(JournalDamage, before: JournalContents?)
    /// Written by a newer version, and readable only from format `lowestReader` on.
    case newerFormat(lowestReader: Int)

    /// The good part.
    package var contents: JournalContents? {
        switch self {
        case .whole(let contents), .torn(let contents, _): contents
        case .damaged(_, let contents): contents
        case .newerFormat: nil
        }
    }
}
