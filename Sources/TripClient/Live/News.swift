import TripModel
import TripProtocol

extension LiveTrip {
    /// An edit by another client: of one item, or of the trip itself if there is neither a before nor an after.
    public struct OthersEdit: Equatable, Sendable {
        /// The user who made the last edit; nil if unknown, for example for an item that was removed while this
        /// client was not connected.
        public let user: String?
        /// The item before; nil if it was added.
        public let before: Item?
        /// The item now; nil if it was removed.
        public let after: Item?
    }
}

/// Collects the edits of others from the daemon's states, one per item.
struct News: Sendable {
    /// Own changes that were sent and may not be contained in any state yet.
    struct Open {
        /// Unanswered edits of items.
        var edits: [Edit] = []
        /// An undo or redo is pending, which affects items that this user edited last.
        var hasReversal = false
    }

    /// Maximum number of collected items.
    private static let limit = 2000

    private var edits: [ItemID: LiveTrip.OthersEdit] = [:]
    private var order: [ItemID] = []
    private var headerUser: String?
    /// Versions of this client, to distinguish its own changes from those of others.
    private var ownVersions: Set<Int> = []
    /// Items that this client has removed and whose removal the daemon has not sent yet.
    private var ownRemovals: Set<ItemID> = []

    /// Records a version of this client.
    mutating func applied(_ version: Int, by edits: [Edit]) {
        ownVersions.insert(version)
        for case .remove(let id) in edits { ownRemovals.insert(id) }
        if ownVersions.count > Self.limit { ownVersions = ownVersions.filter { $0 > version - Self.limit } }
    }

    /// Records a newer state from the daemon.
    ///
    /// - Parameters:
    ///   - items: the previous states of its items.
    ///   - client: this client's id.
    ///   - user: this client's user, as the daemon names them; nil if unknown.
    ///   - open: own changes that the state may contain.
    mutating func note(
        _ delta: TripDelta, upon items: [ItemID: Item], by client: ClientID?, _ user: String?, open: Open
    ) {
        guard let cause = delta.cause else { return }
        let isOneChange = delta.version == delta.from + 1
        if isOneChange, cause.clientID == client {
            ownRemovals.subtract(delta.removed)
            return
        }
        // A delta of a single change contains its author.
        let hasReversal = open.hasReversal && !isOneChange
        let own = Set(open.edits.compactMap(\.item))
        for item in delta.upserts where !ownVersions.contains(item.version) {
            let before = items[item.id]
            // An item that was only re-spaced around an edited one is not an edit.
            if let before, before.modifiedAt == item.modifiedAt, before.content == item.content { continue }
            if hasReversal || own.contains(item.id), item.modifiedBy == user { continue }
            let author = isOneChange ? cause.user : item.modifiedBy
            note(item.id, .init(user: author, before: before, after: item))
        }
        for id in delta.removed {
            let isOwn = ownRemovals.remove(id) != nil || open.edits.contains { $0.isRemoval(of: id) }
            guard let before = items[id], !isOwn else { continue }
            if hasReversal, before.modifiedBy == user { continue }
            // A delta of several changes contains only the last author.
            note(id, .init(user: isOneChange ? cause.user : nil, before: before, after: nil))
        }
        if delta.header != nil, delta.upserts.isEmpty, delta.removed.isEmpty { headerUser = cause.user }
    }

    private mutating func note(_ id: ItemID, _ edit: LiveTrip.OthersEdit) {
        if let known = edits[id] {
            edits[id] = .init(user: edit.user, before: known.before, after: edit.after)
        } else if order.count < Self.limit {
            order.append(id)
            edits[id] = edit
        }
    }

    mutating func take() -> [LiveTrip.OthersEdit] {
        defer { (edits, order, headerUser) = ([:], [], nil) }
        let sent = order.compactMap { edits[$0] }.filter { $0.before != $0.after }
        if sent.isEmpty, let headerUser { return [.init(user: headerUser, before: nil, after: nil)] }
        return sent
    }
}

extension Edit {
    fileprivate func isRemoval(of id: ItemID) -> Bool {
        if case .remove(id) = self { true } else { false }
    }
}
