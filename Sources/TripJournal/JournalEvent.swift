import LocalSystem

/// An event of a journal, reported on the writer's thread in order.
package enum JournalEvent: Equatable, Sendable {
    /// Every record up to this version is durable, in the sense of the durability mode.
    case durable(upTo: Int)
    /// All records that are not durable have failed, including those appended before the owner has handled this event.
    case failed(JournalFailure)
    /// The journal has grown so much that the writer requests `JournalWriter.compact`.
    case grown
}

/// The reason why records failed, and the state of the journal.
package enum JournalFailure: Equatable, Sendable {
    /// There is no space, and nothing of the records is in the journal. The next record that continues at
    /// `resumeFrom` is a new attempt. Other records are dropped without an event, because they were appended
    /// before this failure was known.
    case full(SystemError, resumeFrom: JournalCheckpoint)
    /// A write or a sync failed, and the state on disk is unknown. After a restart, records up to version
    /// `upTo` may exist or not; later ones do not. The journal rejects records until then.
    case outcomeUnknown(SystemError, upTo: Int)
    /// An earlier failure, given here, has closed the journal until a restart. Nothing was written.
    case readOnly(SystemError)
}
