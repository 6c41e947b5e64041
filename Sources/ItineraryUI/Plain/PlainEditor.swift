import TripModel

/// The editor without a screen, for screen readers and logs: it receives lines and returns sentences.
///
/// It uses the same `EditorState` as the screen, controlled by commands instead of keys. So all functions of
/// the full-screen editor are available by their names in the key table. A value without I/O or clock.
package struct PlainEditor: Sendable {
    var state: EditorState
    var numbers = PlainNumbers()
    /// The places that the last `where` printed.
    var places: PlaceList?
    /// Whether the open form is for one field only.
    var asksOnce = false
    /// The open list, as printed.
    var menu: PlainMenu?
    private var announcer = Announcer()
    /// The users that were last reported.
    private var reportedPeople: [Person] = []
    private var toldConnection = ConnectionStatus.connected
    /// The last reported number of changes whose outcome is unknown after a disk failure.
    private var reportedDoubtful = 0
    /// The highest number of a change that was reported as stored for later.
    private var reportedKept = 0
    /// The last reported number of waiting changes.
    private var reportedWaiting = 0
    /// The trip that was printed.
    private var openedTrip: TripID?
    /// The number of failed requests, including invalid lines.
    package private(set) var deniedCount = 0
    private(set) var now = Duration.zero
    /// The time of the timer, which is the one that the state requests.
    private var deadline: Duration?
    private var stateDeadline: Duration?
    /// The output of the current event; empty between events.
    private var output = PlainOutput()

    /// Makes an editor that waits for a trip.
    package init(userName: String, options: EditorOptions = EditorOptions()) {
        var options = options
        options.reduceMotion = true
        options.style = .lines
        state = EditorState(userName: userName, options: options)
        // Its size has no effect on the output.
        _ = state.handle(.resized(columns: 80, rows: 24), now: .zero)
    }

    /// Makes the editor of the next trip, which keeps the reports of failed changes.
    package init(after old: PlainEditor) { state = EditorState(after: old.state) }

    /// Whether the trip or a line's answer is still to come, so that the next line should wait and each
    /// answer is printed below its line. False while no answer can be expected: without a connection, while
    /// the daemon does not answer, and after a disk failure.
    package var isBusy: Bool {
        if state.keepsInput { return true }
        guard let view = state.board?.view else { return false }
        if state.asked.hasUnworded { return true }
        guard view.connection == .connected else { return false }
        return view.drag == .asked || view.isCatchingUp || state.asked.count > view.doubtful
    }

    /// Whether typed input is for another trip or list that is still to come.
    package var opensOther: Bool {
        if case .awaiting(let operation) = state.mode { !operation.canBeLeft } else { false }
    }

    /// The awaited operation; nil if there is none.
    package var awaited: PendingOperation.Kind? { state.awaited }

    /// The unread reports of failed or uncertain changes, a sentence each.
    package var notDoneSentences: [String] { state.notDoneSentences }

    /// The unread reports, each with its trip.
    package var notDoneByTrip: [String] { state.notDoneByTrip }

    /// The unread reports, and reports of changes without an outcome.
    package var unconfirmedByTrip: [String] { state.unconfirmedByTrip }

    /// Handles an event and returns the lines to print and the effects, in order.
    ///
    /// - Parameter now: the time of any monotonic clock.
    package mutating func handle(_ event: PlainEvent, now: Duration) -> PlainOutput {
        self.now = now
        let notDoneBefore = state.notDone.count
        switch event {
        case .line(let line):
            // Typing counts as activity of the user.
            state.noteUser(at: now)
            obey(line)
        case .overlongLine: deny("The line is too long and was ignored.")
        case .end(let isCutOff):
            if isCutOff { deny("The last line is incomplete and was ignored.") }
            leave(.wanted)
        case .editor(let event):
            let contextBefore = state.context
            receive(event)
            // An unrequested change may open a question.
            if state.context != contextBefore, [.form, .confirmation].contains(state.context) {
                if state.mode.form == nil { say(whereabouts) } else { printForm() }
            }
        }
        if output.effects.contains(.quit) {
            for sentence in state.notDoneSentences.dropFirst(notDoneBefore) { deny(sentence) }
        }
        if state.mode.form == nil { asksOnce = false }
        printMenu()
        printWaiting()
        printOthers()
        askForTimer()
        defer { output = PlainOutput() }
        return output
    }

    // MARK: Lines

    private mutating func obey(_ line: String) {
        let saidBefore = output.lines.count
        let askedBefore = state.asked.count
        let contextBefore = state.context
        let hadForm = state.mode.form != nil
        answer(line)
        if !hadForm, state.mode.form != nil { return printForm() }
        if output.effects.contains(.quit) {
            say("Leaving.")
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
        if state.mode.drag != nil, waitingCount > reportedWaiting { reportedWaiting = 0 }
    }

    /// Quits.
    mutating func leave(_ departure: Departure) {
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
        // Losses due to the connection are reported after it.
        report(view.connection)
        feed(.shown(view))
        printKept()
        printDoubtful(view.doubtful)
        if let summary = announcer.summary(at: now) { say(summary) }
        // With the answer to a drop, others' changes are reported too. The removal of the open form's item was reported
        // with the form.
        var isReported = false
        if case .filling(let form) = state.mode, view.news.count == 1 {
            isReported = state.status.isRefusal && view.news[0].removed?.id == form.item.id
        }
        if !state.asked.hasDrop, !isReported,
            let sentence = RemoteChange.sentence(of: view.news, in: view.trip)
        {
            announce(sentence, by: view.news.last?.user)
        }
        let trip = view.trip.header.id
        guard trip != openedTrip else { return }
        openedTrip = trip
        printTrip(atStart: true)
    }

    /// Reports changes that are stored until they can be sent.
    private mutating func printKept() {
        for number in state.asked.numbers where number > reportedKept {
            reportedKept = number
            guard state.connection != .connected, let words = state.asked[number]?.words else { continue }
            say("Kept until the connection is back: \(words.done)")
        }
    }

    private mutating func printDoubtful(_ count: Int) {
        defer { reportedDoubtful = count }
        guard count > reportedDoubtful else { return }
        say(
            "\(counted(count, "change")) may or may not be saved: the daemon's disk failed. Restart it to find out."
        )
    }

    var waitingCount: Int { state.waitingCount }

    /// Reports that changes wait: once, again after the user's next action, and when they are shown.
    private mutating func printWaiting() {
        let count = waitingCount
        if count > 0, reportedWaiting == 0 {
            say(count == 1 ? "1 change waiting." : "\(count) changes waiting.")
            reportedWaiting = count
        } else if count == 0, reportedWaiting > 0, state.context != .drag, state.asked.isEmpty {
            // Not before the drop's own answer, whichever comes first.
            say("The waiting changes are shown now.")
            reportedWaiting = 0
        }
    }

    private mutating func report(_ status: ConnectionStatus) {
        guard status != toldConnection else { return }
        toldConnection = status
        switch status {
        case .connected: say("Connected again.")
        case .silent: say("The daemon does not answer. Your changes are kept until it does.")
        case .lost(let reason):
            say("The connection is lost: \(reason). Your changes are kept until it is back.")
        case .stopped:
            say(
                "The connection is lost: the daemon has been stopped. Your changes are kept. To start it again, type: start daemon"
            )
        }
    }

    // MARK: Other users

    private mutating func announce(_ sentence: String, by user: String?) {
        let sentence = sentence.hasSuffix(".") ? sentence : sentence + "."
        if announcer.admits(1, at: now) {
            say(sentence)
        } else {
            announcer.count(sentence, by: user ?? "others")
        }
    }

    private mutating func printOthers() {
        if let summary = announcer.summary(at: now) { say(summary) }
        guard openedTrip != nil, reportedPeople != state.people else { return }
        var news = PeopleNews(
            from: reportedPeople, to: state.people, title: { state.board?.outline.trip[$0]?.content.title }
        )
        .sentences
        if news.count > Announcer.limit { news = [peopleSentence] }
        guard announcer.admits(news.count, at: now) else { return }
        reportedPeople = state.people
        for sentence in news { say(sentence) }
    }

    // MARK: Time

    private mutating func askForTimer() {
        let held = announcer.deadline(whenWaiting: reportedPeople != state.people)
        let next = [stateDeadline, held].compactMap { $0 }.min()
        guard next != deadline else { return }
        deadline = next
        if let next { output.effects.append(.wake(after: max(next - now, .milliseconds(1)))) }
    }
}

// MARK: - For the other files

extension PlainEditor {
    /// Reports why a request is refused.
    mutating func deny(_ sentence: String) {
        deniedCount += 1
        say(sentence)
    }

    mutating func say(_ sentence: String) {
        output.lines.append(PlainSpelling.spelled(sentence))
    }

    /// Sends an event to the state, and prints its messages.
    mutating func feed(_ event: EditorEvent) {
        state.status.clear()
        collect(state.handle(event, now: now))
    }

    /// Changes the state in a way that no single key does, and prints its messages.
    mutating func act(_ body: (inout EditorState) -> Void) {
        state.status.clear()
        collect(state.handle(now: now, body))
    }

    /// Presses the key of an action, if it has one.
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

/// An event for the plain editor.
package enum PlainEvent: Sendable {
    /// A typed line, without its newline.
    case line(String)
    /// A line longer than any command, which is dropped.
    case overlongLine
    /// The end of the input.
    ///
    /// - Parameter isCutOff: whether the last line had no newline, and so may be incomplete.
    case end(isCutOff: Bool)
    /// An event of every editor: answers, newer states, presence, the connection. Keys, the mouse and sizes
    /// are ignored.
    case editor(EditorEvent)
}

/// The output of an event: lines to print, in order, and effects.
package struct PlainOutput: Equatable, Sendable {
    /// One sentence each, without newline and control characters.
    package var lines: [String] = []
    /// The effects, like those of the full-screen editor but without the bell.
    package var effects: [EditorEffect] = []
}

extension Drag {
    /// The gap of a placement; nil if there is none.
    func gap(for placement: Placement, in outline: Outline) -> Int? {
        outline.rowAbove(placement).map(gap(belowRow:))
    }
}
