/// Bugs that the simulation plants in the product, one at a time, to prove that it would find them.
///
/// A debug build can plant them, and only from within the package; in any other build `isPlanted` is `false` and the
/// compiler leaves the bugs out.
package enum PlantedBug: String, CaseIterable, Sendable {
    /// The writer tells that a commit is durable before it has synced it.
    case replyBeforeSync
    /// The first news during a drag is told at once, and ends its deferral.
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
    /// A change whose write failed is answered as if it were kept.
    case failureAcknowledged
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
    /// Commits that become durable together are not told to subscribers.
    case subscriberForgotten
    /// A client forgets what was not answered when its connection ends.
    case pendingLostOnReconnect
    /// A client gives a repeat another number than the first.
    case repeatedUnderNewNumber
    /// A client shows newer states while its user drags.
    case shownDuringDrag
    /// A client lays its changes upon a state that has them already.
    case overlayTwice
    /// A refusal takes the client's oldest change off the screen, whichever was refused.
    case refusalTakesOldest
    /// That a change is in doubt is told to nobody.
    case doubtNotTold
    /// A drop that waits for its grant is lost when the user leaves.
    case dropLostAtQuit
    /// What is asked for anew is made behind all that its user did after it.
    case askedAnewLast

    /// The bugs that editor sessions detect.
    package static let ofEditors: Set<PlantedBug> = [
        .overlayTwice, .refusalTakesOldest, .doubtNotTold, .dropLostAtQuit, .askedAnewLast,
    ]

    /// The writer carries out a deletion that was given before anybody knew that a change before it had failed.
    case deletionAfterFailure
    /// A watch that asks for nothing is not told of a hang-up.
    case hangupUnheard
    /// The listener is watched again after a lack of descriptors, although the daemon stops: it traps.
    case listenedWhileStopping
    /// A catalogue that finds no room leaves its draft behind, and is tried again after every round.
    case draftLeftOnFullDisk
    /// That a change was made is forgotten with its answer.
    case madeForgottenWithAnswer
    /// Answers are trimmed before their changes are durable, and the numbers do not come back with the changes.
    case answersTrimmedTooEarly
    /// After a power cut, versions that relaxed durability has lost are given out anew in the same epoch.
    case lineageForgotten

    #if PLANTED_BUGS
    /// The one that is planted in the work of the present task.
    @TaskLocal package static var planted: PlantedBug?

    /// Whether it is there.
    package var isPlanted: Bool { Self.planted == self }

    /// Whether this build has bugs to plant.
    package static let canBePlanted = true

    /// Runs a body with a bug planted, or with none.
    package static func plant<Value>(_ bug: PlantedBug?, during body: () -> Value) -> Value {
        $planted.withValue(bug, operation: body)
    }

    /// Wraps work for another thread, so that it runs with the bug planted here.
    static func carried(by work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let bug = planted
        return { plant(bug, during: work) }
    }
    #else
    /// Whether this build has bugs to plant.
    package static let canBePlanted = false

    /// Does something without a bug; there is none in this build.
    package static func plant<Value>(_ bug: PlantedBug?, during body: () -> Value) -> Value {
        precondition(bug == nil, "only a debug build has bugs to plant")
        return body()
    }

    /// Work for another thread, as it is.
    static func carried(by work: @escaping @Sendable () -> Void) -> @Sendable () -> Void { work }

    /// Whether it is there: never in this build.
    @inlinable package var isPlanted: Bool { false }
    #endif
}
