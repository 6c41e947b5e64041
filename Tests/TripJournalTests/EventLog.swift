import Dispatch
import LocalSystem

@testable import TripJournal

/// The events of a journal's sink, for a test to wait for.
final class EventLog: Sendable {
    struct TimedOut: Error {}
    /// An event that means that the awaited one will not come.
    struct Refused: Error { let event: JournalEvent }

    private struct State {
        var events: [JournalEvent] = []
        var taken = 0
    }

    private let state = Guarded(State())
    private let bell = DispatchSemaphore(value: 0)

    /// Every event so far.
    var all: [JournalEvent] { state.withLock { $0.events } }

    func note(_ event: JournalEvent) {
        state.withLock { $0.events.append(event) }
        bell.signal()
    }

    /// Waits for the oldest unread event and removes it.
    func next() throws -> JournalEvent {
        try bell.waitOrFail()
        return state.withLock { state in
            defer { state.taken += 1 }
            return state.events[state.taken]
        }
    }

    /// Removes the next event if it has come already and is this one.
    func take(_ event: JournalEvent) throws -> Bool {
        let isNext = state.withLock { $0.taken < $0.events.count && $0.events[$0.taken] == event }
        return try isNext && next() == event
    }

    /// Removes events up to this one; throws after a different failure, because then it will not come.
    func wait(for event: JournalEvent) throws {
        while true {
            let came = try next()
            if came == event { return }
            if case .failed = came { throw Refused(event: came) }
        }
    }
}

extension DispatchSemaphore {
    /// Waits with a timeout: an awaited event comes at once or never.
    func waitOrFail() throws {
        if wait(timeout: .now() + .seconds(300)) == .timedOut { throw EventLog.TimedOut() }
    }
}
