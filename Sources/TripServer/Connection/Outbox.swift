import LocalSystem
import TripModel
import TripProtocol

/// An answer that is encoded when it is sent, from the state that is durable by then.
///
/// It is `indirect` so that this rare case does not enlarge every entry.
indirect enum LateAnswer: Equatable, Sendable {
    /// The members of a part of a trip's state.
    case state(TripID, StateRequest)
    case subscription(TripID, Subscribe)
    case synced(TripID)
    /// A drag has begun. Its gaps, if requested, match the state that is sent right before.
    case dragStart(TripID, BegunDrag)
    case tripList

    /// The trip that must be open to encode the answer.
    var trip: TripID? {
        switch self {
        case .state(let trip, _), .subscription(let trip, _), .synced(let trip), .dragStart(let trip, _):
            trip
        case .tripList: nil
        }
    }
}

/// The parts of the answer to `drag.begin` that do not depend on the trip's state.
struct BegunDrag: Equatable, Sendable {
    let drag: DragID
    let item: ItemID
    let leaseMilliseconds: Int
    let includesGaps: Bool
}

/// The output queue of one connection: a value without I/O.
///
/// Answers are sent in the order of their requests. Notifications that must not be lost are queued among them. States
/// of a trip are not queued: each subscription has a slot with the last version that was sent, and the newest state is
/// fetched when the connection can accept it. So a slow reader skips versions and costs no memory.
struct Outbox {
    enum Entry {
        /// A request without an answer so far; `reserved` bytes are reserved for an answer that waits for the disk.
        case awaiting(reserved: Int)
        case line([UInt8])
        /// A line to encode and send, from this version of the trip or a later one.
        case late(LateAnswer, RequestID?, version: Int)
        /// Nothing to send: the request has no id.
        case nothing
    }

    enum Step: Equatable {
        case line([UInt8])
        case late(LateAnswer, RequestID?)
        case state(TripID)
        case presence(TripID)
    }

    private var entries: [Entry] = []
    /// The number of removed entries at the front of `entries`.
    private var consumed = 0
    /// The ticket number of the first remaining entry.
    private var firstNumber = 0
    /// The number of the last entry that blocks later requests.
    private var lastBarrier = -1
    /// The number of entries that can be sent, at any position.
    private var readyCount = 0
    var slots = SlotTable()
    /// The trip of an answer that is encoded late. Such an answer blocks later requests, so there is at most one.
    private(set) var lateTrip: TripID?
    /// The minimum version of `lateTrip` for the answer.
    private(set) var lateVersion = 0
    /// The bytes of all queued lines.
    private(set) var queuedBytes = 0
    /// The bytes reserved for answers that wait for the disk.
    private(set) var reservedBytes = 0
    /// Nothing more is sent: all new output is dropped.
    private var isDiscarding = false

    var heldBytes: Int { reservedBytes + queuedBytes }

    /// The number of requests whose answer has not been taken from the outbox.
    var inFlight: Int { entries.count - consumed }

    // MARK: Answers and notifications

    /// True if no later request may be executed yet. Its effect could otherwise show in an earlier answer, or
    /// its answer could precede the updates that a drag deferred.
    var blocksLater: Bool { lastBarrier >= firstNumber || slots.hasDeferred }

    /// True if another request may be read. This limits the answers that wait here or for the disk.
    ///
    /// - Parameter bytes: the bytes that wait in the write queue.
    func mayTakeRequest(behind bytes: Int) -> Bool {
        !blocksLater && inFlight < WireLimits.requestsInFlight && queuedBytes + bytes < Self.readingStopsAt
            && reservedBytes < WireLimits.queuedBytes
    }

    /// The queued bytes at which reading stops; an eighth of the limit that closes the connection.
    static let readingStopsAt = WireLimits.queuedBytes / 8

    /// Reserves a position for the answer to a request, and returns its number.
    ///
    /// - Parameter isBarrier: whether later requests are blocked until the answer is taken from the outbox.
    mutating func reserve(isBarrier: Bool = false) -> Int {
        entries.append(.awaiting(reserved: 0))
        let number = firstNumber + inFlight - 1
        if isBarrier { lastBarrier = number }
        return number
    }

    /// Blocks the requests after the last one, which waits for its trip.
    mutating func setBarrier(_ number: Int) { lastBarrier = max(lastBarrier, number) }

    /// Reserves bytes for an answer that waits for the disk.
    mutating func reserveBytes(_ number: Int, bytes: Int) {
        let index = consumed + number - firstNumber
        guard entries.indices.contains(index), case .awaiting(let reserved) = entries[index] else { return }
        entries[index] = .awaiting(reserved: reserved + bytes)
        reservedBytes += bytes
    }

    /// Fills the position of an answer.
    mutating func complete(_ number: Int, with entry: Entry) {
        let index = consumed + number - firstNumber
        guard entries.indices.contains(index), index >= consumed else {
            preconditionFailure("an answer fills a reserved position")
        }
        guard case .awaiting(let reserved) = entries[index] else {
            preconditionFailure("an answer is given once")
        }
        reservedBytes -= reserved
        entries[index] = isDiscarding ? .nothing : entry
        readyCount += 1
        switch entries[index] {
        case .line(let bytes): queuedBytes += bytes.count
        case .late(let answer, _, let version): (lateTrip, lateVersion) = (answer.trip, version)
        case .awaiting, .nothing: break
        }
    }

    /// Replaces a late answer of a trip that is gone by a line. Another trip may have the same id when the
    /// answer would be encoded.
    mutating func replaceLate(of trip: TripID, with line: (RequestID) -> [UInt8]) {
        guard lateTrip == trip else { return }
        for index in entries.indices.dropFirst(consumed) {
            guard case .late(let answer, let id, _) = entries[index], answer.trip == trip else { continue }
            let bytes = id.map(line)
            entries[index] = bytes.map { .line($0) } ?? .nothing
            queuedBytes += bytes?.count ?? 0
        }
        lateTrip = nil
    }

    /// Drops all queued and all future output.
    mutating func discardAll() {
        isDiscarding = true
        for index in entries.indices.dropFirst(consumed) {
            if case .awaiting = entries[index] { continue }
            entries[index] = .nothing
        }
        queuedBytes = 0
        lateTrip = nil
    }

    /// Appends a notification.
    mutating func append(_ line: [UInt8]) {
        if isDiscarding { return }
        entries.append(.line(line))
        readyCount += 1
        queuedBytes += line.count
    }

    // MARK: Sending

    /// Records that the next versions are sent before any other output; false if that must be scheduled, because the
    /// subscriber does not keep up or something else comes first.
    mutating func deliversNext(_ trip: TripID, from: Int, to version: Int) -> Bool {
        readyCount == 0 && !isDiscarding && slots.deliversNext(trip, from: from, to: version)
    }

    var hasNext: Bool {
        if consumed < entries.count {
            guard case .awaiting = entries[consumed] else { return true }
        }
        return readyCount == 0 && slots.hasNext
    }

    /// The answer that `next` returns, if it must still be encoded.
    var nextLate: LateAnswer? {
        // Fast path: most connections have none.
        guard lateTrip != nil else { return nil }
        for entry in entries[consumed...] {
            switch entry {
            case .nothing: continue
            case .late(let answer, _, _): return answer
            case .awaiting, .line: return nil
            }
        }
        return nil
    }

    /// Removes and returns the next output.
    ///
    /// A state never overtakes a finished answer that is queued behind an unfinished one: that answer may
    /// belong to the change that the state contains.
    mutating func next() -> Step? {
        while consumed < entries.count {
            let entry = entries[consumed]
            if case .awaiting = entry { break }
            advance()
            switch entry {
            case .awaiting, .nothing: continue
            case .line(let bytes):
                queuedBytes -= bytes.count
                return .line(bytes)
            case .late(let answer, let id, _):
                lateTrip = nil
                return .late(answer, id)
            }
        }
        return readyCount == 0 ? slots.next() : nil
    }

    private mutating func advance() {
        entries[consumed] = .nothing
        consumed += 1
        firstNumber += 1
        readyCount -= 1
        if consumed == entries.count || consumed >= 1024 {
            entries.removeFirst(consumed)
            consumed = 0
        }
    }
}
