import TripModel

/// Showing views of the trip.
extension EditorState {
    /// Shows a view. The focus stays on its item, and the list where it is scrolled to; what is open stays open, also
    /// when what it is about has gone.
    mutating func show(_ view: TripView) {
        for edit in view.news { if let item = edit.removed { departed.note(item) } }
        guard let old = board else {
            known.leaveLobby()
            board = Board(view)
            wordAsked()
            return
        }
        if !view.news.isEmpty || view.people.map(\.dragging) != old.view.people.map(\.dragging)
            || view.trip.header.dayCount != old.view.trip.header.dayCount
        {
            surprises.noteChange(at: now)
        }
        tellAccess(old.view, view)
        followDrag(view.drag)
        var isChanged = false
        keepingScroll { state in
            isChanged = state.board?.show(view) ?? false
            state.endDropped()
            if isChanged { state.rebaseDrag() }
        }
        noteTakenBack(old, view)
        forgetLostMarks(old, view)
        noteLostRange(view.news)
        asked.noteOverwriting(by: view.news, in: view.trip)
        if isChanged { noteDisplacement(old, view) }
        wordAsked()
        followFocus()
        if isChanged || !view.news.isEmpty { keepOpen(old, view) }
        let held = Set(view.people.compactMap(\.dragging))
        status.clear(unlessHeld: held.contains)
        tell(view.news)
        goOnFollowing()
    }

    /// What the item in focus would be in hand.
    func dragOfFocus() -> Drag? {
        guard let board, let item = board.item else { return nil }
        let outline = board.openOutline
        return outline.row(of: item.id).flatMap { Drag(row: $0, of: outline) }
    }

    /// What goes with the user's own undo, or with a redo, is the user's own removal, unless it comes so late that they may
    /// have decided by now what the next key is for.
    private mutating func noteTakenBack(_ old: Board, _ view: TripView) {
        guard old.view.isCatchingUp, options.isByLines || surprises.isAwaitingTakingBack(at: now) else {
            return
        }
        let others = Set(view.news.compactMap { $0.removed?.id })
        for id in marks.items.union(old.item.map { [$0.id] } ?? [])
        where view.trip[id] == nil && !others.contains(id) {
            surprises.noteOwnRemoval(of: id)
        }
    }

    /// Notes that the item in focus has gone, other than by the user's own hand.
    private mutating func noteDisplacement(_ old: Board, _ view: TripView) {
        defer { surprises.forgetRemovals(shownBy: view.trip) }
        guard let item = old.item, view.trip[item.id] == nil, !surprises.isOwnRemoval(of: item.id) else {
            return
        }
        // A drag that has just been lost has its own word for it.
        if case .acknowledging = mode { return }
        surprises.noteChange(at: now)
        let isOthers = view.news.contains { $0.removed?.id == item.id }
        let sentence =
            old.view.isCatchingUp && !isOthers
            ? "\(item.content.title) went with your last undo or redo." : goneSentence(item, view)
        surprises.displace(sentence, at: now, isCovered: mode.covers(item))
        // The line that is searched by gives way to the news until the next key.
        if case .prompting(let prompt) = mode, prompt.isSearch { refuse(sentence) }
        if mode.isBrowsing, !options.isByLines { mention(sentence) }
    }

    /// Whoever comes back to the list, where something else is in focus by now, is told so.
    mutating func uncoverFocus() {
        guard mode.isBrowsing, let sentence = surprises.uncover(at: now) else { return }
        if !options.isByLines { mention(sentence) }
    }

    /// `ann removed Hotel.`
    private func goneSentence(_ item: Item, _ view: TripView) -> String {
        let user = view.news.first { $0.removed?.id == item.id }?.user
        return user.map { "\($0) removed \(item.content.title)." }
            ?? "\(item.content.title) has been removed."
    }

    /// What is open stays open. What it is about may have changed, or gone: it says so.
    private mutating func keepOpen(_ old: Board, _ view: TripView) {
        switch mode {
        case .filling(var form):
            let wasThere = form.remover == nil
            form.follow(
                view.trip[form.item.id], goneBy: view.news.first { $0.removed?.id == form.item.id }?.user,
                of: view.trip)
            begin(.filling(form))
            if wasThere, let sentence = form.goneSentence { refuse(sentence) }
        case .choosing(let chooser):
            switch chooser.purpose {
            case .move(let item, _): keepOpen(chooser, item, view)
            case .moveSeveral(let items, _): keepOpen(chooser, items, old, view)
            default: break
            }
        case .confirming(var question):
            guard case .remove(let id) = question.purpose, view.trip[id] == nil, question.news == nil else {
                break
            }
            question.news =
                view.news.first { $0.removed?.id == id }.map {
                    "\($0.user) removed it already."
                } ?? "It has been removed already."
            begin(.confirming(question))
            refuse(focusSentence)
        case .planning(var form):
            guard form.purpose == .change(view.trip.header.id), view.trip.header != old.view.trip.header
            else { break }
            let user = view.news.first { $0.before == nil && $0.after == nil }?.user
            form.follow(TripPlan(view.trip.header), by: user ?? "somebody")
            begin(.planning(form))
        case .browsing, .dragging, .prompting, .acknowledging, .helping, .awaiting, .ended: break
        }
    }

    private mutating func keepOpen(_ old: Chooser, _ item: Item, _ view: TripView) {
        guard let row = board?.outline.row(of: item.id) else {
            var chooser = old
            if chooser.goneSentence == nil {
                chooser.goneSentence = goneSentence(item, view)
                refuse(sentence(of: chooser))
            }
            begin(.choosing(chooser))
            return
        }
        focus(row: row)
        guard var chooser = moveChooser() else { return }
        chooser.filter = old.filter
        begin(.choosing(follow(old, in: chooser)))
    }

    /// The places of several items: for those that are left.
    private mutating func keepOpen(_ old: Chooser, _ items: [Item], _ board: Board, _ view: TripView) {
        guard old.goneSentence == nil, let outline = self.board?.outline else { return }
        let left = items.compactMap { view.trip[$0.id] }
        var chooser = old
        if left.isEmpty {
            let gone = Set(items.lazy.map(\.id).filter { board.outline.trip[$0] != nil })
            chooser.goneSentence = "\(lossSentence(of: gone, board, view))."
            marks.forgetLoss()
            refuse(sentence(of: chooser))
        } else {
            chooser = moveChooser(of: left, outline)
            chooser.filter = old.filter
            chooser = follow(old, in: chooser)
            if left.count < items.count {
                let gone = Set(items.lazy.map(\.id).filter { view.trip[$0] == nil })
                chooser.lostChoice =
                    "\(lossSentence(of: gone, board, view)): choose a place for "
                    + "\(left.count == 1 ? "the other" : "the other \(left.count)")."
                marks.forgetLoss()
                refuse(chooser.lostChoice ?? "")
            }
        }
        begin(.choosing(chooser))
    }

    /// The list made anew, with the same place selected; where that has gone, none is until the user selects one.
    private mutating func follow(_ old: Chooser, in new: Chooser) -> Chooser {
        guard let selected = old.current, let before = old.placements, let after = new.placements else {
            return new
        }
        var chooser = new
        if let same = new.shown.firstIndex(where: { after[$0] == before[selected.index] }) {
            chooser.select(same)
            chooser.lostChoice = old.lostChoice
        } else {
            chooser.select(old.selected)
            chooser.lostChoice = old.lostChoice ?? "\(selected.choice.text) is gone: choose another place."
            if old.lostChoice == nil { refuse(chooser.lostChoice ?? "") }
        }
        return chooser
    }

    /// The author of what is only tried out: who edits an item and when is for the daemon to say.
    var nobody: Author { Author(name: userName, at: Timestamp(milliseconds: 0)) }

    /// Says what others have done; with an item in hand that waits for the drop's own sentence.
    private mutating func tell(_ news: [RemoteEdit]) {
        guard !news.isEmpty, let trip = board?.outline.trip else { return }
        surprises.noteNews(at: now)
        motion.mark(news.compactMap { $0.after?.id }, at: now)
        guard let sentence = RemoteChange.sentence(of: news, in: trip) else { return }
        if asked.leaveToDrop(sentence) { return }
        if mode.isBrowsing, !options.isByLines {
            mention(surprises.displacedSentence(at: now) ?? sentence)
        }
    }

}
