import TripModel
import TripProtocol

/// Which trips there are, by id and by slug: a value.
struct TripRegistry {
    /// One trip of the daemon.
    struct Entry {
        let state: State
        /// The slug it has, and the one it will have when a change is durable.
        var slugs: Set<String>
        /// Who made it by which request, for a repeat of that request.
        let origin: Origin?
    }

    enum State {
        case served(TripActor)
        /// Its journal is damaged: every request gets this error.
        case quarantined(WireError, TripHeader?)
    }

    struct Origin: Equatable {
        let client: ClientID
        let fingerprint: UInt64
    }

    private(set) var entries: [TripID: Entry] = [:]
    private var bySlug: [String: TripID] = [:]

    var count: Int { entries.count }

    func id(of reference: TripReference) -> TripID? {
        switch reference {
        case .id(let id): entries[id] == nil ? nil : id
        case .slug(let slug): bySlug[slug]
        }
    }

    func isTaken(_ slug: String, byOtherThan id: TripID? = nil) -> Bool {
        guard let owner = bySlug[slug] else { return false }
        return owner != id
    }

    mutating func add(_ id: TripID, _ entry: Entry) {
        entries[id] = entry
        for slug in entry.slugs where bySlug[slug] == nil { bySlug[slug] = id }
    }

    mutating func setSlugs(_ slugs: Set<String>, of id: TripID) {
        guard let old = entries[id]?.slugs, old != slugs else { return }
        for slug in old.subtracting(slugs) where bySlug[slug] == id { bySlug[slug] = nil }
        for slug in slugs { bySlug[slug] = id }
        entries[id]?.slugs = slugs
    }

    mutating func remove(_ id: TripID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        for slug in entry.slugs where bySlug[slug] == id { bySlug[slug] = nil }
    }
}
