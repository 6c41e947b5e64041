import TerminalCore

/// The mouse: the row that its button went down on, where it holds what is in hand, and the list scrolling by itself while
/// that is at its edge.
struct Pointer: Sendable {
    /// Whether the mouse is the editor's, and not the terminal's.
    private(set) var isTaken: Bool
    /// The row on which the button went down and has not moved since.
    private(set) var pressed: Outline.Row?
    /// Where it holds what is in hand.
    private(set) var held: MouseEvent?
    /// The list scrolling by itself.
    private var scroll: EdgeScroll?

    init(isTaken: Bool) { self.isTaken = isTaken }

    mutating func toggle() { isTaken.toggle() }

    /// The button goes down on a row.
    mutating func press(_ row: Outline.Row) { pressed = row }

    /// The pointer has left the row on which the button went down.
    mutating func leaveRow() { pressed = nil }

    /// The button holds something at a place.
    ///
    /// - Parameter edge: the way the list goes on there, 1 or −1; nil where it does not scroll by itself.
    mutating func hold(at event: MouseEvent, edge: Int?, now: Duration) {
        held = event
        guard let edge else { return scroll = nil }
        if scroll?.direction != edge { scroll = EdgeScroll(direction: edge, now: now) }
    }

    /// The keyboard steers what is in hand, or nothing is.
    mutating func letGo() { (held, scroll) = (nil, nil) }

    /// The button is up, or is to count as up.
    mutating func release() { (pressed, held, scroll) = (nil, nil, nil) }

    // MARK: Scrolling

    /// When the next line comes.
    var nextScroll: Duration? { scroll?.next }

    /// Where the pointer holds what is in hand and which way the next line comes, if it is time for it.
    func dueScroll(at now: Duration) -> (event: MouseEvent, direction: Int)? {
        guard let scroll, scroll.next <= now, let held else { return nil }
        return (held, scroll.direction)
    }

    /// The line has come.
    mutating func advanceScroll(now: Duration) { scroll?.advance(now: now) }

    mutating func stopScroll() { scroll = nil }
}
