import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// The trip menu, the trip form, and the days of a trip.
@Suite struct TripsTests {
    private static let today = CalendarDate("2027-03-01") ?? .epoch

    private func editor(loads: Bool = true) throws -> Editor {
        var options = EditorOptions()
        options.today = { Self.today }
        options.timeZone = "Europe/Berlin"
        return try Editor(loads: loads, options: options)
    }

    private var list: TripList {
        TripList(
            trips: [
                SampleTrip.choice(1, "World Cup with Brazil", days: 5, items: 9),
                SampleTrip.choice(77, "Summer", days: 9, items: 1),
            ],
            deleted: [
                DeletedTrip(
                    id: TripID(high: 0, low: 99), name: "Old", itemCount: 3, deleted: Self.today,
                    keptUntil: Self.today.adding(days: 30) ?? Self.today)
            ])
    }

    // MARK: The menu

    @Test func `a typed name that no trip has is that of the new trip`() throws {
        var editor = try Editor()
        editor.type("t")
        editor.send(.trips(list))
        editor.type("/Korea")
        #expect(editor.status.hasSuffix("no match; Enter makes it"))
        editor.press(.enter)
        #expect(editor.lines.contains { $0.hasPrefix("▌ Name") && $0.hasSuffix("Korea") })
    }

    @Test func `t lists the trips, opens another one, and offers a new one and deleted ones`() throws {
        var editor = try editor()
        #expect(editor.type("t") == [.listTrips])
        editor.send(.trips(list))
        #expect(editor.panel[1].hasPrefix("▌ World Cup with Brazil"))
        #expect(editor.panel[1].hasSuffix("open · Wed 1 Jul 2026, 5 days, 9 items"))
        #expect(editor.panel[2].hasSuffix("  Wed 1 Jul 2026, 9 days, 1 item"))
        #expect(editor.panel[3] == "  A new trip")
        #expect(
            editor.panel[4].hasSuffix("deleted, kept until Wed 31 Mar 2027"))
        #expect(editor.bar.hasPrefix("Enter open  Esc back  a add  e edit  c copy  d delete  / filter"))
        #expect(editor.press(.enter) == [])
        #expect(editor.status == "This trip is open already.")
        editor.send(.trips(list))
        #expect(editor.focusedLine?.contains("Brazil v Morocco") == true, "the user has not chosen")
        editor.type("t")
        #expect(editor.press(.escape) == [])
        editor.type("t")
        editor.send(.trips(list))
        editor.type("/summ")
        #expect(editor.press(.enter) == [.openTrip(TripID(high: 0, low: 77))])
        editor = try self.editor()
        editor.type("t")
        #expect(editor.send(.failed("the daemon is away")) == [.bell])
        #expect(editor.status == "the daemon is away")
    }

    @Test func `a new trip needs only a name, and dates can be written in common forms`() throws {
        var editor = try editor()
        editor.type("t")
        editor.send(.trips(list))
        editor.press(.character("n"), .control)
        #expect(editor.text.contains(" A new trip "))
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "A trip needs a name.")
        editor.type("Japan")
        var plan = TripPlan(
            name: "Japan", startDate: Self.today, timeZone: "Europe/Berlin", dayCount: 7)
        var other = editor
        #expect(other.press(.enter) == [.createTrip(plan)])
        #expect(other.status == "Creating Japan…")

        func write(_ text: String) {
            editor.press(.tab)
            editor.press(.character("u"), .control)
            editor.type(text)
        }
        write("1 apr")
        write("400")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "A trip has 1 to 366 days.")
        editor.press(.character("u"), .control)
        editor.type("10")
        write("JST")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status.contains("perhaps Asia/Tokyo"), "\(editor.status)")
        editor.press(.character("u"), .control)
        editor.type("asia/tokyo")
        plan = TripPlan(
            name: "Japan", startDate: try #require(CalendarDate("2027-04-01")), timeZone: "Asia/Tokyo",
            dayCount: 10)
        #expect(editor.press(.enter) == [.createTrip(plan)])
        editor.send(.failed("It is not made: the disk is full."))
        #expect(editor.status == "It is not made: the disk is full.")
        #expect(editor.text.contains("asia/tokyo"), "all that was written is there")
    }

    @Test(
        arguments: [
            ("2027-04-01", "2027-04-01"), ("1 Apr 2027", "2027-04-01"), ("Thu 1 Apr 2027", "2027-04-01"),
            ("april 1", "2027-04-01"), ("1.4.", "2027-04-01"), ("1.4.2028", "2028-04-01"),
            ("today", "2027-03-01"), ("Tomorrow", "2027-03-02"), ("1 feb", "2028-02-01"),
            ("2027 Apr 1", "2027-04-01"), ("31 Feb", nil), ("soon", nil), ("4/1", nil), ("12", nil),
            ("", nil),
        ] as [(String, String?)])
    func `a date is a valid calendar day, in every form that people write`(text: String, date: String?) throws
    {
        var editor = try editor()
        editor.type("r")
        editor.press(.tab)
        editor.press(.character("u"), .control)
        editor.type(text)
        let did = editor.press(.enter)
        guard let date else {
            #expect(did == [.bell])
            return
        }
        // All games would be outside the trip, so the editor asks first.
        #expect(did == [])
        #expect(editor.type("y") == [.apply([.trip(TripChange(startDate: CalendarDate(date)))])])
    }

    @Test func `the menu renames, redates and copies a trip that is not open`() throws {
        var editor = try editor()
        editor.type("t")
        editor.send(.trips(list))
        editor.press(.down)
        editor.press(.character("e"), .control)
        editor.type(" 2")
        let summer = TripID(high: 0, low: 77)
        #expect(editor.press(.enter) == [.changeTrip(summer, TripChange(name: "Summer 2"))])
        editor.send(.trips(list, said: "Changed."))
        #expect(editor.status == "Changed.")
        #expect(editor.focusedLine?.contains("Summer") == true)
        editor.press(.character("y"), .control)
        let plan = SampleTrip.choice(77, "Summer (copy)", days: 9).plan
        #expect(editor.press(.enter) == [.copyTrip(summer, plan)])
    }

    @Test func `a trip is deleted after a question with its name and the time limit for restoring it`() throws
    {
        var editor = try editor()
        editor.type("t")
        editor.send(.trips(list))
        editor.press(.down)
        #expect(editor.press(.character("x"), .control) == [.listTrips])
        editor.send(.trips(list))
        #expect(editor.focusedLine?.contains("Summer") == true, "the list stays behind the question")
        let screen = editor.statusAndBar
        #expect(screen.contains("Delete Summer and its 1 item? It can be restored here for 30 days."))
        #expect(editor.type("n") == [])
        #expect(editor.heading == "Open the trip", "back in the list")
        #expect(editor.focusedLine?.contains("Summer") == true, "and on its line")
        editor.press(.character("x"), .control)
        editor.send(.trips(list))
        #expect(editor.type("y") == [.deleteTrip(TripID(high: 0, low: 77))])
        editor.send(.trips(list, said: "Deleted Summer. It can be restored here until 2027-03-31."))
        #expect(editor.status == "Deleted Summer. It can be restored here until 2027-03-31.")
        for _ in 0..<3 { editor.press(.down) }
        #expect(editor.press(.character("x"), .control) == [.bell], "it is deleted already")
        #expect(editor.press(.enter) == [.restoreTrip(TripID(high: 0, low: 99))])
    }

    @Test
    func `the list of trips keeps its line after a form, and begins at the top when it is opened again`()
        throws
    {
        var editor = try editor()
        editor.type("t")
        editor.send(.trips(list))
        editor.press(.down)
        editor.press(.character("e"), .control)
        editor.press(.escape)
        #expect(editor.focusedLine?.contains("Summer") == true)
        editor.press(.escape)
        editor.type("t")
        editor.send(.trips(list))
        #expect(editor.focusedLine?.contains("World Cup") == true)
    }

    @Test func `a long name does not hide the dates and items of its trip`() throws {
        var editor = try editor()
        editor.type("t")
        let name = String(repeating: "Long ", count: 20)
        editor.send(.trips(TripList(trips: [SampleTrip.choice(5, name, days: 5, items: 9)])))
        #expect(editor.panel[1].hasPrefix("▌ Long Long"))
        #expect(editor.panel[1].hasSuffix("…  Wed 1 Jul 2026, 5 days, 9 items"))
    }

    // MARK: Without a trip

    @Test func `without trips there is the form of a new one, and closing it closes the editor`() throws {
        var editor = try editor(loads: false)
        #expect(editor.send(.lobby(.unnamed)) == [.listTrips])
        editor.send(.trips(TripList(trips: [])))
        #expect(editor.text.contains("A new trip"))
        editor.type("Japan")
        var other = editor
        guard case .createTrip(let plan)? = editor.press(.enter).first else {
            Issue.record("a trip is made")
            return
        }
        #expect(plan.name == "Japan" && plan.dayCount == 7)
        #expect(editor.send(.failed("no")) == [.bell])
        #expect(other.press(.escape) == [.quit])
    }

    @Test func `with several trips there is a list, and an unknown name can be created`() throws {
        var editor = try editor(loads: false)
        editor.send(.lobby(.unnamed))
        editor.send(.trips(list))
        #expect(editor.panel[1].contains("World Cup with Brazil"))
        var other = editor
        #expect(other.press(.escape) == [.quit])
        #expect(editor.press(.enter) == [.openTrip(TripID(high: 0, low: 1))])
        editor.send(.failed("It cannot be opened."), .trips(list))
        #expect(editor.panel[1].contains("World Cup with Brazil"), "there is nothing else to go back to")

        editor = try self.editor(loads: false)
        editor.send(.lobby(.missing("mytrip")))
        editor.send(.trips(list))
        #expect(editor.status == "There is no trip mytrip. Create it? y/n")
        other = editor
        other.type("n")
        #expect(other.heading == "Open the trip")
        editor.type("y")
        guard case .createTrip(let plan)? = editor.press(.enter).first else {
            Issue.record("a trip is made")
            return
        }
        #expect(plan.name == "mytrip")
    }

    // MARK: Days

    @Test func `+ inserts a day and first lists the moves, and travel stays if its games demand it`() throws {
        var editor = try editor()
        editor.focus("Liberty Bell")
        #expect(editor.type("+") == [])
        let screen = editor.statusAndBar
        #expect(screen.contains("Insert a day after day 2? 2 later items move one day later"), "\(screen)")
        #expect(screen.contains("Philadelphia → Miami stays, held by its events"), "\(screen)")
        let sample = editor.sample
        guard case .apply(let edits)? = editor.type("y").first else {
            Issue.record("it is done")
            return
        }
        #expect(edits.first == .trip(TripChange(dayCount: 6)))
        var trip = sample.trip
        _ = try trip.apply(edits, by: SampleTrip.author)
        #expect(trip[sample.beach]?.position.day == 6)
        #expect(trip[sample.coffee]?.position.day == 5)
        #expect(trip[sample.toMiami]?.position.day == 4)
        #expect(trip[sample.brazilHaiti]?.position.day == 4)
        #expect(trip.problems.isEmpty)
    }

    @Test func `- removes a day: an empty last day at once, others after a question with the effects`() throws
    {
        var editor = try editor()
        editor.focus("Beach")
        #expect(editor.type("-") == [])
        let screen = editor.statusAndBar
        #expect(screen.contains("Remove day 5? Its 1 item moves to day 4"), "\(screen)")
        #expect(screen.contains("Scotland v Brazil will be outside the trip"), "\(screen)")
        guard case .apply(let edits)? = editor.type("y").first else {
            Issue.record("it is done")
            return
        }
        var trip = editor.sample.trip
        _ = try trip.apply(edits, by: SampleTrip.author)
        #expect(trip.header.dayCount == 4)
        #expect(trip[editor.sample.beach]?.position.day == 4)

        editor = try self.editor()
        try editor.sample.apply(.trip(TripChange(dayCount: 6)))
        editor.load()
        editor.press(.end)
        #expect(editor.type("-") == [.apply([.trip(TripChange(dayCount: 5))])])
    }

    @Test func `the first day can be removed too, and its own items stay above those that move there`() throws
    {
        var editor = try editor()
        editor.focus("Dinner in Hoboken")
        editor.type("-")
        guard case .apply(let edits)? = editor.type("y").first else {
            Issue.record("it is done")
            return
        }
        let sample = editor.sample
        var trip = sample.trip
        _ = try trip.apply(edits, by: SampleTrip.author)
        #expect(
            trip.items(onDay: 1).map(\.id).suffix(3) == [sample.dinner, sample.toPhiladelphia, sample.bell])
    }

    @Test func `r changes the open trip, and asks first if items would move`() throws {
        var editor = try editor()
        editor.type("r")
        #expect(editor.text.contains("World Cup with Brazil: name, days, zone and rates"))
        editor.type("!")
        #expect(editor.press(.enter) == [.apply([.trip(TripChange(name: "World Cup with Brazil!"))])])
        editor.type("r")
        editor.press(.tab)
        editor.press(.tab)
        editor.press(.backspace)
        editor.type("4")
        #expect(editor.press(.enter) == [])
        let screen = editor.statusAndBar
        #expect(
            screen.contains("1 later item moves to day 4; Scotland v Brazil will be outside"), "\(screen)")
        #expect(editor.type("y") == [.apply([.trip(TripChange(dayCount: 4))])])
    }

    @Test func `the form of a trip sets its rates, and refuses a text that is none`() throws {
        var editor = try editor()
        func lastField() {
            editor.type("r")
            editor.press(.backTab)
        }
        lastField()
        #expect(editor.status.hasPrefix("Rates: ") && editor.status.hasSuffix("EUR, JPY:0.0061 EUR"))
        editor.type("JPY 0.0061")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.text.contains("“JPY 0.0061” is not a rate such as JPY:0.0061 EUR, nor a currency."))
        editor.press(.character("u"), .control)
        editor.type("eur")
        #expect(editor.press(.enter) == [.apply([.trip(TripChange(rates: "eur"))])])
        try editor.sample.apply(.trip(TripChange(rates: "eur")))
        editor.load()
        editor.send(.editAccepted(nil))
        lastField()
        try editor.sample.apply(.trip(TripChange(rates: "CHF")))
        editor.load()
        #expect(editor.text.contains("CHF"), "follows a change by others")
        editor.press(.character("u"), .control)
        #expect(editor.press(.enter) == [.bell], "it would overwrite CHF")
        #expect(editor.press(.enter) == [.apply([.trip(TripChange(rates: ""))])])
    }
}
