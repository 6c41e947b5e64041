import TerminalCore
import TripModel

/// What comes from outside: text pasted, a file dropped on the terminal, a copy.
extension EditorState {
    /// A title is one line; no more of a paste than this many scalars is looked at.
    private static let pasteLimit = TripLimits.operations * TripLimits.textBytes

    mutating func paste(_ text: String) {
        guard isLargeEnough || options.isByLines else { return }
        message = nil
        motion.snapBack = nil
        switch mode {
        case .browsing: lift(pasted: text)
        case .prompting, .filling, .planning, .choosing, .helping:
            write(text.unicodeScalars.prefix(Self.pasteLimit).map { $0 == "\n" || $0 == "\t" ? " " : $0 })
        case .confirming, .acknowledging, .awaiting, .ended: refuse(focusSentence)
        case .dragging: break
        }
    }

    /// Takes each line in hand as a new item, of a file its name; that of a table asks for a look into it.
    private mutating func lift(pasted text: String) {
        if let path = PastedText.tablePath(in: text) {
            emit(.previewImport(path: path))
            mode = .awaiting(Errand(.importPreview, "Reading \(path)…"))
            return
        }
        let limited = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.pasteLimit)))
        let titles = PastedText.titles(in: PastedText.fileName(in: limited) ?? limited)
        let kept = titles.prefix(TripLimits.operations)
        guard !kept.isEmpty else {
            refuse("Nothing that could be a title was pasted.")
            return
        }
        lift(kept.map { .custom(CustomItem(title: $0)) })
        if titles.count > kept.count {
            say("Only the first \(kept.count) of \(titles.count) lines are lifted.")
        }
    }

    /// Takes a copy of the item in focus in hand.
    mutating func liftCopy() {
        let items = targets
        guard !items.isEmpty else { return refuse("A day is not copied.") }
        guard !items.contains(where: \.isGame) else { return refuse("A game is there once.") }
        guard items.count <= TripLimits.operations else {
            return refuse("\(items.count) are marked, and one change adds at most \(TripLimits.operations).")
        }
        unmark()
        lift(items.map(\.content))
    }

    /// Takes new items in hand, at the place below the focus.
    mutating func lift(_ contents: [ItemContent]) {
        if options.isViewer { return refuse(Self.viewerSentence) }
        openFolds()
        guard let board else { return }
        let items = contents.map { NewItem(id: .random(using: &options.generator), content: $0) }
        guard let drag = Drag(new: items, belowRow: board.cursor, of: board.outline) else { return }
        emit(.hold)
        keepingScroll { $0.mode = .dragging(drag) }
        animateLift()
        say(liftSentence(drag, board.outline))
    }
}
