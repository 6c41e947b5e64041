import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// All trips by id and by slug, the state of each, and the calls that wait for them.
struct TripDirectory {
    /// One trip of the daemon.
    struct Entry {
        fileprivate(set) var state: State
        /// The current slug, and the one after a change in flight.
        fileprivate(set) var slugs: Set<String>
        /// The creator and its request, to recognize a retry; known while the trip is open.
        fileprivate(set) var origin: Origin?
    }

    enum State {
        /// On disk only.
        indirect case closed(ClosedTrip)
        /// Being read, examined or closed by another thread; its requests wait.
        indirect case busy(ClosedTrip)
        case served(TripActor)
        /// The journal is damaged or replaced: every request gets this error.
        indirect case quarantined(WireError, TripHeader?)

        /// True if the trip is on disk only, and its summary is not confirmed.
        fileprivate var isUnconfirmed: Bool {
            switch self {
            case .closed(let trip), .busy(let trip): trip.confirmedSummary == nil
            case .served, .quarantined: false
            }
        }
    }

    /// The data of a trip that is not in memory.
    struct ClosedTrip: Equatable {
        var known: CatalogueEntry
        /// True if this process has verified the summary against the file, or has closed the trip itself.
        var isConfirmed: Bool

        /// The data for a list.
        var confirmedSummary: TripDigest? { isConfirmed ? known.summary : nil }
    }

    /// The `trip.list` requests that wait until all closed trips are confirmed.
    private struct Survey {
        /// The trips that may have to be read.
        var queue: [TripID] = []
        /// A batch of them is being read.
        var isExamining = false
        var waiting: [Call] = []
    }

    struct Origin: Equatable {
        let client: ClientID
        let fingerprint: UInt64
    }

    private(set) var entries: [TripID: Entry] = [:]
    /// Trips whose last creation, restore or change may be on disk. A new trip of such an id would release slugs that may
    /// be in use.
    private(set) var uncertain: Set<TripID> = []
    /// The trips without a confirmed summary.
    private(set) var unconfirmed: Set<TripID> = []
    private var bySlug: [String: TripID] = [:]
    /// The number of trips in memory.
    private(set) var openCount = 0
    /// The calls that wait for each trip, in order.
    private(set) var waiting: [TripID: [Call]] = [:]
    private var survey = Survey()
    /// The timer of each trip, for its next deadline.
    private var timers: [TripID: (deadline: Duration, timer: TimerID)] = [:]

    var count: Int { entries.count }

    subscript(id: TripID) -> State? { entries[id]?.state }

    func id(of reference: TripReference) -> TripID? { find(reference)?.id }

    /// The trip that a request names.
    func find(_ reference: TripReference) -> (id: TripID, state: State)? {
        let found: TripID? =
            switch reference {
            case .id(let id): id
            case .slug(let slug): bySlug[slug]
            }
        guard let found, let entry = entries[found] else { return nil }
        return (found, entry.state)
    }

    func isTaken(_ slug: String, byOtherThan id: TripID? = nil) -> Bool {
        guard let owner = bySlug[slug] else { return false }
        return owner != id
    }

    /// Adds a trip. A slug of another trip stays with that one.
    mutating func add(_ id: TripID, _ state: State, slugs: Set<String>, origin: Origin? = nil) {
        entries[id] = Entry(state: state, slugs: slugs, origin: origin)
        setState(state, of: id)
        for slug in slugs where bySlug[slug] == nil { bySlug[slug] = id }
        if case .served = state { openCount += 1 }
    }

    mutating func setSlugs(_ slugs: Set<String>, of id: TripID) {
        guard let old = entries[id]?.slugs, old != slugs else { return }
        for slug in old.subtracting(slugs) where bySlug[slug] == id { bySlug[slug] = nil }
        for slug in slugs where bySlug[slug] == nil { bySlug[slug] = id }
        entries[id]?.slugs = slugs
    }

    /// Reserves free slugs for a trip that a worker renames. Requests for them find the trip, and wait for it.
    mutating func reserve(_ slugs: [String], for id: TripID) {
        for slug in slugs where bySlug[slug] == nil { bySlug[slug] = id }
    }

    /// Releases the reserved slugs that the trip did not get.
    mutating func endReservation(of slugs: [String], for id: TripID) {
        for slug in slugs where bySlug[slug] == id && entries[id]?.slugs.contains(slug) != true {
            bySlug[slug] = nil
        }
    }

    /// The names by which access rules may refer to a trip; empty if it does not exist.
    func names(of id: TripID) -> [TripReference] {
        guard let entry = entries[id] else { return [] }
        return [.id(id)] + entry.slugs.filter { bySlug[$0] == id }.map(TripReference.slug)
    }

    /// Removes a trip.
    ///
    /// - Parameter keepingSlugs: whether its slugs stay reserved, because it may still be on disk.
    mutating func remove(_ id: TripID, keepingSlugs: Bool = false) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        unconfirmed.remove(id)
        if case .served = entry.state { openCount -= 1 }
        if keepingSlugs {
            uncertain.insert(id)
            return
        }
        for slug in entry.slugs where bySlug[slug] == id { bySlug[slug] = nil }
    }

    // MARK: Waiting calls

    /// True if no call waits for a trip. A list that nobody reads is dropped.
    var isIdle: Bool { waiting.isEmpty }

    mutating func wait(_ call: Call, for id: TripID) { waiting[id, default: []].append(call) }

    mutating func takeWaiting(for id: TripID) -> [Call] { waiting.removeValue(forKey: id) ?? [] }

    func hasWaiting(for id: TripID) -> Bool { waiting[id] != nil }

    // MARK: Survey

    enum SurveyStep {
        case examine([TripID: CatalogueEntry])
        /// All trips are confirmed: these lists can be answered.
        case answer([Call])
        case wait
    }

    /// The number of trips that the reading thread examines at once, which delays its other work.
    private static let examinationBatch = 64

    /// Keeps a `trip.list` until all trips are confirmed. False if all are confirmed already.
    mutating func surveys(for call: Call) -> Bool {
        guard !unconfirmed.isEmpty else { return false }
        survey.waiting.append(call)
        survey.queue = Array(unconfirmed)
        return true
    }

    /// The next batch of trips to examine for the waiting lists. Batches are small, so that other trips can be opened in
    /// between.
    mutating func continueSurvey() -> SurveyStep {
        while !survey.waiting.isEmpty, !survey.isExamining {
            var batch: [TripID: CatalogueEntry] = [:]
            while batch.count < Self.examinationBatch, let id = survey.queue.popLast() {
                if case .closed(let trip)? = self[id], trip.confirmedSummary == nil {
                    batch[id] = beginReading(id)
                }
            }
            if !batch.isEmpty {
                survey.isExamining = true
                return .examine(batch)
            }
            // The remaining trips are being read for other requests, or were closed since.
            survey.queue = Array(unconfirmed)
            if survey.queue.isEmpty { return .answer(takeLists()) }
            guard survey.queue.contains(where: { if case .closed? = self[$0] { true } else { false } })
            else { break }
        }
        return .wait
    }

    mutating func endExamination() { survey.isExamining = false }

    mutating func takeLists() -> [Call] {
        defer { survey.waiting = [] }
        return survey.waiting
    }

    // MARK: Timers

    /// Whether a trip needs a new timer. A renewal extends its deadline: the old timer then fires early and finds nothing
    /// due.
    func needsTimer(_ id: TripID, at deadline: Duration?) -> Bool {
        guard let known = timers[id] else { return deadline != nil }
        return deadline.map { $0 < known.deadline } ?? true
    }

    /// Replaces a trip's timer. Returns the old one, which is to be cancelled.
    mutating func setTimer(_ timer: (deadline: Duration, timer: TimerID)?, of id: TripID) -> TimerID? {
        defer { timers[id] = timer }
        return timers[id]?.timer
    }

    // MARK: State transitions

    private mutating func setState(_ state: State, of id: TripID) {
        entries[id]?.state = state
        if state.isUnconfirmed { unconfirmed.insert(id) } else { unconfirmed.remove(id) }
    }

    /// Starts to read or examine a closed trip. Returns its catalogue entry; nil if the trip is in another state.
    mutating func beginReading(_ id: TripID) -> CatalogueEntry? {
        guard case .closed(let closed)? = entries[id]?.state else { return nil }
        setState(.busy(closed), of: id)
        return closed.known
    }

    /// Starts to close an open trip; `endBusy` ends this state.
    mutating func beginClosing(_ id: TripID, _ closed: ClosedTrip) {
        guard case .served? = entries[id]?.state else { preconditionFailure("only an open trip is closed") }
        setState(.busy(closed), of: id)
        entries[id]?.origin = nil
        openCount -= 1
    }

    /// Ends the busy state; `update` replaces the trip's data.
    mutating func endBusy(_ id: TripID, _ update: ClosedTrip? = nil) {
        guard case .busy(let closed)? = entries[id]?.state else {
            preconditionFailure("only a busy trip becomes free")
        }
        setState(.closed(update ?? closed), of: id)
    }

    /// Confirms that a busy trip's data is up to date.
    mutating func confirm(_ id: TripID) {
        guard case .busy(var closed)? = entries[id]?.state else {
            preconditionFailure("only a busy trip becomes free")
        }
        closed.isConfirmed = true
        setState(.closed(closed), of: id)
    }

    /// Marks a busy trip as open.
    mutating func open(_ id: TripID, _ actor: TripActor, slug: String, origin: Origin?) {
        guard case .busy? = entries[id]?.state else {
            preconditionFailure("a trip must be busy, that is being read, before it is open")
        }
        setState(.served(actor), of: id)
        entries[id]?.origin = origin
        openCount += 1
        setSlugs([slug], of: id)
    }

    /// Marks a trip as damaged. It keeps its slugs.
    mutating func quarantine(_ id: TripID, _ error: WireError, _ header: TripHeader?) {
        guard case .busy(let closed)? = entries[id]?.state else {
            preconditionFailure("a trip is read before it is found damaged")
        }
        setState(.quarantined(error, closed.known.summary?.header ?? header), of: id)
    }
}

/// The open trips in the order of their last use.
///
/// It is a queue with lazy deletion: each use appends an entry and invalidates the trip's older one. Invalid
/// entries are skipped, and removed when they are the majority. A trip that was taken from the queue is
/// absent until its next use.
struct IdleTrips {
    private struct Place {
        let trip: TripID
        var since: Duration
        let number: Int
    }

    /// The timer for the earliest time at which a trip may have been idle long enough.
    var timer: TimerID?
    /// The freed memory of closed trips will be returned to the system.
    var willReturnMemory = false
    private var queue: [Place] = []
    /// The number of removed entries at the front.
    private var consumed = 0
    /// The number of each trip's valid entry.
    private var numbers: [TripID: Int] = [:]
    /// The number of the newest entry; also incremented by a removal.
    private var lastNumber = 0

    /// The number of queued trips.
    var count: Int { numbers.count }

    /// The last use of the least recently used trip.
    var first: Duration? {
        mutating get {
            while consumed < queue.count, !counts(queue[consumed]) { consumed += 1 }
            return consumed < queue.count ? queue[consumed].since : nil
        }
    }

    /// True if the trip was the last one used, at the same time, and no trip was removed since.
    func wasUsedLast(_ trip: TripID, at now: Duration) -> Bool {
        guard let last = queue.last else { return false }
        return last.number == lastNumber && last.trip == trip && last.since == now
    }

    /// Records a use of a trip.
    mutating func use(_ trip: TripID, at now: Duration) {
        if let last = queue.indices.last, queue[last].number == lastNumber, queue[last].trip == trip {
            queue[last].since = now
            return
        }
        if queue.count >= 2 * numbers.count + 64 {
            queue = queue[consumed...].filter { counts($0) }
            consumed = 0
        }
        lastNumber += 1
        numbers[trip] = lastNumber
        queue.append(Place(trip: trip, since: now, number: lastNumber))
    }

    /// Removes a trip that is no longer open.
    mutating func forget(_ trip: TripID) {
        numbers[trip] = nil
        lastNumber += 1
    }

    /// Removes and returns the least recently used trip if its last use is not after `limit`.
    mutating func next(notUsedAfter limit: Duration) -> TripID? {
        guard let first, first <= limit else { return nil }
        let trip = queue[consumed].trip
        consumed += 1
        forget(trip)
        return trip
    }

    private func counts(_ place: Place) -> Bool { numbers[place.trip] == place.number }
}

/// Generates slugs from trip names.
enum Slug {
    static let maximumLength = 63

    /// The slug of a name, folded to ASCII; `trip` if nothing is left.
    ///
    /// - Parameter isTaken: whether another trip has a slug; then `-2`, `-3`, … is appended.
    static func make(from name: String, isTaken: (String) -> Bool) -> String {
        var base = TripHeader.slug(of: name)
        if base.isEmpty { base = "trip" }
        if !isTaken(base) { return base }
        func candidate(_ number: Int) -> String {
            let suffix = "-\(number)"
            return trimmed(String(base.prefix(maximumLength - suffix.count))) + suffix
        }
        // The lowest free number up to 64. Beyond it, a binary search for a free number after a taken one,
        // which exists because there are fewer trips than numbers.
        for number in 2...64 where !isTaken(candidate(number)) { return candidate(number) }
        var (taken, free) = (64, 128)
        while isTaken(candidate(free)) { (taken, free) = (free, 2 * free) }
        while free - taken > 1 {
            let middle = (taken + free) / 2
            if isTaken(candidate(middle)) { taken = middle } else { free = middle }
        }
        return candidate(free)
    }

    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == "-" { text.removeLast() }
        return text
    }
}
