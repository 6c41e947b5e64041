import TerminalCore

/// Why the editor is left.
package enum Departure: Equatable, Sendable {
    /// The user wanted it.
    case wanted
    /// The terminal has gone.
    case windowClosed
    /// A signal ended the editor, or it cannot go on.
    case ended

    /// The reason that is given for each thing that was not finished.
    var reason: String {
        switch self {
        case .wanted: "you left the editor"
        case .windowClosed: "the window was closed"
        case .ended: "the editor was ended"
        }
    }
}

extension EditorState {
    /// Leaves the editor: notes what is half written or new in hand, and gives an item of the trip back. Everything that ends
    /// the editor comes through here, but for a question that the user has answered.
    mutating func leave(_ departure: Departure) {
        if !isForgotten(departure) { noteUnfinished(departure.reason) }
        cancelDrag()
        returnToList()
        known.leaveLobby()
        emit(.quit)
    }

    private func isForgotten(_ departure: Departure) -> Bool {
        switch departure {
        case .wanted: PlantedSlip.interruptForgets.isPlanted
        case .windowClosed: PlantedSlip.closingForgets.isPlanted
        case .ended: false
        }
    }

    /// Keeps what is being written, as it will not be done.
    ///
    /// - Returns: all of it, as it stands on the screen; nil if nothing is being written.
    @discardableResult
    mutating func noteUnfinished(_ reason: String) -> FormSheet? {
        guard let written = sheetBeingWritten else { return nil }
        let lines = written.lines.filter(\.isChanged)
        if !lines.isEmpty {
            // The daemon may have been asked already.
            let outcome = awaited == nil ? Self.notDonePrefix : "May or may not be done: "
            notDone.note(
                "\(outcome)writing \(written.heading): \(reason)",
                written: lines.map { "\($0.label.lowercased()): \($0.text)" })
        }
        return written
    }

    /// What is being written, as fields; nil if nothing is.
    private var sheetBeingWritten: FormSheet? {
        switch mode {
        case .filling, .planning, .awaiting, .acknowledging: mode.shownSheet
        case .prompting(let prompt):
            if case .add = prompt.purpose, let title = prompt.line.trimmed {
                sheet("a new item", [title])
            } else {
                nil
            }
        // Also behind the question whether to leave it.
        case .dragging, .confirming:
            if let drag = mode.inHand, case .new(let items) = drag.load, !drag.isDropped {
                sheet(items.count == 1 ? "a new item" : "new items", items.map(\.content.title))
            } else {
                nil
            }
        case .browsing, .choosing, .helping, .ended: nil
        }
    }

    private func sheet(_ heading: String, _ titles: [String]) -> FormSheet {
        FormSheet(
            heading: heading,
            lines: titles.map { FormSheet.Line(label: "Title", text: $0, isChanged: true) }, index: 0)
    }
}
