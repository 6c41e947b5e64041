import TerminalCore

/// The reason for closing the editor.
package enum Departure: Equatable, Sendable {
    /// The user quits.
    case wanted
    /// The terminal is gone.
    case windowClosed
    /// A signal or an error ends the editor.
    case ended

    /// The reason given in reports about unfinished work.
    var reason: String {
        switch self {
        case .wanted: "you left the editor"
        case .windowClosed: "the window was closed"
        case .ended: "the editor was ended"
        }
    }
}

extension EditorState {
    /// Closes the editor: reports unsaved text and new dragged items, and cancels a drag. All ways to close
    /// the editor call this, except quitting after a confirmation.
    mutating func leave(_ departure: Departure) {
        note(unsaved: mode, departure.reason)
        noteDrafts(departure.reason)
        cancelDrag()
        returnToList()
        known.leaveLobby()
        emit(.quit)
    }

    /// Reports the unsaved text of a mode, because it will not be saved.
    ///
    /// - Returns: the whole text as on the screen; nil if there is none.
    @discardableResult
    mutating func note(unsaved mode: Mode, _ reason: String) -> FormSheet? {
        guard let written = sheet(ofTextIn: mode) else { return nil }
        let lines = written.lines.filter(\.isChanged)
        if !lines.isEmpty {
            // The request may have been sent already.
            let isAsked = if case .awaiting = mode { true } else { false }
            let outcome = isAsked ? Self.uncertainPrefix : Self.notDonePrefix
            notDone.note(
                "\(outcome)writing \(written.heading): \(reason)",
                written: lines.map { "\($0.label.lowercased()): \($0.text)" })
        }
        return written
    }

    /// The fields of unsaved text; nil if there is none.
    private func sheet(ofTextIn mode: Mode) -> FormSheet? {
        switch mode {
        case .filling, .planning, .awaiting, .acknowledging: mode.shownSheet
        case .prompting(let prompt):
            if case .add = prompt.purpose, let title = prompt.line.trimmed {
                sheet("a new item", [title])
            } else {
                nil
            }
        // Also behind the question whether to quit.
        case .dragging, .confirming:
            if let drag = mode.activeDrag, case .new(let all) = drag.load, !drag.isDropped,
                case let items = all.filter({ !$0.isIdea }), !items.isEmpty
            {
                sheet(items.count == 1 ? "a new item" : "new items", items.map(\.content.title))
            } else {
                nil
            }
        case .choosing where isViewer: nil
        case .choosing(let chooser):
            switch (chooser.purpose, chooser.typedText) {
            case (.todo, let text?): sheet("a thing to do", [text], label: "To do")
            case (.trips, let name?): sheet("a new trip", [name], label: "Name")
            default: nil
            }
        case .browsing, .helping, .ended: nil
        }
    }

    private func sheet(_ heading: String, _ titles: [String], label: String = "Title") -> FormSheet {
        FormSheet(
            heading: heading,
            lines: titles.map { FormSheet.Line(label: label, text: $0, isChanged: true) }, index: 0)
    }
}
