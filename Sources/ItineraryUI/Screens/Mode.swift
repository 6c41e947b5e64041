import TerminalCore
import TripModel

/// The current mode, which decides the meaning of keys: the list, a drag, or an open panel.
///
/// Each case contains its whole state, so nothing remains after it is closed. Properties that depend only on
/// the mode are defined here with exhaustive switches.
enum Mode: Sendable {
    case browsing
    case dragging(Drag)
    case prompting(Prompt)
    /// Editing the fields of an item.
    case filling(ItemForm)
    /// Editing a trip's name, days, zone and rates.
    case planning(TripForm)
    /// Choosing a line of a list.
    case choosing(Chooser)
    /// Waiting for another screen.
    case awaiting(PendingOperation)
    /// The trip is gone.
    case ended(TripEnd)
    /// A yes-or-no question.
    case confirming(Question)
    /// A message about a remote change of the dragged, focused or otherwise intended item. Keys are held
    /// until it is acknowledged.
    case acknowledging(Notice)
    /// The help.
    case helping(HelpPage)

    var isBrowsing: Bool { if case .browsing = self { true } else { false } }

    /// The visible drag.
    var drag: Drag? { if case .dragging(let drag) = self { drag } else { nil } }

    /// The drag, also one that a question suspends.
    var activeDrag: Drag? {
        switch self {
        case .dragging(let drag): drag
        case .confirming(let question): question.suspendedDrag
        default: nil
        }
    }

    /// The key context.
    var context: KeyMap.Context {
        switch self {
        case .browsing: .list
        case .dragging: .drag
        case .prompting(let prompt): prompt.isSearch ? .search : .prompt
        case .filling, .planning: .form
        case .choosing(let chooser): chooser.line == nil ? chooser.context : .filter
        case .awaiting: .menu
        case .confirming: .confirmation
        case .acknowledging, .ended: .notice
        case .helping(let page): page.isFiltering ? .search : .help
        }
    }

    /// Whether an open panel is not about an item, and does not mention the focused one.
    func covers(_ item: Item) -> Bool {
        switch self {
        case .prompting, .helping: true
        case .choosing(let chooser):
            if case .move(item, _) = chooser.purpose { false } else { true }
        case .browsing, .dragging, .filling, .confirming, .acknowledging: false
        case .planning, .awaiting, .ended: true
        }
    }

    /// Whether submitting it would change a trip.
    func wouldChange(_ trip: TripID?) -> Bool {
        switch self {
        case .dragging, .filling: true
        case .planning(let form): trip.map { form.purpose == .change($0) } ?? false
        case .prompting(let prompt): if case .add = prompt.purpose { true } else { false }
        case .choosing(let chooser):
            switch chooser.purpose {
            case .move, .moveSeveral, .importing, .kind: true
            default: false
            }
        case .confirming(let question):
            switch question.purpose {
            case .remove, .change: true
            default: false
            }
        case .browsing, .awaiting, .ended, .acknowledging, .helping: false
        }
    }

    /// The visible list to choose from: the open one, or the one behind a message.
    var shownChooser: Chooser? {
        switch self {
        case .choosing(let chooser): chooser
        case .acknowledging(let notice): if case .chooser(let chooser) = notice.next { chooser } else { nil }
        default: nil
        }
    }

    /// What Enter does in an open line, form or list, for the bar; nil if its binding says it.
    var acceptWord: String? {
        switch self {
        case .prompting(let prompt): prompt.isAdd ? "add" : nil
        case .filling, .planning: form?.isAddition == true ? "add" : "save"
        case .choosing(let chooser):
            chooser.line?.isEntry == true || chooser.typedText != nil ? "add" : chooser.verb
        default: nil
        }
    }

    /// The item that the line of a new item describes; nil if it is only a title.
    var quickEntry: QuickEntry? { if case .prompting(let prompt) = self { prompt.quickEntry } else { nil } }

    // MARK: Text input

    /// The open text line at the bottom.
    var line: (label: String, line: LineEditor)? {
        switch self {
        case .prompting(let prompt): (prompt.label, prompt.line)
        case .filling(let form) where form.remover != nil: nil
        case .filling, .planning: form.map { ("\($0.label):", $0.line) }
        case .helping(let page): page.isFiltering ? ("Keys:", page.filter) : nil
        case .choosing(let chooser):
            chooser.line.map { ($0.isEntry ? "New:" : "Filter:", $0.editor) }
        case .browsing, .dragging, .confirming, .acknowledging, .awaiting, .ended: nil
        }
    }

    /// The placeholder of the open line.
    var hint: String { form?.hint ?? "" }

    /// The line that typed text goes into; nil if none is open.
    var input: LineEditor? {
        get {
            switch self {
            case .prompting(let prompt): prompt.line
            case .filling, .planning: form?.line
            case .choosing(let chooser): chooser.line?.editor
            case .helping(let page): page.isFiltering ? page.filter : nil
            case .browsing, .dragging, .confirming, .acknowledging, .awaiting, .ended: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .prompting(var prompt):
                prompt.line = newValue
                self = .prompting(prompt)
            case .filling, .planning: form?.line = newValue
            case .choosing(var chooser):
                chooser.line?.editor = newValue
                self = .choosing(chooser)
            case .helping(var page):
                page.filter = newValue
                self = .helping(page)
            case .browsing, .dragging, .confirming, .acknowledging, .awaiting, .ended: break
            }
        }
    }

}

/// A text line with its purpose.
struct Prompt: Sendable {
    /// The purpose of a line.
    enum Purpose: Sendable {
        /// The title of a new item, to be added at a place.
        case add(at: InsertionPoint)
        /// A search from a row, with that row's former index.
        case search(origin: ListRow, row: Int)
        /// A day to go to.
        case goTo
        /// The day to swap a day with, of a trip with these days.
        case swap(day: Int, days: TripHeader)
        /// The days on which copies of items are added.
        case repeating([ItemID], what: String)
    }

    let purpose: Purpose
    var line: LineEditor

    /// The label before the line.
    var label: String {
        switch purpose {
        case .add: "New item:"
        case .search: "Search:"
        case .goTo: "Go to day:"
        case .swap(let day, _): "Swap day \(day) with day:"
        case .repeating(_, let what): "Repeat \(what) on days:"
        }
    }

    /// The item that the line of a new item describes; nil if the line is only a title.
    var quickEntry: QuickEntry? { isAdd ? QuickEntry(line.text) : nil }

    var isSearch: Bool {
        if case .search = purpose { true } else { false }
    }

    var isAdd: Bool {
        if case .add = purpose { true } else { false }
    }
}

/// A yes-or-no question.
struct Question: Sendable {
    enum Purpose: Sendable {
        case remove(ItemID)
        /// Apply a change, with its edits at the time of the question.
        case change(Intention, [Edit])
        /// Delete a trip with this name and number of items.
        case deleteTrip(TripID, named: String, itemCount: Int)
        /// Create a trip with this name.
        case makeTrip(String)
        /// Quit although changes cannot be delivered.
        case quit
    }

    let purpose: Purpose
    let text: String
    /// A message about a change of the question's subject.
    var news: String?
    /// The drag, which continues if the answer is no.
    var suspendedDrag: Drag?
}
