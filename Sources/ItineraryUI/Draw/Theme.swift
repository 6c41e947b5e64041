import TerminalCore

/// All styles of the editor, by meaning.
///
/// There is one accent, and a colour each for other users, warnings and refusals. Attributes or symbols
/// repeat the meaning of colours, for terminals without them.
struct Theme: Sendable {
    let tripName = Style(.bold)
    let people: Style
    /// The styles of users; a name always gets the same one.
    let persons: [Style]
    let connection: Style

    let dayNumber = Style(.bold)
    let dayDate = Style(.dim)
    let dayRule = Style(.dim)

    let handle = Style(.dim)
    let time: Style
    let icon = Style.plain
    let title = Style.plain
    let detail = Style(.dim)
    let problem: Style
    /// The matching part of a row.
    let match: Style.Attributes = [.underline, .bold]

    /// The mark beside the focused row.
    let focusMark: Style
    /// The additional attributes of a selected line.
    let focused: Style.Attributes = .bold
    /// The background of the whole focused row; nil without colors, where it is reversed.
    let focusBackground: Color?
    /// The fading background of a dropped row, from the first moment to the last.
    let fade: [Style]
    /// The handle of an item just grabbed.
    let grabbed: Style
    /// Replaces the style of a row whose neighbouring gaps are invalid.
    let closed = Style(.dim)
    let barrier: Style
    let homeMark: Style
    /// The line at a valid target, with the dragged item.
    let landing: Style
    let lifted: Style
    /// The line at an invalid target.
    let refusedLanding: Style
    let refusedTitle: Style
    /// The line of another user's dragged item.
    let ghost: Style
    /// The title of an item that another user is dragging.
    let held = Style(.dim)

    let status = Style.plain
    let refusal: Style
    let waiting: Style
    let promptLabel: Style
    let key = Style(.bold)
    let keyMeaning = Style(.dim)
    let heading = Style(.bold)
    let toast: Style

    /// The style of a user, which depends on the name only.
    func style(ofPerson name: String) -> Style {
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return persons[Int(hash % UInt32(persons.count))]
    }

    /// Makes a theme.
    ///
    /// - Parameters:
    ///   - depth: the number of colours.
    ///   - background: the terminal's background.
    init(_ palette: Palette, depth: ColorDepth, background: Palette.Background) {
        let accent = palette[.accent]
        func style(_ role: Palette.Role, _ attributes: Style.Attributes = []) -> Style {
            Style(foreground: palette[role], attributes)
        }
        people = style(.people)
        let bright: [Color] = [
            .ansi(.brightCyan), .ansi(.brightGreen), .ansi(.brightYellow), .ansi(.brightBlue),
        ]
        let deep: [Color] = [.ansi(.cyan), .ansi(.green), .ansi(.blue), .ansi(.red)]
        let hues = depth == .none ? [] : background.isLight ? deep : bright
        persons = [people] + hues.map { Style(foreground: $0, .bold) }
        connection = style(.refusal, .bold)
        time = style(.time)
        problem = style(.warning, .bold)
        focusMark = style(.accent, .bold)
        grabbed = style(.accent, [.bold, .reverse])
        barrier = style(.warning, .bold)
        homeMark = style(.accent)
        landing = style(.accent, .bold)
        refusedLanding = style(.refusal, .dim)
        refusedTitle = style(.refusal)
        ghost = style(.people, .italic)
        refusal = style(.refusal, .bold)
        waiting = style(.warning, .bold)
        promptLabel = style(.accent, .bold)
        toast = style(.accent, .reverse)
        let named: Color? = depth == .none ? nil : .ansi(background.isLight ? .white : .brightBlack)
        if case .rgb(let red, let green, let blue) = accent, depth == .trueColor || depth == .indexed256 {
            lifted = Style(foreground: palette[.onAccent], background: accent, .bold)
            let from = Palette.Background(red: red, green: green, blue: blue)
            focusBackground = Self.mix(from, background, 5, of: 6)
            fade = (0..<Self.fadeStages).map { stage in
                let color = Self.mix(from, background, stage, of: Self.fadeStages)
                return stage < Self.fadeStages / 2
                    ? Style(foreground: palette[.onAccent], background: color, .bold)
                    : Style(background: color)
            }
        } else {
            // A named background colour could equal the text colour; reversed, it cannot.
            focusBackground = named
            lifted = style(.accent, [.bold, .reverse])
            fade = [
                style(.accent, [.bold, .reverse]),
                Style(background: .ansi(background.isLight ? .white : .brightBlack), .underline),
            ]
        }
    }

    /// The number of stages, 100 ms each.
    private static let fadeStages = 7

    private static func mix(
        _ from: Palette.Background, _ to: Palette.Background, _ part: Int, of whole: Int
    ) -> Color {
        func channel(_ from: UInt8, _ to: UInt8) -> UInt8 {
            UInt8(Int(from) + (Int(to) - Int(from)) * part / whole)
        }
        return .rgb(
            red: channel(from.red, to.red), green: channel(from.green, to.green),
            blue: channel(from.blue, to.blue))
    }
}

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
