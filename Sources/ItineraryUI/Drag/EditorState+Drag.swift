import TripModel

extension EditorState {
    // MARK: Actions

    /// Lifts the focused item, at once on the screen, and requests a lease.
    mutating func lift() {
        if isViewer { return refuse(Self.viewerSentence) }
        if !marks.isEmpty { return liftMarked() }
        guard let board else { return }
        guard let item = board.item else { return refuse("A day cannot be moved.") }
        guard !refuseIfFixed(item) else { return }
        takeInHand(.beginDrag(item.id)) { Drag(row: $0.cursor, of: $0.outline) }
    }

    /// Drags the selected items.
    private mutating func liftMarked() {
        guard let items = movableTargets() else { return }
        takeInHand(.hold, adding: stayingEvents) { Drag(several: items, belowRow: $0.cursor, of: $0.outline) }
    }

    /// Drags a copy of the focused item.
    mutating func liftCopy() {
        let items = targets
        guard !items.isEmpty else { return refuse("A day cannot be copied.") }
        guard !items.contains(where: \.isGame) else { return refuse("An event cannot be copied.") }
        marks.clear()
        lift(items.map { NewItem(id: newItemID(), content: $0.content) })
    }

    /// Drags new items or ideas, from the place below the focus.
    mutating func lift(_ items: [NewItem]) {
        if isViewer { return refuse(Self.viewerSentence) }
        takeInHand(.hold) { Drag(new: items, belowRow: $0.cursor, of: $0.outline) }
    }

    /// Begins a drag with all days unfolded.
    private mutating func takeInHand(
        _ effect: EditorEffect, adding sentence: String = "", _ lifted: (Board) -> Drag?
    ) {
        keepingScroll { $0.board?.unfold() }
        guard let board, let drag = lifted(board) else { return keepingScroll { $0.board?.foldAgain() } }
        keepingScroll { $0.carry(drag) }
        motion.beginLift(at: now)
        emit(effect)
        say(drag.liftSentence(in: board.outline.trip) + sentence)
    }

    mutating func hover(by step: Int) { if let drag = mode.drag { hover(at: drag.gap + step) } }

    mutating func hover(byDays step: Int, times: Int) {
        if let drag = mode.drag { hover(at: drag.gap(daysOn: step, times: times)) }
    }

    /// Moves the dragged item to a gap, or the nearest one.
    mutating func hover(at gap: Int) {
        guard var drag = mode.drag else { return }
        let target = min(max(gap, 0), drag.report.gaps.count - 1)
        guard target != drag.gap else { return }
        motion.beginShuffle(from: drag.boundary, to: drag.boundary + target - drag.gap, at: now)
        drag.gap = target
        carry(drag)
        status.clear()
        if drag.existing != nil { emit(.hover(drag.current.placement)) }
    }

    mutating func hoverAtValidGap(step: Int, _ times: Int) {
        guard let drag = mode.drag else { return }
        if let gap = drag.validGap(from: drag.gap, step: step, times: times) {
            hover(at: gap)
        } else {
            refuse("There is no allowed place \(step < 0 ? "above" : "below").")
        }
    }

    /// Drops the item. In its own gap that is no change; from an invalid gap it returns.
    mutating func drop() {
        guard let drag = mode.drag, let board else { return }
        guard drag.gap != drag.home else {
            cancelDrag()
            return
        }
        if let refusal = drag.current.refusal {
            cancelDrag()
            refuse(board.outline.trip.refusalSentence(refusal))
            snapBack(drag, board.outline.trip.reason(of: refusal))
            return
        }
        var dropped = drag
        dropped.isDropped = true
        carry(dropped)
        switch drag.load {
        case .new(let items):
            add(items, at: drag.current.placement)
            emit(.release)
        case .several(let items):
            move(items, to: drag.current)
            emit(.release)
            marks.clear()
        case .existing(let item, let row):
            let from = board.outline.placeName(ofRow: row)
            ask(for: .move(item.id, title: drag.title, from: from, drag: drag)) {
                .drop($0, drag.current.placement)
            }
            showPutDown(item.id)
            offerUndo()
        }
    }

    /// Cancels the drag.
    mutating func cancelDrag() {
        guard let drag = mode.drag else { return }
        let title = drag.title
        endDrag()
        guard let item = drag.existing else {
            emit(.release)
            switch drag.load {
            case .several: say("\(title) stay where they are.")
            case .new(let items) where items.allSatisfy(\.isIdea): say("\(title) stays an idea.")
            case .new, .existing: say("\(title) \(drag.isOrAre) not added.")
            }
            return
        }
        emit(.cancelDrag)
        if let board, board.item?.id == item.id {
            say("\(title) stays at \(board.outline.placeName(ofRow: board.cursor)).")
        } else {
            say("\(title) has been removed.")
        }
    }

    /// Ends the drag with the focus on the item's own row.
    mutating func endDrag() {
        keepingScroll { state in
            state.returnToList()
            state.board?.foldAgain()
        }
        forgetMotionOfDrag()
    }

    private mutating func forgetMotionOfDrag() {
        motion.endDrag()
        pointer.release()
    }

    /// Animates the return of an item from an invalid gap; a toast shows the reason.
    mutating func snapBack(_ drag: Drag, _ reason: String) {
        motion.show(.reason(reason), at: now)
        // The return is only animated for the focused item.
        guard let id = drag.existing?.id, board?.item?.id == id else { return }
        motion.beginSnapBack(of: id, from: drag.boundary, reason, at: now)
    }

    /// Ends the drag when the view with the new place has come.
    mutating func endDropped() {
        guard let drag = mode.drag, drag.isDropped else { return }
        returnToList()
        board?.foldAgain()
        forgetMotionOfDrag()
    }

    // MARK: Updates from views

    /// Updates the drag of an item of the trip, which may have been ended by the daemon.
    mutating func followDrag(_ status: DragStatus) {
        guard let drag = mode.drag, drag.existing != nil, !drag.isDropped else { return }
        switch status {
        case .asked, .held: break
        case .none: loseDrag(drag, "\(drag.title) is no longer lifted.")
        case .lost(let reason, wasHeld: true):
            loseDrag(drag, "\(drag.title) is no longer lifted: \(named(reason))")
        case .lost(let reason, wasHeld: false):
            loseDrag(drag, "\(drag.title) stays: \(named(reason))")
            snapBack(drag, named(reason))
        }
    }

    /// Holds keys meant for the dragged item until the user has seen that the drag is over.
    private mutating func loseDrag(_ drag: Drag, _ sentence: String) {
        endDrag()
        unexpectedChanges.endDisplacement()
        beginAcknowledging(sentence)
    }

    /// Recomputes the drag for a new view. During a drag only the user's own changes alter the trip.
    mutating func rebaseDrag() {
        guard let old = mode.activeDrag, let board else { return }
        var drag: Drag?
        switch old.load {
        case .existing(let item, _):
            drag = board.outline.row(of: item.id).flatMap { Drag(row: $0, of: board.outline) }
            guard drag != nil else {
                emit(.cancelDrag)
                loseDrag(old, "\(old.title) has been removed.")
                return
            }
            if let row = drag?.liftedRow { self.board?.focus(row: row) }
        case .new(let items): drag = Drag(new: items, belowRow: board.cursor, of: board.outline)
        case .several(let items):
            let left = items.compactMap { board.outline.trip[$0.id] }
            drag = Drag(several: left, belowRow: board.cursor, of: board.outline)
            guard drag != nil else { return loseDrag(old, "\(old.title) have been removed.") }
        }
        guard var drag else { return }
        if old.gap != old.home, let above = board.outline.rowAbove(old.current.placement) {
            drag.gap = drag.gap(belowRow: above)
        }
        guard case .confirming(var question) = mode else { return carry(drag) }
        question.suspendedDrag = drag
        ask(question)
    }

    // MARK: Idle timeout

    /// The maximum idle time of a drag, which blocks the item for others.
    private static let holdingTime = Duration.seconds(120)

    /// The time at which an idle drag is cancelled.
    var endOfHolding: Duration? {
        guard let drag = mode.drag, drag.existing != nil else { return nil }
        return lastInput + Self.holdingTime
    }

    mutating func cancelIdleDrag() {
        guard let end = endOfHolding, end <= now, let drag = mode.drag else { return }
        cancelDrag()
        beginAcknowledging("\(drag.title) is back where it was: it was idle for two minutes.")
    }
}
