import TripModel

/// One change that was asked for and whose outcome has not come.
struct AskedChange: Sendable {
    /// What is said when it is made, and what it is called where it is not.
    typealias Words = (done: String, name: String)

    let deed: Deed
    /// How much the user had pressed then.
    let input: Int
    let edits: [Edit]
    /// The texts that it writes, a line each.
    let written: [String]
    /// Nil until it has been shown.
    fileprivate(set) var words: Words?
    /// What others did while the item was in hand.
    fileprivate(set) var meanwhile: String?
    /// What somebody else has written that it writes over.
    fileprivate(set) var overwrites: String?

    init(_ deed: Deed, input: Int, edits: [Edit], written: [String]) {
        self.deed = deed
        self.input = input
        self.edits = edits
        self.written = written
    }

    /// Whether it puts down an item that was in hand.
    fileprivate var isDrop: Bool {
        if case .move(_, _, _, .some) = deed { true } else { false }
    }
}

/// The changes that were asked for and whose outcome has not come, under numbers that rise and are used once.
struct AskedChanges: Sendable {
    private var changes: [Int: AskedChange] = [:]
    private var nextNumber = 1

    var isEmpty: Bool { changes.isEmpty }
    var count: Int { changes.count }

    /// Their numbers, the oldest first.
    var numbers: [Int] { changes.keys.sorted() }

    subscript(number: Int) -> AskedChange? { changes[number] }

    /// Whether one of them has not been shown yet.
    var hasUnworded: Bool { changes.values.contains { $0.words == nil } }

    /// Whether one of them puts down what was in hand.
    var hasDrop: Bool { changes.values.contains(where: \.isDrop) }

    /// Adds a change and returns its number.
    mutating func add(_ change: AskedChange) -> Int {
        defer { nextNumber += 1 }
        changes[nextNumber] = change
        return nextNumber
    }

    /// Removes a change whose outcome has come; nil if no change of that number waits for one.
    mutating func remove(_ number: Int) -> AskedChange? { changes.removeValue(forKey: number) }

    /// Words a change as the view that shows it has it, once.
    mutating func word(_ number: Int, _ words: AskedChange.Words) {
        if changes[number]?.words == nil { changes[number]?.words = words }
    }

    /// Lets what others did meanwhile be said with the outcome of the newest drop; false if no drop waits for one.
    mutating func leaveToDrop(_ sentence: String) -> Bool {
        guard let number = changes.lazy.filter({ $0.value.isDrop }).map(\.key).max() else { return false }
        changes[number]?.meanwhile = sentence
        return true
    }

    /// Notes what others have written into fields that a change writes over, which was asked for before they were seen.
    mutating func noteOverwriting(by news: [RemoteEdit], in trip: Trip) {
        guard !changes.isEmpty, !news.isEmpty else { return }
        var written: [ItemID: [(number: Int, changes: [FieldChange])]] = [:]
        for (number, change) in changes {
            for case .update(let id, let fields) in change.edits {
                written[id, default: []].append((number, fields))
            }
        }
        for edit in news {
            guard let before = edit.before?.content, let after = edit.after, let own = written[after.id]
            else { continue }
            for (number, fields) in own {
                let theirs = fields.first { change in
                    var ours = after.content
                    ours.assign(change)
                    return before[change.field] != after.content[change.field]
                        && ours[change.field] != after.content[change.field]
                }
                guard let field = theirs?.field else { continue }
                let text = after.content.text(of: field, in: trip, lineBreak: " ") ?? "empty"
                changes[number]?.overwrites = "\(edit.user) had made \(field.spokenName) \(text)."
            }
        }
    }
}
