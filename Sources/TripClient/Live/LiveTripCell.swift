import LocalSystem
import TripModel

/// The core of a live trip behind a lock, so that any thread can change it at once. Its driver runs the
/// actions on the loop's thread, in order.
final class LiveTripCell: Sendable {
    /// Receives the outcome of an intent, on the loop's thread.
    typealias Caller = @Sendable (LiveTripCore.Resolution) -> Void

    private struct Contents {
        var core: LiveTripCore
        var actions: [LiveTripCore.Action] = []
        var callers: [Int: Caller] = [:]
        var nextIntent = 1
        /// Incremented by every change of the state.
        var revision = 0

        mutating func note(_ new: [LiveTripCore.Action]) {
            if new.contains(.stateChanged) { revision += 1 }
            actions += new
        }
    }

    private let contents: Guarded<Contents>

    init(_ core: LiveTripCore) { contents = Guarded(Contents(core: core)) }

    /// Handles an event; its actions wait for `takeActions`.
    func handle(_ event: (inout LiveTripCore) -> [LiveTripCore.Action]) {
        contents.withLock { contents in
            let actions = event(&contents.core)
            contents.note(actions)
        }
    }

    /// Performs an intent.
    ///
    /// - Parameter caller: receives the outcome; nil if nobody waits, or if the intent has none.
    /// - Returns: the resulting state; nil before the first state.
    func perform(
        _ intent: LiveTripCore.Intent, _ options: LiveTrip.ChangeOptions = .init(), now: Duration,
        caller: Caller?
    ) -> ShownState? {
        let moment = Timestamp(milliseconds: LocalSystem.WallClock.nowMilliseconds)
        return contents.withLock { contents in
            let number = contents.nextIntent
            contents.nextIntent += 1
            if intent.hasOutcome { contents.callers[number] = caller }
            contents.note(contents.core.perform(intent, id: number, at: moment, now: now, options: options))
            return Self.shown(&contents)
        }
    }

    /// Removes and returns the actions to run, in order.
    func takeActions() -> [LiveTripCore.Action] {
        contents.withLock { contents in
            defer { contents.actions = [] }
            return contents.actions
        }
    }

    /// Removes and returns the caller that waits for an intent's outcome.
    func takeCaller(of intent: Int) -> Caller? {
        contents.withLock { $0.callers.removeValue(forKey: intent) }
    }

    /// The newest state; nil before the first one.
    var shown: ShownState? { contents.withLock { Self.shown(&$0) } }

    private static func shown(_ contents: inout Contents) -> ShownState? {
        contents.core.state().map { ShownState(state: $0, revision: contents.revision) }
    }

    /// Reads the core.
    func read<Value: Sendable>(_ body: (inout LiveTripCore) -> Value) -> Value {
        contents.withLock { body(&$0.core) }
    }
}

/// A state with its revision; a greater revision is newer.
struct ShownState: Sendable {
    let state: LiveTrip.State
    let revision: Int
}
