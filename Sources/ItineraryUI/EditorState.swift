import TerminalCore
import TripModel

/// The terminal editor as a value: events go in, effects come out, and `frame()` shows it.
///
/// It does no I/O and knows no clock. It shows the views that it is given and keeps no copy of the trip beside them:
/// what the user does is asked for by an effect, and the view that comes of it is shown before the next key is looked
/// at. So a key means what was on the screen when it was pressed.
///
/// What it remembers is in small machines, each of which keeps its own state and changes it by its own verbs. The editor
/// only says what goes where: `handle` which event is for whom, `browse` and its like what a key does.
package struct EditorState: Sendable {
    let userName: String
    let options: EditorOptions
    let keys: KeyMap
    private(set) var theme: Theme
    private var generator: any RandomNumberGenerator & Sendable

    // What is before the user.

    /// The trip, its rows, the focus and the scrolling; nil before there is one.
    var board: Board?
    private(set) var mode = Mode.browsing
    var status = StatusLine()
    var window = Window()
    var motion: Motion
    var pointer: Pointer

    // What the next key is for.

    var count = KeyCount()
    var marks = Marks()
    var search = ListSearch()
    var surprises = Surprises()

    // What has been asked for, and what came of it.

    var asked = AskedChanges()
    var notDone = NotDone()
    var departed = Departed()

    // Who and what else there is.

    var companions = Companions()
    var known = KnownTrips()

    /// When the user did something last.
    private(set) var lastInput = Duration.zero
    /// How much the user has pressed.
    private(set) var inputCount = 0
    private(set) var now = Duration.zero
    /// When the timer was asked to go off.
    private var deadline: Duration?
    /// What the event in hand has led to; empty between events.
    private var effects: [EditorEffect] = []

    /// Makes an editor that waits for the terminal's size and a trip.
    package init(userName: String, options: EditorOptions = EditorOptions()) {
        self.userName = userName
        self.options = options
        keys = options.keys
        generator = options.generator
        theme = options.theme(on: options.background)
        pointer = Pointer(isTaken: options.takesMouse)
        motion = Motion(options)
    }

    /// Makes the editor of the next trip: it knows what was not done in the one before.
    package init(after old: EditorState) {
        self.init(userName: old.userName, options: old.options)
        window.resize(columns: old.window.columns, rows: old.window.rows)
        theme = old.theme
        generator = old.generator
        notDone = old.notDone.carried(from: old.board?.outline.trip.header.name ?? "")
    }

    /// Takes one event and tells what is to be done, in order.
    ///
    /// - Parameter now: the time on any clock that only goes forward.
    package mutating func handle(_ event: EditorEvent, now: Duration) -> [EditorEffect] {
        self.now = now
        switch event {
        case .input(let input):
            noteUser(at: now)
            inputCount += 1
            board?.wait(for: nil)
            receive(input)
        case .resized(let columns, let rows): window.resize(columns: columns, rows: rows)
        case .timer:
            deadline = nil
            scrollAtEdge()
            letGoOfForgotten()
        case .shown(let view): show(view)
        case .outcome(let number, let outcome): settle(number, outcome)
        case .announced(let sentence): announce(sentence)
        case .unsaid(let sentences): recall(unsaid: sentences)
        case .trips(let trips, let said): offer(trips, said)
        case .lobby(let lobby): enter(lobby)
        case .history(let lines): offer(lines)
        case .importPreview(let preview): offer(preview)
        case .importEdits(let edits): importAll(edits)
        case .failed(let wish, let reason): fail(wish, reason)
        case .conflict(let plan): returnToForm(over: plan)
        case .leaving(let opensOther): sayLeaving(opensOther: opensOther)
        case .ended(let reason): endTrip(reason)
        case .leave(let departure): leave(departure)
        }
        endTripIfGone()
        leaveLobby()
        uncoverFocus()
        motion.expire(at: now)
        revealFocus()
        tellFocus()
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
        let next = [motion.next(after: now), pointer.nextScroll, endOfHolding].compactMap { $0 }.min()
        guard next != deadline else { return }
        deadline = next
        if let next { emit(.wake(after: max(next - now, .milliseconds(1)))) }
    }

    /// Puts something before the user, or goes on with it as it is by now. What is in hand is never lost by it: it has been
    /// put down or given up before, or goes along.
    mutating func begin(_ new: Mode) {
        precondition(mode.drag == nil || new.inHand != nil, "what is in hand is put down or given up first")
        mode = new
    }

    /// Waits for a yes or a no.
    mutating func ask(_ question: Question) { begin(.confirming(question)) }

    /// Has an item in hand, at the gap that the drag says.
    mutating func carry(_ drag: Drag) { mode = .dragging(drag) }

    /// Shows the list, with nothing open and nothing in hand.
    mutating func returnToList() { mode = .browsing }

    /// Draws with the colours for a background.
    mutating func recolor(on background: Palette.Background) {
        if options.background == nil { theme = options.theme(on: background) }
    }

    /// Somebody is there.
    mutating func noteUser(at now: Duration) { lastInput = now }

    /// The id that a form's trip gets: the same for the same plan.
    mutating func newTripID(_ form: inout TripForm, for plan: TripPlan) -> TripID {
        form.id(of: plan, using: &generator)
    }

    mutating func newTripID() -> TripID { .random(using: &generator) }

    /// A new item's id.
    mutating func newItemID() -> ItemID { .random(using: &generator) }

    /// Asks for a change under a number of its own.
    mutating func ask(
        for deed: Deed, edits: [Edit] = [], written: [String] = [], _ effect: (Int) -> EditorEffect
    ) {
        emit(effect(asked.add(AskedChange(deed, input: inputCount, edits: edits, written: written))))
    }
}

extension EditorState {
    /// Says something of elsewhere; not over what is said of an item in hand, where it only waits.
    private mutating func announce(_ sentence: String) {
        if mode.drag != nil { return }
        mention(sentence)
    }
}

// MARK: - For the other files

extension EditorState {
    mutating func emit(_ effect: EditorEffect) {
        effects.append(effect)
    }

    mutating func say(_ sentence: String) {
        status.say(sentence)
    }

    /// Says something that the user did not just ask for.
    mutating func mention(_ sentence: String) {
        status.mention(sentence)
    }

    /// Says why something is not done, and rings the bell, once for all that an event leads to.
    ///
    /// - Parameter item: the item that another person holds, if that is why; then the sentence goes with the hold.
    mutating func refuse(_ sentence: String, heldItem item: ItemID? = nil) {
        status.refuse(sentence, heldItem: item)
        if options.feedback.isAudible, !effects.contains(.bell) { emit(.bell) }
        motion.flashRefusal(at: now)
    }

    /// The items in the order in which they are on the screen, or would be if it were long enough; nil before there is
    /// a trip.
    package var shownOrder: [ItemID]? {
        board?.outline.rows.compactMap { if case .item(let id) = $0 { id } else { nil } }
    }

    /// What an item on the screen is called.
    package func title(of id: ItemID) -> String { board?.outline.trip[id]?.content.title ?? "" }

    /// The item in focus, if this user may do something to it now.
    package var movableFocus: ItemID? {
        guard let item = board?.item, !item.isGame, holder(of: item.id) == nil else { return nil }
        return item.id
    }

    /// Whether an item can be added below the focus.
    package var mayAddHere: Bool { board.map { $0.outline.inside.contains($0.cursor) } ?? false }

    /// The item that a question is about; nil where there is no question, or one about something else.
    package var question: ItemID? {
        guard case .confirming(let question) = mode, case .remove(let id) = question.purpose else {
            return nil
        }
        return id
    }

    /// The other people on the trip.
    var people: [Person] { board?.view.people ?? [] }

    /// How the daemon can be reached.
    var connection: ConnectionStatus { board?.view.connection ?? .connected }

    /// How many changes of others are held back.
    var waitingCount: Int { board?.view.waitingCount ?? 0 }

    /// The name of the other person who has an item in hand.
    func holder(of id: ItemID) -> String? {
        people.first { $0.dragging == id }?.name
    }
}
