import TerminalCore
import TripModel

/// Something that is asked for beside the trip, and whose answer is another screen. Until that comes, or what was asked
/// for has failed, no key is looked at: whoever types means the screen that comes.
package struct Errand: Sendable {
    /// What is asked for, so that its failure is taken for that of nothing else.
    package enum Wish: Equatable, Sendable {
        case trips, history, importPreview, trip, deed
        /// A link is to be opened, or a daemon started; nothing waits for it.
        case aside
    }

    /// What comes.
    enum Answer: Equatable, Sendable {
        /// The list of trips, or a question about one of them, which is to be deleted.
        case trips(deleting: TripID?)
        /// What happened to the trip.
        case history
        /// What an import would do.
        case importPreview
        /// Another trip in place of this one.
        case trip
        /// Something is done to a trip, and then the list of them comes.
        case deed
    }

    let answer: Answer
    /// What the status line says meanwhile.
    let label: String
    /// What was written for it; it comes back where it is not done.
    var form: TripForm?
    /// Why the errand before it has failed, which is said with the answer.
    var failure: String?

    init(_ answer: Answer, _ label: String, form: TripForm? = nil, failure: String? = nil) {
        self.answer = answer
        self.label = label
        self.form = form
        self.failure = failure
    }

    /// What was asked for.
    var wish: Wish {
        switch answer {
        case .trips: .trips
        case .history: .history
        case .importPreview: .importPreview
        case .trip: .trip
        case .deed: .deed
        }
    }

    /// Whether Esc leaves without the answer: nothing becomes of it that the user would not see.
    var canBeLeft: Bool {
        switch answer {
        case .trips, .history, .importPreview: true
        case .trip, .deed: false
        }
    }
}

extension EditorState {
    /// Whether what is typed now is for a screen that is still to come: it is kept until then.
    package var keepsInput: Bool {
        if case .awaiting = mode { return true }
        return board == nil && known.lobby == nil
    }

    /// What is waited for; nil where nothing is.
    package var awaited: Errand.Wish? {
        if case .awaiting(let errand) = mode { errand.wish } else { nil }
    }

    /// Whether something typed while input is kept is for now: it ends the wait, or the editor.
    package func endsWait(_ event: InputEvent) -> Bool {
        guard case .key(let key, let modifiers) = event else { return false }
        let stroke = KeyStroke(key, modifiers)
        if stroke == KeyStroke(.character("c"), .control) { return true }
        guard case .awaiting(let errand) = mode else { return false }
        return errand.canBeLeft && keys.action(for: stroke, in: .menu) == .cancel
    }

    /// Something beside the trip was not possible.
    mutating func fail(_ wish: Errand.Wish, _ reason: String) {
        // What is not waited for any more may fail too.
        guard case .awaiting(let errand) = mode, errand.wish == wish else { return mention(failure: reason) }
        // What came of the errand before this one matters more than why there is no list.
        let reason = errand.failure ?? reason
        if let form = errand.form { return comeBack(to: .form(form), saying: reason) }
        if !errand.canBeLeft {
            // The list that it was chosen from may be another one by now.
            emit(.listTrips)
            begin(.awaiting(Errand(.trips(deleting: nil), reason, failure: reason)))
        } else if known.lobby == nil {
            returnToList()
        } else if let list = known.list {
            begin(.choosing(tripMenu(list)))
        } else {
            begin(.acknowledging(Notice(sentence: reason)))
        }
        refuse(reason)
    }

    /// Says why something was not possible that nothing waits for, but where the status line belongs to something else.
    private mutating func mention(failure reason: String) {
        switch mode {
        case .awaiting, .ended, .confirming, .acknowledging: break
        default: refuse(reason)
        }
    }

    /// Another trip is not what it was when its form was opened: the form comes back and shows both.
    mutating func returnToForm(over plan: TripPlan) {
        guard case .awaiting(let errand) = mode, var form = errand.form else { return }
        form.follow(plan, by: "somebody else")
        let sentence = form.takeConflict().map(sentence(ofConflict:)) ?? "It has changed meanwhile."
        comeBack(to: .form(form), saying: sentence)
    }

    /// Takes a key while an errand is done.
    mutating func wait(_ errand: Errand, _ action: Action) {
        guard action == .cancel, errand.canBeLeft else { return refuse(errand.label) }
        returnToList()
        if let failure = errand.failure { refuse(failure) }
    }
}

/// What was typed and has not been looked at, in its order: the one place where it is kept, from one trip to the next.
package struct TypedAhead: Sendable {
    /// So many events are kept; what is typed beyond them waits in the system.
    package static let limit = 4096

    private var events: [InputEvent] = []

    /// Keeps nothing yet.
    package init() {}

    /// Whether there is room for more.
    package var hasRoom: Bool { events.count < Self.limit }

    /// Keeps what was typed.
    package mutating func append(_ new: [InputEvent]) { events += new }

    /// What an editor is to look at next; nil where there is nothing, or where it is for a screen that is to come. What
    /// ends the wait for that takes away all that was typed before it.
    package mutating func next(for editor: EditorState) -> InputEvent? {
        if editor.keepsInput {
            // The terminal's own word is for no screen.
            if let index = events.firstIndex(where: { if case .reply = $0 { true } else { false } }) {
                return events.remove(at: index)
            }
            guard let index = events.firstIndex(where: editor.endsWait) else { return nil }
            events.removeFirst(index)
        }
        return events.isEmpty ? nil : events.removeFirst()
    }

    /// Throws away what was typed for a screen that does not come; whether that was anything.
    package mutating func discard() -> Bool {
        defer { events.removeAll { if case .reply = $0 { false } else { true } } }
        return events.contains { event in
            switch event {
            case .key, .mouse, .paste, .longPaste: true
            case .focus, .reply: false
            }
        }
    }
}
