import TripModel

/// A requested change without an outcome.
struct AskedChange: Sendable {
    /// The message when it succeeds, and its description if it fails.
    typealias Words = (done: String, name: String)

    let description: ChangeDescription
    /// The user's input count when it was requested.
    let input: Int
    /// When it was requested.
    let time: Duration
    let edits: [Edit]
    /// The texts that it writes, one per line.
    let written: [String]
    /// Nil until a view shows the change.
    fileprivate(set) var words: Words?
    /// Others' changes during the drag, to be reported with its outcome.
    fileprivate(set) var othersChanges: String?
    /// Another user's text that it overwrites.
    fileprivate(set) var overwrites: String?

    init(_ description: ChangeDescription, input: Int, at time: Duration, edits: [Edit], written: [String]) {
        self.description = description
        self.time = time
        self.input = input
        self.edits = edits
        self.written = written
    }

    /// Whether it is a drop.
    fileprivate var isDrop: Bool {
        if case .move(_, _, _, .some) = description { true } else { false }
    }
}

/// Requested changes without an outcome, by ascending unique numbers.
struct AskedChanges: Sendable {
    /// The undos or redos of one key with a count.
    struct Run: Equatable, Sendable {
        let requested: Int
        fileprivate(set) var made = 0
        fileprivate(set) var resolved = 0
        /// The reason why the first change failed, was not needed, or has an unknown outcome.
        fileprivate(set) var failure: String?
        /// True if a change failed for another reason than that there was none to undo or redo.
        fileprivate(set) var hasFailed = false
        fileprivate(set) var isUncertain = false

        var isResolved: Bool { resolved == requested }
    }

    private var changes: [Int: AskedChange] = [:]
    private var nextNumber = 1
    /// The runs without all outcomes, by the input of their changes.
    private var runs: [Int: Run] = [:]

    /// When the oldest one counts as late; nil if there is none.
    var lateness: Duration? { changes.values.map(\.time).min().map { $0 + Self.usualTime } }

    /// The time within which a change is usually saved.
    private static let usualTime = Duration.seconds(1)

    var isEmpty: Bool { changes.isEmpty }
    var count: Int { changes.count }

    /// Their numbers, in ascending order.
    var numbers: [Int] { changes.keys.sorted() }

    subscript(number: Int) -> AskedChange? { changes[number] }

    /// Whether one of them is not shown yet.
    var hasUnworded: Bool { changes.values.contains { $0.words == nil } }

    /// Whether one of them is a drop.
    var hasDrop: Bool { changes.values.contains(where: \.isDrop) }

    /// Adds a change and returns its number.
    mutating func add(_ change: AskedChange) -> Int {
        defer { nextNumber += 1 }
        changes[nextNumber] = change
        return nextNumber
    }

    /// Groups the changes of one input, so that their outcomes are reported as one.
    mutating func beginRun(input: Int, requested: Int) {
        if requested > 1 { runs[input] = Run(requested: requested) }
    }

    /// Counts an outcome in the run of its change; nil if the change is in none.
    mutating func advanceRun(of change: AskedChange, _ outcome: ChangeOutcome) -> Run? {
        guard var run = runs[change.input] else { return nil }
        run.resolved += 1
        switch outcome {
        case .made: run.made += 1
        case .noneLeft(let reason): run.failure = run.failure ?? reason
        case .refused(let reason):
            run.failure = run.failure ?? reason
            run.hasFailed = true
        case .unknown(let reason):
            run.hasFailed = true
            run.isUncertain = run.isUncertain || run.failure == nil
            run.failure = run.failure ?? reason
        }
        runs[change.input] = run.isResolved ? nil : run
        return run
    }

    /// Removes a change when its outcome arrives; nil if the number is unknown.
    mutating func remove(_ number: Int) -> AskedChange? { changes.removeValue(forKey: number) }

    /// Sets the words of a change when a view first shows it.
    mutating func word(_ number: Int, _ words: AskedChange.Words) {
        if changes[number]?.words == nil { changes[number]?.words = words }
    }

    /// Adds a sentence about others' changes to the outcome of the newest drop; false if there is none.
    mutating func leaveToDrop(_ sentence: String) -> Bool {
        guard let number = changes.lazy.filter({ $0.value.isDrop }).map(\.key).max() else { return false }
        changes[number]?.othersChanges = sentence
        return true
    }

    /// Records others' values that a pending change overwrites, although its user had not seen them.
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
                    let ours = after.content.with([change])
                    return before[change.field] != after.content[change.field]
                        && ours[change.field] != after.content[change.field]
                }
                guard let field = theirs?.field else { continue }
                let text = after.content.text(of: field, in: trip, lineBreak: " ") ?? "empty"
                changes[number]?.overwrites = "\(edit.user) had set \(field.spokenName) to \(text)."
            }
        }
    }
}

/// A change requested by the user, with the data to describe it in a message.
enum ChangeDescription: Sendable {
    /// Moves an item away from a described place; after a drag, also animates its return if the drop is
    /// refused.
    case move(ItemID, title: String, from: String, drag: Drag?)
    case add([ItemID], what: String)
    case remove(title: String)
    case change(ItemID, title: String, fields: String)
    /// Any other change: its message on success, such as `Inserted a day after day 3.`, and its description
    /// on failure, such as `inserting a day`.
    case other(done: String, name: String)
    case undo
    case redo
}
