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
public typealias TodoID = ItemID

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

extension [TodoEntry] {
    /// This list with the entries that differ between two other lists restored to the first one. A removed entry
    /// returns to its former place.
    func restoring(_ before: Self, from after: Self) -> Self {
        var restored = self
        for entry in after where before.first(where: { $0.id == entry.id }) == nil {
            restored.removeAll { $0.id == entry.id }
        }
        for (place, entry) in before.enumerated() where after.first(where: { $0.id == entry.id }) != entry {
            if let index = restored.firstIndex(where: { $0.id == entry.id }) {
                restored[index] = entry
            } else {
                restored.insert(entry, at: Swift.min(place, restored.count))
            }
        }
        return restored
    }

    /// The ids of the entries that differ from another list.
    package func changedIDs(since before: Self) -> [TodoID] {
        let changed = filter { entry in before.first { $0.id == entry.id } != entry }
        return changed.map(\.id)
            + before.filter { entry in !contains { $0.id == entry.id } }.map(\.id)
    }

    /// The changes from another list, in words: `ticked off “Visa”`.
    func words(since before: Self) -> [String] {
        func list(_ verb: String, _ entries: [TodoEntry]) -> String? {
            guard let first = entries.first else { return nil }
            return "\(verb) \(entries.count == 1 ? "“\(first.text)”" : "\(entries.count) things to do")"
        }
        func old(_ entry: TodoEntry) -> TodoEntry? { before.first { $0.id == entry.id } }
        return [
            list("added to the list", filter { old($0) == nil }),
            list("removed from the list", before.filter { entry in !contains { $0.id == entry.id } }),
            list("ticked off", filter { $0.doneBy != nil && old($0).map { $0.doneBy == nil } ?? false }),
            list("reopened", filter { $0.doneBy == nil && old($0)?.doneBy != nil }),
            list(
                "reworded",
                filter { entry in old(entry).map { !String.isVerbatim($0.text, entry.text) } ?? false }),
        ].compactMap(\.self)
    }
}
