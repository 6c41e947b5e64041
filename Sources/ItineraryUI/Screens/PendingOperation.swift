import TerminalCore
import TripModel

/// An operation whose result is another screen. Until its result or failure comes, no key is processed,
/// because the user types for the new screen.
package struct PendingOperation: Sendable {
    /// The kind of operation, to match a failure to it.
    package enum Kind: Equatable, Sendable {
        /// The list of trips, or the question whether to delete one.
        case trips
        case history, importPreview
        /// Another trip.
        case trip
        /// The list of trips after an operation on one.
        case tripChange
        /// Opening a link or starting a daemon; nothing waits for it.
        case aside
    }

    let kind: Kind
    /// The message while waiting.
    let label: String
    /// The trip to delete, after a question with its present state.
    var deleting: TripID?
    /// The submitted form, shown again if the operation fails.
    var form: TripForm?
    /// The failure of the previous operation, to be shown with the result.
    var failure: String?

    init(
        _ kind: Kind, _ label: String, deleting: TripID? = nil, form: TripForm? = nil, failure: String? = nil
    ) {
        self.kind = kind
        self.label = label
        self.deleting = deleting
        self.form = form
        self.failure = failure
    }

    /// Whether Esc stops waiting: the operation has no effect that the user would miss.
    var canBeLeft: Bool { kind != .trip && kind != .tripChange }
}

extension EditorState {
    /// Whether typed input is kept for a screen that is still to come.
    package var keepsInput: Bool {
        if case .awaiting = mode { return true }
        return board == nil && known.lobby == nil
    }

    /// The awaited operation; nil if there is none.
    package var awaited: PendingOperation.Kind? {
        if case .awaiting(let operation) = mode { operation.kind } else { nil }
    }

    /// Whether an event applies at once although input is kept: it ends the wait or the editor.
    package func endsWait(_ event: InputEvent) -> Bool {
        guard case .key(let key, let modifiers) = event else { return false }
        let stroke = KeyStroke(key, modifiers)
        if stroke == KeyStroke(.character("c"), .control) { return true }
        guard case .awaiting(let operation) = mode else { return false }
        return operation.canBeLeft && keys.action(for: stroke, in: .filter) == .cancel
    }

    /// Handles a failed operation.
    mutating func fail(_ kind: PendingOperation.Kind, _ reason: String) {
        // An operation that is not awaited any more may fail too.
        guard case .awaiting(let operation) = mode, operation.kind == kind else {
            // An open list of trips is kept.
            if kind == .trips, case .choosing(let chooser) = mode, chooser.context == .trips { return }
            return mention(failure: reason)
        }
        // The failure of the previous operation is more important than the reason for the missing list.
        let reason = operation.failure ?? reason
        if let form = operation.form { return comeBack(to: .form(form), saying: reason) }
        if !operation.canBeLeft {
            // The list from which it was chosen may be outdated.
            emit(.listTrips)
            begin(.awaiting(PendingOperation(.trips, reason, failure: reason)))
        } else if known.lobby == nil {
            returnToList()
        } else if let list = known.list {
            begin(.choosing(tripMenu(list)))
        } else {
            begin(.acknowledging(Notice(sentence: reason)))
        }
        refuse(reason)
    }

    /// Reports the failure of an operation that is not awaited, if the status line is free.
    private mutating func mention(failure reason: String) {
        switch mode {
        case .awaiting, .ended, .confirming, .acknowledging: break
        default: refuse(reason)
        }
    }

    /// Opens the form again with both values, because another client has changed the trip.
    mutating func returnToForm(over plan: TripPlan) {
        guard case .awaiting(let operation) = mode, var form = operation.form else { return }
        form.follow(plan, by: "someone else")
        let sentence =
            form.fields.takeConflict().map { $0.conflictSentence(options) } ?? "It has changed since."
        comeBack(to: .form(form), saying: sentence)
    }

    /// Handles a key while waiting.
    mutating func wait(_ operation: PendingOperation, _ action: Action) {
        guard action == .cancel, operation.canBeLeft else { return refuse(operation.label) }
        returnToList()
        if let failure = operation.failure { refuse(failure) }
    }
}

/// Typed input that was not processed, in order, kept even while another trip is opened.
package struct TypedAhead: Sendable {
    /// The maximum number of kept events; further input stays in the system's buffer.
    package static let limit = 4096

    private var events: [InputEvent] = []

    package init() {}

    /// Whether there is room for more.
    package var hasRoom: Bool { events.count < Self.limit }

    /// Adds typed input.
    package mutating func append(_ new: [InputEvent]) { events += new }

    /// The next event for an editor; nil if there is none, or if it is for a screen that is still to come. An
    /// event that ends the wait discards all input before it.
    package mutating func next(for editor: EditorState) -> InputEvent? {
        if editor.keepsInput {
            // Responses of the terminal do not belong to a screen.
            if let index = events.firstIndex(where: { if case .reply = $0 { true } else { false } }) {
                return events.remove(at: index)
            }
            guard let index = events.firstIndex(where: editor.endsWait) else { return nil }
            events.removeFirst(index)
        }
        return events.isEmpty ? nil : events.removeFirst()
    }

    /// Discards input for a screen that does not open; returns whether there was any.
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

/// The changes that a schedule file would make.
package struct ImportPreview: Equatable, Sendable {
    /// The file's name.
    package let name: String
    /// What it would do in numbers, such as `1 new, 4 changed`.
    package let result: String
    /// The changes, one per line.
    package let lines: [String]
    /// Whether there are any changes.
    package let hasChanges: Bool

    package init(name: String, result: String, lines: [String], hasChanges: Bool) {
        self.name = name
        self.result = result
        self.lines = lines
        self.hasChanges = hasChanges
    }
}
