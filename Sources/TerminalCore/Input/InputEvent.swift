/// An event from a terminal: a key, the mouse, pasted text, focus, or a reply to a query.
package enum InputEvent: Hashable, Sendable {
    /// A key; a cluster of several scalars is several events.
    case key(Key, Modifiers)
    case mouse(MouseEvent)
    /// A bracketed paste, without control characters except newline and tab; CR and CRLF are newlines.
    case paste(String)
    /// A paste over the limit, which is dropped.
    case longPaste
    /// The terminal's window got the focus (true) or lost it.
    case focus(Bool)
    case reply(TerminalReply)

    /// A key without modifiers.
    package static func key(_ key: Key) -> InputEvent { .key(key, []) }
}
