import TerminalCore
import TripModel

extension EditorState {
    /// Notes where the pointer holds the lifted item, and starts or stops scrolling by itself.
    mutating func watchEdge(_ event: MouseEvent) {
        pointer = event
        guard mode.drag != nil, let direction = edge(at: event) else {
            edgeScroll = nil
            return
        }
        if edgeScroll?.direction != direction { edgeScroll = EdgeScroll(direction: direction, now: now) }
    }

    /// Ends what only a button held down keeps going.
    mutating func forgetPointer() {
        pressed = nil
        pointer = nil
        edgeScroll = nil
    }

    /// Scrolls by one line if it is time to.
    mutating func scrollAtEdge() {
        guard var scroll = edgeScroll, scroll.next <= now, let event = pointer else { return }
        guard mode.drag != nil, edge(at: event) == scroll.direction else {
            edgeScroll = nil
            return
        }
        board?.scroll(by: scroll.direction)
        if let board { hover(under: event, board) }
        scroll.advance(now: now)
        edgeScroll = scroll
    }

    /// The way the list goes on beyond the edge that the pointer is at; nil in between, and at the list's ends.
    private func edge(at event: MouseEvent) -> Int? {
        guard let board, listHeight > 0 else { return nil }
        let line = event.row - Self.listRow
        if line < EdgeScroll.lines { return board.top > 0 ? -1 : nil }
        guard line >= listHeight - EdgeScroll.lines else { return nil }
        return board.top + listHeight < layout(of: board).count ? 1 : nil
    }
}
