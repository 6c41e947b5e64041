import JSONLine
import LocalSystem
import TripModel
import TripProtocol

/// One client's socket and everything that belongs to it. Owned by the server, which alone touches it.
final class Connection {
    enum Phase: Equatable {
        /// Reads and writes.
        case open
        /// The client has closed its side; what it is owed is still sent.
        case halfClosed
        /// Closes when what is queued is written.
        case closing
        case closed
    }

    let id: ConnectionID
    private let channel: any ByteChannel
    private let loop: EventLoop
    private var interest: Interest = .read
    var phase = Phase.open
    var framer = LineFramer(limit: WireLimits.lineBytes)
    var session: Session
    var outbox = Outbox()
    var writes = WriteQueue()
    var drags = DragLog()
    var batches = BatchTable()
    /// Gives up batches that nothing is added to.
    var batchTimer: TimerID?
    /// It is told this when everything is answered; nothing more is read.
    var ending: GoodbyeReason?
    /// Ends the wait for hello, or for a reader that is told goodbye.
    var deadline: TimerID?
    /// It will be flushed at the end of the round.
    var isFlushScheduled = false
    /// The trips it has subscribed to or dragged in.
    var trips: Set<TripID> = []
    /// There was no room in its window for all that it was to be told.
    var isLagging = false
    /// What is to be sent next is being encoded by a worker: nothing is taken from the outbox.
    var waitsForEncoding = false
    /// A copy of a trip whose state a worker has encoded for it.
    var encoded: TripCore?
    /// What is before the lines in the framer.
    var first = First.nothing
    /// It, or lines in the framer, wait until answers have left, or others have had their turn.
    var hasHeldLines = false
    /// The beginning of the last round in which its turn was over before its lines were, by the loop's clock.
    var lastTurn: Int64?
    /// What its requests have taken of the loop's time.
    var takenTime = RecentTime()
    /// What it was last seen to hold of the daemon's memory.
    var countedBytes = 0
    /// And what of it others may hold, too.
    var countedShared: [SharedBytes] = []
    /// Ends it if it has taken nothing by then of more than may wait for it.
    var slowReaderTimer: TimerID?
    /// Bytes that waited for it, and bytes that it had taken, when requests of others began to wait for room.
    var reclaimMark = (waiting: 0, written: 0)

    /// A line that has left the framer and is not carried out yet.
    enum First {
        case nothing
        /// It is long, and other threads have enough to do.
        case unread(LineFrame)
        /// It is long, and another thread reads it.
        case isBeingRead
        /// It is long, and read at its turn all the same.
        case toBeRead(LineFrame)
        /// Another thread has read it.
        case read(LineReading)
        /// Was read here, and is carried out when others have had their turn: reading it has taken all of this one's.
        case asked(Session.Asked)
    }

    init(id: ConnectionID, channel: any ByteChannel, loop: EventLoop, opener: Opener) {
        self.id = id
        self.channel = channel
        self.loop = loop
        session = Session(connection: id, opener: opener)
    }

    /// Watches the socket; the handler runs on the loop.
    func watch(_ handler: @escaping @Sendable (Readiness) -> Void) throws(SystemError) {
        try loop.watch(channel.rawValue, for: interest, handler: handler)
    }

    func read(into buffer: inout [UInt8]) throws(SystemError) -> ReadResult {
        try channel.read(into: &buffer)
    }

    func write() throws(SystemError) -> WriteResult { try writes.write(to: channel) }

    /// Whether something of the outbox can be sent.
    var hasNext: Bool { !waitsForEncoding && outbox.hasNext }

    /// Whether another request may be read.
    var mayRead: Bool { ending == nil && !waitsForReading && mayCarryOut }

    /// Whether its next line may be handled. A request that was read is carried out even if nothing more may be read.
    var mayHandleLines: Bool { isRead ? mayCarryOut : mayRead }

    private var mayCarryOut: Bool { phase == .open && outbox.mayTakeRequest(behind: writes.byteCount) }

    private var waitsForReading: Bool {
        switch first {
        case .unread, .isBeingRead: true
        case .nothing, .toBeRead, .read, .asked: false
        }
    }

    /// Whether a line has left the framer and is not carried out yet.
    var hasFirst: Bool { if case .nothing = first { false } else { true } }

    /// Whether one has been read, too.
    var isRead: Bool {
        switch first {
        case .read, .asked: true
        case .nothing, .unread, .isBeingRead, .toBeRead: false
        }
    }

    /// Bytes that the daemon holds for this connection alone.
    var heldBytes: Int { outbox.heldBytes + writes.ownBytes + batches.heldBytes }

    /// Bytes of answers and states that wait to be sent to it, shared ones included.
    var answerBytes: Int { outbox.heldBytes + writes.byteCount }

    /// Bytes handed to the socket at a time: what is beyond stays in the outbox, where newer states replace older.
    static let writeWindow = 256 * 1024

    func updateInterest() {
        let reading: Interest = mayRead && !hasHeldLines ? .read : []
        let wanted = writes.isEmpty ? reading : reading.union(.write)
        guard wanted != interest else { return }
        interest = wanted
        loop.changeInterest(channel.rawValue, to: wanted)
    }

    func unwatch() {
        loop.unwatch(channel.rawValue)
        for timer in [deadline, batchTimer, slowReaderTimer] { if let timer { loop.cancel(timer) } }
        deadline = nil
        batchTimer = nil
        slowReaderTimer = nil
    }
}
