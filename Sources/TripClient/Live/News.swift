import TripModel
import TripProtocol

/// What somebody else did to one item, or to the trip itself where there is neither a before nor an after.
package struct OthersEdit: Equatable, Sendable {
    /// Who did it last.
    package let user: String
    /// The item before.
    package let before: Item?
    /// The item now.
    package let after: Item?
}

/// What others have done since it was told last, each item once: gathered from what the daemon tells, where it is
/// known whose it is.
struct News: Sendable {
    /// More than this is not kept item by item.
    private static let limit = 2000

    private var edits: [ItemID: OthersEdit] = [:]
    private var order: [ItemID] = []
    private var headerUser: String?
    /// Versions that this client made, by which its own changes are told from those of others.
    private var ownVersions: Set<Int> = []

    /// This client made a version.
    mutating func made(_ version: Int) {
        ownVersions.insert(version)
        if ownVersions.count > Self.limit { ownVersions = ownVersions.filter { $0 > version - Self.limit } }
    }

    /// The daemon has told a newer state.
    mutating func note(_ delta: TripDelta, upon trip: Trip, by client: ClientID?) {
        guard let cause = delta.cause else { return }
        let isOneChange = delta.version == delta.from + 1
        if isOneChange, cause.clientID == client { return }
        for item in delta.upserts where !ownVersions.contains(item.version) {
            let before = trip[item.id]
            // What was only re-spaced around an edited item is not what somebody did.
            if let before, before.modifiedAt == item.modifiedAt, before.content == item.content { continue }
            note(
                item.id,
                OthersEdit(user: isOneChange ? cause.user : item.modifiedBy, before: before, after: item))
        }
        for id in delta.removed {
            guard let before = trip[id], cause.clientID != client || !isOneChange else { continue }
            note(id, OthersEdit(user: cause.user, before: before, after: nil))
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
