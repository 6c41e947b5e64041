/// The result of an accepted batch of edits. The trip's queue, its subscribers, the history and undo share
/// one object.
package final class Commit: Sendable {
    /// The trip's version after the commit; unchanged if nothing changed.
    public let version: Int
    /// The edited items, then the displaced ones, then the removed ones; each group in the order of their first
    /// changes.
    public let changes: [ItemChange]
    /// The other items with a new place, in the order of their first changes.
    public let shifts: [Shift]
    /// The change of the header; nil if there is none.
    public let header: HeaderChange?
    /// The days whose items were re-spaced, in ascending order (R-NORM). A journal does not store them.
    public let respacedDays: [Int]

    package init(
        version: Int, changes: [ItemChange], shifts: [Shift] = [], header: HeaderChange? = nil,
        respacedDays: [Int] = []
    ) {
        self.version = version
        self.changes = changes
        self.shifts = shifts
        self.header = header
        self.respacedDays = respacedDays
    }

    /// Items moved because their day was removed, in shown order (R-EDIT). Sorted at each call.
    public var displaced: [ItemID] {
        changes.filter(\.lostDay).compactMap { $0.after.map(Row.init) }.sorted().map(\.id)
    }

    /// All items of the commit.
    package var itemIDs: [ItemID] { changes.map(\.id) + shifts.map(\.id) }

    /// Whether nothing changed.
    public var isNoop: Bool { changes.isEmpty && shifts.isEmpty && header == nil }
}

/// An item that a commit edited, displaced or removed, before and after it, with everything that an undo needs.
///
/// An object, because a commit's changes are looked at a dozen times, and to copy one counts four references.
package final class ItemChange: Sendable {
    /// The item.
    public let id: ItemID
    /// The item before the commit; nil if it is new.
    public let before: Item?
    /// The item after the commit; nil if it was removed.
    public let after: Item?
    /// Whether the item is new.
    public let isAddition: Bool
    /// Whether the item was removed.
    public let isRemoval: Bool
    /// Its neighbours before the commit. Nil if unknown or not needed: for new items and games.
    public let neighboursBefore: Neighbours?
    /// Whether a user edited the item; otherwise it was only displaced.
    public let isEdit: Bool
    /// Whether it was moved because its day was removed (R-EDIT). A journal does not store this for an item
    /// that was also edited, where it is not needed.
    public let lostDay: Bool
    /// Whether it is on another day, or has other neighbours on its day.
    public let isMove: Bool

    package init(
        id: ItemID, before: Item?, after: Item?, isEdit: Bool, lostDay: Bool = false, isMove: Bool,
        neighboursBefore: Neighbours?
    ) {
        self.id = id
        self.before = before
        self.after = after
        // Stored, because both are read often and looking into an item is slower.
        isAddition = before == nil
        isRemoval = after == nil
        self.isEdit = isEdit
        self.lostDay = lostDay
        self.isMove = isMove
        self.neighboursBefore = neighboursBefore
    }

    /// Content with the former values of the fields that this change has changed.
    func restored(in content: ItemContent) -> ItemContent {
        guard let before, let after, content.kind == before.content.kind,
            let changes = FieldChange.between(after.content, and: before.content)
        else { return before?.content ?? content }
        return content.with(changes)
    }
}

extension ItemChange: Equatable {
    /// Whether both describe the same change of the same item.
    public static func == (left: ItemChange, right: ItemChange) -> Bool {
        left === right
            || left.id == right.id && left.before == right.before && left.after == right.after
                && left.isEdit == right.isEdit && left.lostDay == right.lostDay && left.isMove == right.isMove
                && left.neighboursBefore == right.neighboursBefore
    }
}

/// The new place of an item that was not edited: re-spaced on its day, or a game that follows the schedule.
package struct Shift: Equatable, Sendable {
    /// The item.
    public let id: ItemID
    /// Its place before the commit.
    public let before: Position
    /// Its place after the commit.
    public let after: Position
    /// Its version before the commit; 0 in a commit of a snapshot, which is never rolled back.
    public let versionBefore: Int

    package init(id: ItemID, before: Position, after: Position, versionBefore: Int = 0) {
        self.id = id
        self.before = before
        self.after = after
        self.versionBefore = versionBefore
    }

    /// Whether a game has shared its minute with others before or after. The schedule alone does not restore its order.
    var isWithinMinute: Bool {
        [before, after].contains { $0.sortOrder != $0.sortOrder.rounded(.down) }
    }
}

/// The items directly above and below a place of a day; nil at the top and the bottom.
public struct Neighbours: Hashable, Sendable {
    /// The item above.
    public let above: ItemID?
    /// The item below.
    public let below: ItemID?

    /// Makes a pair of neighbours.
    public init(above: ItemID?, below: ItemID?) {
        self.above = above
        self.below = below
    }
}

extension Commit {
    /// A description of the commit, as a sentence without its subject: `moved “Hotel” from day 1 to day 3`.
    ///
    /// Names are in quotation marks, so that they cannot be mistaken for parts of the sentence.
    public var summary: String {
        let edited = changes.filter(\.isEdit)
        var parts: [String] = []
        if edited.count == 1 {
            parts = Self.parts(for: edited[0])
        } else {
            for action in ItemAction.allCases {
                let concerned = edited.filter { ItemAction($0) == action }
                if concerned.count == 1 {
                    parts += Self.parts(for: concerned[0])
                } else if !concerned.isEmpty {
                    parts.append("\(action.rawValue) \(concerned.count) items")
                }
            }
        }
        if let header { parts += header.words }
        guard let last = parts.popLast() else { return "changed nothing" }
        return parts.isEmpty ? last : "\(parts.joined(separator: ", ")) and \(last)"
    }

    /// The kinds of changes to an item, in the order of the sentence.
    private enum ItemAction: String, CaseIterable {
        case added
        case removed
        case changed
        case moved
        case noted = "recorded the source's values of"

        init(_ change: ItemChange) {
            switch (change.before, change.after) {
            case (nil, _): self = .added
            case (_, nil): self = .removed
            case (let before?, let after?):
                self = before.content == after.content ? .moved : change.isOnlySaid ? .noted : .changed
            }
        }
    }

    private static func parts(for change: ItemChange) -> [String] {
        switch (change.before, change.after) {
        case (nil, let after?): return ["added \(quoted(after)) on day \(after.position.day)"]
        case (let before?, nil): return ["removed \(quoted(before)) from day \(before.position.day)"]
        case (let before?, let after?):
            if change.isOnlySaid { return ["\(ItemAction.noted.rawValue) \(quoted(after))"] }
            var parts: [String] = []
            let isRenamed = !String.isVerbatim(before.content.title, after.content.title)
            if isRenamed {
                parts.append("renamed \(quoted(before)) to \(quoted(after))")
            } else if before.content != after.content {
                let fields = FieldChange.words(from: before.content, to: after.content)
                parts.append("changed \(quoted(after))\(fields.map { " (\($0))" } ?? "")")
            }
            // The time of an edited game decides its place. Another item was moved on purpose.
            if parts.isEmpty || change.isMove && !after.isGame {
                let (from, to) = (before.position.day, after.position.day)
                let name = parts.isEmpty ? quoted(after) : "it"
                parts.append(
                    from == to
                        ? "moved \(name) within day \(to)" : "moved \(name) from day \(from) to day \(to)")
            }
            return [parts.joined(separator: " and ")]
        case (nil, nil): return []
        }
    }

    private static func quoted(_ item: Item) -> String { "“\(item.content.title)”" }
}

extension HeaderChange {
    /// The changed fields, in words.
    fileprivate var words: [String] {
        var words: [String] = []
        if let name = after.name { words.append("renamed the trip to “\(name)”") }
        if let count = after.dayCount { words.append("made the trip \(count) days long") }
        if let date = after.startDate { words.append("moved the start of the trip to \(date)") }
        if let zone = after.timeZone { words.append("set the trip's zone to \(zone)") }
        if let rates = after.rates {
            words.append(rates.isEmpty ? "removed the exchange rates" : "set the exchange rates to \(rates)")
        }
        if let slug = after.slug { words.append("changed the slug of the trip to \(slug)") }
        func problems(_ verb: String, _ count: Int) {
            if count > 0 { words.append(count == 1 ? "\(verb) a problem" : "\(verb) \(count) problems") }
        }
        problems("accepted", after.accepted.count)
        problems("no longer accepted", after.revoked.count)
        return words + todoWords
    }

    /// The changes of the things to do, such as `ticked off “Visa”`.
    private var todoWords: [String] {
        let old = Dictionary(before.todo.map { ($0.id, $0) }) { $1 }
        let steps = after.todo.compactMap { step in old[step.id].map { (before: $0.entry, after: step.entry) }
        }
        func list(_ verb: String, _ isMeant: (_ before: TodoEntry, _ after: TodoEntry) -> Bool) -> String? {
            words(
                verb,
                steps.compactMap { step in
                    guard let before = step.before, let after = step.after else { return nil }
                    return isMeant(before, after) ? after : nil
                })
        }
        func words(_ verb: String, _ entries: [TodoEntry]) -> String? {
            guard let first = entries.first else { return nil }
            return "\(verb) \(entries.count == 1 ? "“\(first.text)”" : "\(entries.count) things to do")"
        }
        return [
            words("added to the list", steps.compactMap { $0.before == nil ? $0.after : nil }),
            words("removed from the list", steps.compactMap { $0.after == nil ? $0.before : nil }),
            list("ticked off") { $0.doneBy == nil && $1.doneBy != nil },
            list("reopened") { $0.doneBy != nil && $1.doneBy == nil },
            list("reworded") { !String.isVerbatim($0.text, $1.text) },
            steps.contains { $0.before == nil && $0.after == nil } ? "changed the order of the list" : nil,
        ].compactMap(\.self)
    }
}

extension ItemChange {
    /// Whether only the values last imported from the item's source differ.
    fileprivate var isOnlySaid: Bool {
        guard !isMove, let before, let after, before.content != after.content else { return false }
        return FieldChange.between(before.content, and: after.content)?.allSatisfy {
            $0.isOnlySaid(of: before.content)
        } ?? false
    }
}
