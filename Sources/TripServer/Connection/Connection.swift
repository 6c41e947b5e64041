import JSONLine
import LocalSystem
import TripModel
import TripProtocol

/// One client's socket and its state. Only the server accesses it.
final class Connection {
    enum Life: Equatable {
        case open
        /// The client has closed its side; pending answers are still sent.
        case halfClosed
        /// Nothing more is read; the goodbye is sent once everything is answered.
        case ending(GoodbyeReason)
        /// Closes after all queued bytes are written.
        case closing
        case closed
    }

    let id: ConnectionID
    private let channel: any ByteChannel
    private let loop: EventLoop
    private var interest: Interest = .read
    var life = Life.open
    var session: Session
    var input = Input()
    var outbox = Outbox()
    var writes = WriteQueue()
    var output = Output()
    var drags = DragLog()
    var batches = BatchTable()
    /// The trips with a subscription or a drag of this connection.
    var trips: Set<TripID> = []
    /// Its share of the daemon's memory.
    var share = MemoryBudget.Share()
    var timers = Timers()

    /// Received bytes and requests that are not executed yet.
    struct Input {
        var framer = LineFramer(limit: WireLimits.lineBytes)
        /// The line before those in the framer.
        var first = First.nothing
        /// A change with its followers, which wait for those behind them in the framer; nil between two quanta.
        var group: Call?
        /// This line, or lines in the framer, wait for sent answers or for the quanta of other connections.
        var hasDeferredLines = false
        /// The start of the last loop iteration in which the quantum expired with lines left, by the loop's clock.
        var lastQuantum: Int64?
        /// The time of the loop that its requests have used recently.
        var usage = RecentUsage()
    }

    /// How far the output has got.
    struct Output {
        /// A flush is scheduled at the end of the loop iteration.
        var isScheduled = false
        /// The write window was too small for all pending output.
        var isLagging = false
        var encoding = Encoding.none
    }

    /// The encoding of the next state to send. The large case is stored apart, as those of `First` are.
    enum Encoding {
        case none
        /// A worker is encoding it; the outbox is paused.
        case waiting
        indirect case ready(Server.EncodedState)
    }

    struct Timers {
        /// The timeout for `hello`, or for reading the goodbye.
        var deadline: TimerID?
        /// Expires idle batches.
        var batches: TimerID?
        /// Disconnects a client that reads nothing while too much waits for it.
        var slowReader: TimerID?
    }

    /// A line that has left the framer and is not executed yet.
    ///
    /// The large cases are rare, and stored apart: to read the smallest one would copy their size.
    enum First {
        case nothing
        /// A long line; all workers are busy.
        case unread(LineFrame)
        /// A worker is parsing the line.
        case isBeingParsed
        /// A long line that is parsed on the loop in its next quantum.
        case toBeParsed(LineFrame)
        /// Parsed by a worker.
        indirect case read(DecodedLine)
        /// Parsed on the loop, and executed in the next quantum: parsing has used up this one, or the requests before it
        /// are kept.
        indirect case asked(Call)
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

    /// True until the goodbye is queued.
    var isServed: Bool { life != .closing && life != .closed }

    var isEnding: Bool { if case .ending = life { true } else { false } }

    /// True if parsed requests are executed.
    private var isTalking: Bool { life == .open || isEnding }

    var waitsForEncoding: Bool { if case .waiting = output.encoding { true } else { false } }

    /// The state of a trip that a worker has encoded for this connection.
    var encoded: Server.EncodedState? { if case .ready(let state) = output.encoding { state } else { nil } }

    /// True if the outbox has output that can be sent.
    var hasNext: Bool { !waitsForEncoding && outbox.hasNext }

    /// True if a line may be queued for the socket before the outbox is looked at.
    var keepsUp: Bool {
        isTalking && !output.isLagging && !waitsForEncoding && writes.byteCount < Self.writeWindow
    }

    /// True if another request may be read.
    var mayRead: Bool { life == .open && !waitsForParsing && mayCarryOut }

    /// True if its next line may be processed. A parsed request is executed even if nothing more may be read.
    var mayHandleLines: Bool { isParsed ? isTalking && mayCarryOut : mayRead }

    /// True if another request may be executed.
    var mayCarryOut: Bool { outbox.mayTakeRequest(behind: writes.byteCount) }

    private var waitsForParsing: Bool {
        switch input.first {
        case .unread, .isBeingParsed: true
        case .nothing, .toBeParsed, .read, .asked: false
        }
    }

    /// True if a line has left the framer and is not executed yet.
    var hasFirst: Bool { if case .nothing = input.first { false } else { true } }

    /// True if that line is also parsed.
    var isParsed: Bool {
        switch input.first {
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
        let reading: Interest = mayRead && !input.hasDeferredLines ? .read : []
        let wanted = writes.isEmpty ? reading : reading.union(.write)
        guard wanted != interest else { return }
        interest = wanted
        loop.changeInterest(channel.rawValue, to: wanted)
    }

    func unwatch() {
        loop.unwatch(channel.rawValue)
        for timer in [timers.deadline, timers.batches, timers.slowReader] {
            if let timer { loop.cancel(timer) }
        }
        timers = Timers()
    }
}

/// The drags of one connection: the trip of each active drag, and how the last ones ended.
struct DragLog {
    enum Entry {
        case held(TripID)
        case ended
        case expired
    }

    /// The number of ended drags that are remembered, to distinguish an expired drag from an unknown one.
    static let remembered = 64

    private var entries: [DragID: Entry] = [:]
    private var ended: [DragID] = []

    subscript(drag: DragID) -> Entry? { entries[drag] }

    /// The trip of an active drag.
    func trip(of drag: DragID) -> TripID? {
        if case .held(let trip)? = entries[drag] { trip } else { nil }
    }

    mutating func begin(_ drag: DragID, in trip: TripID) { entries[drag] = .held(trip) }

    mutating func end(_ drag: DragID, expired: Bool) {
        guard entries.updateValue(expired ? .expired : .ended, forKey: drag) != nil else {
            entries[drag] = nil
            return
        }
        ended.append(drag)
        if ended.count > Self.remembered { entries[ended.removeFirst()] = nil }
    }
}
