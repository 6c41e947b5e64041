/// A thing to do for the trip, such as booking a hotel, or an idea: an item that is put aside. It has no day.
public struct TodoEntry: Equatable, Sendable, Identifiable {
    /// The entry's permanent id, unique in its trip.
    public let id: TodoID
    /// The text, one line, never blank.
    @Verbatim public var text: String
    /// The user who has done it; nil if it is not done.
    @Verbatim public var doneBy: String?
    /// What an idea becomes on a day; nil for a thing to do.
    public var item: ItemContent?

    /// Makes an entry.
    public init(id: TodoID, text: String, doneBy: String? = nil, item: ItemContent? = nil) {
        self.id = id
        self.text = text
        self.doneBy = doneBy
        self.item = item
    }

    /// The approximate size of its content, in memory and encoded.
    package var byteCount: Int {
        text.utf8.count + (doneBy?.utf8.count ?? 0) + (item.map { 256 + $0.textBytes } ?? 0)
    }
}

extension TodoEntry {
    /// The parsed text of an entry such as `Buy rail passes @ann #before due:2027-03-01`.
    package struct Parts: Equatable, Sendable {
        /// The text without assignee, group and due date.
        package private(set) var task = ""
        /// The assignee.
        package private(set) var person: String?
        /// The group.
        package fileprivate(set) var group: String?
        /// The due date.
        package private(set) var due: CalendarDate?

        /// All other words belong to the task, also a second assignee, group or due date.
        fileprivate init(of text: String) {
            var words: [Substring] = []
            for word in text.split(whereSeparator: \.isWhitespace) {
                if word.hasPrefix("@"), word.count > 1, person == nil {
                    person = String(word.dropFirst())
                } else if word.hasPrefix("#"), word.count > 1, group == nil {
                    group = String(word.dropFirst())
                } else if word.hasPrefix("due:"), due == nil,
                    let date = CalendarDate(String(word.dropFirst(4)))
                {
                    due = date
                } else {
                    words.append(word)
                }
            }
            task = words.isEmpty ? text : words.joined(separator: " ")
        }

        /// `ann · by Mon 1 Mar 2027`; empty without either.
        package var details: String {
            [person, due.map { "by \(DateText.text(of: $0))" }].compactMap(\.self).joined(separator: " · ")
        }
    }

    /// The text of a task with a group, if that is one word, and a due date. Those in the text itself come first.
    package static func text(_ task: String, group: String?, due: CalendarDate?) -> String {
        let parts = Parts(of: task)
        var text = task
        if parts.group == nil, let group, !group.contains(where: { $0.isWhitespace || $0 == "," }) {
            text += " #\(group)"
        }
        if parts.due == nil, let due { text += " due:\(due)" }
        return text
    }

    /// The parsed text. An idea is in the group `ideas`, unless its text names another one.
    package var parts: Parts {
        var parts = Parts(of: text)
        if item != nil { parts.group = parts.group ?? "ideas" }
        return parts
    }

    /// Whether the entry is assigned to a person or to nobody.
    package func concerns(_ person: String) -> Bool {
        parts.person.map { $0.lowercased() == person.lowercased() } ?? true
    }
}

extension [TodoEntry] {
    /// Open entries sorted by due date, then completed ones; equal entries keep their order.
    package var byUrgency: [TodoEntry] {
        let keys = map {
            ($0.doneBy == nil ? 0 : 1, $0.doneBy == nil ? $0.parts.due?.daysSince1970 ?? .max : 0)
        }
        return indices.sorted { (keys[$0].0, keys[$0].1, $0) < (keys[$1].0, keys[$1].1, $1) }.map { self[$0] }
    }
}

/// Names an entry of a trip's list of things to do.
public typealias TodoID = Identifier<TodoEntry>

/// A change of one entry. An unknown id with a text adds an entry at the end of the list.
public struct TodoChange: Equatable, Sendable {
    /// The entry.
    public let id: TodoID
    /// A new text; nil leaves it unchanged.
    @Verbatim public var text: String?
    /// Whether the entry is done; nil leaves that unchanged.
    public var isDone: Bool?
    /// The fields of an idea; nil leaves them unchanged.
    public var item: ItemContent?
    /// Whether the entry is removed.
    public var isRemoval: Bool

    /// Makes a change.
    public init(
        _ id: TodoID, text: String? = nil, isDone: Bool? = nil, item: ItemContent? = nil,
        isRemoval: Bool = false
    ) {
        self.id = id
        self.text = text
        self.isDone = isDone
        self.item = item
        self.isRemoval = isRemoval
    }
}

extension Item {
    /// The edits that put the item aside, as an idea with the same id.
    package var puttingAside: [Edit] {
        let idea = TodoChange(TodoID(id), text: content.title, item: content)
        return [.remove(id), .trip(TripChange(todo: idea))]
    }
}

extension TodoEntry {
    /// The edits that put an idea on a day, as an item with the same id; nil for a thing to do.
    ///
    /// - Parameter placement: nil for the first place that fits.
    package func planning(at placement: Placement?) -> [Edit]? {
        guard let item else { return nil }
        return [
            .trip(TripChange(todo: TodoChange(id, isRemoval: true))),
            .add(ItemID(id), item, to: placement),
        ]
    }
}

extension Trip {
    mutating func change(_ change: TodoChange, _ author: Author) throws(Rejection) {
        let index = header.todo.firstIndex { $0.id == change.id }
        let title = index == nil ? change.item?.title : nil
        if let text = change.text ?? title {
            try TextRule.line(.textBytes).checkFilled(text, field: "todo.text")
        }
        if let item = change.item { try checkIdea(item) }
        guard !change.isRemoval else {
            guard let index else {
                throw .invalid(field: "todo", "the entry is no longer in the list")
            }
            header.todo.remove(at: index)
            return
        }
        var entry: TodoEntry
        if let index {
            entry = header.todo[index]
        } else {
            guard let text = change.text ?? title else { throw Self.noEntry }
            guard header.todo.count < TripLimits.todoEntries else {
                throw .limitExceeded(.todoEntries, field: "todo")
            }
            entry = TodoEntry(id: change.id, text: text)
        }
        if let text = change.text { entry.text = text }
        if let isDone = change.isDone { entry.doneBy = isDone ? entry.doneBy ?? author.name : nil }
        if let item = change.item { entry.item = item }
        if let index { header.todo[index] = entry } else { header.todo.append(entry) }
    }

    /// Rejects an idea that could not become an item, or that is too large for the header.
    private mutating func checkIdea(_ item: ItemContent) throws(Rejection) {
        guard !item.isGame else {
            throw .invalid(field: "todo.item", "an event has a day by its schedule, so it cannot be an idea")
        }
        try check(item)
        guard item.textBytes <= TripLimits.ideaBytes else {
            throw .invalid(
                field: "todo.item", "the texts of an idea have at most \(TripLimits.ideaBytes) bytes together"
            )
        }
    }

    private static let noEntry = Rejection.invalid(
        field: "todo", "no entry of the list has this id; a new entry needs a text")
}

extension TripHeader {
    /// The header without its things to do, for lists of trips.
    package var brief: TripHeader {
        var header = self
        header.todo = []
        header.rates = ""
        return header
    }
}
