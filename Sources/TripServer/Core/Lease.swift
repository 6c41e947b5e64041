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
    /// Leases that ended with the removal of their items, by the commits that did it, while the disk does not have these.
    private var ending: [Ending] = []
    private struct Ending {
        let version: Int
        let lease: Lease
        /// Its holder has not let go of it by itself.
        var comesBack = true
    }

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

    mutating func renew(_ item: ItemID, at now: Duration, over: Placement?) {
        byItem[item]?.expires = now + length
        byItem[item]?.over = over
    }

    mutating func announce(_ drag: DragID) {
        guard let lease = byItem.values.first(where: { $0.drag == drag }) else { return }
        byItem[lease.item]?.isAnnounced = true
    }

    mutating func end(_ item: ItemID) { byItem[item] = nil }

    // MARK: Ends that come with a commit

    /// Whether leases have ended with commits that the disk does not have yet.
    var hasEnding: Bool { !ending.isEmpty }

    /// Ends the lease of an item that a commit removes, for as long as that is not taken back.
    mutating func end(_ item: ItemID, withCommit version: Int) {
        if let lease = byItem.removeValue(forKey: item) {
            ending.append(Ending(version: version, lease: lease))
        }
    }

    /// The disk has a commit: the leases that ended with it.
    mutating func settle(_ version: Int) -> [Lease] {
        let count = ending.prefix { $0.version <= version }.count
        defer { ending.removeFirst(count) }
        return ending.prefix(count).map(\.lease)
    }

    /// Gives the leases back that ended with commits which have come to nothing: their items are still in hand.
    ///
    /// What was granted behind those commits has ended before.
    mutating func restoreEnding() {
        for ended in ending where ended.comesBack { byItem[ended.lease.item] = ended.lease }
        ending = []
    }

    /// Whether a connection's drag ends with a commit in flight.
    func isEnding(_ drag: DragID, heldBy connection: ConnectionID) -> Bool {
        ending.contains { $0.lease.drag == drag && $0.lease.holder.connection == connection }
    }

    /// The holder lets go of a drag that ends with a commit in flight: it does not come back, whatever becomes of that.
    mutating func letGoOfEnding(heldBy connection: ConnectionID) {
        for index in ending.indices where ending[index].lease.holder.connection == connection {
            ending[index].comesBack = false
        }
    }

    /// Ends all leases of a connection that is gone, for good.
    ///
    /// - Returns: whether it held one.
    mutating func end(heldBy connection: ConnectionID) -> Bool {
        ending.removeAll { $0.lease.holder.connection == connection }
        guard let lease = lease(of: connection) else { return false }
        end(lease.item)
        return true
    }

    /// The leases that have run out by now, in the order in which they did.
    func expired(at now: Duration) -> [Lease] {
        byItem.values.filter { $0.expires <= now }.sorted { ($0.expires, $0.item) < ($1.expires, $1.item) }
    }
}
