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
