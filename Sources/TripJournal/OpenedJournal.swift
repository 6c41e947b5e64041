/// A journal that was read, or repaired, and is safely on the disk up to `end`.
package struct OpenedJournal: Equatable, Sendable {
    /// Its first line.
    package let header: JournalHeader
    /// The state that the records go on from; nil where they begin with the trip's creation.
    package let snapshot: JournalSnapshot?
    /// All commits after the snapshot; from the trip's creation on, at least one, where there is none.
    package let records: [JournalRecord]
    /// Where an encoder goes on.
    package let checkpoint: JournalCheckpoint
    /// The file's size in bytes.
    package let end: Int
    /// Byte offset after the header and the snapshot: the least that a compaction would write again.
    package let baseEnd: Int
    /// What was cut off to get here, if anything was; the epoch is new then.
    package let repair: JournalRepair?

    /// A journal from its parts.
    package init(
        header: JournalHeader, snapshot: JournalSnapshot? = nil, records: [JournalRecord],
        checkpoint: JournalCheckpoint, end: Int, baseEnd: Int = 0, repair: JournalRepair?
    ) {
        self.header = header
        self.snapshot = snapshot
        self.records = records
        self.checkpoint = checkpoint
        self.end = end
        self.baseEnd = baseEnd
        self.repair = repair
    }

    /// What a scan found good in `bytes`.
    package init(_ contents: JournalContents, in bytes: [UInt8]) {
        self.init(
            header: contents.header, snapshot: contents.snapshot(in: bytes),
            records: contents.records(in: bytes),
            checkpoint: contents.checkpoint, end: contents.end, baseEnd: contents.baseEnd, repair: nil)
    }
}

/// What a recovery cut off.
package struct JournalRepair: Equatable, Sendable {
    /// What was found.
    package let tail: TornTail
    /// How many bytes of the old file are not in the new one.
    package let droppedBytes: Int
    /// Where the whole old file is kept.
    package let copy: String
}

/// What opening a trip's journal led to.
package enum JournalOpening: Equatable, Sendable {
    case opened(OpenedJournal)
    /// The trip must not be served; `file` was not touched.
    case quarantined(file: String, JournalDamage)
    /// The trip needs a program that reads format `lowestReader`; `file` was not touched.
    case newerFormat(file: String, lowestReader: Int)
}
