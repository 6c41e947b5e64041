import TerminalCore
import TripModel

/// What is before the user, and therefore what a key means: the list, something in hand, or something open over the list.
///
/// Each case holds all that there is of it, so that what is closed leaves nothing behind. What follows from the mode alone is
/// said here, so that a new one is thought of everywhere.
enum Mode: Sendable {
    case browsing
    case dragging(Drag)
    case prompting(Prompt)
    /// The fields of an item are edited.
    case filling(Form)
    /// A trip's name, days and zone are written.
    case planning(TripForm)
    /// One line of a list is chosen.
    case choosing(Chooser)
    /// Another screen is to come.
    case awaiting(Errand)
    /// The trip has gone.
    case ended(TripEnd)
    /// A question is answered with yes or no.
    case confirming(Question)
    /// Something has happened to what the user had in hand, in focus or in mind: keys wait until it is acknowledged.
    case acknowledging(Notice)
    /// The help.
    case helping(HelpPage)

    var isBrowsing: Bool { if case .browsing = self { true } else { false } }

    /// What is in hand, before the user.
    var drag: Drag? { if case .dragging(let drag) = self { drag } else { nil } }

    /// What is in hand, also behind a question.
    var inHand: Drag? {
        switch self {
        case .dragging(let drag): drag
        case .confirming(let question): question.inHand
        default: nil
        }
    }

    /// Where a key is pressed now.
    var context: KeyMap.Context {
        switch self {
        case .browsing: .list
        case .dragging: .drag
        case .prompting(let prompt): prompt.isSearch ? .search : .prompt
        case .filling, .planning: .form
        case .choosing(let chooser): chooser.isOfTrips ? .trips : .menu
        case .awaiting: .menu
        case .confirming: .confirmation
        case .acknowledging, .ended: .notice
        case .helping: .help
        }
    }

    /// Whether the list can be seen in all its rows.
    var showsList: Bool {
        switch self {
        case .choosing, .helping, .filling, .planning, .awaiting, .ended: false
        case .browsing, .dragging, .prompting, .confirming, .acknowledging: true
        }
    }

    /// Whether something is open that is not about an item of the list, and says nothing of it.
    func covers(_ item: Item) -> Bool {
        switch self {
        case .prompting, .helping: true
        case .choosing(let chooser):
            if case .move(item, _) = chooser.purpose { false } else { true }
        case .browsing, .dragging, .filling, .confirming, .acknowledging: false
        case .planning, .awaiting, .ended: true
        }
    }

    /// Whether the end of it would change a trip.
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

    /// The list to choose from that is to be seen: one that is open, or that comes when a notice has been read.
    var shownChooser: Chooser? {
        switch self {
        case .choosing(let chooser): chooser
        case .acknowledging(let notice): if case .chooser(let chooser) = notice.next { chooser } else { nil }
        default: nil
        }
    }

    // MARK: Writing

    /// The line at the bottom that the user writes.
    var line: (label: String, line: LineEditor)? {
        switch self {
        case .prompting(let prompt): (prompt.label, prompt.line)
        case .filling(let form):
            form.remover == nil ? ("\(form.current.field.label):", form.current.line) : nil
        case .planning(let form): ("\(form.current.field.label):", form.current.line)
        case .helping(let page): ("Keys:", page.filter)
        case .browsing, .dragging, .choosing, .confirming, .acknowledging, .awaiting, .ended: nil
        }
    }

    /// Writes into the line that is open; whether it had room, nil where no line is open.
    mutating func write(_ scalars: [Unicode.Scalar]) -> Bool? {
        let fits: Bool
        switch self {
        case .prompting(var prompt):
            fits = prompt.line.insert(scalars)
            self = .prompting(prompt)
        case .filling(var form):
            fits = form.current.line.insert(scalars)
            self = .filling(form)
        case .planning(var form):
            fits = form.current.line.insert(scalars)
            self = .planning(form)
        case .choosing(var chooser):
            fits = chooser.filter.insert(scalars)
            self = .choosing(chooser)
        case .helping(var page):
            fits = page.filter.insert(scalars)
            page.top = 0
            self = .helping(page)
        case .browsing, .dragging, .confirming, .acknowledging, .awaiting, .ended: return nil
        }
        return fits
    }

    /// Goes to a field of the form that is open; false where none is.
    mutating func go(toField index: Int) -> Bool {
        switch self {
        case .filling(var form):
            form.go(to: index)
            self = .filling(form)
        case .planning(var form):
            form.go(to: index)
            self = .planning(form)
        default: return false
        }
        return true
    }
}
