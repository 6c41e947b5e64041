/// A thing to do for the trip, such as booking a hotel. It has no day.
public struct TodoEntry: Equatable, Sendable, Identifiable {
    /// The entry's permanent id, unique in its trip.
    public let id: TodoID
    /// The text, one line, never blank.
    @Verbatim public var text: String
    /// The user who has done it; nil if it is not done.
    @Verbatim public var doneBy: String?

    /// Makes an entry.
    public init(id: TodoID, text: String, doneBy: String? = nil) {
        self.id = id
        self.text = text
        self.doneBy = doneBy
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
        package private(set) var group: String?
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

    /// The parsed text.
    package var parts: Parts { Parts(of: text) }

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
    /// Whether the entry is removed.
    public var isRemoval: Bool

    /// Makes a change.
    public init(_ id: TodoID, text: String? = nil, isDone: Bool? = nil, isRemoval: Bool = false) {
        self.id = id
        self.text = text
        self.isDone = isDone
        self.isRemoval = isRemoval
    }
}

extension Trip {
    mutating func change(_ change: TodoChange, _ author: Author) throws(Rejection) {
        let index = header.todo.firstIndex { $0.id == change.id }
        if let text = change.text { try TextRule.line(.textBytes).checkFilled(text, field: "todo.text") }
        guard !change.isRemoval else {
            guard let index else { throw Self.noEntry }
            header.todo.remove(at: index)
            return
        }
        var entry: TodoEntry
        if let index {
            entry = header.todo[index]
        } else {
            guard let text = change.text else { throw Self.noEntry }
            guard header.todo.count < TripLimits.todoEntries else {
                throw .limitExceeded(.todoEntries, field: "todo")
            }
            entry = TodoEntry(id: change.id, text: text)
        }
        if let text = change.text { entry.text = text }
        if let isDone = change.isDone { entry.doneBy = isDone ? entry.doneBy ?? author.name : nil }
        if let index { header.todo[index] = entry } else { header.todo.append(entry) }
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
