import TripModel

extension EditorState {
    // MARK: What the user does

    /// Lifts the item in focus, at once on the screen, and asks the daemon for it.
    mutating func lift() {
        guard let board else { return }
        guard let item = board.item else {
            refuse("A day is not moved.")
            return
        }
        guard !refuseIfFixed(item) else { return }
        guard let drag = Drag(row: board.cursor, of: board.outline) else { return }
        mode = .dragging(drag)
        animateLift()
        emit(.beginDrag(item.id))
        say(liftSentence(drag, board.outline))
    }

    /// Says why an item cannot be moved by this user now, if that is so.
    mutating func refuseIfFixed(_ item: Item) -> Bool {
        if item.isGame {
            refuse("A game follows the schedule and is not moved.")
            return true
        }
        if let holder = holder(of: item.id) {
            refuse("\(holder) is moving \(item.content.title).")
            return true
        }
        return false
    }

    mutating func drag(_ action: Action) {
        guard case .dragging(let drag) = mode else { return }
        switch action {
        case .up: hover(at: drag.gap - 1)
        case .down: hover(at: drag.gap + 1)
        case .previousDay: hover(at: drag.gapOfNextDay(step: -1))
        case .nextDay: hover(at: drag.gapOfNextDay(step: 1))
        case .first: hover(at: 0)
        case .last: hover(at: .max)
        case .nudgeUp: hoverAtValidGap(of: drag, step: -1)
        case .nudgeDown: hoverAtValidGap(of: drag, step: 1)
        case .drop: drop()
        case .cancel: cancelDrag()
        default: break
        }
    }

    /// Brings the lifted item to a gap, or the nearest there is.
    mutating func hover(at gap: Int) {
        guard case .dragging(var drag) = mode else { return }
        let target = min(max(gap, 0), drag.report.gaps.count - 1)
        guard target != drag.gap else { return }
        animateShuffle(from: drag.boundary, to: drag.boundary + target - drag.gap)
        drag.gap = target
        mode = .dragging(drag)
        message = nil
        if drag.phase == .held, drag.existing != nil { emit(.hover(drag.current.placement)) }
    }

    private mutating func hoverAtValidGap(of drag: Drag, step: Int) {
        if let gap = drag.validGap(from: drag.gap, step: step) {
            hover(at: gap)
        } else {
            refuse("No allowed place is \(step < 0 ? "above" : "below").")
        }
    }

    /// Puts the item down where it is. Into its own gap is no change; from a gap that is not allowed it returns.
    mutating func drop() {
        guard case .dragging(var drag) = mode, let board else { return }
        guard drag.gap != drag.home else {
            cancelDrag()
            return
        }
        if let refusal = drag.current.refusal {
            cancelDrag()
            refuse(refusalSentence(refusal, board.outline))
            snapBack(drag, reason(refusal, board.outline))
            return
        }
        if case .new(let items) = drag.load {
            place(items, at: drag.current.placement)
            return
        }
        switch drag.phase {
        case .asking: drag.phase = .asking(dropsWhenGranted: true)
        case .held:
            drag.phase = .dropping
            emit(.drop(drag.current.placement))
        case .dropping: return
        }
        mode = .dragging(drag)
    }

    /// Gives the item back, unless its drop is on its way.
    mutating func cancelDrag() {
        guard case .dragging(let drag) = mode, drag.phase != .dropping else { return }
        let title = drag.title
        guard let item = drag.existing else {
            endDrag()
            say("\(title) is not added.")
            return
        }
        emit(.cancelDrag)
        endDrag()
        if let board, board.item?.id == item.id {
            say("\(title) stays at \(placeName(board.outline, board.cursor)).")
        } else {
            say("\(title) has been removed.")
        }
    }

    /// Ends the drag; the focus is on the item's own row, where it has been all along.
    mutating func endDrag() {
        mode = .browsing
        heldInput = []
        deferredCount = 0
        motion.lift = nil
        motion.shuffle = nil
        forgetPointer()
        if let view = deferred {
            deferred = nil
            show(view)
        }
    }

    // MARK: What the daemon answers

    mutating func dragGranted() {
        guard case .dragging(var drag) = mode, case .asking(let dropsWhenGranted) = drag.phase else { return }
        drag.phase = .held
        mode = .dragging(drag)
        if dropsWhenGranted {
            drop()
            if case .dragging(let drag) = mode, drag.phase == .dropping { return }
            heldInput = []
        } else if drag.gap != drag.home {
            emit(.hover(drag.current.placement))
        }
    }

    mutating func dragRefused(_ reason: String) {
        guard case .dragging(let drag) = mode, case .asking = drag.phase else { return }
        endDrag()
        refuse("\(drag.title) stays: \(reason)")
        snapBack(drag, reason)
    }

    mutating func dropAccepted() {
        guard case .dragging(let drag) = mode, drag.phase == .dropping, let item = drag.existing,
            let row = drag.liftedRow, let old = board
        else { return }
        let from = placeName(old.outline, row)
        let keys = heldInput
        accepted.append([.move(item.id, to: drag.current.placement)])
        keepingScroll {
            $0.endDrag()
            $0.refresh()
        }
        settle(item.id)
        offerUndo()
        if let new = board, new.item?.id == item.id {
            let to = placeName(new.outline, new.cursor)
            say("Moved \(drag.title) from \(from) to \(to).\(undoHint)")
        }
        heldInput = keys
        takeHeldInput()
    }

    mutating func dropRefused(_ reason: String) {
        guard case .dragging(let drag) = mode, drag.phase == .dropping else { return }
        endDrag()
        refuse("\(drag.title) stays: \(reason)")
        snapBack(drag, reason)
    }

    mutating func dragLost(_ reason: String) {
        guard case .dragging(let drag) = mode, drag.existing != nil else { return }
        let isDropping = drag.phase == .dropping
        endDrag()
        let outcome = isDropping ? "may have been moved or not" : "is no longer lifted"
        refuse("\(drag.title) \(outcome): \(reason)")
    }

    /// Carries a drag that is only asked for yet over to a newer state of the trip.
    mutating func rebaseDrag() {
        guard case .dragging(let old) = mode, let item = old.existing, let board else { return }
        guard let row = board.outline.row(of: item.id), var drag = Drag(row: row, of: board.outline)
        else {
            emit(.cancelDrag)
            mode = .browsing
            heldInput = []
            refuse("\(old.title) has been removed.")
            return
        }
        drag.phase = old.phase
        if old.gap != old.home, let above = board.outline.rowAbove(old.current.placement) {
            drag.gap = drag.gap(belowRow: above)
        }
        self.board?.cursor = row
        mode = .dragging(drag)
    }
}
