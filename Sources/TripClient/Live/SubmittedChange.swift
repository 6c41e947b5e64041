import LocalSystem
import TripModel
import TripProtocol

extension LiveTrip {
    /// A submitted change: the state that shows it, and its later result.
    public struct SubmittedChange: Sendable {
        let shown: ShownState
        let outcome: Outcome

        /// The state to show, with the change in it unless it was refused at once.
        public var state: LiveTrip.State { shown.state }

        /// The daemon's answer; may be read repeatedly, also after the live trip was closed.
        ///
        /// - Throws: `refused`, `notMade` or `outcomeUnknown`. If the task is cancelled, `outcomeUnknown`; the
        ///   change stays pending and is delivered.
        public var result: ChangeResult {
            get async throws(ClientError) {
                guard case .changed(let result) = try await outcome.value else {
                    throw .garbled("the answer to a change has no result")
                }
                return result
            }
        }
    }
}

/// The outcome of an intent, a future: it is resolved once, and any number of tasks may wait for it.
final class Outcome: Sendable {
    private typealias Waiter = CheckedContinuation<LiveTripCore.Resolution?, Never>

    private enum Phase {
        case waiting([Int: Waiter])
        case resolved(LiveTripCore.Resolution)
    }

    private let contents = Guarded((phase: Phase.waiting([:]), nextWaiter: 0))

    /// Resolves it and ends all waits. Only the first call has an effect.
    func resolve(_ resolution: LiveTripCore.Resolution) {
        let waiting = contents.withLock { contents -> [Waiter] in
            guard case .waiting(let waiting) = contents.phase else { return [] }
            contents.phase = .resolved(resolution)
            return Array(waiting.values)
        }
        for waiter in waiting { waiter.resume(returning: resolution) }
    }

    /// Waits for the outcome.
    ///
    /// - Throws: the error of the outcome, and `outcomeUnknown` if the task is cancelled.
    var value: LiveTripCore.Resolution {
        get async throws(ClientError) {
            let number = contents.withLock { contents in
                contents.nextWaiter += 1
                return contents.nextWaiter
            }
            let resolution = await withTaskCancellationHandler {
                await withCheckedContinuation { wait(as: number, $0) }
            } onCancel: {
                stopWaiting(number)
            }
            guard let resolution else {
                throw .outcomeUnknown("the task was cancelled before the answer came")
            }
            if case .failed(let error) = resolution { throw error }
            return resolution
        }
    }

    private func wait(as number: Int, _ waiter: Waiter) {
        let resolved = contents.withLock { contents -> LiveTripCore.Resolution? in
            switch contents.phase {
            case .resolved(let resolution): return resolution
            case .waiting(var waiting):
                waiting[number] = waiter
                contents.phase = .waiting(waiting)
                return nil
            }
        }
        if let resolved { return waiter.resume(returning: resolved) }
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
