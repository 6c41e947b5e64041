import TerminalCore
import TripModel

/// What a user, or a test, chooses about the editor.
package struct EditorOptions: Sendable {
    /// Whether only ASCII is drawn, but for what people wrote themselves.
    package var ascii: Bool
    /// Whether nothing changes on the screen by time alone.
    package var reduceMotion: Bool
    /// Whether the mouse is the editor's at first.
    package var takesMouse: Bool
    /// How a grab, a drop and a refusal are answered.
    package var feedback: Feedback
    /// How many colours are drawn with.
    package var colorDepth: ColorDepth
    /// Colours that the user wants instead of the standard ones.
    package var colors: [Palette.Role: Color]
    /// The terminal's background; nil to believe what the terminal answers.
    package var background: Palette.Background?
    /// The background until the terminal answers.
    package var assumedBackground = Palette.Background.dark
    /// What the keys mean.
    package var keys: KeyMap
    /// Whether it is told by lines, each of which waits for the answer to the one before; then it says what is done
    /// when it is done, and asks nothing that a line cannot answer.
    var isByLines = false
    /// Whether nothing may be changed.
    package var isViewer = false
    /// The machine's time zone, for new trips.
    package var timeZone = "UTC"
    /// The date on the machine's calendar now.
    package var today: @Sendable () -> CalendarDate = { .epoch }
    /// The source of new items' ids.
    package var generator: any RandomNumberGenerator & Sendable

    /// Makes options.
    package init(
        ascii: Bool = false, reduceMotion: Bool = false, takesMouse: Bool = true,
        feedback: Feedback = .both,
        colorDepth: ColorDepth = .ansi16, colors: [Palette.Role: Color] = [:],
        background: Palette.Background? = nil, keys: KeyMap = .standard,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.ascii = ascii
        self.reduceMotion = reduceMotion
        self.takesMouse = takesMouse
        self.feedback = feedback
        self.colorDepth = colorDepth
        self.colors = colors
        self.background = background
        self.keys = keys
        self.generator = generator
    }

    /// The styles for a background; nil for the one that is assumed.
    func theme(on background: Palette.Background?) -> Theme {
        let background = background ?? assumedBackground
        var palette = Palette.standard(depth: colorDepth, isLight: background.isLight)
        for (role, color) in colors { palette[role] = color }
        return Theme(palette, depth: colorDepth, background: background)
    }
}
