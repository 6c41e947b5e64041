import TerminalCore
import TripModel

/// The terminal editor as a value: it receives events, returns effects, and draws `frame()`.
///
/// It has no I/O and no clock, and no copy of the trip besides the view that it is given. A user's change is
/// requested by an effect, and the resulting view is shown before the next key is processed. So a key applies
/// to the screen at the time it was pressed.
///
/// Its state is in small state machines, each of which changes its own state only by its own methods. The
/// editor routes: `handle` sends each event to its machine, and `browse` and similar functions perform a
/// key's action.
package struct EditorState: Sendable {
    /// The user's name until a daemon gives it.
    private let localName: String
    let options: EditorOptions
    let keys: KeyMap
    private(set) var theme: Theme
    private var generator: any RandomNumberGenerator & Sendable

    // The current mode.

    /// The trip, its rows, the focus and the scroll position; nil before the first view.
    var board: Board?
    private(set) var mode = Mode.browsing
    var status = StatusLine()
    var window = Window()
    var motion: Motion
    var pointer: Pointer

    // Modifiers of the next key.

    var count = KeyCount()
    var marks = Marks()
    var search = ListSearch()
    var unexpectedChanges = UnexpectedChanges()

    // Requested changes and their outcomes.

    var asked = AskedChanges()
    var notDone = NotDone()
    var drafts = Drafts()
    var removedTitles = RemovedTitles()

    // Other users and trips.

    var companions = Companions()
    var known = KnownTrips()

    /// The time of the last input.
    private(set) var lastInput = Duration.zero
    /// The number of inputs.
    private(set) var inputCount = 0
    private(set) var now = Duration.zero
    /// The time for which the timer is set.
    private var deadline: Duration?
    /// The effects of the current event; empty between events.
    private var effects: [EditorEffect] = []

    /// The user's name, as others see it.
    var userName: String { board?.view.userName ?? localName }

    /// Makes an editor that waits for the terminal's size and a trip.
    package init(userName: String, options: EditorOptions = EditorOptions()) {
        localName = userName
        self.options = options
        keys = options.keys
        generator = options.generator
        theme = options.theme(on: options.background)
        pointer = Pointer(isTaken: options.takesMouse)
        motion = Motion(options)
    }

    /// Makes the editor of the next trip, which keeps the reports of failed changes.
    package init(after old: EditorState) {
        self.init(userName: old.userName, options: old.options)
        window.resize(columns: old.window.columns, rows: old.window.rows)
        theme = old.theme
        generator = old.generator
        var old = old
        old.noteDrafts("another trip was opened")
        notDone = old.notDone.carried(from: old.board?.outline.trip.header.name ?? "")
    }

    /// Handles an event and returns its effects, in order.
    ///
    /// - Parameter now: the time of any monotonic clock.
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
            cancelIdleDrag()
            refreshTrips()
        case .shown(let view): show(view)
        case .outcome(let number, let outcome): resolve(number, outcome)
        case .announced(let sentence): announce(sentence)
        case .unsaid(let sentences): recall(unsaid: sentences)
        case .trips(let trips, let said): offer(trips, said)
        case .lobby(let lobby): enter(lobby)
        case .history(let lines): offer(lines)
        case .importPreview(let preview): offer(preview)
        case .importEdits(let edits): importAll(edits)
        case .failed(let kind, let reason): fail(kind, reason)
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
        sendFocus()
        askForTimer()
        defer { effects = [] }
        return effects
    }

    /// Runs a function like an event, and returns its effects.
    mutating func handle(now: Duration, _ act: (inout Self) -> Void) -> [EditorEffect] {
        self.now = now
        act(&self)
        defer { effects = [] }
        return effects
    }

    private mutating func askForTimer() {
        let next = [
            motion.next(after: now), pointer.nextScroll, endOfHolding, nextTripsRefresh, nextLateness,
        ].compactMap {
            $0
        }.min()
        guard next != deadline else { return }
        deadline = next
        if let next { emit(.wake(after: max(next - now, .milliseconds(1)))) }
    }

    /// When a change that is not saved yet is to be shown; nil if none is, or if it is shown already.
    private var nextLateness: Duration? { asked.lateness.flatMap { $0 > now ? $0 : nil } }

    /// Switches to a mode, or updates the current one. A drag must have been ended before, or be part of the
    /// new mode.
    mutating func begin(_ new: Mode) {
        precondition(mode.drag == nil || new.activeDrag != nil, "a drag ends before another mode begins")
        mode = new
    }

    /// Whether the user is a viewer.
    var isViewer: Bool { options.isViewer || board?.view.mayChange == false }

    /// The author of tentative edits; the daemon sets the real one.
    var tentativeAuthor: Author { Author(name: userName, at: Timestamp(milliseconds: 0)) }

    /// Asks a yes-or-no question.
    mutating func ask(_ question: Question) { begin(.confirming(question)) }

    /// Shows a drag at its current gap.
    mutating func carry(_ drag: Drag) { mode = .dragging(drag) }

    /// Shows the list without a drag or an open panel.
    mutating func returnToList() { mode = .browsing }

    /// Uses the colours for a background.
    mutating func recolor(on background: Palette.Background) {
        if options.background == nil { theme = options.theme(on: background) }
    }

    /// Records activity of the user.
    mutating func noteUser(at now: Duration) { lastInput = now }

    /// The id of a form's new trip: the same one for the same plan.
    mutating func newTripID(_ form: inout TripForm, for plan: TripPlan) -> TripID {
        form.id(of: plan, using: &generator)
    }

    mutating func newTripID() -> TripID { .random(using: &generator) }

    /// A new item's id.
    mutating func newItemID() -> ItemID { .random(using: &generator) }

    /// Requests a change with a new number.
    mutating func ask(
        for description: ChangeDescription, edits: [Edit] = [], written: [String] = [],
        _ effect: (Int) -> EditorEffect
    ) {
        emit(
            effect(
                asked.add(
                    AskedChange(description, input: inputCount, at: now, edits: edits, written: written))))
    }
}

extension EditorState {
    /// Reports an event outside the trip; during a drag only if the status line is free.
    private mutating func announce(_ sentence: String) {
        if mode.drag != nil { return }
        mention(sentence)
    }
}

// MARK: - For the other files

extension EditorState {
    /// The layout and the drawing of this state.
    var screen: Screen { Screen(state: self) }

    /// The frame for a terminal of any size.
    package func frame() -> Frame { screen.frame() }

    /// Repeats the question or message of the open mode as a refusal.
    mutating func repeatMessage() { refuse(screen.focusSentence) }

    /// ` u undoes it.`
    var undoHint: String {
        keys.advertisedKey(of: .undo, in: .list).map { " \($0) undoes it." } ?? ""
    }

    mutating func emit(_ effect: EditorEffect) {
        effects.append(effect)
    }

    mutating func say(_ sentence: String) {
        status.say(sentence)
    }

    /// Reports an event that the user did not cause.
    mutating func mention(_ sentence: String) {
        status.mention(sentence)
    }

    /// Reports a refusal, with at most one bell per event.
    ///
    /// - Parameter item: the item that another user is dragging, if that is the reason; the message
    ///   disappears when the drag ends.
    mutating func refuse(_ sentence: String, heldItem item: ItemID? = nil) {
        status.refuse(sentence, heldItem: item)
        if options.feedback.isAudible, !effects.contains(.bell) { emit(.bell) }
        motion.flashRefusal(at: now)
    }

    /// The items in the order of the rows, visible or not; nil before the first view.
    package var shownOrder: [ItemID]? {
        board?.outline.rows.compactMap { if case .item(let id) = $0 { id } else { nil } }
    }

    /// The title of a shown item.
    package func title(of id: ItemID) -> String { board?.outline.trip.title(of: id) ?? "" }

    /// The focused item, if this user may change it now.
    package var movableFocus: ItemID? {
        guard let item = board?.item, !item.isGame, holder(of: item.id) == nil else { return nil }
        return item.id
    }

    /// Whether an item can be added below the focus.
    package var mayAddHere: Bool { board.map { $0.outline.inside.contains($0.cursor) } ?? false }

    /// The item of the open question; nil if there is none.
    package var question: ItemID? {
        guard case .confirming(let question) = mode, case .remove(let id) = question.purpose else {
            return nil
        }
        return id
    }

    /// The other users of the trip.
    var people: [Person] { board?.view.people ?? [] }

    /// The state of the connection.
    var connection: ConnectionStatus { board?.view.connection ?? .connected }

    /// The number of others' deferred changes.
    var waitingCount: Int { board?.view.waitingCount ?? 0 }

    /// The name of the other user who is dragging an item.
    func holder(of id: ItemID) -> String? {
        people.first { $0.dragging == id }?.name
    }
}
