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
        return header
    }
}
