import EditorSessions
import TerminalCore
import TestSupport
import Testing
import TripModel

@testable import ItineraryUI

/// What users type by mistake or in another form, and the sentences about it.
@Suite struct WrongTryTests {
    @Test func `a count before a key without numbers says that the key did nothing`() throws {
        var editor = try Editor()
        editor.focus("Coffee")
        #expect(editor.type("3d") == [.bell])
        #expect(editor.status == "3d does nothing: d takes no number.")
    }

    @Test(arguments: [
        (":fri", 3), (":Wednesday", 8), (":4/5", 4), (":5/4", 4), (":6 apr", 5), (":3", 3), (":+1", 3),
        (":today", 2), (":tomorrow", 3),
    ])
    func `the key for a day takes weekdays, dates in either order, and days from today`(
        typed: String, day: Int
    ) throws {
        // Day 1 is Wednesday, 2 April 2025; today is day 2.
        let today = try #require(CalendarDate("2025-04-03"))
        var options = EditorOptions()
        options.today = { today }
        var editor = try Editor(options: options)
        let start = try #require(CalendarDate("2025-04-02"))
        for item in editor.sample.trip.items where item.isGame { try editor.sample.apply(.remove(item.id)) }
        try editor.sample.apply(.trip(TripChange(startDate: start, dayCount: 20)))
        editor.load()
        editor.type(typed)
        editor.press(.enter)
        #expect(editor.status.contains("Day \(day)") || editor.focusedLine?.contains("Day \(day) ") == true)
    }

    @Test func `two numbers that are both a day of the trip are no day`() throws {
        var editor = try Editor()
        let start = try #require(CalendarDate("2025-04-01"))
        for item in editor.sample.trip.items where item.isGame { try editor.sample.apply(.remove(item.id)) }
        try editor.sample.apply(.trip(TripChange(startDate: start, dayCount: 200)))
        editor.load()
        editor.type(":5/6")
        #expect(editor.press(.enter) == [.bell])
    }

    @Test func `a day before events asks before it is inserted, and the last one does not`() throws {
        var editor = try Editor()
        for item in editor.sample.trip.items where !item.isGame { try editor.sample.apply(.remove(item.id)) }
        editor.load()
        editor.focus("Brazil v Morocco")
        #expect(editor.type("+").isEmpty)
        #expect(editor.status.contains("keep their dates"), "\(editor.status)")
        editor.type("n")
        editor.press(.end)
        #expect(editor.type("+") != [])
    }

    @Test func `the question about a trip that changes meanwhile goes back to the list`() throws {
        let summer = SampleTrip.choice(77, "Summer", days: 9, items: 4)
        var editor = try Editor()
        editor.type("t")
        editor.send(.trips(TripList(trips: [summer])))
        editor.press(.character("x"), .control)
        editor.send(.trips(TripList(trips: [summer])))
        #expect(editor.status.contains("Delete Summer and its 4 items?"))
        editor.wait(milliseconds: 2_500)
        #expect(editor.effects.last == .listTrips)
        editor.send(.trips(TripList(trips: [SampleTrip.choice(77, "Summer", days: 9, items: 6)])))
        #expect(editor.status.contains("It was not deleted: Summer has 6 items now."))
        #expect(editor.type("y") == [.bell])
        editor.acknowledge()
        #expect(editor.press(.character("x"), .control) == [.listTrips], "Summer is still selected")
    }

    @Test func `an address without a scheme is one of the web, and noon is a time`() throws {
        var editor = try Editor(columns: 90, rows: 40)
        editor.focus("Beach")
        editor.type("e")
        editor.go(toField: "URL")
        editor.type("gracery.com/tokyo")
        editor.go(toField: "Time")
        editor.type("noon")
        guard case .apply(let edits)? = editor.press(.enter).last, case .update(_, let changes)? = edits.first
        else {
            Issue.record("\(editor.status)")
            return
        }
        #expect(changes.contains(.url("https://gracery.com/tokyo")))
        #expect(
            changes.contains {
                $0.field == .time && $0.value == ClockTime("12:00").map(FieldValue.time)
            })
    }

    @Test(arguments: ["mailto:ann@example.org", "http://x.org", "ann@example.org", "example.org:80"])
    func `only an address without a scheme, a user or a port gets a scheme`(text: String) throws {
        var editor = try Editor(columns: 90, rows: 40)
        editor.focus("Beach")
        editor.type("e")
        editor.go(toField: "URL")
        editor.type(text)
        let isValid = text.contains(":") && !text.hasSuffix("80")
        let written: [Did] = [.apply([.update(editor.sample.beach, [.url(text)])])]
        #expect(editor.press(.enter) == (isValid ? written : [.bell]))
    }

    @Test func `keys for a trip that is gone from the list have no effect on another one`() throws {
        let trips = [SampleTrip.choice(77, "Summer", days: 9), SampleTrip.choice(78, "Winter", days: 9)]
        for key in ["d", "e", "c"] {
            var editor = try Editor()
            editor.type("t")
            editor.send(.trips(TripList(trips: trips)))
            editor.send(.trips(TripList(trips: [trips[1]])))
            #expect(editor.type(key) == [.bell] && editor.status == "Summer is gone: choose another line.")
        }
    }

    @Test func `a cost without a currency is in that of the trip, if it has one`() throws {
        for (currencies, expected) in [(["JPY"], "JPY"), (["jpy", "EUR"], nil), ([], nil)] {
            var editor = try Editor(columns: 90, rows: 40)
            for (currency, id) in zip(currencies, [editor.sample.bell, editor.sample.dinner]) {
                try editor.sample.apply(.update(id, [.cost(Cost(amount: 5, currency: currency))]))
            }
            editor.load()
            editor.focus("Beach")
            editor.type("e")
            editor.go(toField: "Cost")
            editor.type("10,630")
            let written = expected.map { Cost(amount: 10_630, currency: $0) }
            let did = editor.press(.enter)
            #expect(did == (written.map { [.apply([.update(editor.sample.beach, [.cost($0)])])] } ?? [.bell]))
        }
    }

    @Test func `typing over the days of a trip replaces them, and its name is edited`() throws {
        var editor = try Editor()
        editor.type("r")
        editor.type(" 2")
        editor.press(.tab, .tab)
        editor.type("8")
        #expect(editor.lines.contains { $0.hasPrefix("  Name") && $0.contains("World Cup with Brazil 2") })
        #expect(editor.lines.contains { $0.hasPrefix("  Days") && $0.hasSuffix(" 8") }, "\(editor.text)")
    }

    @Test func `a dragged item that is let go on the bar stays, and on a hint that does what it says`() throws
    {
        for (column, drops) in [(75, false), (3, true)] {
            var editor = try Editor()
            editor.focus("Coffee")
            let row = try #require(editor.lines.firstIndex { $0.hasPrefix("▌") })
            editor.mouse(.press(.left), row: row)
            editor.mouse(.drag(.left), row: row + 2)
            editor.send(.dragGranted)
            editor.mouse(.drag(.left), row: 23, column: column)
            let done = editor.mouse(.release(.left), row: 23, column: column)
            #expect(done == (drops ? [.drop(.after(editor.sample.beach, day: 5))] : [.cancelDrag]))
        }
    }

    @Test func `a change that takes more than a second is shown as not saved`() throws {
        var editor = try Editor()
        editor.focus("Coffee")
        editor.type("d")
        #expect(!editor.lines[0].contains("not saved"))
        editor.wait(milliseconds: 1_000)
        #expect(editor.lines[0].contains("1 change not saved yet"))
        editor.send(.editAccepted(nil))
        #expect(!editor.lines[0].contains("not saved"))
    }

    @Test func `a start that comes twice is said, and an offset chooses the second`() throws {
        for (typed, offset, isSaid) in [
            ("2027-10-31 02:30", "+02:00", true), ("2027-10-31 02:30+01:00", "+01:00", false),
            ("02:30+01:00", "+01:00", false),
        ] {
            var editor = try Editor(columns: 110, rows: 40)
            let start = try #require(CalendarDate("2027-10-31"))
            for item in editor.sample.trip.items { try editor.sample.apply(.remove(item.id)) }
            try editor.sample.apply(.trip(TripChange(startDate: start, timeZone: "Europe/Zurich")))
            editor.load()
            editor.type("A")
            editor.press(.down, .down, .enter)
            editor.type("Twice")
            editor.go(toField: "Starts at")
            editor.press(.character("u"), .control)
            editor.type(typed)
            guard case .apply(let edits)? = editor.press(.enter).last,
                case .add(_, .game(let game), _)? = edits.first
            else {
                Issue.record("\(typed): \(editor.status)")
                continue
            }
            #expect(game.startsAt.text == "2027-10-31T02:30:00\(offset)")
            editor.send(.editAccepted(nil))
            let note =
                "02:30 comes twice on Sun 31 Oct 2027 in Europe/Zurich; the first (+02:00) is taken; "
                + "type 02:30+01:00 for the second."
            #expect(editor.status.contains(note) == isSaid, "\(editor.status)")
        }
    }
}
