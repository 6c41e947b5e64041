/// A terminal's reply to a query (`TerminalSequences.query…`).
package enum TerminalReply: Hashable, Sendable {
    /// The state of a private mode (DECRPM).
    package enum ModeSetting: Int, Hashable, Sendable {
        case unknown, set, reset, alwaysSet, alwaysReset
    }

    case modeReport(mode: Int, ModeSetting)
    case primaryDeviceAttributes([Int])
    /// Counted from 0.
    case cursorPosition(row: Int, column: Int)
    case backgroundColor(red: UInt8, green: UInt8, blue: UInt8)
}

extension TerminalReply {
    /// The reply to a query for the background colour: `11;rgb:RRRR/GGGG/BBBB`, one to four digits per channel.
    init?(systemCommand bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("11;rgb"), let colon = text.firstIndex(of: ":") else { return nil }
        let channels = text[text.index(after: colon)...].split(
            separator: "/", omittingEmptySubsequences: false)
        guard channels.count == 3 || channels.count == 4 else { return nil }  // `rgba:` has a fourth.
        let values = channels.prefix(3).compactMap(Self.channel)
        guard values.count == 3 else { return nil }
        self = .backgroundColor(red: values[0], green: values[1], blue: values[2])
    }

    /// A channel scaled to 8 bits: `f` and `ffff` are both 255.
    private static func channel(_ digits: Substring) -> UInt8? {
        guard (1...4).contains(digits.count), digits.first != "+", digits.first != "-",
            let value = Int(digits, radix: 16)
        else { return nil }
        let largest = 1 << (4 * digits.count) - 1
        return UInt8(value * 255 / largest)
    }
}
