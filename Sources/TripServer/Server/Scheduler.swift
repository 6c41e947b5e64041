import JSONLine
import LocalSystem
import TripProtocol

/// The order of the work at the end of a loop iteration: the connections with lines that wait for their next quantum,
/// and those with output to write.
struct Scheduler {
    private struct Waiter {
        let id: ConnectionID
        /// Its usage when it began to wait, which does not change while it waits.
        let time: RecentUsage
    }

    /// Aging: every 8th quantum goes to the longest waiter, so that newcomers without usage cannot starve it.
    private static let cycle = 8

    private var queue: [Waiter] = []
    private var waiting: Set<ConnectionID> = []
    private var quantumCount = 0
    /// The connections to flush, in the order of their output.
    private var flushes: [Connection] = []
    /// The end of this iteration, or of the next one, has been requested.
    private var isEndScheduled = false

    /// True if no connection waits for a quantum.
    var hasNoTurns: Bool { queue.isEmpty }

    var hasFlushes: Bool { !flushes.isEmpty }

    /// Requests the end of an iteration; false if it is requested already.
    mutating func scheduleEnd() -> Bool {
        defer { isEndScheduled = true }
        return !isEndScheduled
    }

    /// The end of the iteration is running; whatever follows requests another one.
    mutating func endsNow() { isEndScheduled = false }

    mutating func addFlush(of connection: Connection) {
        guard !connection.output.isScheduled else { return }
        connection.output.isScheduled = true
        flushes.append(connection)
    }

    /// Removes and returns the connections to flush. Those that are added meanwhile wait for the next time.
    mutating func takeFlushes() -> [Connection] {
        defer { flushes = [] }
        return flushes
    }

    /// Puts connections back to the front.
    mutating func postpone(_ connections: some Collection<Connection>) {
        flushes.insert(contentsOf: connections, at: 0)
    }

    /// Adds a connection with its recent usage.
    mutating func wait(_ id: ConnectionID, after time: RecentUsage) {
        if waiting.insert(id).inserted { queue.append(Waiter(id: id, time: time)) }
    }

    /// Removes and returns the connection with the lowest recent usage, the longest waiting one among equals.
    /// Every 8th time it is the longest waiter of all.
    mutating func next(at now: Int64) -> ConnectionID? {
        guard !queue.isEmpty else { return nil }
        quantumCount = (quantumCount + 1) % Self.cycle
        let next = quantumCount == 0 ? queue.startIndex : leastUsed(at: now)
        let id = queue.remove(at: next).id
        waiting.remove(id)
        return id
    }

    private func leastUsed(at now: Int64) -> Int {
        let least = queue.indices.min { queue[$0].time.total(at: now) < queue[$1].time.total(at: now) }
        return least ?? queue.startIndex
    }
}

/// Recent use of the loop in nanoseconds, in the current and the previous interval.
struct RecentUsage {
    /// The length of an interval in nanoseconds.
    static let span: Int64 = 500_000_000

    private var number: Int64 = 0
    private var (inThis, inLast): (Int64, Int64) = (0, 0)

    /// Adds usage up to `now`, on a monotonic clock.
    mutating func add(_ nanoseconds: Int64, at now: Int64) {
        (inThis, inLast) = counted(at: now)
        number = now / Self.span
        inThis += nanoseconds
    }

    /// The usage in the current and the previous interval.
    func total(at now: Int64) -> Int64 {
        let (inThis, inLast) = counted(at: now)
        return inThis + inLast
    }

    private func counted(at now: Int64) -> (inThis: Int64, inLast: Int64) {
        switch now / Self.span - number {
        case ...0: (inThis, inLast)
        case 1: (0, inThis)
        default: (0, 0)
        }
    }
}

extension Connection {
    /// The usage in nanoseconds below which a connection has priority. An interactive client uses less: a
    /// drag sends about twenty requests per second, of 0.1 ms each.
    private static let lowUsage: Int64 = 2_500_000

    /// True if its recent usage is high, so that others have priority.
    func hasHighUsage(at now: Int64) -> Bool { input.usage.total(at: now) > Self.lowUsage }
}

// MARK: - Turns

extension Server {
    /// The quantum in nanoseconds.
    private static let quantum: Int64 = 500_000
    /// The age of a loop iteration in nanoseconds up to which connections with low usage run at once.
    private static let youngIteration: Int64 = 1_000_000
    /// The time in nanoseconds per loop iteration for queued connections.
    private static let runQueueBudget: Int64 = 500_000
    /// The budget in nanoseconds per loop iteration for flushing connections with high usage.
    private static let flushBudget: Int64 = 500_000
    /// The maximum number of parsed requests of all connections that wait to run; each may be a whole line.
    static let readAhead = 8

    /// Runs `endIteration` once after the events of this iteration.
    func scheduleEnd() {
        guard scheduler.scheduleEnd() else { return }
        loop.atEndOfIteration { [self] in enter { $0.endIteration() } }
    }

    /// The end of an iteration, in this order. Clients are written to nowhere else; records are passed to the journal
    /// earlier only before a creation, a deletion or a compaction.
    private func endIteration() {
        // Ready answers do not wait for the queued connections.
        if scheduler.hasFlushes, !scheduler.hasNoTurns { flushAll() }
        runTurns()
        resumeAfterMemoryPressure()
        // A report lets kept calls run, whose records follow at once.
        var reports = storage.handOver()
        while !reports.isEmpty {
            for report in reports { report(self) }
            reports = storage.handOver()
        }
        scheduler.endsNow()
        flushAll()
        if !scheduler.hasNoTurns || scheduler.hasFlushes || budget.mayResume { scheduleEnd() }
    }

    /// Runs a connection's quantum at once if its recent usage is low and the iteration is young; otherwise
    /// queues the connection.
    func giveQuantum(to connection: Connection) {
        // Without contention it runs immediately.
        let isFirst = isAlone || !connection.hasHighUsage(at: loop.iterationNanoseconds)
        let isInTime = loop.nanoseconds < loop.iterationNanoseconds + Self.youngIteration
        if isInTime, isFirst, connection.input.lastQuantum != loop.iterationNanoseconds {
            return handleLines(of: connection)
        }
        connection.input.hasDeferredLines = true
        connection.updateInterest()
        queueTurn(of: connection)
    }

    /// True if no connection waits, and at most one event and a wakeup came in this iteration.
    private var isAlone: Bool { loop.iterationEventCount <= 2 && scheduler.hasNoTurns }

    private var mayReadAhead: Bool { parsedCount < Self.readAhead }

    /// Queues a connection with lines for its next quantum.
    func queueTurn(of connection: Connection) {
        scheduler.wait(connection.id, after: connection.input.usage)
        scheduleEnd()
    }

    /// Runs the queued connections within the budget; at least one, however long the iteration was.
    private func runTurns() {
        var isFirst = true
        let now = loop.iterationNanoseconds
        let end = loop.nanoseconds + Self.runQueueBudget
        while isFirst || loop.nanoseconds < end, let id = scheduler.next(at: now) {
            guard let connection = connections[id], connection.input.hasDeferredLines,
                connection.mayHandleLines
            else {
                continue
            }
            handleLines(of: connection)
            isFirst = false
        }
    }

    /// Processes whole lines until none is left, too many answers are pending, or the quantum has expired.
    /// The rest is processed after answers are sent, or in a later quantum.
    private func handleLines(of connection: Connection) {
        let start = loop.nanoseconds
        var now = start
        let end = start + Self.quantum
        var isOver = false
        lines: while !isOver, connection.mayHandleLines {
            switch connection.input.first {
            case .unread, .isBeingParsed:
                preconditionFailure("lines behind an unparsed line are not processed")
            case .toBeParsed(let frame):
                connection.input.first = .nothing
                if parsesOnWorker(frame, of: connection) { break lines }
                handle(DecodedLine(frame), of: connection) { loop.nanoseconds < end || !mayReadAhead }
            case .read(let reading):
                connection.input.first = .nothing
                handle(reading, of: connection) { loop.nanoseconds < end || !mayReadAhead }
            case .asked(let asked):
                connection.input.first = .nothing
                begin(asked, of: connection)
            case .nothing where mustDeferParsing(connection): break lines
            case .nothing:
                guard let frame = connection.input.framer.next() else {
                    submitGroup(of: connection)
                    connection.input.usage.add(loop.nanoseconds - start, at: now)
                    connection.input.hasDeferredLines = false
                    connection.updateInterest()
                    recount(connection)
                    return parseLongLines()
                }
                if parsesOnWorker(frame, of: connection) { break lines }
                handle(DecodedLine(frame), of: connection) { loop.nanoseconds < end || !mayReadAhead }
            }
            now = loop.nanoseconds
            isOver = now >= end
        }
        submitGroup(of: connection)
        connection.input.usage.add(loop.nanoseconds - start, at: now)
        connection.input.hasDeferredLines =
            connection.hasFirst || connection.input.framer.pendingByteCount > 0
        connection.updateInterest()
        recount(connection)
        scheduleFlush(connection)
        // An executed request frees a slot of the read-ahead window.
        parseLongLines()
        guard isOver else { return }
        connection.input.lastQuantum = loop.iterationNanoseconds
        if connection.input.hasDeferredLines, connection.mayHandleLines {
            queueTurn(of: connection)
        }
    }

    /// True under memory pressure if the next line is large and enough large requests are waiting: a parsed
    /// request takes more memory than its line.
    private func mustDeferParsing(_ connection: Connection) -> Bool {
        budget.hasWaiting && connection.input.framer.pendingByteCount > MemoryBudget.smallLine
            && budget.largeWaitingCount + parsedCount >= Self.readAhead
    }

    // MARK: Flushes

    /// Schedules one write at the end of the iteration.
    func scheduleFlush(_ connection: Connection) {
        scheduler.addFlush(of: connection)
        scheduleEnd()
    }

    /// Flushes the scheduled connections: first those with low recent CPU usage, then the others as long as
    /// the iteration has time. The rest waits for the next iteration.
    private func flushAll() {
        var others: [Connection] = []
        for connection in scheduler.takeFlushes() {
            if connection.hasHighUsage(at: loop.iterationNanoseconds) {
                others.append(connection)
            } else {
                flush(connection)
            }
        }
        if others.isEmpty { return }
        let (now, end) = (loop.iterationNanoseconds, loop.nanoseconds + Self.flushBudget)
        others.sort { $0.input.usage.total(at: now) < $1.input.usage.total(at: now) }
        for (index, connection) in others.enumerated() {
            flush(connection)
            guard index + 1 < others.count, loop.nanoseconds >= end else { continue }
            return scheduler.postpone(others[(index + 1)...])
        }
    }
}
