import EditorSessions
import TerminalCore
import TestSupport
import TripModel

@testable import ItineraryUI

/// An editor under test, with helpers to send it events and to check its effects.
struct Editor {
    var state: EditorState
    var sample: SampleTrip
    private(set) var live: PlayedTrip
    var now = Duration.zero
    /// All effects so far.
    private(set) var effects: [Did] = []
    /// The ids of requested new trips, in order.
    private(set) var madeIDs: [TripID] = []
    /// The time of the editor's next timer; nil if it has none.
    private(set) var alarm: Duration?

    /// A connected editor of Ann's that shows the sample trip; 80×24 by default.
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

    /// The effects of the events.
    @discardableResult
    mutating func send(_ happenings: Happening...) -> [Did] {
        var new: [Did] = []
        for happening in happenings {
            if case .timer = happening { alarm = nil }
            for event in live.happen(happening, awaited: state.awaited) { deliver(event, &new) }
        }
        effects += new
        return new
    }

    /// Sends one event. Its effects on the trip are shown before the next event.
    private mutating func deliver(_ event: EditorEvent, _ new: inout [Did]) {
        for effect in state.handle(event, now: now) {
            if case .wake(let delay) = effect { alarm = now + delay }
            switch effect {
            case .createTrip(_, let id), .copyTrip(_, _, let id): madeIDs.append(id)
            default: break
            }
            if let did = Did(effect) { new.append(did) }
            if live.perform(effect) { deliver(.shown(live.takeView()), &new) }
        }
    }

    /// Advances the clock and fires the editor's timers.
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

    /// Dismisses the message about a remote change, so that keys apply again.
    mutating func acknowledge() {
        wait(milliseconds: 1_000)
        press(.enter)
    }

    /// Moves to the form field with this label.
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

    /// Presses and releases the mouse button at one place.
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

    /// Moves down from the top row to the first item with a text in its title, or else to a row that shows it.
    mutating func focus(_ text: String) {
        press(.home)
        let item = state.shownOrder?.first { state.title(of: $0).contains(text) }
        // Drawing the whole screen for each row would take most of the time of all tests.
        func isFocused() -> Bool {
            if let item { return state.board?.item?.id == item }
            return focusedLine?.contains(text) ?? false
        }
        for _ in 0..<200 where !isFocused() { press(.down) }
    }

    var text: String { state.frame().text }
    var styledText: String { state.frame().styledText }
    var lines: [String] { state.frame().lines }
    /// The list's lines, without the top line and the two at the bottom.
    var list: [String] { Array(lines.dropFirst().dropLast(2)) }
    /// The message on the status line, which may take several lines.
    var statusRows: Range<Int> { state.screen.statusRows }
    var status: String {
        lines[statusRows].map { String($0.dropFirst(2)) }.joined(separator: " ")
    }
    /// The message with the bar of hints.
    var statusAndBar: String { "\(status) \(bar)" }
    var bar: String { String(lines[lines.count - 1].dropFirst(2)) }
    /// The lines of the open list, from its heading; all lines if none is open.
    var panel: [String] {
        guard let chooser = state.screen.shownChooser else { return lines }
        let area = state.screen.area(of: chooser)
        guard area.columns.lowerBound > 0 else { return Array(lines[area.rows]) }
        return lines[area.rows].map { line in
            String(line.split(separator: "│", maxSplits: 1).last ?? "")
        }
    }
    /// The heading of the open list.
    var heading: String {
        (panel.first ?? "").split(separator: " ─", maxSplits: 2).first { $0.contains { $0.isLetter } }
            .map { String($0.drop { !$0.isLetter && !$0.isNumber }) } ?? ""
    }
    /// The line with the cursor's mark.
    var focusedLine: String? { panel.first { $0.hasPrefix("▌") || $0.hasPrefix(">") } }
    /// The line at which the dragged item would be dropped.
    var landing: String? { lines.first { $0.contains("●━━") || $0.contains("○──") } }
}
