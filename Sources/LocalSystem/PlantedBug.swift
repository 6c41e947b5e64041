/// Bugs that the simulation plants in the product, one at a time, to prove that it would find them.
///
/// A debug build can plant them, and only from within the package; in any other build `isPlanted` is `false` and the
/// compiler leaves the bugs out.
package enum PlantedBug: String, CaseIterable, Sendable {
    /// The writer tells that a commit is durable before it has synced it.
    case replyBeforeSync
    /// News that waits when a drag begins is still told during it.
    case deferralOffByOne
    /// The end of a drag lets nothing through.
    case deferralNotEnded
    /// What a drag deferred is told commit by commit.
    case deferredInSteps
    /// The repeat of a client's newest change is carried out again.
    case retryAppliedTwice
    /// The kept answers are not read back.
    case retriesLostAtRestart
    /// A delta of several commits names only what the last one removed.
    case lostTombstone
    /// A connection's end leaves its drag.
    case leaseNotReleased
    /// News is told before the answers that stand ready.
    case stateOvertakesAnswer
    /// A failed write is not taken back.
    case missingRollback
    /// The answers to changes that failed are kept.
    case failedAnswerKept
    /// What failed stays in the history.
    case failedLineKept
    /// A client goes on from a version of another epoch.
    case epochIgnored
    /// The repair of a torn journal loses its last good record.
    case tornTailCutShort
    /// A new trip's name is not synced.
    case creationNotSynced
    /// The versions that a snapshot skips are counted with itself.
    case skippedMiscounted
    /// A change that is answered without being told to the others.
    case subscriberForgotten

    #if PLANTED_BUGS
    /// The one that is planted in the work of the present task.
    @TaskLocal package static var planted: PlantedBug?

    /// Whether it is there.
    package var isPlanted: Bool { Self.planted == self }

    /// Whether this build has bugs to plant.
    package static let canBePlanted = true

    /// Does something with a bug, or with none.
    package static func plant<Value>(_ bug: PlantedBug?, during body: () -> Value) -> Value {
        $planted.withValue(bug, operation: body)
    }
    #else
    /// Whether this build has bugs to plant.
    package static let canBePlanted = false

    /// Does something without a bug; there is none in this build.
    package static func plant<Value>(_ bug: PlantedBug?, during body: () -> Value) -> Value {
        precondition(bug == nil, "only a debug build has bugs to plant")
        return body()
    }

    /// Whether it is there: never in this build.
    @inlinable package var isPlanted: Bool { false }
    #endif
}
