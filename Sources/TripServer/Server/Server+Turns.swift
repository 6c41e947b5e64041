import JSONLine
import LocalSystem
import TripProtocol

/// Who has lines to be handled and waits for a turn.
struct Turns {
    /// In the order in which they came; no more than there are connections.
    private(set) var waiting: [ConnectionID] = []
    /// The queue will be looked at when the round ends.
    var isScheduled = false

    var isEmpty: Bool { waiting.isEmpty }

    /// Lets a connection wait.
    mutating func wait(_ id: ConnectionID) {
        if !waiting.contains(id) { waiting.append(id) }
    }

    /// The connection whose turn is next: that which has used least, and of those the first.
    ///
    /// - Parameter used: how much of the loop's time a connection has used lately.
    mutating func next(_ used: (ConnectionID) -> Int64) -> ConnectionID? {
        var next: (place: Int, used: Int64)?
        for (place, id) in waiting.enumerated() {
            let used = used(id)
            if next.map({ used < $0.used }) ?? true { next = (place, used) }
        }
        return next.map { waiting.remove(at: $0.place) }
    }
}

/// How much of the loop's time somebody has used: what was used a second ago counts half, and so on. So whoever asks for
/// little comes before those who ask for much, and these are not kept waiting for long.
struct LoopUse {
    private static let halfLife: Int64 = 1_000_000_000

    private var nanoseconds: Int64
    /// The moment of the loop's clock to which it is halved.
    private var moment: Int64

    /// The use of somebody who is new, and is taken for one who asks for something: to come again is no way to the front.
    init(from now: Int64) {
        nanoseconds = 16_000_000
        moment = now
    }

    /// Nanoseconds, by the loop's clock.
    func nanoseconds(at now: Int64) -> Int64 { nanoseconds >> halvings(until: now) }

    /// Notes that something has taken so long until now.
    mutating func add(_ duration: Int64, at now: Int64) {
        let halvings = halvings(until: now)
        nanoseconds = (nanoseconds >> halvings) + duration
        moment += halvings * Self.halfLife
    }

    private func halvings(until now: Int64) -> Int64 { (now - moment) / Self.halfLife }
}

extension Server {
    /// Nanoseconds that one connection's requests may take before the others have their turn.
    private static let turn: Int64 = 2_000_000
    /// Nanoseconds of a round after which no further turn begins: others may have asked meanwhile who come first.
    private static let longRound: Int64 = 2_000_000
    /// Requests of all connections that are read and wait to be carried out, at most: each may be a whole line.
    private static let readAhead = 8
    /// Bytes of a line that is read all the same.
    private static let smallLine = 16 << 10

    /// Gives a connection its turn when the round has seen who else wants one.
    func takeTurn(_ connection: Connection) {
        connection.hasHeldLines = true
        turns.wait(connection.id)
        scheduleTurns()
    }

    /// Whether another turn may begin in this round.
    private var hasTime: Bool { loop.nanoseconds < loop.roundNanoseconds + Self.longRound }

    private var mayReadAhead: Bool { askedCount < Self.readAhead }

    private var askedCount: Int { connections.values.count { $0.asked != nil } }

    private func scheduleTurns() {
        guard !turns.isScheduled else { return }
        turns.isScheduled = true
        loop.atEndOfRound { [self] in assumeIsolated { $0.runTurns() } }
    }

    /// Gives those that wait their turns: one at least, however long the round has been. What is ready to be told does not
    /// wait for that.
    private func runTurns() {
        turns.isScheduled = false
        flushAll()
        var isFirst = true
        while isFirst || hasTime, let id = nextTurn() {
            guard let connection = connections[id], connection.hasHeldLines, connection.mayRead else {
                continue
            }
            handleLines(of: connection)
            isFirst = false
        }
        flushAll()
        if turns.isEmpty { return }
        // Nothing more is read of those that wait.
        for id in turns.waiting { connections[id]?.updateInterest() }
        scheduleTurns()
    }

    private func nextTurn() -> ConnectionID? {
        let now = loop.nanoseconds
        return turns.next { connections[$0]?.use.nanoseconds(at: now) ?? 0 }
    }

    /// Handles whole lines until none is left, too many answers are owed, or its turn is over. What is left then is
    /// taken up when answers have left, or others have had their turn.
    private func handleLines(of connection: Connection) {
        let began = loop.nanoseconds
        let end = began + Self.turn
        defer { noteUse(of: connection, since: began) }
        var isOver = false
        while !isOver, connection.mayRead, !isStopping {
            if let asked = connection.asked.take() {
                carryOut(asked, of: connection)
            } else if mustNotRead(connection) {
                break
            } else if let frame = connection.framer.next() {
                handle(frame, of: connection) { loop.nanoseconds < end || !mayReadAhead }
            } else {
                connection.hasHeldLines = false
                connection.updateInterest()
                recount(connection)
                return
            }
            isOver = loop.nanoseconds >= end
        }
        connection.hasHeldLines = connection.asked != nil || connection.framer.pendingByteCount > 0
        connection.updateInterest()
        recount(connection)
        scheduleFlush(connection.id)
        if isOver, connection.hasHeldLines, connection.mayRead { takeTurn(connection) }
    }

    /// Counts what a connection has taken of the loop's time.
    func noteUse(of connection: Connection, since began: Int64) {
        let now = loop.nanoseconds
        connection.use.add(now - began, at: now)
    }

    /// While requests wait for room, only so many large ones are read: what is read takes more than its line.
    private func mustNotRead(_ connection: Connection) -> Bool {
        !crowded.isEmpty && connection.framer.pendingByteCount > Self.smallLine
            && crowded.count + askedCount >= Self.readAhead
    }

    /// Goes on with the lines that were not read while others waited for room.
    func readOn() {
        for connection in connections.values.sorted(by: { $0.id < $1.id })
        where connection.hasHeldLines && connection.asked == nil && connection.mayRead {
            turns.wait(connection.id)
        }
        if !turns.isEmpty { scheduleTurns() }
    }
}
