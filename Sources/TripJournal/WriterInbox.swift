import Dispatch
import LocalSystem
import TripModel

/// The queue of commands from all threads to the writer.
final class WriterInbox: Sendable {
    enum Command: Sendable {
        case attach(OpenedJournal, sink: @Sendable (JournalEvent) -> Void)
        case create(
            JournalHeader, first: EncodedRecords, sink: @Sendable (JournalEvent) -> Void,
            completion: @Sendable (Result<Void, JournalStoreError>) -> Void)
        case append(EncodedRecords, TripID)
        case delete(
            TripID, at: JournalCheckpoint, now: Timestamp,
            completion: @Sendable (Result<Void, JournalStoreError>) -> Void)
        case restore(
            DeletedDirectory, completion: @Sendable (Result<Void, JournalStoreError>) -> Void)
        case detach(TripID, TripContent?, completion: @Sendable (CatalogueEntry?) -> Void)
        case name(TripID, Set<String>)
        case note(TripID, CatalogueEntry)
        case compact(TripID, at: JournalCheckpoint, CompactedState)
        case compaction(CompactionResult)

        /// Bytes of its records.
        var byteCount: Int {
            switch self {
            case .create(_, let first, _, _): first.bytes.count
            case .append(let records, _): records.bytes.count
            case .attach, .delete, .restore, .detach, .name, .note, .compact, .compaction: 0
            }
        }

        var trip: TripID {
            switch self {
            case .attach(let journal, _): journal.header.tripID
            case .create(let header, _, _, _): header.tripID
            case .append(_, let trip), .delete(let trip, _, _, _), .detach(let trip, _, _),
                .name(let trip, _),
                .note(let trip, _), .compact(let trip, _, _):
                trip
            case .restore(let deleted, _): deleted.trip
            case .compaction(let result): result.trip
            }
        }

        /// Whether it syncs files by itself, or writes or removes whole ones.
        var takesLong: Bool {
            switch self {
            case .create, .delete, .restore, .detach, .compact, .compaction: true
            case .attach, .append, .name, .note: false
            }
        }
    }

    enum Wake {
        /// There are commands.
        case work
        /// The deadline has passed or may have changed.
        case deadline
        /// The inbox is closed and empty.
        case closed
    }

    private struct State {
        var commands: [Command] = []
        /// Bytes of records that are not resolved yet.
        var byteCount = 0
        /// The thread sleeps or is about to, and no other thread has woken it yet.
        var isSleeping = false
        /// The thread must read its deadline again.
        var hasNewDeadline = false
        var isClosed = false

        /// True if the thread must be woken by the caller.
        mutating func endSleep() -> Bool {
            defer { isSleeping = false }
            return isSleeping
        }
    }

    private let state = Guarded(State())
    private let bell = DispatchSemaphore(value: 0)
    /// There is no thread, so a batch is finished before anything else is done.
    private let isStepped: Bool

    init(isStepped: Bool = false) { self.isStepped = isStepped }

    /// Bytes of records that are not resolved yet.
    var byteCount: Int { state.withLock { $0.byteCount } }

    var isEmpty: Bool { state.withLock { $0.commands.isEmpty } }

    /// Adds a command; false if the inbox is closed.
    func put(_ command: Command) -> Bool { put([command]) }

    /// Adds commands; false if the inbox is closed.
    func put(_ commands: [Command]) -> Bool {
        let (isTaken, mustWake) = state.withLock { state in
            if state.isClosed { return (false, false) }
            state.commands += commands
            for command in commands { state.byteCount += command.byteCount }
            return (true, state.endSleep())
        }
        if mustWake { bell.signal() }
        return isTaken
    }

    /// Counts the bytes of records that bypass the inbox. This preserves the order only while nothing else is
    /// queued or running, which is when the thread sleeps.
    ///
    /// - Returns: false if the records must be queued.
    func bypass(_ byteCount: Int) -> Bool {
        state.withLock { state in
            guard state.isSleeping || isStepped, state.commands.isEmpty, !state.isClosed else { return false }
            state.byteCount += byteCount
            return true
        }
    }

    /// Wakes the thread to read its deadline again.
    func wakeForNewDeadline() {
        let mustWake = state.withLock { state in
            state.hasNewDeadline = true
            return state.endSleep()
        }
        if mustWake { bell.signal() }
    }

    /// Rejects further commands.
    func close() {
        let mustWake = state.withLock { state in
            state.isClosed = true
            return state.endSleep()
        }
        if mustWake { bell.signal() }
    }

    /// Subtracts the bytes of finished commands.
    func free(_ byteCount: Int) {
        state.withLock { $0.byteCount -= byteCount }
    }

    /// The result that `take` would return at once; nil if it would wait.
    ///
    /// - Parameter hasLateCommands: whether there is work without new commands.
    func takeNow(
        _ commands: inout [Command], until deadline: Int64?, now: Int64, orElse hasLateCommands: Bool
    ) -> Wake? {
        precondition(commands.isEmpty, "a batch ends before the next one begins")
        return state.withLock { state in
            if !state.commands.isEmpty {
                swap(&state.commands, &commands)
                return .work
            }
            if hasLateCommands { return .work }
            if state.isClosed { return .closed }
            return deadline.map { $0 <= now } == true ? .deadline : nil
        }
    }

    /// Waits until a deadline for commands, and moves all of them to `commands`, which must be empty.
    func take(_ commands: inout [Command], until deadline: Int64?, orElse hasLateCommands: Bool) -> Wake {
        precondition(commands.isEmpty, "a batch ends before the next one begins")
        while true {
            let found = state.withLock { state -> Wake? in
                if !state.commands.isEmpty {
                    swap(&state.commands, &commands)
                    return .work
                }
                if hasLateCommands { return .work }
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
            if state.withLock({ $0.endSleep() }) { return .deadline }
            // Another thread has just decided to signal; the signal belongs to this sleep, not to the next one.
            bell.wait()
        }
    }
}
