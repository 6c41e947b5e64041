import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

@Suite struct FormTests {
    @Test("ITEM 8: e edits an item's fields in place, one edit for all that is different")
    func fields() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Dinner in Hoboken")
        editor.type("e")
        editor.expectScreen(
            """
              World Cup with Brazil                                             Ann
              Day 1 · Sat 13 Jun 2026 ─────────────────────────────────────────────
                 18:00  Brazil v Morocco                                   New York
            ▌ ⋮⋮    🍝  Dinner in Hoboken
              Day 2 · Sun 14 Jun 2026 ─────────────────────────────────────────────
              ⋮⋮        New York → Philadelphia                  train · 1 h 25 min
              ⋮⋮        Liberty Bell                                   Philadelphia
              Day 3 · Mon 15 Jun 2026 ─────────────────────────────────────────────
              ─────────────────────────────────────────────────────────────────────
            ▌ Title       Dinner in Hoboken
              Icon        🍝
              City
              Duration
              Cost
              Note
              ─────────────────────────────────────────────────────────────────────
              Title: Dinner in Hoboken
              Enter done  Esc cancel  Tab next field  Ctrl-U erase
            """)
        #expect(editor.state.frame().cursor == Frame.Position(row: 16, column: 26))
        editor.press(.tab, .tab)
        editor.type("Hoboken")
        editor.press(.down)
        editor.type("1:30")
        editor.press(.down)
        editor.type("40,50 USD")
        editor.press(.backTab, .backTab, .backTab, .backTab, .backTab)
        editor.type("with a view⏎late")
        #expect(
            editor.press(.enter) == [
                .apply([
                    .update(
                        editor.sample.dinner,
                        [
                            .city("Hoboken"), .durationMinutes(90),
                            .cost(Cost(amount: 40.5, currency: "USD")), .note("with a view\nlate"),
                        ])
                ])
            ])
        #expect(editor.focusedLine?.hasSuffix("Hoboken · 1 h 30 min") == true)
        editor.type("e")
        #expect(editor.lines.contains("  Cost        40.5 USD"))
        #expect(editor.press(.enter) == [], "nothing is different")
    }

    @Test(
        "ITEM 8: what the model refuses is said at the field that it is about",
        arguments: [
            ([Key.tab, .tab, .tab], "soon", "A duration is like 90, 1:30, 1 h 30 min or 2 h.", "Duration"),
            ([.tab, .tab, .tab], "9000 h", "A duration is 0 to 527040 minutes.", "Duration"),
            ([.tab, .tab, .tab, .tab], "12", "A cost is like 12.50 EUR.", "Cost"),
            ([.tab, .tab, .tab, .tab], "2e99 EUR", "A cost is like 12.50 EUR.", "Cost"),
            ([.tab], String(repeating: "é", count: 17), "Icon is too long: at most 32 bytes.", "Icon"),
            (
                [.tab, .tab], "e" + String(repeating: "\u{301}", count: 9),
                "There are too many marks on one character.", "City"
            ),
        ])
    func validation(keys: [Key], text: String, reason: String, field: String) throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Beach")
        editor.type("e")
        for key in keys { editor.press(key) }
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

    @Test("ITEM 8: travel's cities and mode are edited; an empty city is refused by the model")
    func travel() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Philadelphia → Miami")
        editor.type("e")
        #expect(editor.status == "From: Philadelphia")
        #expect(editor.lines[1].hasPrefix("  ───"), "above, as the item is below")
        editor.press(.character("u"), .control)
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "From must not be empty.")
        editor.type("Camden")
        editor.press(.tab, .tab)
        editor.press(.character("u"), .control)
        #expect(
            editor.press(.enter) == [
                .apply([.update(editor.sample.toMiami, [.fromCity("Camden"), .mode(nil)])])
            ])
        #expect(editor.focusedLine?.contains("Camden → Miami") == true)
    }

    @Test("ITEM 8: only what was changed here is sent, whatever others change meanwhile; a removal ends it")
    func remote() throws {
        var editor = try Editor(columns: 40, rows: 10)
        editor.focus("Beach")
        editor.type("e")
        editor.press(.tab, .tab)
        try editor.sample.apply(.update(editor.sample.beach, [.title("Playa")]))
        editor.load()
        editor.type("Miami")
        #expect(
            editor.press(.enter) == [.apply([.update(editor.sample.beach, [.city("Miami")])])])
        editor.send(.people([Person(name: "Ben", dragging: editor.sample.beach)]))
        #expect(editor.type("e") == [.bell])
        #expect(editor.status == "Ben is moving Playa.")
    }

    @Test("ITEM 8: durations and costs are read as people write them")
    func texts() throws {
        for (text, minutes) in [
            ("90", 90), ("1:30", 90), ("1h30", 90), ("1 h 30 min", 90), ("2h", 120), ("45 min", 45),
        ] {
            var editor = try Editor()
            editor.focus("Beach")
            editor.type("e")
            editor.press(.tab, .tab, .tab)
            editor.type(text)
            #expect(
                editor.press(.enter)
                    == [.apply([.update(editor.sample.beach, [.durationMinutes(minutes)])])], "\(text)")
        }
        for text in ["", "EUR 12", "12 EUR", "-3.25 CHF", "1.000,5 X", "1:75", "h", "12 1 EUR"] {
            var editor = try Editor()
            editor.focus("Beach")
            editor.type("e")
            editor.press(.tab, .tab, .tab, .tab)
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
}
