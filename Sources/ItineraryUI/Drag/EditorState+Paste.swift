import TerminalCore
import TripModel

/// External input: pasted text, dropped files, copies.
extension EditorState {
    /// The maximum number of scalars that a line accepts from a paste.
    private static let pasteLimit = TripLimits.operations * TripLimits.textBytes

    mutating func paste(_ text: String) {
        guard window.isLargeEnough || options.isByLines else { return }
        status.clear()
        motion.endSnapBack()
        switch mode {
        case .browsing: lift(pasted: text)
        case .filling(let form) where form.current.field == .note:
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                .reversed().drop(while: \.isEmpty).reversed()
            write(lines.joined(separator: ItemField.lineBreakSign).unicodeScalars, tab: " ")
        case .prompting(let prompt) where prompt.isAdd && text.contains(where: \.isNewline):
            lift(pasted: prompt.line.text + text)
        case .choosing(let chooser) where text.contains(where: \.isNewline) && chooser.context == .todo:
            guard case .todo(let list) = chooser.purpose else { break }
            add(pasted: text, toTodo: list, after: chooser.line?.editor.text ?? "")
        case .prompting, .filling, .planning, .choosing, .helping:
            write(text.replacing("\n", with: " ").unicodeScalars, tab: " ")
        case .confirming, .acknowledging, .awaiting, .ended: refuse(focusSentence)
        case .dragging(let drag): add(pasted: text, to: drag)
        }
    }

    private mutating func write(_ text: String.UnicodeScalarView, tab: Unicode.Scalar) {
        write(text.prefix(Self.pasteLimit).map { $0 == "\t" ? tab : $0 })
    }

    /// Drags a new item for each pasted line or file name; a schedule file is previewed instead.
    private mutating func lift(pasted text: String) {
        if let path = PastedText.schedulePath(in: text) {
            emit(.previewImport(path: path))
            begin(.awaiting(PendingOperation(.importPreview, "Reading \(path)…")))
            return
        }
        guard let pasted = takeTitles(in: text, besides: 0) else { return }
        lift(pasted.titles.map { .custom(CustomItem(title: $0)) })
        if let sentence = pasted.cutSentence { say(sentence) }
    }

    /// Adds pasted items to a drag, below the items in it; an item of the trip is dragged alone.
    private mutating func add(pasted text: String, to drag: Drag) {
        guard case .new(let items) = drag.load, !drag.isDropped, let board,
            PastedText.schedulePath(in: text) == nil
        else { return refuse("\(drag.title) is lifted: put it down first, then paste again.") }
        guard let pasted = takeTitles(in: text, besides: items.count) else { return }
        let more = pasted.titles.map {
            NewItem(id: newItemID(), content: .custom(CustomItem(title: $0)))
        }
        guard var all = Drag(new: items + more, belowRow: board.cursor, of: board.outline) else { return }
        all.gap = drag.gap
        carry(all)
        say(pasted.cutSentence ?? liftSentence(all, board.outline))
    }

    /// The titles of pasted lines, all or none: nil after reporting the reason.
    ///
    /// - Parameter count: the number of new items in the drag.
    private mutating func takeTitles(in text: String, besides count: Int) -> PastedText.Titles? {
        let pasted = PastedText.titles(in: PastedText.fileName(in: text) ?? text)
        let room = TripLimits.items - count - (board?.outline.trip.items.count ?? 0)
        if pasted.titles.isEmpty {
            refuse("The pasted text has no title.")
            return nil
        }
        guard pasted.titles.count <= room else {
            refuse(
                "\(counted(pasted.titles.count, "line")) pasted, but the trip has room for \(counted(max(room, 0), "item")); nothing was added."
            )
            return nil
        }
        return pasted
    }
}
