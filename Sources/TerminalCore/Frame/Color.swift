/// A terminal colour: the default, one of a palette, or 24-bit.
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

extension Color {
    /// Parses a colour: `red`, `bright-blue`, `default`, a palette number, `#rrggbb`.
    package init?(_ name: String) {
        if name == "default" {
            self = .default
            return
        }
        if name.hasPrefix("#") {
            let digits = name.utf8.dropFirst()
            guard digits.count == 6, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let value = UInt32(name.dropFirst(), radix: 16)
            else { return nil }
            self = .rgb(
                red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
            return
        }
        if let index = UInt8(name), name.first?.isNumber == true {
            self = AnsiColor(rawValue: index).map(Color.ansi) ?? .indexed(index)
            return
        }
        let plain = name.replacing("bright-", with: "bright")
        guard let color = AnsiColor.allCases.first(where: { "\($0)".lowercased() == plain }) else {
            return nil
        }
        self = .ansi(color)
    }
}

extension Color {
    /// This colour, or the nearest one at `depth`.
    package func reduced(to depth: ColorDepth) -> Color {
        switch (self, depth) {
        case (_, .none): .default
        case (.default, _), (.ansi, _), (_, .trueColor): self
        case (.indexed, .indexed256): self
        case (.rgb(let red, let green, let blue), .indexed256):
            .indexed(Self.nearestIndex(RGB(red: Int(red), green: Int(green), blue: Int(blue))))
        case (.indexed(let index), .ansi16):
            .ansi(AnsiColor(rawValue: index) ?? Self.nearestAnsi(Self.paletteRGB(index)))
        case (.rgb(let red, let green, let blue), .ansi16):
            .ansi(Self.nearestAnsi(RGB(red: Int(red), green: Int(green), blue: Int(blue))))
        }
    }

    private struct RGB {
        var red: Int
        var green: Int
        var blue: Int

        /// Squared distance, weighted by the eye's sensitivity to the channels.
        func distance(to other: RGB) -> Int {
            let (r, g, b) = (red - other.red, green - other.green, blue - other.blue)
            return 3 * r * r + 4 * g * g + 2 * b * b
        }
    }

    private static let cubeLevels = [0, 95, 135, 175, 215, 255]

    /// xterm's values of the 16 colours; a theme may differ, but keeps the hue.
    private static let ansiRGB: [RGB] = [
        RGB(red: 0, green: 0, blue: 0), RGB(red: 205, green: 0, blue: 0),
        RGB(red: 0, green: 205, blue: 0), RGB(red: 205, green: 205, blue: 0),
        RGB(red: 0, green: 0, blue: 238), RGB(red: 205, green: 0, blue: 205),
        RGB(red: 0, green: 205, blue: 205), RGB(red: 229, green: 229, blue: 229),
        RGB(red: 127, green: 127, blue: 127), RGB(red: 255, green: 0, blue: 0),
        RGB(red: 0, green: 255, blue: 0), RGB(red: 255, green: 255, blue: 0),
        RGB(red: 92, green: 92, blue: 255), RGB(red: 255, green: 0, blue: 255),
        RGB(red: 0, green: 255, blue: 255), RGB(red: 255, green: 255, blue: 255),
    ]

    private static func paletteRGB(_ index: UInt8) -> RGB {
        let index = Int(index)
        switch index {
        case ..<16:
            return ansiRGB[index]
        case 16..<232:
            let cube = index - 16
            return RGB(
                red: cubeLevels[cube / 36], green: cubeLevels[cube / 6 % 6], blue: cubeLevels[cube % 6])
        default:
            let grey = 8 + (index - 232) * 10
            return RGB(red: grey, green: grey, blue: grey)
        }
    }

    private static func nearestAnsi(_ color: RGB) -> AnsiColor {
        AnsiColor.allCases.min { left, right in
            color.distance(to: ansiRGB[Int(left.rawValue)]) < color.distance(to: ansiRGB[Int(right.rawValue)])
        } ?? .white
    }

    /// The nearer of the best colours in the cube and the grey ramp. The theme's 16 are excluded, because
    /// their values are unknown.
    private static func nearestIndex(_ color: RGB) -> UInt8 {
        func level(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
        let cube = UInt8(16 + 36 * level(color.red) + 6 * level(color.green) + level(color.blue))
        let mean = (color.red + color.green + color.blue) / 3
        let grey = UInt8(232 + min(max((mean - 3) / 10, 0), 23))
        return color.distance(to: paletteRGB(grey)) < color.distance(to: paletteRGB(cube)) ? grey : cube
    }
}

/// The 16 colours that every colour terminal has, in palette order.
package enum AnsiColor: UInt8, Hashable, Sendable, CaseIterable {
    case black, red, green, yellow, blue, magenta, cyan, white
    case brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite
}

/// The number of colours that are sent to the terminal.
package enum ColorDepth: Hashable, Sendable, CaseIterable {
    /// No colour at all (`NO_COLOR`): attributes only.
    case none
    /// The 16 colours of the user's theme.
    case ansi16
    /// The 256-colour palette.
    case indexed256
    /// 24 bits.
    case trueColor
}
