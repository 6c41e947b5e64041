import TripModel
import TripProtocol

/// A drag's hold on one item.
struct Lease {
    let drag: DragID
    let item: ItemID
    let holder: Principal
    /// When it ends unless a hover renews it, on the daemon's monotonic clock.
    var expires: Duration
    /// Where the holder has it, for the others to see.
    var over: Placement?
    /// The answer to drag.begin is out, so the others may see it.
    var isAnnounced = false
}

/// All leases of one trip: at most one per item and one per connection.
struct LeaseTable {
    private(set) var byItem: [ItemID: Lease] = [:]
    /// How long a lease lives without a hover.
    let length: Duration

    init(length: Duration = .milliseconds(WireLimits.leaseMilliseconds)) { self.length = length }

    var isEmpty: Bool { byItem.isEmpty }

    /// When the first of them ends.
    var nextExpiry: Duration? { byItem.values.lazy.map(\.expires).min() }

    func lease(of connection: ConnectionID) -> Lease? {
        byItem.values.first { $0.holder.connection == connection }
    }

    func lease(of drag: DragID, heldBy connection: ConnectionID) -> Lease? {
        lease(of: connection).flatMap { $0.drag == drag ? $0 : nil }
    }

    /// The items that others than this connection hold.
    func items(heldByOthersThan connection: ConnectionID) -> Set<ItemID> {
        byItem.isEmpty
            ? [] : Set(byItem.values.lazy.filter { $0.holder.connection != connection }.map(\.item))
    }

    mutating func grant(_ lease: Lease) { byItem[lease.item] = lease }

    /// Gives a lease back that ended with something that has come to nothing.
    mutating func restore(_ lease: Lease) {
        if byItem[lease.item] == nil { byItem[lease.item] = lease }
    }

    mutating func renew(_ item: ItemID, at now: Duration, over: Placement?) {
        byItem[item]?.expires = now + length
        byItem[item]?.over = over
    }

    mutating func announce(_ drag: DragID) {
        guard let lease = byItem.values.first(where: { $0.drag == drag }) else { return }
        byItem[lease.item]?.isAnnounced = true
    }

    @discardableResult
    mutating func end(_ item: ItemID) -> Lease? { byItem.removeValue(forKey: item) }

    /// The leases that have run out by now, in the order in which they did.
    func expired(at now: Duration) -> [Lease] {
        byItem.values.filter { $0.expires <= now }.sorted { ($0.expires, $0.item) < ($1.expires, $1.item) }
    }
}
