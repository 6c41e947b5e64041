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
        case .filling(let form) where form.current.field == .note:
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                .reversed().drop(while: \.isEmpty).reversed()
            write(lines.joined(separator: ItemField.lineBreakSign).unicodeScalars, tab: " ")
        case .prompting, .filling, .planning, .choosing, .helping:
            write(text.replacing("\n", with: " ").unicodeScalars, tab: " ")
        case .confirming, .acknowledging, .awaiting, .ended: refuse(focusSentence)
        case .dragging(let drag): add(pasted: text, to: drag)
        }
    }

    private mutating func write(_ text: String.UnicodeScalarView, tab: Unicode.Scalar) {
        write(text.prefix(Self.pasteLimit).map { $0 == "\t" ? tab : $0 })
    }

    /// Takes each line in hand as a new item, or the name of a file; a schedule is first shown.
    private mutating func lift(pasted text: String) {
        if let path = PastedText.schedulePath(in: text) {
            emit(.previewImport(path: path))
            begin(.awaiting(Errand(.importPreview, "Reading \(path)…")))
            return
        }
        guard let pasted = takeTitles(in: text, besides: 0) else { return }
        lift(pasted.titles.map { .custom(CustomItem(title: $0)) })
        if let sentence = pasted.cutSentence { say(sentence) }
    }

    /// Takes what is pasted in hand too, below what is there already; what is of the trip goes alone.
    private mutating func add(pasted text: String, to drag: Drag) {
        guard case .new(let items) = drag.load, !drag.isDropped, let board,
            PastedText.schedulePath(in: text) == nil
        else { return refuse("\(drag.title) is in hand: put it down first, then paste again.") }
        guard let pasted = takeTitles(in: text, besides: items.count) else { return }
        let more = pasted.titles.map {
            NewItem(id: newItemID(), content: .custom(CustomItem(title: $0)))
        }
        guard var all = Drag(new: items + more, belowRow: board.cursor, of: board.outline) else { return }
        all.gap = drag.gap
        carry(all)
        say(pasted.cutSentence ?? liftSentence(all, board.outline))
    }

    /// The titles of what is pasted, all of them or none: nil after saying why they are not taken.
    ///
    /// - Parameter count: how many new items are in hand already.
    private mutating func takeTitles(in text: String, besides count: Int) -> PastedText.Titles? {
        var pasted = PastedText.titles(in: PastedText.fileName(in: text) ?? text)
        let room = TripLimits.items - count - (board?.outline.trip.items.count ?? 0)
        if pasted.titles.isEmpty {
            refuse("Nothing that could be a title was pasted.")
            return nil
        }
        guard pasted.titles.count <= room else {
            refuse(
                "\(counted(pasted.titles.count, "line")) pasted, and the trip has room for \(counted(max(room, 0), "item")): nothing is taken."
            )
            return nil
        }
        if PlantedSlip.pasteIsCut.isPlanted { pasted.keep(TripLimits.operations) }
        return pasted
    }
}
