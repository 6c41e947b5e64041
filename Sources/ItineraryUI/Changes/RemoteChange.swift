import TripModel

/// Another user's change of one item, or of the trip itself if both states are nil.
package struct RemoteEdit: Equatable, Sendable {
    /// The user.
    package let user: String
    /// The item before the change.
    package let before: Item?
    /// The item after the change.
    package let after: Item?

    package init(user: String, before: Item?, after: Item?) {
        self.user = user
        self.before = before
        self.after = after
    }

    /// The removed item.
    var removed: Item? { after == nil ? before : nil }
}

/// Describes others' changes in one sentence.
package enum RemoteChange {
    /// `ann moved Hotel to Day 2, 3 of 5`; nil without changes.
    ///
    /// - Parameters:
    ///   - edits: the changes, one per item.
    ///   - trip: the present trip.
    package static func sentence(of edits: [RemoteEdit], in trip: Trip) -> String? {
        guard let edit = edits.first else { return nil }
        let who = names(of: edits)
        if edits.count > 1 { return summary(of: edits) }
        guard let item = edit.after else {
            return edit.removed.map { "\(who) removed \($0.content.title)" } ?? "\(who) changed the trip"
        }
        // The user may have moved or removed it since.
        let place = trip[item.id]?.position == item.position ? place(of: item, in: trip) : nil
        guard let before = edit.before else {
            return "\(who) added \(item.content.title)" + (place.map { " on \($0)" } ?? "")
        }
        if before.position != item.position {
            return "\(who) moved \(item.content.title)" + (place.map { " to \($0)" } ?? "")
        }
        if before.content.title != item.content.title {
            return "\(who) renamed \(before.content.title) to \(item.content.title)"
        }
        let fields = FieldChange.words(from: before.content, to: item.content)
        return "\(who) changed \(item.content.title)\(fields.map { " (\($0))" } ?? "")"
    }

    /// `ann moved 3 items and removed Lunch; ben added Tea`; of many users only the first.
    private static func summary(of edits: [RemoteEdit]) -> String {
        var users: [String] = []
        var actions: [String: [(verb: String, titles: [String])]] = [:]
        for edit in edits {
            if actions[edit.user] == nil { users.append(edit.user) }
            let (verb, title) = action(of: edit)
            if let index = actions[edit.user]?.firstIndex(where: { $0.verb == verb }) {
                actions[edit.user]?[index].titles.append(title)
            } else {
                actions[edit.user, default: []].append((verb, [title]))
            }
        }
        guard users.count <= 3 else { return "\(PeopleNews.list(users)) made \(edits.count) changes" }
        return users.map { user in
            let parts = (actions[user] ?? []).map { action in
                "\(action.verb) \(action.titles.count == 1 ? action.titles[0] : "\(action.titles.count) items")"
            }
            return "\(user) \(PeopleNews.list(parts))"
        }.joined(separator: "; ")
    }

    private static func action(of edit: RemoteEdit) -> (verb: String, title: String) {
        guard let after = edit.after else { return ("removed", edit.removed?.content.title ?? "the trip") }
        guard let before = edit.before else { return ("added", after.content.title) }
        return (before.position == after.position ? "changed" : "moved", after.content.title)
    }

    /// The users who made changes, in order.
    private static func names(of edits: [RemoteEdit]) -> String {
        var names: [String] = []
        for edit in edits where !names.contains(edit.user) { names.append(edit.user) }
        return PeopleNews.list(names)
    }

    private static func place(of item: Item, in trip: Trip) -> String {
        let day = trip.items(onDay: item.position.day)
        let rank = (day.firstIndex { $0.id == item.id } ?? 0) + 1
        return "\(DateText.name(ofDay: item.position.day, in: trip.header)), \(rank) of \(day.count)"
    }
}
