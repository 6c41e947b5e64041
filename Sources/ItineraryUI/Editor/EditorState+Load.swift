import TripModel

/// Showing views of the trip.
extension EditorState {
    /// Shows a view. The focus stays on its item and the list is not scrolled. Open forms and lists stay
    /// open, even if their subject is gone.
    mutating func show(_ view: TripView) {
        for edit in view.news { if let item = edit.removed { removedTitles.note(item) } }
        guard let old = board else {
            known.leaveLobby()
            board = Board(view, at: options.seconds())
            wordAsked()
            return
        }
        if !view.news.isEmpty || view.people.map(\.dragging) != old.view.people.map(\.dragging)
            || view.trip.header.dayCount != old.view.trip.header.dayCount
        {
            unexpectedChanges.noteChange(at: now)
        }
        reportAccess(old.view, view)
        followDrag(view.drag)
        var isChanged = false
        keepingScroll { state in
            let now = state.options.seconds()
            isChanged = state.board?.show(view, at: now) ?? false
            state.endDropped()
            if isChanged { state.rebaseDrag() }
        }
        noteUndone(old, view)
        forgetLostMarks(old, view)
        noteLostRange(view.news)
        asked.noteOverwriting(by: view.news, in: view.trip)
        if isChanged { noteDisplacement(old, view) }
        wordAsked()
        followFocus()
        if isChanged || !view.news.isEmpty { keepOpen(old, view) }
        keepList()
        let held = Set(view.people.compactMap(\.dragging))
        status.clear(unlessHeld: held.contains)
        report(view.news)
        goOnFollowing()
    }

    /// Items removed by the user's own undo or redo count as the user's removals, unless the view comes so
    /// late that the user may have decided about the next key.
    private mutating func noteUndone(_ old: Board, _ view: TripView) {
        guard old.view.isCatchingUp, !options.style.guardsKeys || unexpectedChanges.isAwaitingUndo(at: now)
        else {
            return
        }
        let others = Set(view.news.compactMap { $0.removed?.id })
        for id in marks.items.union(old.item.map { [$0.id] } ?? [])
        where view.trip[id] == nil && !others.contains(id) {
            unexpectedChanges.noteOwnRemoval(of: id)
        }
    }

    /// Records that the focused item was removed by others.
    private mutating func noteDisplacement(_ old: Board, _ view: TripView) {
        defer { unexpectedChanges.forgetRemovals(shownBy: view.trip) }
        guard let item = old.item, view.trip[item.id] == nil, !unexpectedChanges.isOwnRemoval(of: item.id)
        else {
            return
        }
        // The end of the drag has its own message.
        if case .acknowledging = mode { return }
        unexpectedChanges.noteChange(at: now)
        let isOthers = view.news.contains { $0.removed?.id == item.id }
        let sentence =
            old.view.isCatchingUp && !isOthers
            ? "\(item.content.title) was removed by your last undo or redo." : goneSentence(item, view)
        unexpectedChanges.displace(sentence, at: now, isCovered: mode.covers(item))
        // The message replaces the search line until the next key.
        if case .prompting(let prompt) = mode, prompt.isSearch { refuse(sentence) }
        if mode.isBrowsing, options.style.announces { mention(sentence) }
    }

    /// Reports a changed focus when the user returns to the list.
    mutating func uncoverFocus() {
        guard mode.isBrowsing, let sentence = unexpectedChanges.uncover(at: now) else { return }
        if options.style.announces { mention(sentence) }
    }

    /// `ann removed Hotel.`
    private func goneSentence(_ item: Item, _ view: TripView) -> String {
        let user = view.news.first { $0.removed?.id == item.id }?.user
        return user.map { "\($0) removed \(item.content.title)." }
            ?? "\(item.content.title) has been removed."
    }

    /// Refreshes the open form, list or question after a remote change.
    private mutating func keepOpen(_ old: Board, _ view: TripView) {
        keepOrigin(old)
        switch mode {
        case .filling(var form):
            let wasThere = form.remover == nil
            form.follow(
                view.trip[form.item.id], goneBy: view.news.first { $0.removed?.id == form.item.id }?.user,
                of: view.trip)
            begin(.filling(form))
            if wasThere, let sentence = form.goneSentence(options) { refuse(sentence) }
        case .choosing(let chooser):
            switch chooser.purpose {
            case .move(let item, _): keepOpen(chooser, item, view)
            case .moveSeveral(let items, _): keepOpen(chooser, items, old, view)
            case .history: if options.style.updatesLists { emit(.listHistory) }
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
            repeatMessage()
        case .planning(var form):
            guard form.purpose == .change(view.trip.header.id), view.trip.header != old.view.trip.header
            else { break }
            let user = view.news.first { $0.before == nil && $0.after == nil }?.user
            form.follow(TripPlan(view.trip.header), by: user ?? "somebody")
            begin(.planning(form))
        case .browsing, .dragging, .prompting, .acknowledging, .helping, .awaiting, .ended: break
        }
    }

    /// Replaces the row to which an open list returns, if that is gone, by the one above it.
    private mutating func keepOrigin(_ old: Board) {
        guard case .choosing(var chooser) = mode, let origin = chooser.origin, let outline = board?.outline,
            outline.row(of: origin) == nil, let row = old.outline.row(of: origin)
        else { return }
        chooser.origin = outline.rows[min(max(row - 1, 0), outline.rows.count - 1)]
        begin(.choosing(chooser))
    }

    private mutating func keepOpen(_ old: Chooser, _ item: Item, _ view: TripView) {
        guard let row = board?.outline.row(of: item.id) else {
            var chooser = old
            if chooser.goneSentence == nil {
                chooser.goneSentence = goneSentence(item, view)
                refuse(screen.sentence(of: chooser))
            }
            begin(.choosing(chooser))
            return
        }
        focus(row: row)
        guard var chooser = moveChooser() else { return }
        chooser.follow(old)
        if old.lostChoice == nil, let lost = chooser.lostChoice { refuse(lost) }
        begin(.choosing(chooser))
    }

    /// Refreshes a list of places for several items: for the remaining ones.
    private mutating func keepOpen(_ old: Chooser, _ items: [Item], _ board: Board, _ view: TripView) {
        guard old.goneSentence == nil, let outline = self.board?.outline else { return }
        let left = items.compactMap { view.trip[$0.id] }
        var chooser = old
        if left.isEmpty {
            let gone = Set(items.lazy.map(\.id).filter { board.outline.trip[$0] != nil })
            chooser.goneSentence = "\(lossSentence(of: gone, board, view))."
            marks.forgetLoss()
            refuse(screen.sentence(of: chooser))
        } else {
            chooser = moveChooser(of: left, outline)
            chooser.follow(old)
            if left.count < items.count {
                let gone = Set(items.lazy.map(\.id).filter { view.trip[$0] == nil })
                chooser.lostChoice =
                    "\(lossSentence(of: gone, board, view)): choose a place for "
                    + "\(left.count == 1 ? "the other" : "the other \(left.count)")."
                marks.forgetLoss()
            }
            if chooser.lostChoice != old.lostChoice, let lost = chooser.lostChoice { refuse(lost) }
        }
        begin(.choosing(chooser))
    }

    /// Reports others' changes; during a drag with the drop's own message.
    private mutating func report(_ news: [RemoteEdit]) {
        guard !news.isEmpty, let trip = board?.outline.trip else { return }
        unexpectedChanges.noteNews(at: now)
        motion.mark(news.compactMap { $0.after?.id }, at: now)
        guard let sentence = RemoteChange.sentence(of: news, in: trip) else { return }
        if asked.leaveToDrop(sentence) { return }
        if mode.isBrowsing, options.style.announces {
            mention(unexpectedChanges.displacedSentence(at: now) ?? sentence)
        }
    }

}
