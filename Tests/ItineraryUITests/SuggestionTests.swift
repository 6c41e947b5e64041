import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// Suggestions in forms and lists, and line editing keys.
@Suite struct SuggestionTests {
    private func newTrip() throws -> Editor {
        var options = EditorOptions()
        options.today = { CalendarDate("2027-03-01") ?? .epoch }
        options.timeZone = "Etc/UTC"
        var editor = try Editor(options: options)
        editor.type("t")
        editor.send(.trips(TripList(trips: [SampleTrip.choice(1, "World Cup with Brazil", days: 5)])))
        editor.press(.character("n"), .control)
        return editor
    }

    @Test func `the first written character replaces a suggestion`() throws {
        var editor = try newTrip()
        editor.type("Japan")
        editor.press(.tab)
        editor.type("1 apr")
        editor.press(.tab)
        editor.type("10")
        editor.press(.tab)
        editor.type("tokyo")
        #expect(
            editor.press(.enter) == [
                .createTrip(
                    TripPlan(
                        name: "Japan", startDate: try #require(CalendarDate("2027-04-01")),
                        timeZone: "Asia/Tokyo", dayCount: 10))
            ])
    }

    @Test func `a suggestion that is left or moved in is accepted`() throws {
        var editor = try newTrip()
        editor.type("Japan")
        editor.go(toField: "Days")
        editor.press(.end)
        editor.type("0")
        #expect(
            editor.press(.enter) == [
                .createTrip(
                    TripPlan(
                        name: "Japan", startDate: try #require(CalendarDate("2027-03-01")),
                        timeZone: "Etc/UTC", dayCount: 70))
            ])
    }

    @Test(arguments: [
        ("Paris", nil, "Europe/Paris"), ("Paris", "Asia/Tokyo", "Asia/Tokyo"),
        ("Atlantis", nil, "UTC"),
    ])
    func `an event is by the clock of its city unless a zone is written`(
        city: String, zone: String?, expected: String
    ) throws {
        var editor = try Editor()
        editor.type("Ae")
        editor.type("Gig")
        editor.go(toField: "Starts at")
        editor.type("14 jun 20:00")
        if let zone {
            editor.go(toField: "Time zone")
            editor.type(zone)
        }
        editor.go(toField: "City")
        editor.type(city)
        let done = editor.press(.enter)
        guard case .apply(let edits)? = done.first, case .add(_, .game(let game), _)? = edits.first else {
            Issue.record("\(done)")
            return
        }
        #expect(game.timeZone == expected)
        let local = try #require(
            WallClock(zone: expected)?.time(atSecondsSince1970: game.startsAt.secondsSince1970))
        #expect(local.date.description == "2026-06-14" && local.minute == 20 * 60)
    }

    @Test func `an untouched suggestion is shown in reverse, and Backspace deletes it`() throws {
        var editor = try newTrip()
        editor.go(toField: "Days")
        #expect(editor.styledText.contains("⟦reverse⟧7⟦"))
        editor.press(.backspace)
        #expect(editor.status == "Days:")
        #expect(!editor.styledText.contains("⟦reverse⟧"))
    }

    @Test func `existing text is not replaced by the first written character`() throws {
        var editor = try Editor()
        editor.focus("Beach")
        editor.type("e")
        editor.type("es")
        #expect(editor.status == "Title: Beaches")
    }

    @Test func `of the matching lines the first one that begins with the typed text is selected`() throws {
        var editor = try Editor()
        editor.type("A/ev")
        #expect(editor.focusedLine?.contains("Event") == true)
        editor.press(.enter)
        #expect(editor.text.contains("A new event"))
    }

    @Test func `the icon is the last field of a form`() throws {
        var editor = try Editor(rows: 40)
        editor.focus("Beach")
        editor.type("e")
        let labels = editor.list.map { String($0.dropFirst(2).prefix(12)).split(separator: " ").joined() }
        let title = try #require(labels.firstIndex(of: "Title"))
        #expect(labels[title + 1] == "Time")
        let icon = try #require(labels.firstIndex(of: "Icon"))
        #expect(icon == labels.count - 1)
    }

    @Test func `a line can be edited by words and to its end`() throws {
        var editor = try Editor()
        editor.type("a")
        editor.type("one two three")
        editor.press(.left, .control)
        editor.press(.character("b"), .alt)
        editor.type("1")
        #expect(editor.status == "New item: one 1two three")
        editor.press(.right, .control)
        editor.press(.character("k"), .control)
        #expect(editor.status == "New item: one 1two")
        editor.press(.character("b"), .alt)
        editor.press(.character("f"), .alt)
        editor.type("!")
        #expect(editor.status == "New item: one 1two!")
    }
}
