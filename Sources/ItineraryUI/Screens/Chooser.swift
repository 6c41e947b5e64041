import TripModel

/// A list to choose a line from. Letters are keys, until a line is opened for words to filter by, or for a new entry.
struct Chooser: Sendable {
    /// One line.
    struct Choice: Equatable, Sendable {
        /// A letter that chooses it.
        var key: Unicode.Scalar?
        let text: String
        /// What it is called in a sentence; nil if that is its text.
        var name: String?
        /// The text at the right; for a forbidden choice the reason.
        let detail: String
        var isAllowed = true
    }

    /// The action for the chosen line, by its index.
    enum Purpose: Sendable {
        case move(Item, to: [Placement])
        case moveSeveral([Item], [Gap])
        case problem([Problem])
        /// Ticks off things to do.
        case todo([TodoEntry])
        /// Records payments.
        case costs([CostShares.Line])
        case link([Link])
        /// Goes to the item of a change.
        case history([HistoryLine])
        /// Opens the form of a new item of the chosen kind.
        case kind([NewKind])
        /// Opens, restores or creates a trip.
        case trips(TripList)
        /// Confirms an import by any line. The text describes its result, such as `1 new, 4 changed`.
        case importing(String)
        /// Shows failed changes for reading.
        case notDone(NotDone)
    }

    /// The identity of a line, to find it in an updated list.
    enum Identity: Equatable {
        case place(Placement)
        case problem(String, [ItemID])
        case todo(TodoID)
        case cost(CostShares.Line)
        case change(HistoryLine)
        /// A trip, or none for a new one.
        case trip(TripID?)
        case line(Int)
    }

    /// The open text line.
    struct Line: Sendable {
        /// Whether its text is a new entry of the list; otherwise it filters the list.
        let isEntry: Bool
        var editor = LineEditor()
    }

    let label: String
    /// A message that the subject of the list is gone, so that nothing can be chosen.
    var goneSentence: String?
    /// A message that the selected line is gone; the user must select one first.
    var lostChoice: String?
    let purpose: Purpose
    let choices: [Choice]
    /// The focused row when the list was opened, to which the trip returns.
    var origin: ListRow?
    var line: Line? {
        didSet { if filter != oldValue.filter { narrow() } }
    }
    /// The indexes of the matching choices.
    private(set) var shown: [Int]
    /// The selected one of these.
    private(set) var selected: Int
    /// The number of these above the visible part.
    private(set) var top = 0

    /// The placements of its lines; nil if it is not a list of places.
    var placements: [Placement]? {
        switch purpose {
        case .move(_, let places): places
        case .moveSeveral(_, let gaps): gaps.map(\.placement)
        default: nil
        }
    }

    /// The key context while no line is open. Lists of trips, problems and things to do have additional keys.
    var context: KeyMap.Context {
        switch purpose {
        case .trips: .trips
        case .problem: .problems
        case .todo: .todo
        default: .menu
        }
    }

    /// Whether the text at the right is shown in full, even if the left one is cut.
    var keepsDetail: Bool { if case .trips = purpose { true } else { false } }

    /// The heading above the lines.
    var heading: String { label.hasSuffix(":") ? String(label.dropLast()) : label }

    /// What Enter does with the selected line.
    var verb: String {
        switch purpose {
        case .move, .moveSeveral: "move here"
        case .problem, .history: "go to"
        case .todo: "tick off"
        case .costs: "record the payment"
        case .link, .trips: "open"
        case .kind: "add"
        case .importing: "import"
        case .notDone: "read, clear the list"
        }
    }

    /// The rows of the trip that the lines are about.
    var targets: [ListRow?] {
        switch purpose {
        case .problem(let problems): problems.map { $0.items.first.map(ListRow.item) ?? .day($0.day) }
        case .history(let lines): lines.map { $0.items.first.map(ListRow.item) }
        case .move, .moveSeveral: (placements ?? []).map(\.row)
        default: []
        }
    }

    /// The name at the start of a change that is of the same user and minute as the change above; it is not repeated.
    func repeatedName(of index: Int, below other: Int) -> String? {
        guard case .history(let changes) = purpose, changes[index].user == changes[other].user,
            choices[index].detail == choices[other].detail
        else { return nil }
        return changes[index].user
    }

    /// Whether the lines can be filtered; otherwise they are only for reading.
    var isFiltered: Bool {
        switch purpose {
        case .importing, .notDone: false
        default: true
        }
    }

    private var filter: String { line.filter }

    init(_ label: String, _ purpose: Purpose, _ choices: [Choice]) {
        self.label = label
        self.purpose = purpose
        self.choices = choices
        shown = Array(choices.indices)
        selected = choices.firstIndex(where: \.isAllowed) ?? 0
    }

    /// The selected choice and its index; nil if nothing matches.
    var current: (index: Int, choice: Choice)? {
        shown.indices.contains(selected) ? (shown[selected], choices[shown[selected]]) : nil
    }

    /// The typed text of a new entry, also one in the filter that matches no line.
    var typedText: String? { line.flatMap { $0.isEntry || current == nil ? $0.editor.trimmed : nil } }

    private func identity(at index: Int) -> Identity {
        switch purpose {
        case .move(_, let places): .place(places[index])
        case .moveSeveral(_, let gaps): .place(gaps[index].placement)
        case .problem(let problems): .problem(problems[index].key, problems[index].items)
        case .todo(let list): .todo(list[index].id)
        case .costs(let lines): .cost(lines[index])
        case .history(let changes): .change(changes[index])
        case .trips(let list): .trip(list.trip(at: index))
        case .link, .kind, .importing, .notDone: .line(index)
        }
    }

    /// Whether another list has the same lines about the same subjects.
    func isSame(as other: Chooser) -> Bool {
        // An idea has fields that its line does not show.
        if case .todo(let list) = purpose, case .todo(let others) = other.purpose, list != others {
            return false
        }
        return label == other.label && choices == other.choices
            && choices.indices.allSatisfy { identity(at: $0) == other.identity(at: $0) }
    }

    /// Takes over the open line and the selection of an older state of the list. If the selected line is gone, keys for
    /// it have no effect until the user selects another one.
    mutating func follow(_ old: Chooser) {
        line = old.line
        origin = old.origin
        guard let (index, choice) = old.current else { return }
        let selected = old.identity(at: index)
        let same = shown.firstIndex { identity(at: $0) == selected }
        select(same ?? old.selected)
        lostChoice = old.lostChoice
        if same == nil, lostChoice == nil {
            lostChoice = "\(choice.name ?? choice.text) is gone: choose another line."
        }
    }

    mutating func select(_ index: Int) {
        lostChoice = nil
        selected = min(max(index, 0), max(shown.count - 1, 0))
    }

    /// Scrolls as little as possible so that the selected line is visible.
    mutating func reveal(height: Int) {
        top = min(top, selected)
        top = max(top, selected - height + 1, 0)
        top = min(top, max(0, shown.count - height))
    }

    private func indices(with texts: [String]) -> [Int] {
        let searches = texts.compactMap(TextSearch.init)
        return choices.indices.filter { index in
            searches.allSatisfy { $0.matches(choices[index].text) || $0.matches(choices[index].detail) }
        }
    }

    private mutating func narrow() {
        let words = filter.split(separator: " ").map(String.init)
        // `day 4` is searched as a phrase if it occurs anywhere; it should not match every 4.
        shown = indices(with: [words.joined(separator: " ")])
        if shown.isEmpty { shown = indices(with: words) }
        // A match at the beginning is selected before others.
        let beginning = filter.lowercased()
        selected =
            shown.firstIndex {
                choices[$0].isAllowed && choices[$0].text.lowercased().hasPrefix(beginning)
            }
            ?? shown.firstIndex { choices[$0].isAllowed } ?? 0
        lostChoice = nil
        top = 0
    }
}

extension Chooser.Line? {
    /// The words by which the list is filtered.
    fileprivate var filter: String { self.map { $0.isEntry ? "" : $0.editor.text } ?? "" }
}

extension Placement {
    /// The row beside the place.
    fileprivate var row: ListRow {
        switch self {
        case .after(let id, _), .before(let id, _), .between(let id, _, _): .item(id)
        case .start(let day), .end(let day), .order(_, let day): .day(day)
        }
    }
}

/// A kind of new item in the list of kinds, each with its letter.
struct NewKind: Sendable {
    let kind: ItemKind
    /// The mode of travel that its form suggests.
    var mode: String?
    let choice: Chooser.Choice

    private init(
        _ key: Unicode.Scalar, _ text: String, _ detail: String, _ kind: ItemKind, mode: String? = nil
    ) {
        self.kind = kind
        self.mode = mode
        choice = Chooser.Choice(key: key, text: text, detail: detail)
    }

    static let all = [
        NewKind("t", "Travel", "from one city to another", .travel),
        NewKind("o", "Anything else", "a hotel, a dinner, a visit", .custom),
        NewKind("e", "Event", "a match or a concert, at its own time", .game),
        NewKind("r", "Train", "travel by train", .travel, mode: "train"),
        NewKind("f", "Flight", "travel by plane", .travel, mode: "flight"),
        NewKind("b", "Bus", "travel by bus", .travel, mode: "bus"),
    ]
}
