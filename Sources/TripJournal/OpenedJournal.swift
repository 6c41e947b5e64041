/// A journal that was read, or repaired, and is safely on the disk up to `end`.
package struct OpenedJournal: Equatable, Sendable {
    package let header: JournalHeader
    /// All commits from the trip's creation on, at least one.
    package let records: [JournalRecord]
    /// Where an encoder goes on.
    package let checkpoint: JournalCheckpoint
    /// The file's size in bytes.
    package let end: Int
    /// What was cut off to get here, if anything was; the epoch is new then.
    package let repair: JournalRepair?
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
