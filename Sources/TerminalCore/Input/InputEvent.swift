/// What a terminal tells: keys, mouse, pasted text, focus, and answers to questions put to it.
package enum InputEvent: Hashable, Sendable {
    /// A key; a cluster of several scalars comes as several of these.
    case key(Key, Modifiers)
    case mouse(MouseEvent)
    /// Bracketed paste: control characters are stripped but newline and tab, CR and CRLF are newlines.
    case paste(String)
    /// More was pasted than is taken: none of it is here.
    case longPaste
    /// The terminal's window got the focus (true) or lost it.
    case focus(Bool)
    case reply(TerminalReply)

    /// A key without modifiers.
    package static func key(_ key: Key) -> InputEvent { .key(key, []) }
}
