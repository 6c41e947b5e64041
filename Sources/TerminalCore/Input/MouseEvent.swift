/// A mouse event with its position.
package struct MouseEvent: Hashable, Sendable {
    /// The supported buttons.
    package enum Button: Hashable, Sendable { case left, middle, right }

    /// The kind of the mouse event.
    package enum Action: Hashable, Sendable {
        case press(Button)
        case release(Button)
        /// Moved with the button pressed.
        case drag(Button)
        /// Moved without a button.
        case move
        case wheelUp, wheelDown, wheelLeft, wheelRight
    }

    /// The kind of the mouse event.
    package var action: Action
    /// Counted from 0.
    package var row: Int
    /// Counted from 0.
    package var column: Int
    /// The pressed modifier keys.
    package var modifiers: Modifiers

    package init(_ action: Action, row: Int, column: Int, modifiers: Modifiers = []) {
        self.action = action
        self.row = row
        self.column = column
        self.modifiers = modifiers
    }
}
