import TripModel
import TripProtocol

/// The exclusive right to move one item during a drag.
struct Lease {
    let drag: DragID
    let item: ItemID
    let holder: Principal
    /// The expiry unless a hover renews it, on the daemon's monotonic clock.
    var expires: Duration
    /// The place under the dragged item, for the other subscribers.
    var over: Placement?
    /// The answer to `drag.begin` has been sent, so the drag is visible to others.
    var isAnnounced = false
}

/// All leases of one trip: at most one per item and one per connection.
struct LeaseTable {
    private(set) var byItem: [ItemID: Lease] = [:]
    /// Leases ended by a commit that removes their items and is not durable yet.
    private var ending: [Ending] = []
    private struct Ending {
        let version: Int
        let lease: Lease
        /// Whether a rollback restores the lease; false if its holder has ended it.
        var isRestorable = true
    }

    /// How long a lease lasts without a hover.
    let length: Duration

    init(length: Duration = .milliseconds(WireLimits.leaseMilliseconds)) { self.length = length }

    var isEmpty: Bool { byItem.isEmpty }

    /// The earliest expiry.
    var nextExpiry: Duration? { byItem.values.lazy.map(\.expires).min() }

    func lease(of connection: ConnectionID) -> Lease? {
        byItem.values.first { $0.holder.connection == connection }
    }

    func lease(of drag: DragID, heldBy connection: ConnectionID) -> Lease? {
        lease(of: connection).flatMap { $0.drag == drag ? $0 : nil }
    }

    /// The items leased by other connections.
    func items(heldByOthersThan connection: ConnectionID) -> Set<ItemID> {
        byItem.isEmpty
            ? [] : Set(byItem.values.lazy.filter { $0.holder.connection != connection }.map(\.item))
    }

    mutating func grant(_ lease: Lease) { byItem[lease.item] = lease }

    mutating func renew(_ item: ItemID, at now: Duration, over: Placement?) {
        byItem[item]?.expires = now + length
        byItem[item]?.over = over
    }

    mutating func announce(_ drag: DragID) {
        guard let lease = byItem.values.first(where: { $0.drag == drag }) else { return }
        byItem[lease.item]?.isAnnounced = true
    }

    mutating func end(_ item: ItemID) { byItem[item] = nil }

    // MARK: Leases ended by commits

    /// True if undurable commits have ended leases.
    var hasEnding: Bool { !ending.isEmpty }

    /// Ends the lease of an item that a commit removes; a rollback of the commit restores it.
    mutating func end(_ item: ItemID, withCommit version: Int) {
        if let lease = byItem.removeValue(forKey: item) {
            ending.append(Ending(version: version, lease: lease))
        }
    }

    /// Returns the leases that were ended by commits up to a durable version.
    mutating func becameDurable(_ version: Int) -> [Lease] {
        let count = ending.prefix { $0.version <= version }.count
        defer { ending.removeFirst(count) }
        return ending.prefix(count).map(\.lease)
    }

    /// Restores the leases ended by rolled-back commits.
    ///
    /// Leases that were granted after those commits have already ended.
    mutating func restoreEnding() {
        for ended in ending where ended.isRestorable { byItem[ended.lease.item] = ended.lease }
        ending = []
    }

    /// True if a commit that is not durable yet has ended the connection's drag.
    func isEnding(_ drag: DragID, heldBy connection: ConnectionID) -> Bool {
        ending.contains { $0.lease.drag == drag && $0.lease.holder.connection == connection }
    }

    /// Records that the holder has ended a drag which a commit had ended before. A rollback of the commit then does
    /// not restore the drag.
    mutating func confirmEnding(heldBy connection: ConnectionID) {
        for index in ending.indices where ending[index].lease.holder.connection == connection {
            ending[index].isRestorable = false
        }
    }

    /// Ends all leases of a closed connection permanently.
    ///
    /// - Returns: whether it had one.
    mutating func end(heldBy connection: ConnectionID) -> Bool {
        ending.removeAll { $0.lease.holder.connection == connection }
        guard let lease = lease(of: connection) else { return false }
        end(lease.item)
        return true
    }

    /// The expired leases in the order of their expiry.
    func expired(at now: Duration) -> [Lease] {
        byItem.values.filter { $0.expires <= now }.sorted { ($0.expires, $0.item) < ($1.expires, $1.item) }
    }
}
