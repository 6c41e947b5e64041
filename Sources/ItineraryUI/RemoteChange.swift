import TripModel

/// What somebody else did to one item: added it, changed it or removed it; or to the trip itself, if there is neither
/// a before nor an after.
package struct RemoteEdit: Equatable, Sendable {
    /// Who did it.
    package let user: String
    /// The item as it was.
    package let before: Item?
    /// The item as it is.
    package let after: Item?

    /// Makes an edit.
    package init(user: String, before: Item?, after: Item?) {
        self.user = user
        self.before = before
        self.after = after
    }

    /// The item that is gone.
    var removed: Item? { after == nil ? before : nil }
}

/// What other people's changes did, as one sentence.
package enum RemoteChange {
    /// `ann moved Hotel to Day 2, 3 of 5`; nil where nothing was done.
    ///
    /// - Parameters:
    ///   - edits: what was done, each item once.
    ///   - trip: the trip now.
    package static func sentence(of edits: [RemoteEdit], in trip: Trip) -> String? {
        guard let edit = edits.first else { return nil }
        let who = names(of: edits)
        if edits.count > 1 { return summary(of: edits) }
        guard let item = edit.after else {
            return edit.removed.map { "\(who) removed \($0.content.title)" } ?? "\(who) changed the trip"
        }
        // The user may have moved it on since, or removed it.
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

    /// `ann moved 3 items and removed Lunch; ben added Tea`; of many people only the first.
    private static func summary(of edits: [RemoteEdit]) -> String {
        var users: [String] = []
        var deeds: [String: [(verb: String, titles: [String])]] = [:]
        for edit in edits {
            if deeds[edit.user] == nil { users.append(edit.user) }
            let (verb, title) = deed(of: edit)
            if let index = deeds[edit.user]?.firstIndex(where: { $0.verb == verb }) {
                deeds[edit.user]?[index].titles.append(title)
            } else {
                deeds[edit.user, default: []].append((verb, [title]))
            }
        }
        guard users.count <= 3 else { return "\(PeopleNews.list(users)) made \(edits.count) changes" }
        return users.map { user in
            let parts = (deeds[user] ?? []).map { deed in
                "\(deed.verb) \(deed.titles.count == 1 ? deed.titles[0] : "\(deed.titles.count) items")"
            }
            return "\(user) \(PeopleNews.list(parts))"
        }.joined(separator: "; ")
    }

    private static func deed(of edit: RemoteEdit) -> (verb: String, title: String) {
        guard let after = edit.after else { return ("removed", edit.removed?.content.title ?? "the trip") }
        guard let before = edit.before else { return ("added", after.content.title) }
        return (before.position == after.position ? "changed" : "moved", after.content.title)
    }

    /// Everybody who did something, in the order in which they come.
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
