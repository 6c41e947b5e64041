import TerminalCore

/// Every style the editor draws with, by what it says.
///
/// One accent, and a colour each for other people, warnings and refusals, all from the terminal's own 16; what
/// a colour says, an attribute or a sign says too, so that nothing is lost without colours.
struct Theme: Sendable {
    var tripName = Style(.bold)
    var people = Style(foreground: .ansi(.magenta))
    var connection = Style(foreground: .ansi(.red), .bold)

    var dayNumber = Style(.bold)
    var dayDate = Style(.dim)
    var dayRule = Style(.dim)

    var handle = Style(.dim)
    var time = Style(foreground: .ansi(.cyan))
    var icon = Style.plain
    var title = Style.plain
    var detail = Style(.dim)
    var problem = Style(foreground: .ansi(.yellow), .bold)

    /// The mark beside the row in focus.
    var focusMark = Style(foreground: .ansi(.cyan), .bold)
    /// What the row in focus is drawn with besides.
    var focused: Style.Attributes = .bold
    /// A row just put down.
    var settled: Style.Attributes = .reverse
    /// What a row away from all allowed places is drawn with, instead of its own style.
    var closed = Style(.dim)
    var barrier = Style(foreground: .ansi(.yellow), .bold)
    var homeMark = Style(foreground: .ansi(.cyan))
    /// The line where the lifted item may go, and the item's title in it.
    var landing = Style(foreground: .ansi(.cyan), .bold)
    var landingTitle = Style(foreground: .ansi(.cyan), [.bold, .reverse])
    /// The line where it may not.
    var refusedLanding = Style(foreground: .ansi(.red), .dim)
    var refusedTitle = Style(foreground: .ansi(.red))
    /// The line where another person's item hovers, and the mark on that item.
    var ghost = Style(foreground: .ansi(.magenta), .italic)
    var held = Style(.dim)

    var status = Style.plain
    var refusal = Style(foreground: .ansi(.red), .bold)
    var waiting = Style(foreground: .ansi(.yellow), .bold)
    var promptLabel = Style(foreground: .ansi(.cyan), .bold)
    var key = Style(.bold)
    var keyMeaning = Style(.dim)
    var heading = Style(.bold)

    static let standard = Theme()
}
