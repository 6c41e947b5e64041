import TerminalCore

/// The colours of a theme, one for each role.
package struct Palette: Equatable, Sendable {
    /// The role of a colour; the raw value is its name in the configuration file.
    package enum Role: String, CaseIterable, Sendable {
        /// The focus and the dragged item.
        case accent
        /// Text on an accent background.
        case onAccent = "on-accent"
        case time
        /// Other users.
        case people
        case warning
        case refusal
    }

    /// The terminal's background.
    package struct Background: Equatable, Sendable {
        let red: UInt8
        let green: UInt8
        let blue: UInt8

        /// Makes a background from 8-bit channels.
        package init(red: UInt8, green: UInt8, blue: UInt8) {
            (self.red, self.green, self.blue) = (red, green, blue)
        }

        /// The assumption for a terminal that does not respond.
        package static let dark = Background(red: 0x18, green: 0x18, blue: 0x1C)
        /// A sheet of paper.
        package static let light = Background(red: 0xFA, green: 0xFA, blue: 0xF6)

        /// Whether dark text is more readable on it, by perceived luminance.
        package var isLight: Bool {
            299 * Int(red) + 587 * Int(green) + 114 * Int(blue) > 128 * 1000
        }
    }

    private var colors: [Role: Color]

    /// The colour of a role; the terminal's default if none is set.
    package subscript(role: Role) -> Color {
        get { colors[role] ?? .default }
        set { colors[role] = newValue }
    }

    /// The standard colours: of the terminal's 16, or of more if it supports them.
    package static func standard(depth: ColorDepth, isLight: Bool) -> Palette {
        switch depth {
        case .none, .ansi16:
            Palette(colors: [
                .accent: .ansi(isLight ? .blue : .cyan), .onAccent: .ansi(isLight ? .white : .black),
                .time: .ansi(isLight ? .blue : .cyan), .people: .ansi(.magenta), .warning: .ansi(.yellow),
                .refusal: .ansi(.red),
            ])
        case .indexed256, .trueColor:
            isLight
                ? Palette(colors: [
                    .accent: rgb(0x00628C), .onAccent: rgb(0xFFFFFF), .time: rgb(0x1F6F8B),
                    .people: rgb(0x7D3CA0), .warning: rgb(0x8F5A00), .refusal: rgb(0xBE1E28),
                ])
                : Palette(colors: [
                    .accent: rgb(0x56C2E6), .onAccent: rgb(0x0E1A22), .time: rgb(0x7FC8D8),
                    .people: rgb(0xC792EA), .warning: rgb(0xE5C06A), .refusal: rgb(0xF07178),
                ])
        }
    }

    private static func rgb(_ value: UInt32) -> Color {
        .rgb(
            red: UInt8(value >> 16 & 0xFF), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    }
}
