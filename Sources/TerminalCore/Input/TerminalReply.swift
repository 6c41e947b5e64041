/// The terminal's answer to a question (`TerminalSequences.query…`).
package enum TerminalReply: Hashable, Sendable {
    /// What a terminal says of one of its private modes (DECRPM).
    package enum ModeSetting: Int, Hashable, Sendable {
        case unknown, set, reset, alwaysSet, alwaysReset
    }

    case modeReport(mode: Int, ModeSetting)
    case primaryDeviceAttributes([Int])
    /// Counted from 0.
    case cursorPosition(row: Int, column: Int)
    case backgroundColor(red: UInt8, green: UInt8, blue: UInt8)
}
