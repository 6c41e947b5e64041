import TerminalCore
import TripModel

/// The state of the mouse: the target of the button press, and automatic scrolling at the list's edge.
///
/// A release only finishes the action that its press began.
struct Pointer: Sendable {
    /// The state of the left button.
    enum Button: Equatable, Sendable {
        /// Released, or its press has no further effect.
        case up
        /// Pressed on a hint of the bar; a release there presses the key.
        case onHint(KeyStroke, KeyMap.Context)
        /// Pressed on a part of the top line; a release there opens what it names.
        case onTop(Screen.TopPart.Target)
        /// Pressed on a message; a release there dismisses it.
        case onMessage
        /// Pressed on a row, and not moved off it.
        case onRow(ListRow)
        /// Pressed on a line of a panel, and not moved to the list; a release there chooses it if it was selected before.
        case onLine(Int, wasSelected: Bool)
        /// Pressed in the list during a drag; the release drops.
        case carrying
    }

    /// Whether the editor uses the mouse, not the terminal.
    private(set) var isTaken: Bool
    /// The row and the time of the last press in the list.
    private var lastPress: (row: ListRow, time: Duration)?
    private(set) var button = Button.up
    /// The position at which it holds the dragged item; nil if the keyboard moves the item.
    private(set) var held: MouseEvent?
    /// Automatic scrolling.
    private var scroll: EdgeScroll?

    init(isTaken: Bool) { self.isTaken = isTaken }

    mutating func toggle() { isTaken.toggle() }

    /// Records a press, or changes the meaning of the current one.
    mutating func press(_ button: Button) { self.button = button }

    /// Records a press on a row; returns whether it is the second one of a double click.
    mutating func press(onRow row: ListRow, at now: Duration) -> Bool {
        let isDouble = lastPress.map { $0.row == row && now < $0.time + Self.doubleClickTime } ?? false
        lastPress = isDouble ? nil : (row, now)
        button = .onRow(row)
        return isDouble
    }

    private static let doubleClickTime = Duration.milliseconds(400)

    /// Records the position during a drag.
    ///
    /// - Parameter edge: the direction in which the list scrolls there, 1 or −1; nil if it does not.
    mutating func hold(at event: MouseEvent, edge: Int?, now: Duration) {
        held = event
        guard let edge else { return scroll = nil }
        if scroll?.direction != edge { scroll = EdgeScroll(direction: edge, now: now) }
    }

    /// The keyboard now moves the dragged item, or the drag is over.
    mutating func reset() { (held, scroll) = (nil, nil) }

    /// Resets the button.
    mutating func release() { (button, held, scroll) = (.up, nil, nil) }

    // MARK: Scrolling

    /// The time of the next line.
    var nextScroll: Duration? { scroll?.next }

    /// The pointer's position and the scroll direction, if a line is due.
    func dueScroll(at now: Duration) -> (event: MouseEvent, direction: Int)? {
        guard let scroll, scroll.next <= now, let held else { return nil }
        return (held, scroll.direction)
    }

    /// Schedules the line after the one just scrolled.
    mutating func advanceScroll(now: Duration) { scroll?.advance(now: now) }

    mutating func stopScroll() { scroll = nil }
}

/// Automatic scrolling while a dragged item is held at the list's edge, where a resting mouse sends no
/// events.
struct EdgeScroll: Equatable, Sendable {
    /// 1 down, −1 up.
    let direction: Int
    /// The time of the next line.
    private(set) var next: Duration
    private var interval = Self.slowest

    /// How long the pointer must rest at the edge before the first line.
    static let delay = Duration.milliseconds(250)
    static let slowest = Duration.milliseconds(150)
    static let fastest = Duration.milliseconds(40)
    /// The number of lines at each end of the list that count as its edge.
    static let lines = 2

    init(direction: Int, now: Duration) {
        self.direction = direction
        next = now + Self.delay
    }

    /// Schedules the next line, a little sooner than the last.
    mutating func advance(now: Duration) {
        next = now + interval
        interval = max(Self.fastest, interval * 7 / 8)
    }
}
