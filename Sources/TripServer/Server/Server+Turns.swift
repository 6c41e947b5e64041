import JSONLine
import LocalSystem
import TripProtocol

/// Who has lines to be handled and waits for a turn.
struct Turns {
    private struct Waiter {
        let id: ConnectionID
        /// What it had taken when it began to wait; more it does not take while it waits.
        let time: RecentTime
    }

    /// Of so many turns one goes to who has waited longest, whatever that one has taken: those that come anew have taken
    /// nothing, and would all come before it.
    private static let cycle = 8

    private var queue: [Waiter] = []
    private var waiting: Set<ConnectionID> = []
    private var turnCount = 0
    /// The queue will be looked at when the round ends.
    var isScheduled = false

    var isEmpty: Bool { queue.isEmpty }

    /// Lets a connection that has taken some time wait behind those that have taken as much and wait already.
    mutating func wait(_ id: ConnectionID, after time: RecentTime) {
        if waiting.insert(id).inserted { queue.append(Waiter(id: id, time: time)) }
    }

    /// Takes the connection whose turn is next: the one that has taken the least time lately, and of several the one that
    /// has waited longest; now and then who has waited longest of all.
    mutating func next(at now: Int64) -> ConnectionID? {
        guard !queue.isEmpty else { return nil }
        turnCount = (turnCount + 1) % Self.cycle
        let next = turnCount == 0 ? queue.startIndex : leastTaken(at: now)
        let id = queue.remove(at: next).id
        waiting.remove(id)
        return id
    }

    private func leastTaken(at now: Int64) -> Int {
        let least = queue.indices.min { queue[$0].time.taken(at: now) < queue[$1].time.taken(at: now) }
        return least ?? queue.startIndex
    }
}

/// How much of the processor something has taken lately, in nanoseconds: in this span of time and the one before.
struct RecentTime {
    /// Nanoseconds of a span.
    static let span: Int64 = 500_000_000

    private var number: Int64 = 0
    private var (inThis, inLast): (Int64, Int64) = (0, 0)

    /// Adds time that was taken until `now`, by a clock that does not go back.
    mutating func add(_ nanoseconds: Int64, at now: Int64) {
        (inThis, inLast) = counted(at: now)
        number = now / Self.span
        inThis += nanoseconds
    }

    /// What was taken, from one to two spans back.
    func taken(at now: Int64) -> Int64 {
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
    /// Nanoseconds that a connection may take within one or two spans of `RecentTime` and still come before those that
    /// take more. People's programs take less: a drag some twenty requests a second, of a tenth of a millisecond.
    private static let littleTime: Int64 = 2_500_000

    /// Whether it has taken much time lately: then others come before it.
    func isBusy(at now: Int64) -> Bool { takenTime.taken(at: now) > Self.littleTime }
}

extension Server {
    /// Nanoseconds that one connection's requests may take before the others have their turn.
    private static let turn: Int64 = 1_000_000
    /// Nanoseconds of a round in which those that have taken little time lately have their turns as they ask.
    private static let longRound: Int64 = 2_000_000
    /// Nanoseconds of a processor for turns at the end of a round, after which no further one begins.
    private static let longTurns: Int64 = 1_000_000
    /// Nanoseconds of writing to those who have taken much time lately, after which the rest of them waits.
    static let longFlush: Int64 = 1_000_000
    /// Requests of all connections that are read and wait to be carried out, at most: each may be a whole line.
    static let readAhead = 8
    /// Bytes of a line that is read all the same.
    static let smallLine = 16 << 10

    /// Gives a connection its turn at once where it has taken little time lately, unless the round has become long;
    /// else at the end of the round, or of a later one, behind those that wait.
    func giveTurn(to connection: Connection) {
        // Whom nobody else can be kept waiting by need not wait.
        let isFirst = isAlone || !connection.isBusy(at: loop.roundNanoseconds)
        let isInTime = loop.nanoseconds < loop.roundNanoseconds + Self.longRound
        if isInTime, isFirst, connection.lastTurn != loop.roundNanoseconds {
            return handleLines(of: connection)
        }
        connection.hasHeldLines = true
        connection.updateInterest()
        turns.wait(connection.id, after: connection.takenTime)
        scheduleTurns()
    }

    /// Whether nobody waits, and nothing has come in this round but one thing, and perhaps word of another thread.
    private var isAlone: Bool { loop.roundEventCount <= 2 && turns.isEmpty }

    private var mayReadAhead: Bool { askedCount < Self.readAhead }

    /// What is read for a connection that has ended meanwhile counts too, until it is.
    var askedCount: Int { readingElsewhere + connections.values.count { $0.isRead } }

    func scheduleTurns() {
        guard !turns.isScheduled else { return }
        turns.isScheduled = true
        loop.atEndOfRound { [self] in enter { $0.runTurns() } }
    }

    /// Gives those that wait their turns: one at least, however long the round has been.
    private func runTurns() {
        turns.isScheduled = false
        // What is answered does not wait for them.
        if !flushes.isEmpty { flushAll() }
        var isFirst = true
        let now = loop.roundNanoseconds
        let end = loop.spentNanoseconds + Self.longTurns
        while isFirst || loop.spentNanoseconds < end, let id = turns.next(at: now) {
            guard let connection = connections[id], connection.hasHeldLines, connection.mayHandleLines else {
                continue
            }
            handleLines(of: connection)
            isFirst = false
        }
        if !turns.isEmpty { scheduleTurns() }
        // Nor does what they were answered wait for the next round.
        if !flushes.isEmpty { flushAll() }
    }

    /// Handles whole lines until none is left, too many answers are owed, or its turn is over. What is left then is
    /// taken up when answers have left, or others have had their turn.
    private func handleLines(of connection: Connection) {
        let spent = loop.spentNanoseconds
        var now = loop.nanoseconds
        let end = now + Self.turn
        var isOver = false
        lines: while !isOver, connection.mayHandleLines {
            switch connection.first {
            case .unread, .isBeingRead: preconditionFailure("nothing is read behind it")
            case .toBeRead(let frame):
                connection.first = .nothing
                if readsElsewhere(frame, of: connection) { break lines }
                handle(LineReading(frame), of: connection) { loop.nanoseconds < end || !mayReadAhead }
            case .read(let reading):
                connection.first = .nothing
                handle(reading, of: connection) { loop.nanoseconds < end || !mayReadAhead }
            case .asked(let asked):
                connection.first = .nothing
                carryOut(asked, of: connection)
            case .nothing where mustNotRead(connection): break lines
            case .nothing:
                guard let frame = connection.framer.next() else {
                    connection.takenTime.add(loop.spentNanoseconds - spent, at: now)
                    connection.hasHeldLines = false
                    connection.updateInterest()
                    recount(connection)
                    return readLongLines()
                }
                if readsElsewhere(frame, of: connection) { break lines }
                handle(LineReading(frame), of: connection) { loop.nanoseconds < end || !mayReadAhead }
            }
            now = loop.nanoseconds
            isOver = now >= end
        }
        connection.takenTime.add(loop.spentNanoseconds - spent, at: now)
        connection.hasHeldLines = connection.hasFirst || connection.framer.pendingByteCount > 0
        connection.updateInterest()
        recount(connection)
        scheduleFlush(connection)
        // What was carried out is one less that was read ahead.
        readLongLines()
        guard isOver else { return }
        connection.lastTurn = loop.roundNanoseconds
        if connection.hasHeldLines, connection.mayHandleLines {
            turns.wait(connection.id, after: connection.takenTime)
            scheduleTurns()
        }
    }

    /// While requests wait for room, only a few large ones are read: what is read takes more than its line.
    private func mustNotRead(_ connection: Connection) -> Bool {
        !crowded.isEmpty && connection.framer.pendingByteCount > Self.smallLine
            && largeCrowdedCount + askedCount >= Self.readAhead
    }

    /// Goes on with the lines that were not read while others waited for room.
    func readOn() {
        for connection in connections.values.sorted(by: { $0.id < $1.id })
        where connection.hasHeldLines && !connection.hasFirst && connection.mayRead {
            turns.wait(connection.id, after: connection.takenTime)
        }
        if !turns.isEmpty { scheduleTurns() }
        readLongLines()
    }
}
