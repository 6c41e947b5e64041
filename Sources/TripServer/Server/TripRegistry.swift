import TripJournal
import TripModel
import TripProtocol

/// Which trips there are, by id and by slug, and which of them are open: a value.
struct TripRegistry {
    /// One trip of the daemon.
    struct Entry {
        fileprivate(set) var state: State
        /// The slug it has, and the one it will have when a change is durable.
        fileprivate(set) var slugs: Set<String>
        /// Who made it by which request, for a repeat of that request; known while it is open.
        fileprivate(set) var origin: Origin?
    }

    enum State {
        /// On the disk only.
        indirect case closed(ClosedTrip)
        /// Being read, looked at or closed by another thread: what is asked of it waits.
        indirect case busy(ClosedTrip)
        case served(TripActor)
        /// Its journal is damaged, or not the one that it was: every request gets this error.
        indirect case quarantined(WireError, TripHeader?)
    }

    /// What is known of a trip that is not in memory.
    struct ClosedTrip: Equatable {
        var known: CatalogueEntry
        /// The summary is that of the file: this process has looked, or has closed it itself.
        var isConfirmed: Bool

        /// What a list may tell.
        var confirmedSummary: TripDigest? { isConfirmed ? known.summary : nil }
    }

    struct Origin: Equatable {
        let client: ClientID
        let fingerprint: UInt64
    }

    private(set) var entries: [TripID: Entry] = [:]
    private var bySlug: [String: TripID] = [:]
    /// How many trips are in memory.
    private(set) var openCount = 0

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

    /// Takes in a trip; a slug that another has stays that one's.
    mutating func add(_ id: TripID, _ state: State, slugs: Set<String>, origin: Origin? = nil) {
        entries[id] = Entry(state: state, slugs: slugs, origin: origin)
        for slug in slugs where bySlug[slug] == nil { bySlug[slug] = id }
        if case .served = state { openCount += 1 }
    }

    mutating func setSlugs(_ slugs: Set<String>, of id: TripID) {
        guard let old = entries[id]?.slugs, old != slugs else { return }
        for slug in old.subtracting(slugs) where bySlug[slug] == id { bySlug[slug] = nil }
        for slug in slugs where bySlug[slug] == nil { bySlug[slug] = id }
        entries[id]?.slugs = slugs
    }

    /// Reserves free slugs for a trip that a worker renames. Requests find the trip by them, and wait for it.
    mutating func reserve(_ slugs: [String], for id: TripID) {
        for slug in slugs where bySlug[slug] == nil { bySlug[slug] = id }
    }

    /// Frees those of the reserved slugs that the trip did not get.
    mutating func endReservation(of slugs: [String], for id: TripID) {
        for slug in slugs where bySlug[slug] == id && entries[id]?.slugs.contains(slug) != true {
            bySlug[slug] = nil
        }
    }

    /// How the lines of `access` may call a trip; none if there is no such trip.
    func names(of id: TripID) -> [TripReference] {
        guard let entry = entries[id] else { return [] }
        return [.id(id)] + entry.slugs.filter { bySlug[$0] == id }.map(TripReference.slug)
    }

    /// Forgets a trip.
    ///
    /// - Parameter keepingSlugs: whether nobody else may have its slugs: the disk may bring it back.
    mutating func remove(_ id: TripID, keepingSlugs: Bool = false) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        if case .served = entry.state { openCount -= 1 }
        if keepingSlugs { return }
        for slug in entry.slugs where bySlug[slug] == id { bySlug[slug] = nil }
    }

    // MARK: From one state to the next

    /// Another thread begins with a closed trip; returns what it has to know, nil where the trip is in another state.
    mutating func beginReading(_ id: TripID) -> CatalogueEntry? {
        guard case .closed(let closed)? = entries[id]?.state else { return nil }
        entries[id]?.state = .busy(closed)
        return closed.known
    }

    /// An open trip is being closed; `endBusy` says what is known of it then.
    mutating func beginClosing(_ id: TripID, _ closed: ClosedTrip) {
        guard case .served? = entries[id]?.state else { preconditionFailure("only an open trip is closed") }
        entries[id]?.state = .busy(closed)
        entries[id]?.origin = nil
        openCount -= 1
    }

    /// The other thread is done and the trip is not open; without news, what was known of it still holds.
    mutating func endBusy(_ id: TripID, _ news: ClosedTrip? = nil) {
        guard case .busy(let closed)? = entries[id]?.state else {
            preconditionFailure("nobody is busy with the trip")
        }
        entries[id]?.state = .closed(news ?? closed)
    }

    /// The other thread has seen that what is known of a trip holds.
    mutating func confirm(_ id: TripID) {
        guard case .busy(var closed)? = entries[id]?.state else {
            preconditionFailure("nobody is busy with the trip")
        }
        closed.isConfirmed = true
        entries[id]?.state = .closed(closed)
    }

    /// A trip has been read.
    mutating func open(_ id: TripID, _ actor: TripActor, slug: String, origin: Origin?) {
        guard case .busy? = entries[id]?.state else {
            preconditionFailure("a trip is read before it is open")
        }
        entries[id]?.state = .served(actor)
        entries[id]?.origin = origin
        openCount += 1
        setSlugs([slug], of: id)
    }

    /// A trip cannot be served. It keeps its slugs.
    mutating func quarantine(_ id: TripID, _ error: WireError, _ header: TripHeader?) {
        guard case .busy(let closed)? = entries[id]?.state else {
            preconditionFailure("a trip is read before it is found damaged")
        }
        entries[id]?.state = .quarantined(error, closed.known.summary?.header ?? header)
    }
}
