import EditorSessions
import ItineraryUI
import TerminalCore
import TestSupport
import TripModel

/// An editor under test: what is done to it in a word, and what it did.
struct Editor {
    var state: EditorState
    var sample: SampleTrip
    private(set) var live: PlayedTrip
    var now = Duration.zero
    /// Everything that the editor has asked for.
    private(set) var effects: [Did] = []
    /// The ids of trips that it wanted made, in their order.
    private(set) var madeIDs: [TripID] = []
    /// When the editor is to be woken; nil if it rests.
    private(set) var alarm: Duration?

    /// An editor of Ann's that is connected, 80×24 unless said otherwise, and shows the sample trip.
    init(
        columns: Int = 80, rows: Int = 24, ascii: Bool = false, reduceMotion: Bool = true, loads: Bool = true,
        options: EditorOptions = EditorOptions()
    ) throws {
        sample = try SampleTrip()
        live = PlayedTrip(sample.view)
        var options = options
        options.ascii = ascii
        options.reduceMotion = reduceMotion
        options.generator = SplitMix64(seed: 1)
        state = EditorState(userName: "Ann", options: options)
        send(.resized(columns: columns, rows: rows))
        if loads { load() }
    }

    /// What the events led to.
    @discardableResult
    mutating func send(_ happenings: Happening...) -> [Did] {
        var new: [Did] = []
        for happening in happenings {
            if case .timer = happening { alarm = nil }
            for event in live.happen(happening, awaited: state.awaited) { tell(event, &new) }
        }
        effects += new
        return new
    }

    /// Tells one event; what it does to the trip is shown before the next one.
    private mutating func tell(_ event: EditorEvent, _ new: inout [Did]) {
        for effect in state.handle(event, now: now) {
            if case .wake(let delay) = effect { alarm = now + delay }
            switch effect {
            case .createTrip(_, let id), .copyTrip(_, _, let id), .restoreTrip(_, let id): madeIDs.append(id)
            default: break
            }
            if let did = Did(effect) { new.append(did) }
            if live.perform(effect) { tell(.shown(live.takeView()), &new) }
        }
    }

    /// Lets time pass, waking the editor whenever it has asked for it.
    mutating func wait(milliseconds: Int) {
        let end = now + .milliseconds(milliseconds)
        while let next = alarm, next <= end {
            now = max(now, next)
            send(.timer)
        }
        now = end
    }

    mutating func load() {
        send(.loaded(sample.view))
    }

    @discardableResult
    mutating func press(_ keys: Key...) -> [Did] {
        keys.flatMap { send(.input(.key($0))) }
    }

    @discardableResult
    mutating func press(_ key: Key, _ modifiers: Modifiers) -> [Did] {
        send(.input(.key(key, modifiers)))
    }

    /// Reads what has happened, and goes on.
    mutating func acknowledge() {
        wait(milliseconds: 1_000)
        press(.enter)
    }

    /// Goes to the field of a form that is called so.
    mutating func go(toField label: String) {
        for _ in 0..<40 where !status.hasPrefix("\(label):") { press(.tab) }
    }

    /// Presses the keys of these characters.
    @discardableResult
    mutating func type(_ text: String) -> [Did] {
        text.unicodeScalars.flatMap { send(.input(.key(.character($0)))) }
    }

    @discardableResult
    mutating func mouse(_ action: MouseEvent.Action, row: Int, column: Int = 20) -> [Did] {
        send(.input(.mouse(MouseEvent(action, row: row, column: column))))
    }

    /// Presses and releases the button at one place.
    @discardableResult
    mutating func click(row: Int, column: Int = 20) -> [Did] {
        mouse(.press(.left), row: row, column: column) + mouse(.release(.left), row: row, column: column)
    }

    /// Clicks on a hint of the bar.
    @discardableResult
    mutating func click(hint: String) -> [Did] {
        let bar = lines[lines.count - 1]
        guard let start = bar.range(of: hint)?.lowerBound else { return [] }
        return click(row: lines.count - 1, column: bar.distance(from: bar.startIndex, to: start))
    }

    /// Goes down from the top row to a row that shows a text.
    mutating func focus(_ text: String) {
        press(.home)
        for _ in 0..<200 where !(focusedLine?.contains(text) ?? false) { press(.down) }
    }

    var text: String { state.frame().text }
    var styledText: String { state.frame().styledText }
    var lines: [String] { state.frame().lines }
    /// The list's lines, without the top line and the two at the bottom.
    var list: [String] { Array(lines.dropFirst().dropLast(2)) }
    /// What is said, in as many lines as it takes.
    var status: String { lines[state.statusRows].map { String($0.dropFirst(2)) }.joined(separator: " ") }
    /// What is said, with the bar.
    var told: String { "\(status) \(bar)" }
    var bar: String { String(lines[lines.count - 1].dropFirst(2)) }
    /// The line with the focus mark, without it.
    var focusedLine: String? { lines.first { $0.hasPrefix("▌") || $0.hasPrefix(">") } }
    /// The line where the lifted item would go.
    var landing: String? { lines.first { $0.contains("●━━") || $0.contains("○──") } }
}
