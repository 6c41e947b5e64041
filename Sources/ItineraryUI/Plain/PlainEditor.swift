import TripModel

/// The editor without a screen: typed lines go in, sentences come out, for screen readers and logs.
///
/// It is the same `EditorState` that the screen shows, told by words what keys tell it: so whatever the drawn editor
/// can do works here, by the names in the key table. A value without I/O or clock, as that one is.
package struct PlainEditor: Sendable {
    var state: EditorState
    var numbers = PlainNumbers()
    /// What the last `where` told.
    var places: PlaceList?
    /// The fields being asked for.
    var dialog: FieldDialog?
    /// The list that is offered, as it was told.
    var menu: PlainMenu?
    private var announcer = Announcer()
    /// The people as they were last told.
    private var toldPeople: [Person] = []
    private var toldConnection = ConnectionStatus.connected
    /// Changes whose disk has failed under them, as they were last told.
    private var toldDoubtful = 0
    /// The highest change that has been said to be kept for later.
    private var toldKept = 0
    /// How many waiting changes were last told.
    private var toldWaiting = 0
    /// The trip that was told.
    private var openedTrip: TripID?
    /// How much was asked for and not done, mistyped lines included.
    package private(set) var deniedCount = 0
    private(set) var now = Duration.zero
    /// When the timer goes off, and when the state wants it to.
    private var deadline: Duration?
    private var stateDeadline: Duration?
    /// What the event in hand has led to; empty between events.
    private var output = PlainOutput()

    /// Makes an editor that waits for a trip.
    package init(userName: String, options: EditorOptions = EditorOptions()) {
        var options = options
        options.reduceMotion = true
        options.isByLines = true
        state = EditorState(userName: userName, options: options)
    }

    /// Makes the editor of the next trip: it knows what was not done in the one before.
    package init(after old: PlainEditor) { state = EditorState(after: old.state) }

    /// Whether the trip or a line's answer is still to come; the next line had better wait for it, so that every
    /// answer stands below its line. Not so while the answer cannot be expected: without a connection, where the daemon
    /// does not answer, and where it can say what became of a change only when it has been started again.
    package var isBusy: Bool {
        if state.keepsInput { return true }
        guard let view = state.board?.view else { return false }
        if state.asked.hasUnworded { return true }
        guard view.connection == .connected else { return false }
        return view.drag == .asked || view.isCatchingUp || state.asked.count > view.doubtful
    }

    /// Whether what is typed is for another trip, or for the list of them once something is done, which is to come.
    package var opensOther: Bool {
        if case .awaiting(let errand) = state.mode { !errand.canBeLeft } else { false }
    }

    /// What is waited for; nil where nothing is.
    package var awaited: Errand.Wish? { state.awaited }

    /// The changes that were not made, or may not have been, until they are listed: a sentence each.
    package var notDoneSentences: [String] { state.notDoneSentences }

    /// The same, each with the trip that it was for.
    package var notDoneByTrip: [String] { state.notDoneByTrip }

    /// Takes one event and tells what is to be printed and done, in order.
    ///
    /// - Parameter now: the time on any clock that only goes forward.
    package mutating func handle(_ event: PlainEvent, now: Duration) -> PlainOutput {
        self.now = now
        let notDoneBefore = state.notDone.count
        switch event {
        case .line(let line):
            // Whoever types is there.
            state.noteUser(at: now)
            obey(line)
        case .overlongLine: deny("The line is too long and is dropped.")
        case .end(let isCutOff):
            if isCutOff { deny("The last line has no end and is dropped.") }
            leave(.wanted)
        case .editor(let event):
            let contextBefore = state.context
            receive(event)
            // What comes by itself may ask something.
            if state.context != contextBefore, [.form, .confirmation].contains(state.context) {
                if state.mode.formSheet == nil { say(whereabouts) } else { tellForm() }
            }
        }
        if output.effects.contains(.quit) {
            for sentence in state.notDoneSentences.dropFirst(notDoneBefore) { deny(sentence) }
        }
        tellMenu()
        tellWaiting()
        tellOthers()
        askForTimer()
        defer { output = PlainOutput() }
        return output
    }

    // MARK: Lines

    private mutating func obey(_ line: String) {
        let saidBefore = output.lines.count
        let askedBefore = state.asked.count
        let contextBefore = state.context
        let hadForm = state.mode.formSheet != nil
        answer(line)
        if !hadForm, state.mode.formSheet != nil { return tellForm() }
        if output.effects.contains(.quit) {
            say("Leaving.")
        } else if output.effects.contains(where: { if case .openTrip = $0 { true } else { false } }) {
            say("Opening the trip.")
        } else if output.lines.count == saidBefore {
            if state.asked.count == askedBefore, !isBusy, !output.effects.contains(.takeImport),
                ![.menu, .trips].contains(state.context) || menu != nil
            {
                say(whereabouts)
            }
        } else if state.context != contextBefore,
            ![.list, .drag, .menu, .trips, .form].contains(state.context)
        {
            say(whereabouts)
        }
        if state.mode.drag != nil, waitingCount > toldWaiting { toldWaiting = 0 }
    }

    /// Leaves.
    mutating func leave(_ departure: Departure) {
        if let dialog, let trip = state.board?.outline.trip { note(dialog, departure, trip) }
        dialog = nil
        feed(.leave(departure))
        say("Leaving.")
    }

    // MARK: Events

    private mutating func receive(_ event: EditorEvent) {
        switch event {
        case .input, .resized: break
        case .announced(let sentence): announce(sentence, by: nil)
        case .shown(let view): show(view)
        case .leave(let departure): leave(departure)
        case .timer:
            deadline = nil
            stateDeadline = nil
            feed(event)
        default: feed(event)
        }
    }

    private mutating func show(_ view: TripView) {
        // What was lost with the connection is told after that.
        tell(view.connection)
        feed(.shown(view))
        tellKept()
        tellDoubtful(view.doubtful)
        if let summary = announcer.summary(at: now) { say(summary) }
        // With the answer to a drop what others did meanwhile is told too.
        if !state.asked.hasDrop, let sentence = RemoteChange.sentence(of: view.news, in: view.trip) {
            announce(sentence, by: view.news.last?.user)
        }
        let trip = view.trip.header.id
        guard trip != openedTrip else { return }
        openedTrip = trip
        tellTrip(atStart: true)
    }

    /// Says what is kept until it can be sent.
    private mutating func tellKept() {
        for number in state.asked.numbers where number > toldKept {
            toldKept = number
            guard state.connection != .connected, let words = state.asked[number]?.words else { continue }
            say("Kept until the connection is back: \(words.done)")
        }
    }

    private mutating func tellDoubtful(_ count: Int) {
        defer { toldDoubtful = count }
        guard count > toldDoubtful else { return }
        say(
            "\(Self.counted(count, "change")) may or may not be made: the daemon's disk failed. It will tell when it has been started again."
        )
    }

    var waitingCount: Int { state.waitingCount }

    /// Tells once that changes wait, again when the user has done something since, and when they are shown.
    private mutating func tellWaiting() {
        let count = waitingCount
        if count > 0, toldWaiting == 0 {
            say(count == 1 ? "1 change waiting." : "\(count) changes waiting.")
            toldWaiting = count
        } else if count == 0, toldWaiting > 0, state.context != .drag, state.asked.isEmpty {
            // Not before the drop's own answer, whichever comes first.
            say("The changes that waited are shown now.")
            toldWaiting = 0
        }
    }

    private mutating func tell(_ status: ConnectionStatus) {
        guard status != toldConnection else { return }
        toldConnection = status
        switch status {
        case .connected: say("Connected again.")
        case .silent: say("The daemon does not answer. What you change is kept until it does.")
        case .lost(let reason):
            say("The connection is lost: \(reason). What you change is kept until it is back.")
        case .stopped:
            say(
                "The connection is lost: the daemon has been stopped. What you change is kept; start daemon starts it again."
            )
        }
    }

    // MARK: What others do

    private mutating func announce(_ sentence: String, by user: String?) {
        let sentence = sentence.hasSuffix(".") ? sentence : sentence + "."
        if announcer.admits(1, at: now) {
            say(sentence)
        } else {
            announcer.count(sentence, by: user ?? "others")
        }
    }

    private mutating func tellOthers() {
        if let summary = announcer.summary(at: now) { say(summary) }
        guard openedTrip != nil, toldPeople != state.people else { return }
        var news = PeopleNews(
            from: toldPeople, to: state.people, title: { state.board?.outline.trip[$0]?.content.title }
        )
        .sentences
        if news.count > Announcer.limit { news = [peopleSentence] }
        guard announcer.admits(news.count, at: now) else { return }
        toldPeople = state.people
        for sentence in news { say(sentence) }
    }

    // MARK: Time

    private mutating func askForTimer() {
        let held = announcer.deadline(whenWaiting: toldPeople != state.people)
        let next = [stateDeadline, held].compactMap { $0 }.min()
        guard next != deadline else { return }
        deadline = next
        if let next { output.effects.append(.wake(after: max(next - now, .milliseconds(1)))) }
    }
}

// MARK: - For the other files

extension PlainEditor {
    /// Says why what was asked for is not done.
    mutating func deny(_ sentence: String) {
        deniedCount += 1
        say(sentence)
    }

    mutating func say(_ sentence: String) {
        output.lines.append(PlainSpelling.spelled(sentence))
    }

    /// Lets an event happen to the state, and says what it says.
    mutating func feed(_ event: EditorEvent) {
        state.status.clear()
        collect(state.handle(event, now: now))
    }

    /// Does something to the state that no single key does, and says what it says.
    mutating func act(_ body: (inout EditorState) -> Void) {
        state.status.clear()
        collect(state.handle(now: now, body))
    }

    /// Presses the key of an action, where it has one.
    mutating func press(_ action: Action) {
        guard let key = state.keys.advertisedKey(of: action, in: state.context) else { return }
        feed(.input(.key(key.key, key.modifiers)))
    }

    private mutating func collect(_ effects: [EditorEffect]) {
        for effect in effects {
            switch effect {
            case .wake(let delay): stateDeadline = now + delay
            case .bell, .captureMouse: break
            default: output.effects.append(effect)
            }
        }
        if let message = state.status.message {
            if message.tone == .refusal { deniedCount += 1 }
            say(message.text)
        }
    }
}
