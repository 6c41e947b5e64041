import TerminalCore
import TripModel

/// What comes from outside: text pasted, a file dropped on the terminal, a copy.
extension EditorState {
    /// A line that is written takes no more of a paste than this many scalars.
    private static let pasteLimit = TripLimits.operations * TripLimits.textBytes

    mutating func paste(_ text: String) {
        guard window.isLargeEnough || options.isByLines else { return }
        status.clear()
        motion.endSnapBack()
        switch mode {
        case .browsing: lift(pasted: text)
        case .prompting, .filling, .planning, .choosing, .helping:
            write(text.unicodeScalars.prefix(Self.pasteLimit).map { $0 == "\n" || $0 == "\t" ? " " : $0 })
        case .confirming, .acknowledging, .awaiting, .ended: refuse(focusSentence)
        case .dragging(let drag): add(pasted: text, to: drag)
        }
    }

    /// Takes each line in hand as a new item, of a file its name; that of a table asks for a look into it.
    private mutating func lift(pasted text: String) {
        if let path = PastedText.tablePath(in: text) {
            emit(.previewImport(path: path))
            begin(.awaiting(Errand(.importPreview, "Reading \(path)…")))
            return
        }
        let pasted = PastedText.titles(in: PastedText.fileName(in: text) ?? text)
        let kept = pasted.titles.prefix(TripLimits.operations)
        guard !kept.isEmpty else { return refuse("Nothing that could be a title was pasted.") }
        lift(kept.map { .custom(CustomItem(title: $0)) })
        sayLeftOut(of: pasted, kept: kept.count)
    }

    /// Takes what is pasted in hand too, below what is there already; what is of the trip goes alone.
    private mutating func add(pasted text: String, to drag: Drag) {
        guard case .new(let items) = drag.load, !drag.isDropped, let board,
            PastedText.tablePath(in: text) == nil
        else { return refuse("\(drag.title) is in hand: put it down first, then paste again.") }
        let pasted = PastedText.titles(in: PastedText.fileName(in: text) ?? text)
        let kept = pasted.titles.prefix(max(0, TripLimits.operations - items.count))
        let more = kept.map {
            NewItem(id: newItemID(), content: .custom(CustomItem(title: $0)))
        }
        guard !pasted.titles.isEmpty,
            var all = Drag(new: items + more, belowRow: board.cursor, of: board.outline)
        else { return refuse("Nothing that could be a title was pasted.") }
        all.gap = drag.gap
        carry(all)
        say(liftSentence(all, board.outline))
        sayLeftOut(of: pasted, kept: kept.count)
    }

    private mutating func sayLeftOut(of pasted: PastedText.Titles, kept: Int) {
        var sentences: [String] = []
        if pasted.titles.count > kept {
            sentences.append("Only the first \(kept) of \(pasted.titles.count) lines are lifted.")
        }
        if let cut = pasted.cutSentence { sentences.append(cut) }
        if !sentences.isEmpty { say(sentences.joined(separator: " ")) }
    }

}
