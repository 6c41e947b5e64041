import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// Times, starts, zones, costs and games in the forms that people write.
@Suite struct WrittenTextTests {
    @Test(
        arguments: [
            ("19:30", "19:30"), ("19.30", "19:30"), ("1930", "19:30"), ("930", "09:30"), ("9", "09:00"),
            ("7pm", "19:00"), ("7:30 PM", "19:30"), ("12am", "00:00"), ("12pm", "12:00"), ("24", nil),
            ("13pm", nil), ("0pm", nil), ("1960", nil), ("7:3", nil), ("pm", nil), ("12345", nil),
        ] as [(String, String?)])
    func `a time can be written in common forms`(text: String, time: String?) throws {
        let value = try? ItemField.time.value(written: text)
        #expect(value == time.flatMap { ClockTime($0) }.map { .time($0) })
    }

    @Test(
        arguments: [
            ("10,630 JPY", 10_630.0), ("¥10,630", 10_630), ("10.630 JPY", 10_630), ("1,234 EUR", 1234),
            ("1.234 EUR", 1234), ("-1,234 EUR", -1234), ("1,234.50 EUR", 1234.5),
            ("EUR 1.234.567,5", 1_234_567.5), ("1,234,567 EUR", 1_234_567), ("1.234 KWD", 1.234),
            ("12.5 eur", 12.5), ("0,125 EUR", 0.125), ("1,234 KWD", nil), ("1.2.3 EUR", nil),
        ] as [(String, Double?)])
    func `three digits after a separator are thousands if the currency has fewer decimals`(
        text: String, amount: Double?
    ) throws {
        let value = try? ItemField.cost.value(written: text)
        let read: Double? = if case .cost(let cost)? = value { cost.amount } else { nil }
        #expect(read == amount)
    }

    @Test func `a cost with three decimals is shown in a form that parses to the same cost`() throws {
        let trip = try SampleTrip().trip
        for cost in [Cost(amount: 1.234, currency: "EUR"), Cost(amount: -10.63, currency: "JPY")] {
            var item = CustomItem(title: "Fuel")
            item.cost = cost
            let text = try #require(ItemContent.custom(item).text(of: .cost, in: trip))
            #expect(try ItemField.cost.value(written: text) == .cost(cost), "\(text)")
        }
    }

    private func start(_ text: String, zone: String, _ editor: inout Editor) {
        editor.focus("Liberty Bell")
        editor.type("Ae")
        editor.type("Friendly")
        editor.go(toField: "Starts at")
        editor.type(text)
        editor.go(toField: "Time zone")
        editor.type(zone)
    }

    @Test(
        arguments: [
            ("16:30", "2026-06-14T16:30:00-04:00"), ("4:30 pm", "2026-06-14T16:30:00-04:00"),
            ("15 jun 1630", "2026-06-15T16:30:00-04:00"), ("15 jun 2026 7 pm", "2026-06-15T19:00:00-04:00"),
        ])
    func `a start is a time on the cursor's day, or a date and a time`(text: String, moment: String)
        throws
    {
        var editor = try Editor()
        start(text, zone: "new york", &editor)
        guard case .apply(let edits)? = editor.press(.enter).first,
            case .add(_, .game(let game), nil)? = edits.first
        else {
            Issue.record("a game is added")
            return
        }
        #expect(game.startsAt.text == moment)
        #expect(game.timeZone == "America/New_York", "a place that only one zone has is enough")
    }

    @Test func `a time that the zone's clock skips is refused`() throws {
        var editor = try Editor()
        start("2027-03-28 02:30", zone: "Europe/Zurich", &editor)
        #expect(editor.press(.enter) == [.bell])
        #expect(
            editor.statusAndBar.contains(
                "There is no 02:30 on Sun 28 Mar 2027 in Europe/Zurich: its clocks skip it."))
    }

    @Test func `a start without a time is refused, with the day in the message`() throws {
        var editor = try Editor()
        start("15 jun 2026", zone: "UTC", &editor)
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "A start is a date and a time, like 2026-06-14 18:00.")
    }

    @Test func `the day selects one of several games with the same title`() throws {
        var editor = try Editor()
        let (first, second) = (ItemID(high: 0, low: 50), ItemID(high: 0, low: 51))
        for (id, start) in [(first, "2026-06-14T18:00:00Z"), (second, "2026-06-15T18:00:00Z")] {
            let game = Game(
                gameID: start, title: "Tigers-Giants", city: "Tokyo",
                startsAt: try #require(OffsetDateTime(start)))
            try editor.sample.apply(.add(id, .game(game), to: nil))
        }
        editor.load()
        editor.focus("Philadelphia → Miami")
        editor.type("e")
        editor.go(toField: "After event")
        editor.type("tigers-giants")
        #expect(editor.press(.enter) == [.bell])
        #expect(
            editor.statusAndBar.hasPrefix(
                "2 events are called tigers-giants: add the day, like Tigers-Giants 14 Jun 2026."))
        editor.type(" 15 jun")
        editor.go(toField: "Before event")
        editor.type("no event")
        #expect(
            editor.press(.enter) == [
                .apply([
                    .update(editor.sample.toMiami, [.afterGame(.game(second)), .beforeGame(.open)])
                ])
            ])
        try editor.sample.apply(.update(editor.sample.toMiami, [.afterGame(.game(second))]))
        let content = try #require(editor.sample.trip[editor.sample.toMiami]?.content)
        #expect(content.text(of: .afterGame, in: editor.sample.trip) == "Tigers-Giants 15 Jun 2026")
    }
}
