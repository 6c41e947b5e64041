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
        /// The fields of an item are edited.
        case filling(Form)
        /// One line of a list is chosen.
        case choosing(Chooser)
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
    var theme: Theme
    let keys: KeyMap

    var size = Size()
    var connection = ConnectionStatus.connecting("")
    var people: [Person] = []
    var board: Board?
    var mode = Mode.browsing
    var message: Message?
    var waitingCount = 0
    /// What is searched for: its matches are marked.
    var search: TextSearch?
    /// The list of trips is asked for, to choose from.
    var wantsTrips = false
    var takesMouse: Bool

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

    /// How many states came while a new item was in hand, which the daemon does not know of.
    var deferredCount = 0
    var motion = Motion()
    var now = Duration.zero
    /// When the timer was asked to go off.
    private var deadline: Duration?
    /// What the event in hand has led to; empty between events.
    private var effects: [EditorEffect] = []

    /// How many keys are kept while a drop waits for its answer.
    static let heldInputLimit = 256

    /// Makes an editor that waits for the terminal's size and a trip.
    package init(userName: String, options: EditorOptions = EditorOptions()) {
        self.userName = userName
        self.options = options
        keys = options.keys
        theme = options.theme(on: options.background)
        takesMouse = options.takesMouse
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
        case .announced(let sentence): announce(sentence)
        case .dragGranted: dragGranted()
        case .dragRefused(let reason): dragRefused(reason)
        case .dropAccepted: dropAccepted()
        case .dropRefused(let reason): dropRefused(reason)
        case .dragLost(let reason): dragLost(reason)
        case .editAccepted(let sentence): editAccepted(sentence)
        case .editRefused(let reason): editRefused(reason)
        case .trips(let trips): offer(trips)
        case .importPreview(let preview): offer(preview)
        case .failed(let reason):
            wantsTrips = false
            refuse(reason)
        case .connection(let status): connection(is: status)
        }
        motion.expire(at: now)
        revealFocus()
        askForTimer()
        defer { effects = [] }
        return effects
    }

    /// Does something that no event stands for, and tells what is to be done, in order.
    mutating func handle(now: Duration, _ act: (inout Self) -> Void) -> [EditorEffect] {
        self.now = now
        act(&self)
        defer { effects = [] }
        return effects
    }

    private mutating func askForTimer() {
        let next = [motion.next(after: now), edgeScroll?.next].compactMap { $0 }.min()
        guard next != deadline else { return }
        deadline = next
        if let next { emit(.wake(after: max(next - now, .milliseconds(1)))) }
    }

    private mutating func connection(is status: ConnectionStatus) {
        connection = status
        if case .lost(let reason) = status { dragLost(reason) }
    }
}

extension EditorState {
    /// Says what somebody else did; not over what is said of an item in hand, where it only waits.
    private mutating func announce(_ sentence: String) {
        if case .dragging = mode { return }
        say(sentence)
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

    /// Says why something is not done, and rings the bell, once for all that an event leads to.
    mutating func refuse(_ sentence: String) {
        message = Message(text: sentence, tone: .refusal)
        if options.feedback.isAudible, !effects.contains(.bell) { emit(.bell) }
        animateRefusal()
    }

    /// The name of the other person who has an item in hand.
    func holder(of id: ItemID) -> String? {
        people.first { $0.dragging == id }?.name
    }
}
