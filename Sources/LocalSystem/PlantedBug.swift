/// Defects that the simulation plants in the product, one at a time, to prove that it would detect them.
///
/// Only a debug build can plant them, and only from within the package. In any other build `isPlanted` is
/// `false`, and the compiler removes the defects.
package enum PlantedBug: String, CaseIterable, Sendable {
    /// The writer reports a commit as durable before it has synced it.
    case replyBeforeSync
    /// The first update during a drag is sent at once, and ends the deferral.
    case deferralOffByOne
    /// The end of a drag does not resume updates.
    case deferralNotEnded
    /// The updates that a drag deferred are sent commit by commit.
    case deferredInSteps
    /// A retry of a client's newest change is applied again.
    case retryAppliedTwice
    /// The cached answers are not restored at a restart.
    case retriesLostAtRestart
    /// A delta of several commits contains only the removals of the last one.
    case lostTombstone
    /// The end of a connection does not end its drag.
    case leaseNotReleased
    /// States are sent before finished answers.
    case stateOvertakesAnswer
    /// A change whose write failed is confirmed.
    case failureAcknowledged
    /// The answers to failed changes stay cached.
    case failedAnswerCached
    /// Failed changes stay in the history.
    case failedLineRetained
    /// A client may resume from a version of another epoch.
    case epochIgnored
    /// The repair of a torn journal loses its last good record.
    case tornTailCutShort
    /// The name of a new trip is not synced.
    case creationNotSynced
    /// The number of versions that a snapshot skips includes itself.
    case skippedMiscounted
    /// Commits that become durable together are not sent to subscribers.
    case subscriberMissed
    /// A client drops unanswered changes when its connection ends.
    case pendingLostOnReconnect
    /// A client retries a change with a new number.
    case repeatedUnderNewNumber
    /// A client shows newer states while its user drags.
    case shownDuringDrag
    /// A client applies its pending changes to a state that already contains them.
    case overlayTwice
    /// A refusal removes the client's oldest pending change, whichever was refused.
    case refusalTakesOldest
    /// A change with an unknown outcome is not reported to the user.
    case doubtNotReported
    /// A drop that waits for its lease is lost when the user quits.
    case dropLostAtQuit
    /// A retried change is applied after the user's later changes.
    case retriedLast

    /// The defects that editor sessions detect.
    package static let ofEditors: Set<PlantedBug> = [
        .overlayTwice, .refusalTakesOldest, .doubtNotReported, .dropLostAtQuit, .retriedLast,
    ]

    /// The writer runs a deletion that was requested before the failure of an earlier change was known.
    case deletionAfterFailure
    /// A stopping daemon watches its listener again after a lack of descriptors, and traps.
    case listenedWhileStopping
    /// A catalogue that finds no space leaves its draft behind, and is retried in every batch.
    case draftLeftOnFullDisk
    /// An applied sequence number is forgotten with its cached answer.
    case appliedForgottenWithAnswer
    /// Answers are evicted before their changes are durable, so a rollback cannot restore the numbers.
    case answersTrimmedTooEarly
    /// After a power failure, versions lost by relaxed durability are used again in the same epoch.
    case lineageForgotten

    #if PLANTED_BUGS
    /// The defect that is planted in the current task.
    @TaskLocal package static var planted: PlantedBug?

    /// True if this defect is planted.
    package var isPlanted: Bool { Self.planted == self }

    /// Whether this build has defects to plant.
    package static let canBePlanted = true

    /// Runs a body with a defect planted, or with none.
    package static func plant<Value>(_ bug: PlantedBug?, during body: () -> Value) -> Value {
        $planted.withValue(bug, operation: body)
    }

    /// Wraps work for another thread, so that it runs with the currently planted defect.
    static func carried(by work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let bug = planted
        return { plant(bug, during: work) }
    }
    #else
    /// Whether this build has defects to plant.
    package static let canBePlanted = false

    /// Runs a body; this build has no defects to plant.
    package static func plant<Value>(_ bug: PlantedBug?, during body: () -> Value) -> Value {
        precondition(bug == nil, "only a debug build has bugs to plant")
        return body()
    }

    /// Returns work for another thread unchanged.
    static func carried(by work: @escaping @Sendable () -> Void) -> @Sendable () -> Void { work }

    /// Always false in this build.
    @inlinable package var isPlanted: Bool { false }
    #endif
}
