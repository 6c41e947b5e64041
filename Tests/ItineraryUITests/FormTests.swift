import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

@Suite struct FormTests {
    @Test func `e edits an item's fields in place, and sends all differences as one edit`() throws {
        var editor = try Editor(columns: 72, rows: 40)
        editor.focus("Dinner in Hoboken")
        editor.type("e")
        #expect(editor.lines[3].hasPrefix("▌   ⋮⋮    🍝  Dinner in Hoboken"), "the item stays in view")
        #expect(editor.lines.contains("▌ Title       Dinner in Hoboken"))
        #expect(editor.lines.contains("  Icon        🍝"))
        #expect(editor.lines.contains("  City"))
        #expect(editor.status == "Title: Dinner in Hoboken")
        #expect(editor.bar == "Enter save  Esc cancel  Tab next field  Ctrl-U erase")
        #expect(editor.state.frame().cursor == Frame.Position(row: 38, column: 26))
        editor.press(.tab)
        editor.type("19.30")
        editor.go(toField: "City")
        editor.type("Hoboken")
        editor.go(toField: "Duration")
        editor.type("1:30")
        editor.press(.down)
        editor.type("40,50 USD")
        editor.press(.backTab)
        editor.go(toField: "URL")
        editor.type("https://example.org/table")
        editor.go(toField: "Coordinate")
        editor.type("40.7439, -74.0324")
        editor.go(toField: "Note")
        editor.type("with a view⏎late")
        #expect(
            editor.press(.enter) == [
                .apply([
                    .update(
                        editor.sample.dinner,
                        [
                            .time(ClockTime("19:30")), .city("Hoboken"), .durationMinutes(90),
                            .cost(Cost(amount: 40.5, currency: "USD")), .url("https://example.org/table"),
                            .note("with a view\nlate"),
                            .coordinate(Coordinate(latitude: 40.7439, longitude: -74.0324)),
                        ])
                ])
            ])
        #expect(editor.focusedLine?.hasSuffix("Hoboken       1 h 30 min") == true)
        #expect(editor.focusedLine?.contains("19:30  🍝 Dinner in Hoboken") == true)
        editor.type("e")
        #expect(editor.lines.contains("  Cost        40.50 USD"))
        #expect(editor.press(.enter) == [], "nothing is different")
    }

    @Test(arguments: [
        ("Duration", "soon", "A duration is like 90, 1:30, 1 h 30 min or 2 h."),
        ("Duration", "9000 h", "A duration is 0 to 527040 minutes."),
        ("Cost", "12", "A cost is like 12.50 EUR."),
        ("Cost", "2e99 EUR", "A cost is like 12.50 EUR."),
        ("Cost", "-1,234 KWD", "Write -1234 KWD or -1.234 KWD: the comma may mean either."),
        ("Cost", "1.2.3 EUR", "A cost is like 12.50 EUR."),
        ("Coordinate", "0x10 0x20", "A coordinate is like 33.755 -84.401."),
        ("Icon", String(repeating: "é", count: 17), "Icon is too long: at most 32 bytes."),
        (
            "City", "e" + String(repeating: "\u{301}", count: 9),
            "One character has too many combining marks."
        ),
        ("Time", "half past seven", "A time is like 19:30, 1930 or 7pm."),
        ("Time", "24:60", "A time is like 19:30, 1930 or 7pm."),
        ("URL", "the web site", "An address begins with http://, https:// or mailto: and has no spaces."),
        ("Place", String(repeating: "é", count: 251), "Place is too long: at most 500 bytes."),
        ("Coordinate", "here", "A coordinate is like 33.755 -84.401."),
        ("Coordinate", "91 0", "A latitude is within ±90 degrees."),
    ])
    func `a refusal by the model is shown at its field`(field: String, text: String, reason: String) throws {
        var editor = try Editor(columns: 90, rows: 18)
        editor.focus("Beach")
        editor.type("e")
        editor.go(toField: field)
        editor.send(.input(.paste(text)))
        editor.press(.backTab)
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == reason)
        editor.press(.right)
        #expect(editor.status.hasPrefix("\(field): "), "the field is the one being edited")
        editor.press(.character("u"), .control)
        #expect(editor.press(.enter) == [])
        #expect(editor.focusedLine?.contains("Beach") == true)
    }

    @Test func `the cities and mode of travel can be edited, and the model refuses an empty city`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Philadelphia → Miami")
        editor.type("e")
        #expect(editor.status == "From: Philadelphia")
        #expect(editor.lines.contains { $0.hasPrefix("  ── Philadelphia → Miami ───") })
        editor.press(.character("u"), .control)
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "From must not be empty.")
        editor.type("Camden")
        editor.go(toField: "Mode")
        editor.press(.character("u"), .control)
        #expect(
            editor.press(.enter) == [
                .apply([.update(editor.sample.toMiami, [.fromCity("Camden"), .clear(.mode)])])
            ])
        #expect(editor.focusedLine?.contains("Camden → Miami") == true)
    }

    @Test func `only changed fields are sent, whatever others change, and a removal ends the form`() throws {
        var editor = try Editor(columns: 40, rows: 10)
        editor.focus("Beach")
        editor.type("e")
        editor.go(toField: "City")
        try editor.sample.apply(.update(editor.sample.beach, [.title("Playa")]))
        editor.load()
        editor.type("Miami")
        #expect(
            editor.press(.enter) == [.apply([.update(editor.sample.beach, [.city("Miami")])])])
        editor.send(.people([Person(name: "Ben", dragging: editor.sample.beach)]))
        #expect(editor.type("e") == [.bell])
        #expect(editor.status == "Ben is moving Playa.")
    }

    @Test func `durations and costs can be written in common forms`() throws {
        for (text, minutes) in [
            ("90", 90), ("1:30", 90), ("1h30", 90), ("1 h 30 min", 90), ("2h", 120), ("45 min", 45),
        ] {
            var editor = try Editor()
            editor.focus("Beach")
            editor.type("e")
            editor.go(toField: "Duration")
            editor.type(text)
            #expect(
                editor.press(.enter)
                    == [.apply([.update(editor.sample.beach, [.durationMinutes(minutes)])])], "\(text)")
        }
        for text in ["", "EUR 12", "12 EUR", "-3.25 CHF", "1.00,5 X", "1:75", "h", "12 1 EUR"] {
            var editor = try Editor()
            editor.focus("Beach")
            editor.type("e")
            editor.go(toField: "Cost")
            editor.type(text)
            let effects = editor.press(.enter)
            switch text {
            case "": #expect(effects == [])
            case "EUR 12", "12 EUR":
                #expect(
                    effects
                        == [
                            .apply([.update(editor.sample.beach, [.cost(Cost(amount: 12, currency: "EUR"))])])
                        ])
            case "-3.25 CHF":
                #expect(
                    effects == [
                        .apply([.update(editor.sample.beach, [.cost(Cost(amount: -3.25, currency: "CHF"))])])
                    ])
            default: #expect(effects == [.bell], "\(text)")
            }
        }
    }

    @Test(arguments: [
        ("1,5 EUR", 1.5), ("1,50 EUR", 1.5), ("1.234 KWD", 1.234), ("0,125 EUR", 0.125),
        ("1234,567 EUR", 1234.567),
        ("12,3456 EUR", 12.3456), (".5 EUR", 0.5), ("+5 EUR", 5), ("0.0000001 EUR", 1e-7),
    ])
    func `an amount has a decimal point or comma, and parses from its shown form`(
        text: String, amount: Double
    ) throws {
        var editor = try Editor()
        editor.focus("Beach")
        editor.type("e")
        editor.go(toField: "Cost")
        editor.type(text)
        let currency = String(text.suffix(3))
        let change = FieldChange.cost(Cost(amount: amount, currency: currency))
        #expect(editor.press(.enter) == [.apply([.update(editor.sample.beach, [change])])])
        try editor.sample.apply(.update(editor.sample.beach, [change]))
        editor.load()
        editor.type("e")
        #expect(editor.press(.enter) == [], "nothing is different")
        let content = try #require(editor.sample.trip[editor.sample.beach]?.content)
        let shown = try #require(content.text(of: .cost, in: editor.sample.trip))
        #expect(try ItemField.cost.value(written: shown) == content[.cost], "\(shown)")
    }

    @Test func `of a game only the users' fields can be edited`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Brazil v Haiti")
        editor.type("e")
        #expect(!editor.lines.contains { $0.hasPrefix("  Title") || $0.hasPrefix("  Venue") })
        editor.go(toField: "Note")
        editor.type("gate 7")
        #expect(editor.press(.enter) == [.apply([.update(editor.sample.brazilHaiti, [.note("gate 7")])])])
        editor.type("/gate")
        editor.press(.enter)
        #expect(editor.focusedLine?.contains("Brazil v Haiti") == true, "it is found by that")
    }

    @Test func `travel names its games by their titles`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Philadelphia → Miami")
        editor.type("e")
        editor.go(toField: "After event")
        editor.type("brazil v")
        #expect(editor.press(.enter) == [.bell])
        #expect(
            editor.statusAndBar.hasPrefix(
                "2 events begin with brazil v: write more of the title, like Brazil v Morocco."))
        editor.type(" haiti")
        #expect(
            editor.press(.enter) == [
                .apply([.update(editor.sample.toMiami, [.afterGame(.game(editor.sample.brazilHaiti))])])
            ])
        editor.type("e")
        editor.go(toField: "After event")
        #expect(editor.status == "After event: Brazil v Haiti")
    }
}
