import JSONLine
import LocalSystem
import TripModel
import TripProtocol

/// One client's socket and its state. Only the server accesses it.
final class Connection {
    enum Phase: Equatable {
        case open
        /// The client has closed its side; pending answers are still sent.
        case halfClosed
        /// Closes after all queued bytes are written.
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
    /// Expires idle batches.
    var batchTimer: TimerID?
    /// The reason of the goodbye that is sent once everything is answered; nothing more is read.
    var ending: GoodbyeReason?
    /// The timeout for `hello`, or for reading the goodbye.
    var deadline: TimerID?
    /// A flush is scheduled at the end of the loop iteration.
    var isFlushScheduled = false
    /// The trips with a subscription or a drag of this connection.
    var trips: Set<TripID> = []
    /// The write window was too small for all pending output.
    var isLagging = false
    /// A worker is encoding the next state to send; the outbox is paused.
    var waitsForEncoding = false
    /// The state of a trip that a worker has encoded for this connection.
    var encoded: Server.EncodedState?
    /// The line before those in the framer.
    var first = First.nothing
    /// This line, or lines in the framer, wait for sent answers or for the quanta of other connections.
    var hasDeferredLines = false
    /// The start of the last loop iteration in which its quantum expired with lines left, by the loop's clock.
    var lastQuantum: Int64?
    /// The time of the loop that its requests have used recently.
    var usage = RecentUsage()
    /// Its share of the daemon's memory at the last count.
    var countedBytes = 0
    /// The shared bytes at the last count.
    var countedShared: [SharedBytes] = []
    /// The timeout for a slow reader: disconnects a client that reads nothing while too much waits for it.
    var slowReaderTimer: TimerID?
    /// The bytes that waited for the client and the bytes written to it when other requests began to wait for memory.
    var reclaimStart = (waiting: 0, written: 0)

    /// A line that has left the framer and is not executed yet.
    enum First {
        case nothing
        /// A long line; all workers are busy.
        case unread(LineFrame)
        /// A worker is parsing the line.
        case isBeingParsed
        /// A long line that is parsed on the loop in its next quantum.
        case toBeParsed(LineFrame)
        /// Parsed by a worker.
        case read(DecodedLine)
        /// Parsed on the loop. Parsing has used up the quantum, so the request is executed in the next one.
        case asked(Session.Asked)
    }

    init(
        id: ConnectionID, channel: any ByteChannel, loop: EventLoop, opener: Opener, random: RandomSource
    ) {
        self.id = id
        self.channel = channel
        self.loop = loop
        session = Session(connection: id, opener: opener, random: random)
    }

    /// Watches the socket; the handler runs on the loop.
    func watch(_ handler: @escaping @Sendable (Readiness) -> Void) throws(SystemError) {
        try loop.watch(channel.rawValue, for: interest, handler: handler)
    }

    func read(into buffer: inout [UInt8]) throws(SystemError) -> ReadResult {
        try channel.read(into: &buffer)
    }

    func write() throws(SystemError) -> WriteResult { try writes.write(to: channel) }

    /// True if the outbox has output that can be sent.
    var hasNext: Bool { !waitsForEncoding && outbox.hasNext }

    /// True if a line may be queued for the socket before the outbox is looked at.
    var keepsUp: Bool {
        phase == .open && !isLagging && !waitsForEncoding && writes.byteCount < Self.writeWindow
    }

    /// True if another request may be read.
    var mayRead: Bool { ending == nil && !waitsForParsing && mayCarryOut }

    /// True if its next line may be processed. A parsed request is executed even if nothing more may be read.
    var mayHandleLines: Bool { isParsed ? mayCarryOut : mayRead }

    private var mayCarryOut: Bool { phase == .open && outbox.mayTakeRequest(behind: writes.byteCount) }

    private var waitsForParsing: Bool {
        switch first {
        case .unread, .isBeingParsed: true
        case .nothing, .toBeParsed, .read, .asked: false
        }
    }

    /// True if a line has left the framer and is not executed yet.
    var hasFirst: Bool { if case .nothing = first { false } else { true } }

    /// True if that line is also parsed.
    var isParsed: Bool {
        switch first {
        case .read, .asked: true
        case .nothing, .unread, .isBeingParsed, .toBeParsed: false
        }
    }

    /// The memory that the daemon holds for this connection alone.
    var heldBytes: Int { outbox.heldBytes + writes.ownBytes + batches.heldBytes }

    /// The bytes of answers and states that wait to be sent, including shared ones.
    var answerBytes: Int { outbox.heldBytes + writes.byteCount }

    /// The maximum number of bytes passed to the socket at once. Anything beyond stays in the outbox, where
    /// newer states replace older ones.
    static let writeWindow = 256 * 1024

    func updateInterest() {
        let reading: Interest = mayRead && !hasDeferredLines ? .read : []
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
