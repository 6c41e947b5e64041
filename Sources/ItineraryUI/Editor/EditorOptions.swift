import TerminalCore
import TripModel

/// The settings of an editor.
package struct EditorOptions: Sendable {
    /// Whether only ASCII is drawn, except in users' text.
    package var ascii: Bool
    /// Whether animations are disabled.
    package var reduceMotion: Bool
    /// Whether the editor uses the mouse at first.
    package var takesMouse: Bool
    /// The feedback for a grab, a drop and a refusal.
    package var feedback: Feedback
    /// The number of colours.
    package var colorDepth: ColorDepth
    /// The user's colours instead of the standard ones.
    package var colors: [Palette.Role: Color]
    /// The terminal's background; nil to use the terminal's response.
    package var background: Palette.Background?
    /// The background until the terminal responds.
    package var assumedBackground = Palette.Background.dark
    /// The key table.
    package var keys: KeyMap
    /// Full screen or line by line.
    var style = InterfaceStyle.fullScreen
    /// Whether it is read-only.
    package var isViewer = false
    /// The machine's time zone, for new trips.
    package var timeZone = "UTC"
    /// The present instant in seconds since 1970.
    package var seconds: @Sendable () -> Int64 = { 0 }
    /// The present local date.
    package var today: @Sendable () -> CalendarDate = { .epoch }
    /// The source of new items' ids.
    package var generator: any RandomNumberGenerator & Sendable

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

    /// The styles for a background; nil for the assumed one.
    func theme(on background: Palette.Background?) -> Theme {
        let background = background ?? assumedBackground
        var palette = Palette.standard(depth: colorDepth, isLight: background.isLight)
        for (role, color) in colors { palette[role] = color }
        return Theme(palette, depth: colorDepth, background: background)
    }

    /// A local time: `14:05`, `yesterday 14:05`, `Sat 13 Jun 2026 14:05`.
    func clockText(_ seconds: Int64) -> String {
        guard let time = WallClock(zone: timeZone)?.time(atSecondsSince1970: seconds) else {
            return ""
        }
        let today = today()
        let clock = ClockTime(minute: time.minute)?.description ?? ""
        if time.date == today { return clock }
        if time.date.adding(days: 1) == today { return "yesterday \(clock)" }
        return "\(DateText.text(of: time.date)) \(clock)"
    }
}

/// The differences between the full-screen editor and the line editor.
struct InterfaceStyle: Sendable {
    /// The name of the key or command that submits a form.
    var acceptName = "Enter"
    /// The name of the key or command that closes a form without saving.
    var cancelName = "Esc"
    /// Whether rows and fields are visible, so that the status line does not repeat them.
    var showsRows = true
    /// Whether to protect against keys that were typed before the user saw a change: they are ignored for a moment, or
    /// need a confirmation. A command of the line editor names its item, so it needs no protection.
    var guardsKeys = true
    /// Whether to announce requested changes and changes by others in the status line. The line editor prints each result
    /// itself.
    var announces = true
    /// Whether an open list is updated when the trip changes. A printed list keeps its numbers.
    var updatesLists = true
    /// Whether the text of a form that was closed without saving is offered again.
    var keepsDrafts = true

    static let fullScreen = InterfaceStyle()
    static let lines = InterfaceStyle(
        acceptName: "Done", cancelName: "cancel", showsRows: false, guardsKeys: false, announces: false,
        updatesLists: false, keepsDrafts: false)
}
