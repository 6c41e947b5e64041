import ItineraryUI
import TerminalCore
import TripModel

/// The editor's work for a key, in a trip of 500 items on a screen of 100 × 30.
struct ScreenParts {
    private let renderer = FrameRenderer(colorDepth: .indexed256, synchronizesUpdates: true)
    private var state: EditorState

    init() throws {
        state = EditorState(userName: "Ann", options: EditorOptions(colorDepth: .indexed256))
        let trip = try TripParts(items: 500).trip
        for event in [.resized(columns: 100, rows: 30), .shown(TripView(trip: trip, problems: []))]
            as [EditorEvent]
        {
            _ = state.handle(event, now: .zero)
        }
        _ = state.handle(.input(.key(.down)), now: .zero)
    }

    /// The bytes from one frame to the next and back.
    func difference(times: Int) {
        var state = state
        let upper = state.frame()
        _ = state.handle(.input(.key(.down)), now: .zero)
        let lower = state.frame()
        for number in 0..<times {
            let (from, to) = number.isMultiple(of: 2) ? (upper, lower) : (lower, upper)
            keep(renderer.bytes(for: to, over: from).count)
        }
    }

    /// The cursor moves one row down and back.
    func key(times: Int) {
        var state = state
        var shown = state.frame()
        for number in 0..<times {
            _ = state.handle(.input(.key(number.isMultiple(of: 2) ? .down : .up)), now: .zero)
            let next = state.frame()
            keep(renderer.bytes(for: next, over: shown).count)
            shown = next
        }
    }
}
