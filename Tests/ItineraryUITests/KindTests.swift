import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// New items of every kind, their times and costs, and their links.
@Suite struct KindTests {
    /// Writes into the form field with this label.
    private func write(_ label: String, _ text: String, _ editor: inout Editor) {
        editor.go(toField: label)
        editor.press(.character("u"), .control)
        editor.type(text)
    }

    private func addKind(_ words: String, _ editor: inout Editor) {
        editor.type("A/")
        editor.type(words)
        editor.press(.enter)
    }

    @Test func `the key A adds travel between the cities of the rows around it, where their games allow it`()
        throws
    {
        var editor = try Editor()
        try editor.sample.apply(.remove(editor.sample.toMiami))
        editor.load()
        editor.focus("Brazil v Haiti")
        addKind("travel", &editor)
        #expect(editor.text.contains(" New travel "))
        #expect(editor.text.contains("From        Philadelphia"))
        #expect(editor.text.contains("To          Miami"))
        write("Mode", "plane", &editor)
        write("Time", "7:10", &editor)
        guard case .apply(let edits)? = editor.press(.enter).first,
            case .add(_, .travel(let travel), let placement)? = edits.first
        else {
            Issue.record("travel is added")
            return
        }
        #expect(travel.fromCity == "Philadelphia" && travel.toCity == "Miami" && travel.mode == "plane")
        #expect(travel.time == ClockTime("07:10"))
        #expect(placement == .after(editor.sample.brazilHaiti, day: 4))
        editor.send(.editAccepted(nil))
        #expect(editor.status == "Added Philadelphia → Miami. u undoes it.")
    }

    @Test func `an item written with a time goes to the place of that time, else where it was written`()
        throws
    {
        let sample = try SampleTrip()
        // Before and after the day's game at 21:00, and without a time.
        let day = 4
        for (time, expected) in [
            ("20:00", Placement.before(sample.brazilHaiti, day: day)),
            ("23:00", .after(sample.brazilHaiti, day: day)),
            ("", .before(sample.brazilHaiti, day: day)),
        ] {
            var editor = try Editor()
            for item in editor.sample.trip.items(onDay: day) where !item.isGame {
                try editor.sample.apply(.remove(item.id))
            }
            editor.load()
            editor.focus("Day 4")
            addKind("visit", &editor)
            write("Title", "Supper", &editor)
            if !time.isEmpty { write("Time", time, &editor) }
            guard case .apply(let edits)? = editor.press(.enter).first,
                case .add(_, _, let place)? = edits.first
            else {
                Issue.record("it is added")
                continue
            }
            #expect(place == expected, "\(time)")
        }
    }

    @Test func `travel that is not allowed at the focus goes to the nearest valid place, with the reason`()
        throws
    {
        var editor = try Editor()
        editor.press(.home)
        addKind("travel", &editor)
        write("From", "Philadelphia", &editor)
        write("To", "Miami", &editor)
        guard case .apply(let edits)? = editor.press(.enter).first, case .add(_, _, let place)? = edits.first
        else {
            Issue.record("travel is added")
            return
        }
        #expect(place == .after(editor.sample.brazilHaiti, day: 4))
        editor.send(.editAccepted(nil))
        #expect(
            editor.status.hasPrefix("Added Philadelphia → Miami to day 4: it must be on a day from 4 to 5."))
    }

    @Test func `for travel home the side of the city with the earlier games is opened, with a message`()
        throws
    {
        var editor = try Editor()
        editor.focus("Beach")
        addKind("travel", &editor)
        write("From", "Miami", &editor)
        write("To", "Philadelphia", &editor)
        guard case .apply(let edits)? = editor.press(.enter).first,
            case .add(_, .travel(let travel), _)? = edits.first
        else {
            Issue.record("travel is added")
            return
        }
        #expect(travel.afterGame == nil && travel.beforeGame == .open)
        editor.send(.editAccepted(nil))
        #expect(
            editor.status.contains(
                "Nothing to reach in Philadelphia: its events are earlier (no event in “Before event”)."))
    }

    @Test func `travel between two named games in the wrong order is refused, and no event frees a side`()
        throws
    {
        var editor = try Editor()
        editor.focus("Beach")
        addKind("travel", &editor)
        write("From", "Miami", &editor)
        write("To", "Philadelphia", &editor)
        write("After event", "Scotland", &editor)
        write("Before event", "Brazil v Haiti", &editor)
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.statusAndBar.hasPrefix("Scotland v Brazil (day 5) is not before Brazil v Haiti (day "))
        write("Before event", "no event", &editor)
        guard case .apply(let edits)? = editor.press(.enter).first,
            case .add(_, .travel(let travel), _)? = edits.first
        else {
            Issue.record("travel is added")
            return
        }
        #expect(travel.afterGame == .game(editor.sample.scotlandBrazil))
        #expect(travel.beforeGame == .open)
    }

    @Test func `A adds a game with a start in its own zone, and e edits all its fields`() throws {
        var editor = try Editor()
        editor.focus("Liberty Bell")
        addKind("event", &editor)
        write("Title", "Friendly", &editor)
        write("City", "Chester", &editor)
        write("Starts at", "2026-06-14 16:30", &editor)
        write("Time zone", "America/New_York", &editor)
        guard case .apply(let edits)? = editor.press(.enter).first,
            case .add(let id, .game(let game), nil)? = edits.first
        else {
            Issue.record("a game is added")
            return
        }
        #expect(game.startsAt.text == "2026-06-14T16:30:00-04:00")
        #expect(game.city == "Chester" && game.gameID == "own-\(id)")
        editor.send(.editAccepted(nil))
        #expect(editor.focusedLine?.contains("16:30  Friendly") == true, "it is in focus")
        editor.type("e")
        write("Starts at", "14 Jun 2026 17:00", &editor)
        #expect(
            editor.press(.enter) == [
                .apply([.update(id, [.startsAt(try #require(OffsetDateTime("2026-06-14T17:00:00-04:00")))])])
            ])
        editor.focus("Brazil v Haiti")
        editor.type("e")
        #expect(!editor.text.contains("Starts at"), "a schedule's own are its schedule's")
    }

    @Test func `an invalid start is refused with a valid example`() throws {
        var editor = try Editor()
        addKind("event", &editor)
        write("Title", "Friendly", &editor)
        write("Starts at", "soon", &editor)
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "A start is a date and a time, like 2026-06-13 18:00.")
    }

    @Test func `costs are summed by day and for the whole trip, for each currency`() throws {
        var editor = try Editor(columns: 120, rows: 30)
        func cost(_ amount: Double, _ currency: String) -> FieldChange {
            .cost(Cost(amount: amount, currency: currency))
        }
        try editor.sample.apply(
            .update(editor.sample.dinner, [cost(40.5, "USD")]),
            .update(editor.sample.bell, [cost(0.1, "EUR")]),
            .update(editor.sample.beach, [cost(0.2, "EUR")]))
        editor.load()
        editor.press(.home)
        #expect(editor.status == "Day 1 · Sat 13 Jun 2026: 2 items, 1 event, 40.50 USD.")
        #expect(editor.lines[1].contains(" 1 event · 40.50 USD ─"))
        #expect(editor.text.contains("Whole trip  0.30 EUR + 40.50 USD"))
        // A game and travel can have a cost too.
        for item in editor.sample.trip.items where item.content.kind != .custom {
            try editor.sample.apply(.update(item.id, [cost(10, "EUR")]))
        }
        let others = editor.sample.trip.items.count { $0.content.kind != .custom }
        editor.load()
        editor.press(.home)
        #expect(editor.text.contains("Whole trip  \(10 * others).30 EUR + 40.50 USD"))
    }

    // MARK: Times

    @Test func `a timed item out of order is a problem, and = sorts the day with the fewest moves`() throws {
        var editor = try Editor()
        let (coffee, bell) = (editor.sample.coffee, editor.sample.bell)
        try editor.sample.apply(
            .move(bell, to: .end(day: 4)), .update(coffee, [.time(ClockTime("23:30"))]),
            .update(bell, [.time(ClockTime("20:00"))]))
        editor.load()
        #expect(editor.lines[0].contains("! 1 problem "))
        editor.focus("Coffee")
        guard case .apply(let edits)? = editor.type("=").first else {
            Issue.record("it is put right")
            return
        }
        #expect(edits.count == 2, "both were on the wrong side of the game")
        _ = try editor.sample.trip.apply(edits, by: SampleTrip.author)
        #expect(editor.sample.trip.problems.isEmpty)
        editor.load()
        #expect(editor.type("=") == [])
        #expect(editor.status.hasSuffix("is already in time order."))
    }

    // MARK: Links

    @Test func `o opens the link or the place, asks if there are both, and opens nothing else`() throws {
        var editor = try Editor()
        let (bell, beach, dinner) = (editor.sample.bell, editor.sample.beach, editor.sample.dinner)
        try editor.sample.apply(
            .update(bell, [.url("https://bell.example/?a=b"), .place("526 Market St & 6th")]),
            .update(beach, [.coordinate(Coordinate(latitude: 25.5, longitude: -80.25))]),
            .update(dinner, [.url("mailto:table@example.org")]))
        editor.load()
        editor.focus("Dinner in Hoboken")
        #expect(editor.type("o") == [.openLink("mailto:table@example.org")])
        editor.focus("Beach")
        #expect(editor.type("o") == [.openLink("https://www.openstreetmap.org/?mlat=25.5&mlon=-80.25")])
        editor.focus("Liberty Bell")
        #expect(editor.type("o") == [])
        #expect(editor.panel[1].hasPrefix("▌ The link"))
        editor.press(.down)
        #expect(
            editor.press(.enter) == [
                .openLink(
                    "https://www.openstreetmap.org/search?query=526%20Market%20St%20%26%206th%2C%20Philadelphia"
                )
            ])
        editor.focus("Coffee")
        #expect(editor.type("o") == [.bell])
        #expect(editor.status == "Coffee has no link and no place; e edits them.")
    }

    // MARK: Details

    @Test func `i shows all details below the list, on 80 and on 40 columns`() throws {
        for (columns, rows) in [(80, 24), (40, 16)] {
            var editor = try Editor(columns: columns, rows: rows)
            editor.focus("Philadelphia → Miami")
            #expect(!editor.text.contains("Duration"))
            editor.type("i")
            #expect(editor.text.contains("Mode        plane"))
            #expect(editor.text.contains("Duration    3 h"))
            #expect(editor.focusedLine?.contains("Philadelphia → M") == true, "the focus stays on the screen")
            editor.type("i")
            #expect(!editor.text.contains("Duration"))
        }
    }
}
