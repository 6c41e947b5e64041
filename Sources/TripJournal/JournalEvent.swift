import LocalSystem

/// What became of the records that were appended to a journal; told on the writer's thread, in order.
package enum JournalEvent: Equatable, Sendable {
    /// Every record up to this version is kept, as `Durability` means it.
    case durable(upTo: Int)
    /// All records that were appended and not reported durable have failed, those too that are appended before this
    /// event has been acted upon.
    case failed(JournalFailure)
    /// The journal has grown so much that the writer asks for `JournalWriter.compact`.
    case grown
}

/// Why records were not kept, and what that means for the journal.
package enum JournalFailure: Equatable, Sendable {
    /// There is no room. Nothing of the records is in the journal. The next record that continues from `resumeFrom`
    /// is a new attempt; others are dropped without an event, for they were appended before this was known.
    case full(SystemError, resumeFrom: JournalCheckpoint)
    /// A write or a sync failed such that nobody knows what is on the disk. The records up to version `upTo` may be
    /// there after a restart or not, those above are not. The journal takes nothing until then.
    case outcomeUnknown(SystemError, upTo: Int)
    /// An earlier failure, given here, has closed the journal until a restart: nothing was written.
    case readOnly(SystemError)
}
