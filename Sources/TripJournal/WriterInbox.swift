import Dispatch
import LocalSystem
import TripModel

/// What the writer is asked to do, in order; the meeting point of everybody and the writer's thread.
final class WriterInbox: Sendable {
    enum Command: Sendable {
        case attach(OpenedJournal, sink: @Sendable (JournalEvent) -> Void)
        case create(
            JournalHeader, first: EncodedRecords, sink: @Sendable (JournalEvent) -> Void,
            completion: @Sendable (Result<Void, JournalStoreError>) -> Void)
        case append(EncodedRecords, TripID)
        case delete(
            TripID, at: JournalCheckpoint, completion: @Sendable (Result<Void, JournalStoreError>) -> Void)
        case detach(TripID, TripContent?, completion: @Sendable (CatalogueEntry?) -> Void)
        case name(TripID, Set<String>)
        case note(TripID, CatalogueEntry)
        case compact(TripID, at: JournalCheckpoint, CompactedState)
        case compaction(CompactionNews)

        /// Bytes of records that it holds.
        var byteCount: Int {
            switch self {
            case .create(_, let first, _, _): first.bytes.count
            case .append(let records, _): records.bytes.count
            case .attach, .delete, .detach, .name, .note, .compact, .compaction: 0
            }
        }
    }

    enum Wake {
        /// There are commands.
        case work
        /// The deadline is over, or there may be another one by now.
        case deadline
        /// The inbox is closed, and empty for good.
        case closed
    }

    private struct State {
        var commands: [Command] = []
        /// Of records that were put here and are not settled yet.
        var byteCount = 0
        /// The thread waits, or is about to, and nobody has woken it yet.
        var isSleeping = false
        /// The thread is to look at its deadline again.
        var hasNewDeadline = false
        var isClosed = false

        /// Whether the thread has to be woken, which is then up to the caller.
        mutating func takeSleep() -> Bool {
            defer { isSleeping = false }
            return isSleeping
        }
    }

    private let state = Guarded(State())
    private let bell = DispatchSemaphore(value: 0)
    /// There is no thread: what was taken is carried out before anything else is done.
    private let isStepped: Bool

    init(isStepped: Bool = false) { self.isStepped = isStepped }

    /// Bytes of records that were put here and are not settled yet.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Adds a command; false if the inbox is closed.
    func put(_ command: Command) -> Bool { put([command]) }

    /// Adds commands; false if the inbox is closed.
    func put(_ commands: [Command]) -> Bool {
        let (isTaken, mustWake) = state.withLock { state in
            if state.isClosed { return (false, false) }
            state.commands += commands
            for command in commands { state.byteCount += command.byteCount }
            return (true, state.takeSleep())
        }
        if mustWake { bell.signal() }
        return isTaken
    }

    /// Counts the bytes of records that are carried out without being put here, which is in order while nothing else is
    /// here or taken: then the thread sleeps.
    ///
    /// - Returns: false where they have to be put here.
    func passBy(_ byteCount: Int) -> Bool {
        state.withLock { state in
            guard state.isSleeping || isStepped, state.commands.isEmpty, !state.isClosed else { return false }
            state.byteCount += byteCount
            return true
        }
    }

    /// Lets the thread ask how long it may sleep.
    func wakeForNewDeadline() {
        let mustWake = state.withLock { state in
            state.hasNewDeadline = true
            return state.takeSleep()
        }
        if mustWake { bell.signal() }
    }

    /// Takes no more commands.
    func close() {
        let mustWake = state.withLock { state in
            state.isClosed = true
            return state.takeSleep()
        }
        if mustWake { bell.signal() }
    }

    /// Gives back the room of commands that have been carried out, in bytes.
    func free(_ byteCount: Int) {
        state.withLock { $0.byteCount -= byteCount }
    }

    /// What a wait would end with, without waiting; nil where it would wait.
    func takeNow(_ commands: inout [Command], until deadline: Int64?, now: Int64) -> Wake? {
        precondition(commands.isEmpty, "one round is finished before the next")
        return state.withLock { state in
            if !state.commands.isEmpty {
                swap(&state.commands, &commands)
                return .work
            }
            if state.isClosed { return .closed }
            return deadline.map { $0 <= now } == true ? .deadline : nil
        }
    }

    /// Waits for commands and moves all there are to `commands`, which is empty; until a monotonic time at most.
    func take(_ commands: inout [Command], until deadline: Int64?) -> Wake {
        precondition(commands.isEmpty, "one round is finished before the next")
        while true {
            let found = state.withLock { state -> Wake? in
                if !state.commands.isEmpty {
                    swap(&state.commands, &commands)
                    return .work
                }
                if state.isClosed { return .closed }
                if state.hasNewDeadline {
                    state.hasNewDeadline = false
                    return .deadline
                }
                state.isSleeping = true
                return nil
            }
            if let found { return found }
            guard let deadline else {
                bell.wait()
                continue
            }
            let rest = max(0, deadline - MonotonicClock.nowNanoseconds)
            if bell.wait(timeout: .now() + .nanoseconds(Int(rest))) == .success { continue }
            if state.withLock({ $0.takeSleep() }) { return .deadline }
            // Somebody has decided to ring just now: that ring belongs to this sleep, not to the next one.
            bell.wait()
        }
    }
}
