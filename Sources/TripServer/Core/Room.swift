import TripModel
import TripProtocol

/// The subscribers of a trip with their cursors and drags, and the schedule of presence updates.
struct Room: Sendable {
    private struct Member: Sendable {
        let principal: Principal
        let readsDeltas: Bool
        /// The row at the cursor.
        var focus: ListRow?
    }

    var leases = LeaseTable() { didSet { line = nil } }
    private var members: [ConnectionID: Member] = [:] { didSet { line = nil } }
    /// The subscribers in ascending order.
    private(set) var connections: [ConnectionID] = []
    private var deltaReaders = 0
    private var pace = PresencePace()
    /// The current `trip.presence` notification, once it was encoded; shared by all subscribers.
    private var line: SharedBytes?

    var isEmpty: Bool { members.isEmpty && leases.isEmpty }

    var hasDeltaReaders: Bool { deltaReaders > 0 }

    /// The next time when a lease expires or an update is due; nil for none.
    var nextDeadline: Duration? {
        switch (leases.nextExpiry, pace.deadline) {
        case (let expiry?, let pace?): min(expiry, pace)
        case (let expiry?, nil): expiry
        case (nil, let pace): pace
        }
    }

    // MARK: Changes

    /// Adds a subscriber, or changes how it reads.
    mutating func enter(_ principal: Principal, readingDeltas: Bool, at now: Duration) {
        let id = principal.connection
        let known = members.updateValue(
            Member(principal: principal, readsDeltas: readingDeltas, focus: members[id]?.focus), forKey: id)
        if known == nil { connections.insert(id, at: connections.partitioningIndex { $0 > id }) }
        deltaReaders += (readingDeltas ? 1 : 0) - (known?.readsDeltas == true ? 1 : 0)
        changed(at: now)
    }

    /// Removes a subscriber; false if it is none.
    @discardableResult
    mutating func leave(_ id: ConnectionID) -> Bool {
        guard let member = members.removeValue(forKey: id) else { return false }
        connections.removeAll { $0 == id }
        if member.readsDeltas { deltaReaders -= 1 }
        return true
    }

    mutating func focus(_ id: ConnectionID, on row: ListRow?, at now: Duration) {
        guard let member = members[id], member.focus != row else { return }
        members[id]?.focus = row
        changed(at: now)
    }

    /// Ends all subscriptions and drags.
    mutating func close() {
        self = Room(leases: LeaseTable(length: leases.length), pace: pace)
    }

    /// Schedules a presence update.
    mutating func changed(at now: Duration) { pace.changed(at: now) }

    /// True if an update is due now; it then counts as sent.
    mutating func markSentIfDue(at now: Duration) -> Bool { pace.markSentIfDue(at: now) }

    // MARK: Presence

    /// The present users, as a notification.
    mutating func presence(in trip: TripID) -> SharedBytes {
        if let line { return line }
        let line = SharedBytes(ServerLine.presence(trip, users))
        self.line = line
        return line
    }

    /// The subscribed users, by connection.
    var users: [PresentUser] {
        connections.compactMap { members[$0] }.map { member in
            let user = member.principal
            let lease = leases.lease(of: user.connection).flatMap { $0.isAnnounced ? $0 : nil }
            return PresentUser(
                connectionID: user.connection, user: user.user, role: user.role, dragging: lease?.item,
                over: lease?.over, focus: member.focus)
        }
    }
}

/// Limits presence updates: the first one is sent at once, later ones at most ten times a second.
struct PresencePace {
    static let interval = Duration.milliseconds(1000 / WireLimits.presencePerSecond)

    private var lastSent: Duration?
    private(set) var deadline: Duration?

    mutating func changed(at now: Duration) {
        guard deadline == nil else { return }
        deadline = lastSent.map { max(now, $0 + Self.interval) } ?? now
    }

    mutating func markSentIfDue(at now: Duration) -> Bool {
        guard let due = deadline, due <= now else { return false }
        deadline = nil
        lastSent = now
        return true
    }
}
