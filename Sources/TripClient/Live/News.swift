import TripModel
import TripProtocol

/// An edit of another client: of one item, or of the trip itself if there is neither a before nor an after.
public struct OthersEdit: Equatable, Sendable {
    /// The user who did it last; nil if that is not known, for example for an item that was removed while this client was
    /// not connected.
    public let user: String?
    /// The item before; nil if it was added.
    public let before: Item?
    /// The item now; nil if it was removed.
    public let after: Item?
}

/// What others have done since it was told last, each item once: gathered from what the daemon tells, where it is
/// known whose it is.
struct News: Sendable {
    /// Changes of this client that were sent and that no state has contained yet, as far as is known.
    struct Open {
        /// Those of items, not answered.
        var edits: [Edit] = []
        /// Something is taken back, or made again: it concerns items that this user edited last.
        var takesBack = false
    }

    /// More than this is not kept item by item.
    private static let limit = 2000

    private var edits: [ItemID: OthersEdit] = [:]
    private var order: [ItemID] = []
    private var headerUser: String?
    /// Versions that this client made, by which its own changes are told from those of others.
    private var ownVersions: Set<Int> = []
    /// What this client has removed and has not been told to be gone yet.
    private var ownRemovals: Set<ItemID> = []

    /// This client made a version.
    mutating func made(_ version: Int, by edits: [Edit]) {
        ownVersions.insert(version)
        for case .remove(let id) in edits { ownRemovals.insert(id) }
        if ownVersions.count > Self.limit { ownVersions = ownVersions.filter { $0 > version - Self.limit } }
    }

    /// The daemon has told a newer state.
    ///
    /// - Parameters:
    ///   - items: those of it that were there, as they were.
    ///   - client: this one.
    ///   - user: its user, as the daemon calls them; nil where that is not known yet.
    ///   - open: changes of this client that may be in it.
    mutating func note(
        _ delta: TripDelta, upon items: [ItemID: Item], by client: ClientID?, _ user: String?, open: Open
    ) {
        guard let cause = delta.cause else { return }
        let isOneChange = delta.version == delta.from + 1
        if isOneChange, cause.clientID == client {
            ownRemovals.subtract(delta.removed)
            return
        }
        // Of one change it is told whose it is.
        let takesBack = open.takesBack && !isOneChange
        let own = Set(open.edits.compactMap(\.item))
        for item in delta.upserts where !ownVersions.contains(item.version) {
            let before = items[item.id]
            // What was only re-spaced around an edited item is not what somebody did.
            if let before, before.modifiedAt == item.modifiedAt, before.content == item.content { continue }
            if takesBack || own.contains(item.id), item.modifiedBy == user { continue }
            note(
                item.id,
                OthersEdit(user: isOneChange ? cause.user : item.modifiedBy, before: before, after: item))
        }
        for id in delta.removed {
            let isOwn = ownRemovals.remove(id) != nil || open.edits.contains { $0.isRemoval(of: id) }
            guard let before = items[id], !isOwn else { continue }
            if takesBack, before.modifiedBy == user { continue }
            // Of several changes at once only the last has a name.
            note(id, OthersEdit(user: isOneChange ? cause.user : nil, before: before, after: nil))
        }
        if delta.header != nil, delta.upserts.isEmpty, delta.removed.isEmpty { headerUser = cause.user }
    }

    private mutating func note(_ id: ItemID, _ edit: OthersEdit) {
        if let known = edits[id] {
            edits[id] = OthersEdit(user: edit.user, before: known.before, after: edit.after)
        } else if order.count < Self.limit {
            order.append(id)
            edits[id] = edit
        }
    }

    mutating func take() -> [OthersEdit] {
        defer { (edits, order, headerUser) = ([:], [], nil) }
        let told = order.compactMap { edits[$0] }.filter { $0.before != $0.after }
        if told.isEmpty, let headerUser { return [OthersEdit(user: headerUser, before: nil, after: nil)] }
        return told
    }
}

extension Edit {
    fileprivate func isRemoval(of id: ItemID) -> Bool {
        if case .remove(id) = self { true } else { false }
    }
}
