import JSONLine
import LocalSystem
import TripProtocol

/// The run queue: connections with lines to process that wait for their next quantum.
struct RunQueue {
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
    /// The queue is processed at the end of the loop iteration.
    var isScheduled = false

    var isEmpty: Bool { queue.isEmpty }

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
    func hasHighUsage(at now: Int64) -> Bool { usage.total(at: now) > Self.lowUsage }
}

extension Server {
    /// The quantum in nanoseconds.
    private static let quantum: Int64 = 500_000
    /// The age of a loop iteration in nanoseconds up to which connections with low usage run at once.
    private static let youngIteration: Int64 = 1_000_000
    /// The time in nanoseconds per loop iteration for queued connections.
    private static let runQueueBudget: Int64 = 500_000
    /// The budget in nanoseconds per loop iteration for flushing connections with high usage.
    static let flushBudget: Int64 = 500_000
    /// The maximum number of parsed requests of all connections that wait to run; each may be a whole line.
    static let readAhead = 8
    /// The size in bytes up to which a line is always parsed.
    static let smallLine = 16 << 10

    /// Runs a connection's quantum at once if its recent usage is low and the iteration is young; otherwise
    /// queues the connection.
    func giveQuantum(to connection: Connection) {
        // Without contention it runs immediately.
        let isFirst = isAlone || !connection.hasHighUsage(at: loop.iterationNanoseconds)
        let isInTime = loop.nanoseconds < loop.iterationNanoseconds + Self.youngIteration
        if isInTime, isFirst, connection.lastQuantum != loop.iterationNanoseconds {
            return handleLines(of: connection)
        }
        connection.hasDeferredLines = true
        connection.updateInterest()
        runQueue.wait(connection.id, after: connection.usage)
        scheduleRunQueue()
    }

    /// True if the queue is empty, and at most one event and a wakeup came in this iteration.
    private var isAlone: Bool { loop.iterationEventCount <= 2 && runQueue.isEmpty }

    private var mayReadAhead: Bool { parsedCount < Self.readAhead }

    /// Lines of closed connections count until a worker has parsed them.
    var parsedCount: Int { linesOnWorkers + connections.values.count { $0.isParsed } }

    func scheduleRunQueue() {
        guard !runQueue.isScheduled else { return }
        runQueue.isScheduled = true
        loop.atEndOfIteration { [self] in enter { $0.runQueuedConnections() } }
    }

    /// Runs the queued connections within the budget; at least one, however long the iteration was.
    private func runQueuedConnections() {
        runQueue.isScheduled = false
        // Ready answers do not wait for the queued connections.
        if !flushes.isEmpty { flushAll() }
        var isFirst = true
        let now = loop.iterationNanoseconds
        let end = loop.nanoseconds + Self.runQueueBudget
        while isFirst || loop.nanoseconds < end, let id = runQueue.next(at: now) {
            guard let connection = connections[id], connection.hasDeferredLines, connection.mayHandleLines
            else {
                continue
            }
            handleLines(of: connection)
            isFirst = false
        }
        if !runQueue.isEmpty { scheduleRunQueue() }
    }

    /// Processes whole lines until none is left, too many answers are pending, or the quantum has expired.
    /// The rest is processed after answers are sent, or in a later quantum.
    private func handleLines(of connection: Connection) {
        let start = loop.nanoseconds
        var now = start
        let end = start + Self.quantum
        var isOver = false
        lines: while !isOver, connection.mayHandleLines {
            switch connection.first {
            case .unread, .isBeingParsed:
                preconditionFailure("lines behind an unparsed line are not processed")
            case .toBeParsed(let frame):
                connection.first = .nothing
                if parsesOnWorker(frame, of: connection) { break lines }
                handle(DecodedLine(frame), of: connection) { loop.nanoseconds < end || !mayReadAhead }
            case .read(let reading):
                connection.first = .nothing
                handle(reading, of: connection) { loop.nanoseconds < end || !mayReadAhead }
            case .asked(let asked):
                connection.first = .nothing
                carryOut(asked, of: connection)
            case .nothing where mustDeferParsing(connection): break lines
            case .nothing:
                guard let frame = connection.framer.next() else {
                    connection.usage.add(loop.nanoseconds - start, at: now)
                    connection.hasDeferredLines = false
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
        connection.usage.add(loop.nanoseconds - start, at: now)
        connection.hasDeferredLines = connection.hasFirst || connection.framer.pendingByteCount > 0
        connection.updateInterest()
        recount(connection)
        scheduleFlush(connection)
        // An executed request frees a slot of the read-ahead window.
        parseLongLines()
        guard isOver else { return }
        connection.lastQuantum = loop.iterationNanoseconds
        if connection.hasDeferredLines, connection.mayHandleLines {
            runQueue.wait(connection.id, after: connection.usage)
            scheduleRunQueue()
        }
    }

    /// True under memory pressure if the next line is large and enough large requests are waiting: a parsed
    /// request takes more memory than its line.
    private func mustDeferParsing(_ connection: Connection) -> Bool {
        !waitingForMemory.isEmpty && connection.framer.pendingByteCount > Self.smallLine
            && largeWaitingCount + parsedCount >= Self.readAhead
    }

    /// Resumes the lines that were not parsed under memory pressure.
    func resumeReading() {
        for connection in connections.values.sorted(by: { $0.id < $1.id })
        where connection.hasDeferredLines && !connection.hasFirst && connection.mayRead {
            runQueue.wait(connection.id, after: connection.usage)
        }
        if !runQueue.isEmpty { scheduleRunQueue() }
        parseLongLines()
    }
}
