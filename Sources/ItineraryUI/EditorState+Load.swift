import TripModel

extension EditorState {
    /// Takes a newer state of the trip; an item in hand keeps it waiting.
    mutating func load(_ view: TripView) {
        accepted = []
        take(view)
    }

    /// Shows the newest state again, with what is left of the user's own changes.
    mutating func refresh() {
        if let view = deferred ?? board?.view { take(view) }
    }

    private mutating func take(_ view: TripView) {
        guard case .dragging(let drag) = mode else {
            show(view)
            return
        }
        switch drag.phase {
        case .asking:
            keepingScroll {
                $0.show(view)
                $0.rebaseDrag()
            }
        case .held, .dropping:
            deferred = view
            if drag.existing == nil { deferredCount += 1 }
        }
    }

    /// Shows a state of the trip. The focus stays on its item, and the list where it is scrolled to.
    mutating func show(_ view: TripView) {
        let outline = Outline(withOwnChanges(view.trip), problems: view.problems)
        guard board != nil else {
            board = Board(view, outline: outline)
            return
        }
        keepingScroll {
            $0.board?.view = view
            $0.board?.show(outline)
        }
        switch mode {
        case .filling(let form):
            guard outline.trip[form.item] == nil else { break }
            mode = .browsing
            refuse("The item has been removed.")
        case .choosing(let chooser):
            guard case .move(let id, _) = chooser.purpose else { break }
            mode = .browsing
            if outline.trip[id] == nil {
                refuse("The item has been removed.")
            } else {
                chooseMove(again: chooser)
            }
        case .confirming(let id):
            guard outline.trip[id] == nil else { break }
            mode = .browsing
            say("The game has been removed.")
        case .browsing, .dragging, .prompting, .helping: break
        }
    }

    /// What the trip will be with the user's changes that it does not show yet. One that does not fit any more
    /// is left out: the daemon will say why.
    private func withOwnChanges(_ trip: Trip) -> Trip {
        var trip = trip
        for edits in accepted + pending.map(\.edits) where !edits.isEmpty {
            do throws(EditFailure) { _ = try trip.apply(edits, by: nobody) } catch { continue }
        }
        return trip
    }

    /// The author of what is only shown: who edited an item and when is for the daemon to say.
    var nobody: Author { Author(name: userName, at: Timestamp(milliseconds: 0)) }

    /// Makes a change after which the first visible row that has not been moved itself is where it was.
    mutating func keepingScroll(_ change: (inout Self) -> Void) {
        guard let old = board else {
            change(&self)
            return
        }
        let layout = layout(of: old)
        change(&self)
        guard let new = board else { return }
        let newLayout = self.layout(of: new)
        for line in old.top..<max(old.top, min(old.top + listHeight, layout.count)) {
            guard case .row(let row) = layout[line] else { continue }
            let key = old.outline.rows[row]
            guard let newRow = new.outline.row(of: key), isUnmoved(key, old, new),
                let newLine = newLayout.line(ofRow: newRow)
            else { continue }
            board?.top = newLine - (line - old.top)
            return
        }
    }

    private func isUnmoved(_ row: Outline.Row, _ old: Board, _ new: Board) -> Bool {
        guard case .item(let id) = row else { return true }
        return old.outline.trip[id]?.position == new.outline.trip[id]?.position
    }
}
