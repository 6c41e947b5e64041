import ItineraryUI
import TerminalCore
import TripModel

/// A scripted session of the editor: keys, mouse, time and other users' changes from a text file, and the
/// frames that the file requests.
///
/// The script also simulates the daemon: it grants drags, applies changes and sends the new state. After
/// `daemon off` the script gives the answers itself.
package struct SessionRun {
    /// A requested frame.
    package struct Picture {
        package let name: String
        package let frame: Frame
        /// Whether styles are compared, not only the text.
        package let isStyled: Bool
        /// The number of bells since the previous frame.
        package let bells: Int
    }

    package private(set) var pictures: [Picture] = []
    var options = SessionRun.usualOptions
    var editor: EditorState?
    var trip: Trip?
    var now = Duration.zero
    var alarm: Duration?
    var bells = 0
    var isDaemonOff = false
    var live: PlayedTrip?
    /// Others' changes that the editor has not received.
    var news: [RemoteEdit] = []
    private var decoder = InputDecoder()
    private var generator: SessionGenerator
    private var userName = "Ann"
    /// The name of the other user.
    var otherName = "Ben"
    private var size = (columns: 80, rows: 24)

    /// Runs a script from its first line to its last.
    package init(_ text: String, colorDepth: ColorDepth = .ansi16) throws(ScriptError) {
        generator = SessionGenerator()
        options.colorDepth = colorDepth
        options.generator = SessionGenerator(state: 1 << 40)
        var number = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            guard var line = try ScriptLine(line, number: number) else { continue }
            try perform(try line.word("a command"), &line)
            guard line.isEmpty else { throw line.error("there is a word too many") }
        }
    }

    private static var usualOptions: EditorOptions {
        var options = EditorOptions(reduceMotion: true)
        options.today = { CalendarDate(year: 2026, month: 6, day: 1) ?? .epoch }
        options.timeZone = "America/New_York"
        return options
    }

    mutating func newID() -> ItemID { ItemID.random(using: &generator) }

    // MARK: The editor

    mutating func send(_ happening: Happening) {
        if case .timer = happening { alarm = nil }
        for event in live?.happen(happening, awaited: editor?.awaited) ?? [] { deliver(event) }
    }

    /// Sends one event. Its effects on the trip are shown before the next event.
    private mutating func deliver(_ event: EditorEvent) {
        guard let effects = editor?.handle(event, now: now) else { return }
        for effect in effects {
            if live?.perform(effect) == true, let view = live?.takeView() { deliver(.shown(view)) }
            carryOut(effect)
        }
    }

    private mutating func perform(_ command: String, _ line: inout ScriptLine) throws(ScriptError) {
        switch command {
        case "motion": options.reduceMotion = try line.word("on or off") != "on"
        case "ascii": options.ascii = true
        case "user": userName = line.rest()
        case "feedback":
            guard let feedback = Feedback(rawValue: try line.word("a kind of feedback")) else {
                throw line.error("there is no such feedback")
            }
            options.feedback = feedback
        case "daemon": isDaemonOff = try line.word("on or off") == "off"
        case "size":
            size = (try line.number("columns"), try line.number("rows"))
            send(.resized(columns: size.columns, rows: size.rows))
        case "key":
            while !line.isEmpty {
                let name = try line.word("a key")
                guard let stroke = KeyStroke(name) else { throw line.error("\(name) is no key") }
                send(.input(.key(stroke.key, stroke.modifiers)))
            }
        case "type": for scalar in line.rest().unicodeScalars { send(.input(.key(.character(scalar)))) }
        case "bytes": for event in decoder.feed(try line.bytes("the bytes")) { send(.input(event)) }
        case "repeat":
            let count = try line.number("how often")
            let bytes = try line.bytes("the bytes")
            for _ in 0..<count { for event in decoder.feed(bytes) { send(.input(event)) } }
        case "press": try mouse(.press(.left), &line)
        case "drag": try mouse(.drag(.left), &line)
        case "release": try mouse(.release(.left), &line)
        case "wheel-up": try mouse(.wheelUp, &line)
        case "wheel-down": try mouse(.wheelDown, &line)
        case "wait": wait(.milliseconds(try line.number("milliseconds")))
        case "frame", "styled":
            guard let editor else { throw line.error("there is no editor yet: `open` begins one") }
            pictures.append(
                Picture(
                    name: line.rest(), frame: editor.frame(), isStyled: command == "styled", bells: bells))
            bells = 0
        case "open": open()
        case "lobby": openLobby(line.isEmpty ? .unnamed : .missing(line.rest()))
        default: try performRemote(command, &line)
        }
    }

    private mutating func mouse(_ action: MouseEvent.Action, _ line: inout ScriptLine) throws(ScriptError) {
        let row = try line.number("a row")
        send(.input(.mouse(MouseEvent(action, row: row, column: try line.number("a column")))))
    }

    private mutating func wait(_ time: Duration) {
        let end = now + time
        while let next = alarm, next <= end {
            now = max(now, next)
            send(.timer)
        }
        now = end
    }

    private mutating func open() {
        guard let trip else { return }
        editor = EditorState(userName: userName, options: options)
        live = PlayedTrip(TripView(trip: trip, problems: trip.problems))
        send(.resized(columns: size.columns, rows: size.rows))
        load()
    }

    /// Opens the editor without a trip.
    private mutating func openLobby(_ lobby: Lobby) {
        editor = EditorState(userName: userName, options: options)
        guard
            let empty = try? Trip.create(
                TripHeader(
                    id: TripID(high: 0, low: 9), slug: "none", name: "None", startDate: .epoch,
                    timeZone: "UTC",
                    dayCount: 1), by: Author(name: "Ben", at: Timestamp(milliseconds: 0)))
        else { return }
        // It is never shown, because nothing is loaded.
        live = PlayedTrip(TripView(trip: empty, problems: []))
        send(.resized(columns: size.columns, rows: size.rows))
        send(.lobby(lobby))
    }

    /// The daemon sends its state.
    mutating func load() {
        guard let trip else { return }
        var view = TripView(trip: trip, problems: trip.problems)
        view.news = news
        news = []
        send(.loaded(view))
    }
}

/// Generates ids that are equal in every run and easy to distinguish.
struct SessionGenerator: RandomNumberGenerator, Sendable {
    var state: UInt64 = 0

    mutating func next() -> UInt64 {
        state += 1
        return state
    }
}
