import LocalSystem
import TripModel
import TripProtocol

/// An answer that is made when its turn to be sent has come, from what is durable by then.
///
/// It stands behind one reference, so that what seldom comes takes no room beside the lines that always do.
indirect enum LateAnswer: Equatable, Sendable {
    case snapshot(TripID)
    case subscription(TripID, Subscribe)
    case history(TripID, HistoryRequest)
    case synced(TripID)
    /// A drag has begun; its gaps, where they are wanted, fit what is told right before.
    case dragStart(TripID, BegunDrag)
    case tripList

    /// The trip that must be open when it is made.
    var trip: TripID? {
        switch self {
        case .snapshot(let trip), .subscription(let trip, _), .history(let trip, _), .synced(let trip),
            .dragStart(let trip, _):
            trip
        case .tripList: nil
        }
    }
}

/// What is told of a drag that has begun, besides what the trip is by then.
struct BegunDrag: Equatable, Sendable {
    let drag: DragID
    let item: ItemID
    let leaseMilliseconds: Int
    let tellsGaps: Bool
}

/// What waits to be sent on one connection: a value, without I/O.
///
/// Answers leave in the order of their requests, and notifications that must not be lost stand among them. The
/// state of a trip is not queued: a slot per subscribed trip remembers which version was sent last, and the newest
/// is fetched when the connection can take it. So a slow reader skips versions, and costs no memory.
struct Outbox {
    enum Entry {
        /// A request that has not been answered yet; `owed` bytes of its answer wait for the disk.
        case awaiting(owed: Int)
        /// A line to send.
        case line([UInt8])
        /// A line to make and send.
        case late(LateAnswer, RequestID?)
        /// Nothing to send after all: a request that is not to be answered.
        case nothing
    }

    /// What a subscriber has been told of one trip.
    struct Slot {
        /// The version it has; 0 until its subscription is answered.
        var delivered: Int
        let mode: Subscribe.Mode
        let defersWhileDragging: Bool
        /// The client is dragging: its updates are withheld.
        var isShut: Bool
        var hasNews = false
        /// It was shut: what waited is told as one step, however many commits it was.
        var wantsOneStep = false
        var hasPresenceNews = false
        /// The answer to its subscription has gone out.
        var isOpened = false
        /// It stands in the queue of those of which something is to be told.
        fileprivate var isQueued = false

        var isDue: Bool { isOpened && ((hasNews && !isShut) || hasPresenceNews) }
        /// What came during its drag is to be told now.
        var isDeferredDue: Bool { isOpened && hasNews && wantsOneStep && !isShut }
    }

    /// The next thing to send.
    enum Step: Equatable {
        case line([UInt8])
        case late(LateAnswer, RequestID?)
        case state(TripID)
        case presence(TripID)
    }

    private var entries: [Entry] = []
    /// How many entries at the front of `entries` are gone.
    private var consumed = 0
    /// The ticket number of the first entry that is not gone.
    private var firstNumber = 0
    /// The number of the last entry that holds back what is asked behind it.
    private var lastBarrier = -1
    /// How many entries can be sent, wherever they stand.
    private var readyCount = 0
    private(set) var slots: [TripID: Slot] = [:]
    /// Where the slot is that was looked for last: hardly any connection has two.
    private var lastPlace: (trip: TripID, index: Dictionary<TripID, Slot>.Index)?
    /// Trips of which something is to be told, the one that has waited longest first, among some that have been told
    /// meanwhile.
    private var queue: ArraySlice<TripID> = []
    /// How many slots are due.
    private var dueCount = 0
    /// Those of them whose drag has ended: their state comes before anything that is asked from now on.
    private var deferredTrips: Set<TripID> = []
    /// The trip of an answer that is still to be made. What is asked behind such an answer waits, so there is one.
    private(set) var lateTrip: TripID?
    /// Bytes of lines that wait here.
    private(set) var queuedBytes = 0
    /// Bytes of answers that are made and wait for the disk.
    private(set) var owedBytes = 0
    /// Nothing more is sent: whatever comes is dropped.
    private var isGivenUp = false

    /// Bytes that are held here.
    var heldBytes: Int { owedBytes + queuedBytes }

    /// Requests read and not yet answered, or answered and not yet taken to be sent.
    var inFlight: Int { entries.count - consumed }

    // MARK: Answers and notifications

    /// Whether nothing that is asked from now on may be carried out yet: it could show in an answer before it, or
    /// be answered before what a drag deferred is told.
    var holdsBack: Bool { lastBarrier >= firstNumber || !deferredTrips.isEmpty }

    /// Whether another request may be read: its answers must not pile up, neither here nor before the disk.
    ///
    /// - Parameter bytes: what is on its way into the socket.
    func mayTakeRequest(behind bytes: Int) -> Bool {
        !holdsBack && inFlight < WireLimits.requestsInFlight && queuedBytes + bytes < Self.readingStopsAt
            && owedBytes < WireLimits.queuedBytes
    }

    /// Bytes queued at which no further request is read; an eighth of what closes the connection.
    static let readingStopsAt = WireLimits.queuedBytes / 8

    /// Keeps a place for the answer to a request; returns its number.
    ///
    /// - Parameter isBarrier: whether what is asked behind it is held back until the answer is taken to be sent.
    mutating func reserve(isBarrier: Bool = false) -> Int {
        entries.append(.awaiting(owed: 0))
        let number = firstNumber + inFlight - 1
        if isBarrier { lastBarrier = number }
        return number
    }

    /// Holds back what is asked behind a request that waits for its trip; it is the last one so far.
    mutating func hold(_ number: Int) { lastBarrier = max(lastBarrier, number) }

    /// Notes that an answer is made, and has to wait until the disk has what it rests on.
    mutating func owe(_ number: Int, bytes: Int) {
        let index = consumed + number - firstNumber
        guard entries.indices.contains(index), case .awaiting(let owed) = entries[index] else { return }
        entries[index] = .awaiting(owed: owed + bytes)
        owedBytes += bytes
    }

    /// Puts an answer in its place.
    mutating func fulfil(_ number: Int, with entry: Entry) {
        let index = consumed + number - firstNumber
        guard entries.indices.contains(index), index >= consumed else {
            preconditionFailure("an answer is given once, to a place that was kept")
        }
        guard case .awaiting(let owed) = entries[index] else {
            preconditionFailure("an answer is given once")
        }
        owedBytes -= owed
        entries[index] = isGivenUp ? .nothing : entry
        readyCount += 1
        switch entries[index] {
        case .line(let bytes): queuedBytes += bytes.count
        case .late(let answer, _): lateTrip = answer.trip
        case .awaiting, .nothing: break
        }
    }

    /// A trip is gone: an answer that was still to be made of its state becomes a line. Another trip may have its id by
    /// the time when the answer is made.
    mutating func replaceLate(of trip: TripID, with line: (RequestID) -> [UInt8]) {
        guard lateTrip == trip else { return }
        for index in entries.indices.dropFirst(consumed) {
            guard case .late(let answer, let id) = entries[index], answer.trip == trip else { continue }
            let bytes = id.map(line)
            entries[index] = bytes.map { .line($0) } ?? .nothing
            queuedBytes += bytes?.count ?? 0
        }
        lateTrip = nil
    }

    /// Drops everything that waits, and everything that is to come.
    mutating func giveUp() {
        isGivenUp = true
        for index in entries.indices.dropFirst(consumed) {
            if case .awaiting = entries[index] { continue }
            entries[index] = .nothing
        }
        queuedBytes = 0
        lateTrip = nil
    }

    /// Puts a notification behind everything that waits.
    mutating func append(_ line: [UInt8]) {
        if isGivenUp { return }
        entries.append(.line(line))
        readyCount += 1
        queuedBytes += line.count
    }

    // MARK: Slots

    mutating func openSlot(_ trip: TripID, _ subscribe: Subscribe, isDragging: Bool) {
        closeSlot(trip)
        lastPlace = nil
        slots[trip] = Slot(
            delivered: 0, mode: subscribe.mode, defersWhileDragging: subscribe.defersWhileDragging,
            isShut: subscribe.defersWhileDragging && isDragging)
    }

    mutating func closeSlot(_ trip: TripID) {
        guard let slot = slots.removeValue(forKey: trip) else { return }
        lastPlace = nil
        if slot.isDue { dueCount -= 1 }
        if slot.isQueued { queue.removeAll { $0 == trip } }
        dropTold()
        deferredTrips.remove(trip)
    }

    /// A newer version of a trip can be had.
    mutating func offer(_ trip: TripID) {
        change(trip) { slot in
            slot.hasNews = true
            if PlantedBug.deferralOffByOne.isPlanted { slot.isShut = false }
            if slot.isShut { slot.wantsOneStep = true }
        }
    }

    /// Presence of a trip has changed.
    mutating func offerPresence(_ trip: TripID) { change(trip) { $0.hasPresenceNews = true } }

    /// The connection begins to drag.
    mutating func shut(_ trip: TripID) {
        change(trip) { slot in
            slot.isShut = slot.defersWhileDragging
        }
    }

    /// Its drag has ended.
    mutating func open(_ trip: TripID) {
        if PlantedBug.deferralNotEnded.isPlanted { return }
        change(trip) { slot in
            // Also where all that is new is the drop itself, which is offered next.
            if slot.isShut { slot.wantsOneStep = true }
            if PlantedBug.deferredInSteps.isPlanted { slot.wantsOneStep = false }
            slot.isShut = false
        }
    }

    /// A version has been told to the connection, by a snapshot, by deltas or as the answer to its subscription.
    mutating func delivered(_ trip: TripID, version: Int) {
        change(trip) { slot in
            slot.delivered = version
            slot.isOpened = true
            slot.hasNews = false
            slot.wantsOneStep = false
        }
    }

    /// There is nothing newer than what was told.
    mutating func clearNews(_ trip: TripID) {
        change(trip) { slot in
            slot.hasNews = false
            slot.wantsOneStep = false
        }
    }

    /// What is new of a trip was not held back, though the connection drags by now: it is told as to everybody else.
    mutating func tellInSteps(_ trip: TripID) { change(trip) { $0.wantsOneStep = false } }

    mutating func deliveredPresence(_ trip: TripID) { change(trip) { $0.hasPresenceNews = false } }

    private mutating func change(_ trip: TripID, _ body: (inout Slot) -> Void) {
        guard let index = place(of: trip) else { return }
        let before = slots.values[index]
        body(&slots.values[index])
        let slot = slots.values[index]
        if slot.isDue != before.isDue {
            dueCount += slot.isDue ? 1 : -1
            if slot.isDue { stand(trip, at: index) } else { dropTold() }
        }
        if slot.isDeferredDue {
            deferredTrips.insert(trip)
        } else if !deferredTrips.isEmpty {
            deferredTrips.remove(trip)
        }
    }

    /// Where the slot of a trip is; nil where there is none.
    private mutating func place(of trip: TripID) -> Dictionary<TripID, Slot>.Index? {
        if let lastPlace, lastPlace.trip == trip { return lastPlace.index }
        guard let index = slots.index(forKey: trip) else { return nil }
        lastPlace = (trip, index)
        return index
    }

    /// Lets a trip wait behind the others. One that was told and still stands in the queue has its old place.
    private mutating func stand(_ trip: TripID, at index: Dictionary<TripID, Slot>.Index) {
        guard !slots.values[index].isQueued else { return }
        slots.values[index].isQueued = true
        queue.append(trip)
    }

    /// Drops trips from the head of the queue until one is due.
    private mutating func dropTold() {
        while let trip = queue.first, let index = place(of: trip), !slots.values[index].isDue {
            slots.values[index].isQueued = false
            // What is left of the storage is used again.
            if queue.count == 1 { queue.removeAll(keepingCapacity: true) } else { queue.removeFirst() }
        }
    }

    // MARK: Sending

    /// Whether `next` has something.
    var hasNext: Bool {
        if consumed < entries.count {
            guard case .awaiting = entries[consumed] else { return true }
        }
        return readyCount == 0 && dueCount > 0
    }

    /// The answer that `next` takes, if it is one that is still to be made.
    var nextLate: LateAnswer? {
        // Most connections have none.
        guard lateTrip != nil else { return nil }
        for entry in entries[consumed...] {
            switch entry {
            case .nothing: continue
            case .late(let answer, _): return answer
            case .awaiting, .line: return nil
            }
        }
        return nil
    }

    /// Takes the next thing to send, if there is one.
    ///
    /// A trip's state never overtakes an answer that stands ready behind one still awaited: that answer may be
    /// the very change that the state contains.
    mutating func next() -> Step? {
        if PlantedBug.stateOvertakesAnswer.isPlanted, let trip = queue.first, let slot = slots[trip],
            slot.hasNews, !slot.isShut
        {
            return .state(trip)
        }
        while consumed < entries.count {
            let entry = entries[consumed]
            if case .awaiting = entry { break }
            advance()
            switch entry {
            case .awaiting, .nothing: continue
            case .line(let bytes):
                queuedBytes -= bytes.count
                return .line(bytes)
            case .late(let answer, let id):
                lateTrip = nil
                return .late(answer, id)
            }
        }
        guard readyCount == 0, let trip = queue.first, let index = place(of: trip) else { return nil }
        let slot = slots.values[index]
        return slot.hasNews && !slot.isShut ? .state(trip) : .presence(trip)
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
