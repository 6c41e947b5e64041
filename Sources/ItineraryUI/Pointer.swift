import TerminalCore

/// The mouse: what its button went down on, and the list scrolling by itself while something is held at its edge.
///
/// A press and its release belong together: the release does nothing but finish what the press began.
struct Pointer: Sendable {
    /// The left button.
    enum Button: Equatable, Sendable {
        /// It is up, or its press has done all that it does.
        case up
        /// It went down on a hint of the bar, which its release there presses.
        case onHint(KeyStroke, KeyMap.Context)
        /// It went down on the message, which its release there takes away.
        case onMessage
        /// It went down on a row and has not left it.
        case onRow(Outline.Row)
        /// It went down in the list and carries what is in hand; the release puts that down.
        case carrying
    }

    /// Whether the mouse is the editor's, and not the terminal's.
    private(set) var isTaken: Bool
    private(set) var button = Button.up
    /// Where it holds what is in hand; nil while the keyboard moves that.
    private(set) var held: MouseEvent?
    /// The list scrolling by itself.
    private var scroll: EdgeScroll?

    init(isTaken: Bool) { self.isTaken = isTaken }

    mutating func toggle() { isTaken.toggle() }

    /// The button goes down, or what it went down on becomes something else.
    mutating func press(_ button: Button) { self.button = button }

    /// The button holds something at a place.
    ///
    /// - Parameter edge: the way the list goes on there, 1 or −1; nil where it does not scroll by itself.
    mutating func hold(at event: MouseEvent, edge: Int?, now: Duration) {
        held = event
        guard let edge else { return scroll = nil }
        if scroll?.direction != edge { scroll = EdgeScroll(direction: edge, now: now) }
    }

    /// The keyboard moves what is in hand, or nothing is.
    mutating func letGo() { (held, scroll) = (nil, nil) }

    /// The button is up, or is to count as up.
    mutating func release() { (button, held, scroll) = (.up, nil, nil) }

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
