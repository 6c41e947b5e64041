import TerminalCore
import TripModel

/// The terminal editor as a value: events go in, effects come out, and `frame()` shows it.
///
/// It does no I/O and knows no clock. The user's own changes are shown at once, by the same rules that the
/// daemon applies, and corrected by what the daemon says.
package struct EditorState: Sendable {
    /// What the keys mean just now.
    enum Mode: Sendable {
        case browsing
        case dragging(Drag)
        case prompting(Prompt)
        /// Whether to remove this game.
        case confirming(ItemID)
        /// The help, scrolled down so many lines.
        case helping(top: Int)
    }

    /// A change of the user's that the daemon has not answered yet.
    struct PendingChange: Sendable {
        /// What it does, as far as the editor can tell: nothing for undo and redo.
        let edits: [Edit]
        /// The sentence that tells it is done.
        let sentence: String
    }

    /// The terminal's size in cells.
    struct Size: Equatable, Sendable {
        var columns = 0
        var rows = 0
    }

    let userName: String
    var options: EditorOptions
    let theme = Theme.standard
    let keys = KeyMap.standard

    var size = Size()
    var connection = ConnectionStatus.connecting("")
    var people: [Person] = []
    var board: Board?
    var mode = Mode.browsing
    var message: Message?
    var waitingCount = 0

    /// Changes not answered yet, oldest first.
    var pending: [PendingChange] = []
    /// Edits that the daemon has taken since the newest state came.
    var accepted: [[Edit]] = []
    /// A state that came while an item was held.
    var deferred: TripView?
    /// Keys pressed while a drop waits for its answer.
    var heldInput: [InputEvent] = []
    /// The row on which the mouse button went down.
    var pressed: Outline.Row?
    /// Where the mouse holds the lifted item.
    var pointer: MouseEvent?
    /// The list scrolling by itself.
    var edgeScroll: EdgeScroll?

    /// The row that shows for a moment that it was put down.
    var settled: Settled?
    var now = Duration.zero
    /// When the timer was asked to go off.
    private var deadline: Duration?
    /// What the event in hand has led to; empty between events.
    private var effects: [EditorEffect] = []

    /// An item just put down, and until when it is to be seen.
    struct Settled: Equatable, Sendable {
        let item: ItemID
        let until: Duration
    }

    /// How many keys are kept while a drop waits for its answer.
    static let heldInputLimit = 256
    /// How long an item put down stands out.
    static let settleTime = Duration.milliseconds(700)

    /// Makes an editor that waits for the terminal's size and a trip.
    package init(userName: String, options: EditorOptions = EditorOptions()) {
        self.userName = userName
        self.options = options
    }

    /// Takes one event and tells what is to be done, in order.
    ///
    /// - Parameter now: the time on any clock that only goes forward.
    package mutating func handle(_ event: EditorEvent, now: Duration) -> [EditorEffect] {
        self.now = now
        switch event {
        case .input(let input): take(input)
        case .resized(let columns, let rows): size = Size(columns: max(columns, 0), rows: max(rows, 0))
        case .timer:
            deadline = nil
            scrollAtEdge()
        case .loaded(let view): load(view)
        case .waiting(let count): waitingCount = max(count, 0)
        case .people(let people): keepingScroll { $0.people = people }
        case .announced(let sentence): say(sentence)
        case .dragGranted: dragGranted()
        case .dragRefused(let reason): dragRefused(reason)
        case .dropAccepted: dropAccepted()
        case .dropRefused(let reason): dropRefused(reason)
        case .dragLost(let reason): dragLost(reason)
        case .editAccepted(let sentence): editAccepted(sentence)
        case .editRefused(let reason): editRefused(reason)
        case .connection(let status): connection(is: status)
        }
        if let settled, settled.until <= now { self.settled = nil }
        revealFocus()
        askForTimer()
        defer { effects = [] }
        return effects
    }

    private mutating func askForTimer() {
        let next = [settled?.until, edgeScroll?.next].compactMap { $0 }.min()
        guard next != deadline else { return }
        deadline = next
        if let next { emit(.wake(after: max(next - now, .milliseconds(1)))) }
    }

    private mutating func connection(is status: ConnectionStatus) {
        connection = status
        if case .lost(let reason) = status { dragLost(reason) }
    }
}

// MARK: - For the other files

extension EditorState {
    mutating func emit(_ effect: EditorEffect) {
        effects.append(effect)
    }

    mutating func say(_ sentence: String) {
        message = Message(text: sentence, tone: .plain)
    }

    /// Says why something is not done, and rings the bell.
    mutating func refuse(_ sentence: String) {
        message = Message(text: sentence, tone: .refusal)
        emit(.bell)
    }

    mutating func settle(_ id: ItemID) {
        if !options.reduceMotion { settled = Settled(item: id, until: now + Self.settleTime) }
    }

    /// The name of the other person who has an item in hand.
    func holder(of id: ItemID) -> String? {
        people.first { $0.dragging == id }?.name
    }
}
