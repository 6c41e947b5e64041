import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// Open lists and questions show the present state.
@Suite struct FreshTests {
    private static let cup = SampleTrip.choice(1, "World Cup with Brazil", days: 5, items: 9)
    private static let alps = SampleTrip.choice(77, "Alps", days: 9, items: 1)

    private func withTrips(_ options: EditorOptions = EditorOptions()) throws -> Editor {
        var editor = try Editor(options: options)
        editor.type("t")
        editor.send(.trips(TripList(trips: [Self.cup, Self.alps])))
        return editor
    }

    @Test func `the open list of trips is refreshed, and the same trip stays selected`()
        throws
    {
        var editor = try withTrips()
        editor.press(.down)
        let asked = editor.effects.count { $0 == .listTrips }
        editor.wait(milliseconds: 2_000)
        #expect(editor.effects.count { $0 == .listTrips } == asked + 1)
        editor.send(.trips(TripList(trips: [Self.cup, SampleTrip.choice(78, "Zebra", days: 2), Self.alps])))
        #expect(editor.text.contains("Zebra"))
        #expect(editor.focusedLine?.contains("Alps") == true)
        editor.send(.trips(TripList(trips: [Self.cup])))
        #expect(!editor.text.contains("Zebra"))
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "Alps is gone: choose another line.")
    }

    @Test func `the list of trips is kept if it cannot be refreshed`() throws {
        var editor = try withTrips()
        editor.wait(milliseconds: 10_000)
        let effects = editor.state.handle(.failed(.trips, "the daemon is away"), now: editor.now)
        #expect(!effects.contains(.bell))
        #expect(editor.text.contains("Alps"))
    }

    @Test func `the open history is refreshed`() throws {
        var editor = try Editor()
        editor.type("H")
        let first = HistoryLine(user: "Ann", seconds: 1, summary: "added “Beach”", items: [])
        let older = HistoryLine(user: "Ann", seconds: 0, summary: "made the trip", items: [])
        editor.send(.history([first, older]))
        editor.press(.down)
        try editor.sample.apply(.update(editor.sample.beach, [.title("Playa")]))
        #expect(editor.send(.loaded(editor.sample.view)) == [.listHistory])
        let newest = HistoryLine(user: "Ben", seconds: 2, summary: "changed “Beach”", items: [])
        editor.send(.history([newest, first, older]))
        #expect(editor.text.contains("Ben changed “Beach”"))
        #expect(editor.focusedLine?.contains("made the trip") == true)
    }

    @Test func `a viewer is offered no new trip and no key that changes one`() throws {
        var options = EditorOptions()
        options.isViewer = true
        let editor = try withTrips(options)
        #expect(!editor.text.contains("A new trip"))
        #expect(!editor.bar.contains("add") && !editor.bar.contains("remove"))
    }

    @Test func `failed changes can be read from the list of trips`() throws {
        var editor = try Editor()
        editor.focus("Beach")
        editor.type("d")
        editor.send(.editRefused("the daemon's disk is full"))
        editor.send(.ended("the trip was deleted"))
        editor.acknowledge()
        editor.send(.lobby(.deleted), .trips(TripList(trips: [Self.alps])))
        #expect(editor.status.hasSuffix("1 not done: E"))
        editor.type("E")
        #expect(editor.text.contains("removing Beach"))
        #expect(editor.press(.enter) == [], "the editor is not left")
        #expect(editor.text.contains("Alps"))
        #expect(editor.bar.hasPrefix("Enter open  Esc quit"), "nothing is behind the list")
        #expect(editor.press(.escape) == [.quit])
    }

    @Test func `no key for failed changes is shown while text is being written`() throws {
        var editor = try Editor()
        editor.focus("Beach")
        editor.type("d")
        editor.send(.editRefused("the daemon's disk is full"))
        editor.type("a")
        #expect(editor.status.hasSuffix("1 not done"))
    }

    @Test func `after the only item of a day is removed the cursor stays on that day`() throws {
        var editor = try Editor()
        try editor.sample.apply(.move(editor.sample.beach, to: .end(day: 3)))
        editor.load()
        editor.focus("Beach")
        editor.type("d")
        #expect(editor.focusedLine?.contains("Day 3") == true)
        editor.focus("Coffee")
        editor.type("d")
        #expect(editor.focusedLine?.contains("Brazil v Haiti") == true)
    }

    @Test func `the question before a day is removed says that its game stays`() throws {
        var editor = try Editor()
        editor.focus("Brazil v Haiti")
        editor.type("-")
        #expect(editor.statusAndBar.contains("Brazil v Haiti keeps its date and stays on day 4"))
    }

    @Test func `another first day is confirmed if games keep their dates`() throws {
        var editor = try Editor()
        editor.type("r")
        editor.go(toField: "First day")
        editor.press(.character("u"), .control)
        editor.type("14 jun 2026")
        #expect(editor.press(.enter) == [])
        #expect(editor.statusAndBar.contains("6 items move 1 day later; 3 events keep their dates"))
    }
}
