import TerminalCore

/// Every style the editor draws with, by what it says.
///
/// One accent, and a colour each for other people, warnings and refusals; what a colour says, an attribute or a
/// sign says too, so that nothing is lost without colours.
struct Theme: Sendable {
    let tripName = Style(.bold)
    let people: Style
    /// One for each person, by their names.
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
    /// What of a row the search has found.
    let match: Style.Attributes = [.underline, .bold]

    /// The mark beside the row in focus.
    let focusMark: Style
    /// What the row in focus is drawn with besides.
    let focused: Style.Attributes = .bold
    /// A row just put down, from the first moment to the last.
    let fade: [Style]
    /// The handle of an item just grabbed.
    let grabbed: Style
    /// A row away from all allowed places is drawn with this, instead of its own style.
    let closed = Style(.dim)
    let barrier: Style
    let homeMark: Style
    /// The line where the lifted item may go, and the item itself in it.
    let landing: Style
    let lifted: Style
    /// What the lifted item seems to throw.
    let shade = Style(.dim)
    /// The line where it may not.
    let refusedLanding: Style
    let refusedTitle: Style
    /// The line where another person's item hovers.
    let ghost: Style
    /// The title of an item that somebody else holds.
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
    ///   - depth: how many colours there are.
    ///   - background: what the terminal says of itself.
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
        if case .rgb(let red, let green, let blue) = accent, depth == .trueColor || depth == .indexed256 {
            lifted = Style(foreground: palette[.onAccent], background: accent, .bold)
            let from = Palette.Background(red: red, green: green, blue: blue)
            fade = (0..<Self.fadeStages).map { stage in
                let color = Self.mix(from, background, stage, of: Self.fadeStages)
                return stage < Self.fadeStages / 2
                    ? Style(foreground: palette[.onAccent], background: color, .bold)
                    : Style(background: color)
            }
        } else {
            // On a background by name the text could be of the same colour; reversed it cannot.
            lifted = style(.accent, [.bold, .reverse])
            fade = [
                style(.accent, [.bold, .reverse]),
                Style(background: .ansi(background.isLight ? .white : .brightBlack), .underline),
            ]
        }
    }

    /// Of 100 ms each.
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
