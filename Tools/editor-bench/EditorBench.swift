import ItineraryUI
import TerminalCore
import TripModel

/// Measures the editor without terminal and daemon: bytes written, and the time from an event to the bytes
/// that show its effect.
@main
enum EditorBench {
    static func main() throws {
        print("bytes written, 100×30, 500 items")
        try printBytes()
        print("\ntime from event to bytes in µs (median, 99th of 100), 100×30; columns: items")
        print(Table.row("", ["500", "10,000"]))
        let small = try Timing(items: 500)
        let large = try Timing(items: 10_000)
        for measure in Timing.Measure.allCases {
            print(Table.row(measure.rawValue, [small.text(of: measure), large.text(of: measure)]))
        }
    }

    private static func printBytes() throws {
        var screen = try BenchScreen(items: 500)
        screen.send(.input(.key(.down)))
        print(Table.row("one cursor step", ["\(screen.send(.input(.key(.down))))"]))
        print(Table.row("a cursor step that scrolls", ["\(try scrolling())"]))
        print(Table.row("one remote change: a title", ["\(try screen.rename(to: "Another name"))"]))
        print(Table.row("one remote change: an item above the screen goes", ["\(try screen.removeFirst())"]))
        screen.send(.input(.key(.home)))
        for _ in 0..<5 { screen.send(.input(.key(.down))) }
        screen.send(.input(.key(.character(" "))))
        screen.send(.dragGranted)
        screen.runToRest()
        print(
            Table.row(
                "one step of a drag, with its shuffle", ["\(screen.sendToRest(.input(.key(.down))))"]))
        screen.send(.input(.key(.escape)))
        screen.runToRest()
        let (bytes, wakes) = screen.rest(seconds: 60)
        print(Table.row("an idle minute", ["\(bytes), \(wakes) wake-ups"]))
    }

    /// The focus is at the lower edge of the list: the next step moves every line.
    private static func scrolling() throws -> Int {
        var screen = try BenchScreen(items: 500)
        for _ in 0..<40 { screen.send(.input(.key(.down))) }
        return screen.send(.input(.key(.down)))
    }
}

/// Lines of a report.
enum Table {
    static func row(_ name: String, _ values: [String]) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count))
        }
        return name + padded(name, 52) + values.map { padded($0, 16) + $0 }.joined()
    }
}
