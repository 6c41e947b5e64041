import EditorSessions
import Testing
import TripModel

@testable import ItineraryUI

/// Stays, attendance, two clocks and accepted problems in the editor.
@Suite struct RealTripTests {
    private static let hotel = ItemID(high: 9, low: 1)

    /// The sample with a stay of three nights from day 3 on, past the last day.
    private func editor() throws -> Editor {
        var editor = try Editor(columns: 80, rows: 24)
        let stay = CustomItem(title: "Hotel", endTime: ClockTime("10:00"), nights: 3)
        try editor.sample.apply(.add(Self.hotel, .custom(stay), to: .start(day: 3)))
        editor.load()
        return editor
    }

    /// The edits of the last effect, applied to the sample and shown.
    private func apply(_ effects: [Did], _ editor: inout Editor) throws -> [Edit] {
        guard case .apply(let edits)? = effects.last else {
            Issue.record("\(editor.status)")
            return []
        }
        for edit in edits { try editor.sample.apply(edit) }
        editor.load()
        return edits
    }

    @Test func `a stay has a line below the heading of each later day, which cannot be focused`() throws {
        var editor = try editor()
        let lines = editor.lines.filter { $0.contains("⌂") }
        #expect(
            lines.map { $0.trimmingPrefix { $0 == " " } } == [
                "⌂ Hotel · night 2 of 3", "⌂ Hotel · night 3 of 3",
            ])
        editor.focus("Hotel")
        editor.press(.down)
        #expect(editor.lines.contains { $0.hasPrefix("▌   Day 4") })
        editor.press(.down)
        #expect(editor.lines.contains { $0.hasPrefix("▌") && $0.contains("Coffee") })
    }

    @Test func `during a drag the lines of stays stay in place`() throws {
        var editor = try editor()
        editor.focus("Coffee")
        editor.type(" ")
        #expect(editor.lines.filter { $0.contains("⌂") }.count == 2)
        editor.press(.up)
        #expect(editor.lines.filter { $0.contains("⌂") }.count == 2)
    }

    @Test func `one key stops attending an event, attends it again, and applies to all selected ones`() throws
    {
        var editor = try editor()
        editor.focus("Brazil v Haiti")
        let off = try apply(editor.type("y"), &editor)
        #expect(off == [.update(editor.sample.brazilHaiti, [.attending(false)])])
        #expect(editor.lines.contains { $0.contains("Brazil v Haiti") && $0.contains("not attending") })
        #expect(
            try apply(editor.type("y"), &editor) == [.update(editor.sample.brazilHaiti, [.attending(true)])])
        editor.type("x")
        editor.focus("Brazil v Morocco")
        editor.type("x")
        #expect(try apply(editor.type("y"), &editor).count == 2)
        editor.focus("Hotel")
        #expect(editor.type("y") == [.bell])
        #expect(editor.status == "Only events can be attended.")
    }

    @Test func `in the list of problems a problem can be accepted, and that can be revoked`() throws {
        var editor = try editor()
        editor.type("!")
        #expect(editor.text.contains("1 problem, 1 hint"))
        let key = "stay_outside_trip:\(Self.hotel)"
        let edits = try apply(editor.press(.character("y"), .control), &editor)
        #expect(edits == [.trip(TripChange(acceptance: TripChange.Acceptance(of: key, true)))])
        #expect(editor.text.contains("0 problems, 1 hint") && editor.text.contains("intended"))
        let back = try apply(editor.press(.character("y"), .control), &editor)
        #expect(back == [.trip(TripChange(acceptance: TripChange.Acceptance(of: key, false)))])
    }

    @Test func `in the panel of things to do an entry is added, ticked off and removed, also with the mouse`()
        throws
    {
        var editor = try editor()
        editor.type("T")
        #expect(editor.bar == "Enter tick off  Esc back  a add  d remove  / filter")
        editor.type("aVisa")
        let added = try apply(editor.press(.enter), &editor)
        let id = try #require(editor.sample.trip.header.todo.first).id
        #expect(added == [.trip(TripChange(todo: TodoChange(id, text: "Visa")))])
        #expect(editor.text.contains("New:") && editor.text.contains("[ ] Visa"), "for the next entry")
        editor.press(.enter)
        #expect(editor.text.contains("To do, 1 of 1 left") && editor.text.contains("[ ] Visa"))
        let row = try #require(editor.lines.firstIndex { $0.contains("[ ] Visa") })
        let ticked = try apply(editor.click(row: row), &editor)
        #expect(ticked == [.trip(TripChange(todo: TodoChange(id, isDone: true)))])
        #expect(editor.text.contains("[x] Visa"))
        _ = try apply(editor.type(" "), &editor)
        #expect(editor.text.contains("[ ] Visa"))
        _ = try apply(editor.type("d"), &editor)
        #expect(editor.sample.trip.header.todo.isEmpty && !editor.text.contains("[ ] Visa"))
        editor.press(.escape)
        #expect(editor.state.context == .list)
    }

    @Test func `Enter adds text that no thing to do matches`() throws {
        var editor = try editor()
        editor.type("T")
        #expect(editor.status == "Nothing to do yet; a adds something.")
        #expect(editor.press(.enter) == [.bell] && editor.status == "Nothing to do yet; a adds something.")
        editor.type("/Visa")
        #expect(editor.status.hasSuffix("no match; Enter adds it"))
        _ = try apply(editor.press(.enter), &editor)
        #expect(editor.sample.trip.header.todo.map(\.text) == ["Visa"])
        editor.press(.enter)
        editor.type("/vis")
        _ = try apply(editor.press(.enter), &editor)
        #expect(editor.sample.trip.header.todo.map { $0.doneBy != nil } == [true], "a match is ticked off")
    }

    @Test func `Enter adds nothing after somebody has removed the selected thing to do`() throws {
        var editor = try editor()
        editor.type("TaVisa")
        _ = try apply(editor.press(.enter), &editor)
        editor.send(.editAccepted(nil))
        editor.press(.enter)
        editor.type("/vis")
        let id = try #require(editor.sample.trip.header.todo.first).id
        try editor.sample.apply(.trip(TripChange(todo: TodoChange(id, isRemoval: true))))
        editor.load()
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "Visa is gone: choose another line.")
    }

    @Test func `the to-do panel shows assignee, group and due date, and filters by them`() throws {
        var editor = try Editor()
        for (index, text) in ["Visa", "Hotel @ann #before due:2027-03-01"].enumerated() {
            let change = TodoChange(TodoID(high: 9, low: UInt64(index)), text: text)
            try editor.sample.apply(.trip(TripChange(todo: change)))
        }
        editor.load()
        editor.type("T")
        #expect(editor.panel[2].hasPrefix("  [ ] Hotel  "))
        #expect(editor.panel[2].hasSuffix("#before · @ann · by Mon 1 Mar 2027"))
        editor.type("/@ann")
        #expect(editor.panel[1].hasPrefix("▌ [ ] Hotel") && !editor.panel.contains { $0.contains("Visa") })
    }

    @Test func `I puts items aside as ideas, and p in the panel puts one on the day of the cursor`() throws {
        var editor = try Editor()
        editor.focus("Beach")
        let aside = try apply(editor.type("I"), &editor)
        #expect(aside.count == 2 && !editor.text.contains("Beach  "), "\(aside)")
        #expect(editor.sample.trip.header.todo.map(\.text) == ["Beach"])
        editor.send(.editAccepted(nil))
        editor.type("1GT")
        #expect(
            editor.panel[1].hasPrefix("▌ [ ] Beach") && editor.panel[1].hasSuffix("#ideas"), "\(editor.panel)"
        )
        #expect(editor.bar.contains("p plan"))
        let planned = try apply(editor.type("p"), &editor)
        #expect(planned.count == 2 && editor.state.context == .list)
        #expect(editor.sample.trip.header.todo.isEmpty)
        #expect(editor.sample.trip[editor.sample.beach]?.position.day == 1)
        editor.send(.editAccepted(nil))
        #expect(editor.focusedLine?.contains("Beach") == true)
        editor.type("3G")
        #expect(editor.type("I") == [.bell])
        editor.type("TaVisa")
        _ = try apply(editor.press(.enter), &editor)
        editor.press(.enter)
        #expect(!editor.bar.contains("p plan"))
        #expect(editor.type("p") == [.bell] && editor.status == "Visa is a thing to do, not an idea.")
    }

    @Test func `the mouse drags an idea from the panel to a day, and a click only selects it`() throws {
        var editor = try Editor(columns: 80, rows: 24)
        editor.focus("Beach")
        _ = try apply(editor.type("I"), &editor)
        editor.send(.editAccepted(nil))
        editor.type("TaVisa")
        _ = try apply(editor.press(.enter), &editor)
        editor.press(.enter)
        editor.type("1GT")
        let panel = try #require(editor.lines.firstIndex { $0.contains("[ ] Beach") })
        let coffee = try #require(editor.lines.firstIndex { $0.contains("Coffee") })
        editor.mouse(.press(.left), row: panel + 1)
        #expect(editor.mouse(.drag(.left), row: coffee) == [], "a thing to do stays")
        #expect(editor.mouse(.release(.left), row: coffee) == [] && editor.state.context == .todo)
        #expect(editor.click(row: panel) == [], "selected only")
        editor.mouse(.press(.left), row: panel)
        #expect(editor.mouse(.drag(.left), row: panel + 1) == [] && editor.state.context == .todo)
        editor.mouse(.drag(.left), row: coffee)
        #expect(editor.state.context == .drag)
        editor.press(.escape)
        #expect(editor.status == "Beach stays an idea.")
        editor.type("T")
        editor.mouse(.press(.left), row: panel)
        editor.mouse(.drag(.left), row: coffee)
        let row = try #require(editor.lines.firstIndex { $0.contains("Coffee") })
        editor.mouse(.drag(.left), row: row)
        let planned = try apply(editor.mouse(.release(.left), row: row), &editor)
        #expect(planned.count == 2 && editor.sample.trip.header.todo.map(\.text) == ["Visa"])
        #expect(editor.sample.trip[editor.sample.beach]?.position.day == 4)
    }

    @Test func `p plans an idea with the fields that somebody else has changed since the panel was opened`()
        throws
    {
        var editor = try Editor(columns: 80, rows: 24)
        editor.focus("Beach")
        _ = try apply(editor.type("I"), &editor)
        editor.send(.editAccepted(nil))
        editor.type("1GT")
        let idea = try #require(editor.sample.trip.header.todo.first)
        let changed = try #require(idea.item?.with([.url("https://beach.example")]))
        try editor.sample.apply(.trip(TripChange(todo: TodoChange(idea.id, item: changed))))
        editor.load()
        _ = try apply(editor.type("p"), &editor)
        #expect(editor.sample.trip[editor.sample.beach]?.content == changed)
    }

    @Test func `the mouse drags no other idea if the pressed one was planned by somebody else`() throws {
        var editor = try Editor(columns: 80, rows: 24)
        for title in ["Coffee", "Beach"] {
            editor.focus(title)
            _ = try apply(editor.type("I"), &editor)
            editor.send(.editAccepted(nil))
        }
        editor.type("1GT")
        let panel = try #require(editor.lines.firstIndex { $0.contains("[ ] Coffee") })
        editor.mouse(.press(.left), row: panel)
        let idea = try #require(editor.sample.trip.header.todo.first)
        for edit in try #require(idea.planning(at: nil)) { try editor.sample.apply(edit) }
        editor.load()
        editor.mouse(.drag(.left), row: 3)
        #expect(editor.state.context == .todo)
        editor.mouse(.release(.left), row: 3)
        #expect(editor.type("p") == [.bell])
        #expect(editor.status == "Coffee is gone: choose another line.")
    }

    @Test func `Enter on a debt in the list of costs records its payment, and on other lines nothing`() throws
    {
        var editor = try Editor(columns: 80, rows: 24)
        #expect(editor.type("$") == [] && editor.status == "Nothing has a cost.")
        let cost: [FieldChange] = [
            .cost(Cost(amount: 60, currency: "EUR")), FieldChange(.paidBy, .text("ann")),
            .sharedBy("ann, ben"),
        ]
        try editor.sample.apply(.update(editor.sample.beach, cost))
        editor.load()
        editor.type("$")
        #expect(
            editor.panel.dropFirst().prefix(5) == [
                "▌ EUR  sum 60.00", "  EUR  other 60.00", "  EUR  ann paid 60.00, share 30.00",
                "  EUR  ben paid 0.00, share 30.00", "  EUR  ben owes ann 30.00",
            ], "\(editor.panel)")
        #expect(editor.press(.enter) == [.bell] && editor.status == "Only a debt can be paid.")
        editor.press(.end)
        #expect(editor.bar.hasPrefix("Enter record the payment"))
        var other = editor
        _ = try apply(editor.press(.enter), &editor)
        let entry = try #require(editor.sample.trip.header.todo.first)
        #expect(entry.text == "ben pays ann 30.00 EUR" && entry.doneBy != nil)
        guard case .apply(let same)? = other.press(.enter).last else {
            Issue.record("\(other.status)")
            return
        }
        #expect(throws: Never.self) { for edit in same { try editor.sample.apply(edit) } }
        #expect(editor.sample.trip.header.todo == [entry], "another user who records it too")
        editor.send(.editAccepted(nil))
        #expect(editor.status.hasPrefix("Recorded: ben pays ann 30.00 EUR."))
        editor.type("$")
        #expect(editor.panel[4] == "  EUR  ben paid 0.00, share 30.00, gave 30.00" && editor.panel.count < 7)
    }

    @Test func `the list of costs follows changes by others, and keeps the selected debt`() throws {
        var editor = try Editor(columns: 80, rows: 24)
        func pay(_ amount: Double, _ payer: String) throws {
            let cost: [FieldChange] = [
                .cost(Cost(amount: amount, currency: "EUR")), FieldChange(.paidBy, .text(payer)),
                .sharedBy("ann, ben, cid"),
            ]
            try editor.sample.apply(.update(editor.sample.beach, cost))
            editor.load()
        }
        try pay(60, "ann")
        editor.type("$")
        editor.press(.end)
        try pay(90, "ann")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status.hasPrefix("EUR  cid owes ann 20.00 is gone"), "\(editor.status)")
        editor.press(.home)
        try editor.sample.apply(.update(editor.sample.beach, [FieldChange(.cost, nil)]))
        editor.load()
        #expect(editor.state.context == .list && editor.status == "Nothing has a cost any more.")
    }

    @Test func `each pasted line is a thing to do, all in one change`() throws {
        var editor = try editor()
        editor.type("TaTwo ")
        let added = try apply(editor.send(.input(.paste("tickets\n\nSocks\nVisa\n"))), &editor)
        #expect(added.count == 3)
        #expect(editor.sample.trip.header.todo.map(\.text) == ["Two tickets", "Socks", "Visa"])
        editor.press(.escape)
        #expect(editor.text.contains("To do, 3 of 3 left"))
    }

    @Test func `one key in the list of problems opens the side of travel that leaves it no place`() throws {
        var editor = try Editor(columns: 80, rows: 24)
        let home = ItemID(high: 9, low: 2)
        try editor.sample.apply(
            .add(
                home, .travel(Travel(fromCity: "Miami", toCity: "New York", beforeGame: .open)),
                to: .end(day: 5)),
            .update(home, [.clear(.beforeGame)]))
        editor.load()
        editor.type("!")
        let edits = try apply(editor.press(.character("o"), .control), &editor)
        #expect(edits == [.update(home, [.beforeGame(.open)])])
        #expect(editor.sample.trip.problems == [])
    }

    @Test(arguments: [ItemField.timeZone, .arrivalTimeZone])
    func `a zone is named by its place`(field: ItemField) throws {
        #expect(try field.value(written: "berlin") == .text("Europe/Berlin"))
    }

    @Test func `an arrival in local time gives the duration`() throws {
        var editor = try Editor()
        let start = try #require(OffsetDateTime("2026-06-17T12:00:00-07:00"))
        let game = Game(
            gameID: "la", title: "LA", city: "Los Angeles", startsAt: start, timeZone: "America/Los_Angeles")
        try editor.sample.apply(.add(ItemID(high: 9, low: 3), .game(game), to: nil))
        let trip = editor.sample.trip
        func minutes(_ text: String, _ time: String?) throws -> FieldChange? {
            let travel = Travel(
                fromCity: "Miami", toCity: "Los Angeles", time: time.flatMap(ClockTime.init),
                timeZone: "America/New_York")
            return try ArrivalText.changes(by: text, of: travel, at: nil, onDay: 4, in: trip).first
        }
        #expect(try minutes("11:00", "09:00") == .durationMinutes(300))
        #expect(try minutes("01:30 +1", "22:00") == .durationMinutes(390))
        #expect(throws: FieldObjection(reason: "An arrival needs the time of the departure.")) {
            try minutes("11:00", nil)
        }
        #expect(
            throws: FieldObjection(
                reason:
                    "The arrival at 01:30 (Los Angeles time) is before the departure at 22:00 (New York time); "
                    + "perhaps you mean 01:30+1.")
        ) { try minutes("01:30", "22:00") }
        for text in ["", "25:00", "11:00+9", "+1", "11:00+x"] {
            #expect(throws: FieldObjection.self) { try minutes(text, "09:00") }
        }
    }

    @Test func `the same value in other words is no change`() throws {
        var editor = try editor()
        editor.focus("Hotel")
        editor.type("e")
        editor.go(toField: "End time")
        editor.press(.character("u"), .control)
        editor.type("10am")
        let effects = editor.press(.enter)
        #expect(!effects.contains { if case .apply = $0 { true } else { false } })
        #expect(editor.status == "Nothing was changed.")
    }

    @Test func `the city of an event that is not attended is not suggested`() throws {
        var editor = try Editor(columns: 80, rows: 24)
        try editor.sample.apply(
            .update(editor.sample.brazilHaiti, [.attending(false)]), .remove(editor.sample.bell),
            .remove(editor.sample.toPhiladelphia))
        editor.load()
        editor.focus("Brazil v Haiti")
        editor.type("At")
        let from = try #require(editor.lines.first { $0.contains("From") })
        #expect(!from.contains("Philadelphia") && from.contains("New York"))
    }

    @Test func `travel that is added arrives by the clock of its city`() throws {
        var editor = try Editor(columns: 80, rows: 24)
        editor.focus("Coffee")
        editor.type("At")
        for (field, text) in [
            ("From", "Miami"), ("To", "Chicago"), ("Time", "17:05"), ("Duration", "arrives=10:40+1"),
        ] {
            editor.go(toField: field)
            editor.press(.character("u"), .control)
            editor.type(text)
        }
        let edits = try apply(editor.press(.enter), &editor)
        guard case .add(let id, .travel(let travel), _)? = edits.first else {
            Issue.record("\(editor.status)")
            return
        }
        #expect(travel.arrivalTimeZone == "America/Chicago")
        let arrival = TripClocks(editor.sample.trip).arrivalText(of: try #require(editor.sample.trip[id]))
        #expect(arrival == "→ 10:40 +1")
    }

    @Test func `an unknown zone of an event is reported at its field`() throws {
        var editor = try Editor(columns: 80, rows: 24)
        editor.type("Ae")
        editor.type("Perfume")
        editor.go(toField: "Starts at")
        editor.press(.character("u"), .control)
        editor.type("19:00")
        editor.go(toField: "Time zone")
        editor.press(.character("u"), .control)
        editor.type("osaka")
        editor.press(.enter)
        #expect(editor.status.contains("none is called osaka"))
    }

    @Test func `the details of a day say who owes whom`() throws {
        var editor = try Editor(columns: 140, rows: 24)
        try editor.sample.apply(
            .update(
                editor.sample.bell,
                [
                    .cost(Cost(amount: 10, currency: "USD")), FieldChange(.paidBy, .text("ann")),
                    FieldChange(.sharedBy, .text("ann, ben")),
                ]))
        editor.load()
        editor.press(.home)
        #expect(editor.text.contains("ben owes ann 5.00 USD"))
    }
}
