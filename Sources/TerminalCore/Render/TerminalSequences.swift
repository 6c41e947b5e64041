/// The fixed byte sequences that set up a terminal, restore it and query it.
package enum TerminalSequences {
    /// Alternate screen, no automatic wrap, bracketed paste, focus reports, hidden cursor.
    ///
    /// Without wrap, a terminal that finds a cluster wider than expected in the last column does not scroll.
    package static let enter = bytes("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?1004h\u{1B}[?25l")

    /// Undoes `enter`, `enableMouse` and an interrupted frame; harmless if some of them never happened.
    package static let leave =
        endSynchronizedUpdate + disableMouse
        + bytes("\u{1B}[m\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")

    /// Reports presses, releases and drags (1002), as numbers without an upper limit (1006).
    package static let enableMouse = bytes("\u{1B}[?1002h\u{1B}[?1006h")
    /// Disables mouse reports.
    package static let disableMouse = bytes("\u{1B}[?1006l\u{1B}[?1002l")

    /// Starts an update that a terminal with mode 2026 shows only at its end; others ignore it.
    package static let beginSynchronizedUpdate = bytes("\u{1B}[?2026h")
    /// Ends the update.
    package static let endSynchronizedUpdate = bytes("\u{1B}[?2026l")

    /// Queries support for mode 2026; the reply is `TerminalReply.modeReport`.
    package static let querySynchronizedUpdate = bytes("\u{1B}[?2026$p")
    /// Queries the background colour; the reply is `TerminalReply.backgroundColor`.
    package static let queryBackgroundColor = bytes("\u{1B}]11;?\u{1B}\\")

    /// Shows the cursor.
    package static let showCursor = bytes("\u{1B}[?25h")
    /// Hides the cursor.
    package static let hideCursor = bytes("\u{1B}[?25l")
    /// Rings the bell.
    package static let bell: [UInt8] = [0x07]

    static let clearScreen = bytes("\u{1B}[2J")
    static let clearToEndOfLine = bytes("\u{1B}[K")
    static let resetStyle = bytes("\u{1B}[m")

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
