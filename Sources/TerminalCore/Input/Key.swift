/// A key, as far as terminals distinguish keys.
package enum Key: Hashable, Sendable {
    /// Text; with `.control` the lower-case letter or the sign of the control code (Ctrl+Space is a space).
    case character(Unicode.Scalar)
    case enter, tab, backTab, backspace, escape
    case up, down, left, right
    case home, end, pageUp, pageDown
    case insert, delete
    /// F1 is 1.
    case function(Int)
}
