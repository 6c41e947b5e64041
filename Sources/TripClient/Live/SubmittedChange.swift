import LocalSystem
import TripModel
import TripProtocol

/// A change that was submitted: the state that shows it, and its result later.
public struct SubmittedChange: Sendable {
    let shown: ShownState
    let outcome: Outcome

    /// The state to show, with the change in it unless it was refused at once.
    public var state: LiveTripState { shown.state }

    /// The daemon's answer; may be read any number of times, also after the live trip was closed.
    ///
    /// - Throws: `refused`, `notMade` or `outcomeUnknown`. If the task is cancelled, `outcomeUnknown`; the change stays
    ///   pending and is delivered.
    public var result: ChangeResult {
        get async throws(ClientError) {
            guard case .changed(let result) = try await outcome.value else {
                throw .garbled("the answer to a change is no result")
            }
            return result
        }
    }
}

/// The outcome of an intent: it is settled once, and any number of tasks may wait for it.
final class Outcome: Sendable {
    private typealias Waiter = CheckedContinuation<LiveTripCore.Settlement?, Never>

    private enum Phase {
        case waiting([Int: Waiter])
        case settled(LiveTripCore.Settlement)
    }

    private let contents = Guarded((phase: Phase.waiting([:]), nextWaiter: 0))

    /// Ends all waits. Only the first settlement counts.
    func settle(_ settlement: LiveTripCore.Settlement) {
        let waiting = contents.withLock { contents -> [Waiter] in
            guard case .waiting(let waiting) = contents.phase else { return [] }
            contents.phase = .settled(settlement)
            return Array(waiting.values)
        }
        for waiter in waiting { waiter.resume(returning: settlement) }
    }

    /// Waits for the settlement.
    ///
    /// - Throws: the error that it is, and `outcomeUnknown` if the task is cancelled.
    var value: LiveTripCore.Settlement {
        get async throws(ClientError) {
            let number = contents.withLock { contents in
                contents.nextWaiter += 1
                return contents.nextWaiter
            }
            let settlement = await withTaskCancellationHandler {
                await withCheckedContinuation { wait(as: number, $0) }
            } onCancel: {
                stopWaiting(number)
            }
            guard let settlement else {
                throw .outcomeUnknown("the task was cancelled before the answer came")
            }
            if case .failed(let error) = settlement { throw error }
            return settlement
        }
    }

    private func wait(as number: Int, _ waiter: Waiter) {
        let settled = contents.withLock { contents -> LiveTripCore.Settlement? in
            switch contents.phase {
            case .settled(let settlement): return settlement
            case .waiting(var waiting):
                waiting[number] = waiter
                contents.phase = .waiting(waiting)
                return nil
            }
        }
        if let settled { return waiter.resume(returning: settled) }
        // The cancellation may have come before this wait began.
        if Task.isCancelled { stopWaiting(number) }
    }

    private func stopWaiting(_ number: Int) {
        let waiter = contents.withLock { contents -> Waiter? in
            guard case .waiting(var waiting) = contents.phase else { return nil }
            let waiter = waiting.removeValue(forKey: number)
            contents.phase = .waiting(waiting)
            return waiter
        }
        waiter?.resume(returning: nil)
    }
}
