/// A colour as a terminal knows it, from none to 24 bits.
package enum Color: Hashable, Sendable {
    /// The terminal's own foreground or background.
    case `default`
    /// One of the 16 colours that the user's theme defines.
    case ansi(AnsiColor)
    /// A colour of the 256-colour palette: 0–15 as `ansi`, 16–231 a 6×6×6 cube, 232–255 greys.
    case indexed(UInt8)
    /// 24 bits.
    case rgb(red: UInt8, green: UInt8, blue: UInt8)
}

extension Color: CustomStringConvertible {
    /// `default`, `brightRed`, `@236` for an index, `#a0b0c0` for 24 bits.
    package var description: String {
        switch self {
        case .default: "default"
        case .ansi(let color): "\(color)"
        case .indexed(let index): "@\(index)"
        case .rgb(let red, let green, let blue):
            "#"
                + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}
