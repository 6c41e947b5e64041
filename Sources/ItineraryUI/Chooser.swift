import TripModel

/// A list to choose one line from, narrowed by what is typed.
struct Chooser: Sendable {
    /// One line.
    struct Choice: Sendable {
        let text: String
        /// What is said at the right; for what may not be chosen the reason.
        let detail: String
        var isAllowed = true
    }

    /// What is done with the line that is chosen, by its number.
    enum Purpose: Sendable {
        case move(Item, to: [Placement])
        case moveSeveral([Item], [Gap])
        case problem([Outline.Row])
        case link([Link])
        /// What a change was about is gone to.
        case history([HistoryLine])
        /// A new item of one of these kinds is written.
        case kind([ItemKind])
        /// A trip is opened or restored, or a new one is made.
        case trips(TripList)
        /// Any line means all of them.
        case importing
        /// These are read.
        case notDone(NotDone)
    }

    /// What stands before the typed words.
    let label: String
    /// What the list is about has gone, and how: nothing of it can be taken any more.
    var goneSentence: String?
    /// The line that the user had selected has gone, and what is said of it: none is taken before one is selected.
    var lostChoice: String?
    let purpose: Purpose
    let choices: [Choice]
    var filter = LineEditor() {
        didSet { if filter.text != oldValue.text { narrow() } }
    }
    /// The choices that the typed words are in.
    private(set) var shown: [Int]
    /// Which of those is to be taken.
    private(set) var selected: Int
    /// How many of those are above the screen.
    private(set) var top = 0

    /// The places that its lines stand for; nil where it is no list of places.
    var placements: [Placement]? {
        switch purpose {
        case .move(_, let places): places
        case .moveSeveral(_, let gaps): gaps.map(\.placement)
        default: nil
        }
    }

    /// Whether it is about trips, with which more can be done than to take one.
    var isOfTrips: Bool { if case .trips = purpose { true } else { false } }

    init(_ label: String, _ purpose: Purpose, _ choices: [Choice]) {
        self.label = label
        self.purpose = purpose
        self.choices = choices
        shown = Array(choices.indices)
        selected = choices.firstIndex(where: \.isAllowed) ?? 0
    }

    /// The choice to be taken, and its number; nil if nothing is left of them.
    var current: (index: Int, choice: Choice)? {
        shown.indices.contains(selected) ? (shown[selected], choices[shown[selected]]) : nil
    }

    mutating func select(_ index: Int) {
        lostChoice = nil
        selected = min(max(index, 0), max(shown.count - 1, 0))
    }

    /// Scrolls no further than needed to have the selected line on a screen so high.
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
        let words = filter.text.split(separator: " ").map(String.init)
        // `day 4` is meant as it stands where anything says so; not a 4 anywhere else.
        shown = indices(with: [words.joined(separator: " ")])
        if shown.isEmpty { shown = indices(with: words) }
        selected = shown.firstIndex { choices[$0].isAllowed } ?? 0
        lostChoice = nil
        top = 0
    }
}
