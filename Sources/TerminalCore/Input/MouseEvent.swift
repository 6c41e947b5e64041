/// Something the mouse did, and where.
package struct MouseEvent: Hashable, Sendable {
    /// The buttons that are told apart.
    package enum Button: Hashable, Sendable { case left, middle, right }

    /// The kind of the mouse event.
    package enum Action: Hashable, Sendable {
        case press(Button)
        case release(Button)
        /// Moved with the button down.
        case drag(Button)
        /// Moved with no button down.
        case move
        case wheelUp, wheelDown, wheelLeft, wheelRight
    }

    /// The kind of the mouse event.
    package var action: Action
    /// Counted from 0.
    package var row: Int
    /// Counted from 0.
    package var column: Int
    /// The keys that were held.
    package var modifiers: Modifiers

    /// An event from its parts.
    package init(_ action: Action, row: Int, column: Int, modifiers: Modifiers = []) {
        self.action = action
        self.row = row
        self.column = column
        self.modifiers = modifiers
    }
}
