import EditorSessions
import ItineraryUI
import TerminalCore
import TripModel

/// An editor with a terminal that only counts bytes.
struct BenchScreen {
    private var state: EditorState
    private let renderer = FrameRenderer(colorDepth: .indexed256, synchronizesUpdates: true)
    private var shown: Frame?
    private(set) var trip: Trip
    private var now = Duration.zero
    private var alarm: Duration?
    private var live: PlayedTrip
    private static let author = Author(name: "Ben", at: Timestamp(milliseconds: 1_780_000_000_000))

    /// A trip of 50 days with `items` items, shown from its start.
    init(items: Int) throws {
        guard let start = CalendarDate(daysSince1970: 20_605) else { preconditionFailure("it is in 2026") }
        let header = TripHeader(
            id: TripID(high: 0, low: 1), slug: "bench", name: "A trip to measure",
            startDate: start, timeZone: "UTC", dayCount: 50)
        trip = try Trip(header: header, version: 1, items: (0..<items).map { Self.item($0, of: items) })
        live = PlayedTrip(TripView(trip: trip, problems: []))
        state = EditorState(
            userName: "Ann", options: EditorOptions(colorDepth: .indexed256))
        send(.resized(columns: 100, rows: 30))
        load()
        runToRest()
    }

    private static func item(_ index: Int, of count: Int) -> Item {
        Item(
            id: ItemID(high: 1, low: UInt64(index)),
            position: Position(day: index * 50 / count + 1, sortOrder: Double(index)),
            content: .custom(
                CustomItem(title: "Item number \(index)", city: "City \(index % 7)", durationMinutes: 30)),
            version: 1, modifiedAt: Timestamp(milliseconds: 0), modifiedBy: "Ann")
    }

    /// Sends an event; returns the number of bytes that the terminal gets.
    @discardableResult
    mutating func send(_ happening: Happening) -> Int {
        if case .timer = happening { alarm = nil }
        for event in live.happen(happening) { deliver(event) }
        let frame = state.frame()
        let bytes = renderer.bytes(for: frame, over: shown)
        shown = frame
        return bytes.count
    }

    private mutating func deliver(_ event: EditorEvent) {
        for effect in state.handle(event, now: now) {
            if case .wake(let delay) = effect { alarm = now + delay }
            if live.perform(effect) { deliver(.shown(live.takeView())) }
        }
    }

    /// Sends an event and waits until all animation has ended; returns all bytes.
    mutating func sendToRest(_ event: Happening) -> Int {
        send(event) + runToRest()
    }

    @discardableResult
    mutating func runToRest() -> Int {
        var bytes = 0
        while let next = alarm {
            now = max(now, next)
            bytes += send(.timer)
        }
        return bytes
    }

    /// The output of an idle editor during a time.
    mutating func rest(seconds: Int) -> (bytes: Int, wakes: Int) {
        let end = now + .seconds(seconds)
        var (bytes, wakes) = (0, 0)
        while let next = alarm, next <= end {
            now = next
            bytes += send(.timer)
            wakes += 1
        }
        now = end
        return (bytes, wakes)
    }

    @discardableResult
    mutating func load() -> Int {
        send(.loaded(TripView(trip: trip, problems: [])))
    }

    /// Another user changes a title on the screen.
    mutating func rename(to title: String) throws -> Int {
        try change(titleTo: title)
        return load()
    }

    /// Another user changes a title, which the editor has not received yet.
    mutating func change(titleTo title: String) throws {
        _ = try trip.apply([.update(trip.items[3].id, [.title(title)])], by: Self.author)
    }

    mutating func removeFirst() throws -> Int {
        for _ in 0..<30 { send(.input(.key(.down))) }
        _ = try trip.apply([.remove(trip.items[0].id)], by: Self.author)
        return load()
    }
}
