import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// Pasted items are placed like dragged ones.
@Suite struct PasteTests {
    private static func added(_ effects: [Did]) -> [(title: String, to: Placement?)] {
        guard case .apply(let edits)? = effects.last else { return [] }
        return edits.compactMap { edit in
            guard case .add(_, let content, let to) = edit else { return nil }
            return (content.title, to)
        }
    }

    @Test func `a paste drags a new item below the cursor`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Liberty Bell")
        #expect(editor.send(.input(.paste("Mu\u{1B}seum \u{202E}of\tArt\u{7}\n"))) == [])
        #expect(editor.status == "Museum of Art is lifted, for days 1 to 5.")
        #expect(editor.landing?.contains("●━━ Museum of Art ━━ Day 2 · after Liberty Bell") == true)
        #expect(editor.press(.down, .down) == [], "no request is sent yet")
        let dragged = editor.list
        let added = Self.added(editor.press(.enter))
        #expect(added.map(\.title) == ["Museum of Art"])
        #expect(added.first?.to == .before(editor.sample.coffee, day: 4))
        #expect(editor.focusedLine?.contains("Museum of Art") == true)
        #expect(zip(dragged, editor.list).count { $0 != $1 } == 1, "it is where the line was")
        editor.send(.editAccepted(nil))
        #expect(editor.status == "Added Museum of Art. u undoes it.")
    }

    @Test func `several pasted lines are dragged together and dropped below each other, and Esc adds none`()
        throws
    {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Liberty Bell")
        editor.send(.input(.paste("Museum\n\n  Lunch  \r\nWalk")))
        #expect(editor.landing?.contains("●━━ Museum and 2 more ━━ Day 2") == true)
        #expect(editor.press(.escape) == [])
        #expect(editor.status == "Museum and 2 more are not added.")
        editor.send(.input(.paste("Museum\n\n  Lunch  \r\nWalk")))
        let effects = editor.type(" ")
        let added = Self.added(effects)
        #expect(added.map(\.title).sorted() == ["Lunch", "Museum", "Walk"])
        let row = try #require(editor.list.firstIndex { $0.contains("Museum") })
        #expect(editor.list[row + 1].contains("Lunch") && editor.list[row + 2].contains("Walk"))
    }

    @Test func `pasted hostile bytes never control the terminal or exceed the limits`() throws {
        var editor = try Editor(columns: 60, rows: 12)
        var decoder = InputDecoder()
        var bytes = Array("\u{1B}[200~".utf8)
        for _ in 0..<3_000 {
            bytes += [0x1B, 0x5B, 0x32, 0x4A, 0xFF, 0xC2, 0x9B, 0x00, 0x41, 0xE2, 0x80, 0xAE, 0x0A]
        }
        bytes += Array(
            String(
                repeating: "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
                count: 50
            ).utf8)
        bytes += Array("\u{1B}[201~".utf8)
        for event in decoder.feed(bytes) { editor.send(.input(event)) }
        #expect(editor.status.contains("and 2999 more are lifted"), "\(editor.status)")
        #expect(
            !editor.text.unicodeScalars.contains {
                $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}"
            })
        let added = Self.added(editor.type(" "))
        #expect(added.count == 3_000)
        for item in added {
            #expect(item.title.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
        }

        editor = try Editor(columns: 60, rows: 12)
        editor.send(.input(.paste(String(repeating: "長", count: 100_000))))
        let long = Self.added(editor.type(" "))
        #expect((500...TripLimits.textBytes).contains(long.first?.title.utf8.count ?? 0))
        editor = try Editor(columns: 60, rows: 12)
        #expect(editor.send(.input(.paste("\n \u{1B}\n"))) == [.bell])
        #expect(editor.status == "The pasted text has no title.")
    }

    @Test func `while a new item is dragged, others' changes are deferred and counted`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Liberty Bell")
        editor.send(.input(.paste("Museum")))
        let held = editor.list
        for _ in 0..<3 {
            try editor.sample.apply(.move(editor.sample.coffee, to: .end(day: 5)))
            editor.send(.waiting(0), .loaded(editor.sample.view))
        }
        #expect(editor.list == held)
        #expect(editor.status.hasSuffix("3 changes waiting"))
        editor.send(.announced("Ben moved Coffee to Day 5, 3 of 3"))
        #expect(editor.status.hasPrefix("Museum is lifted"), "the message is about the lifted item")
        editor.type(" ")
        #expect(!editor.status.contains("waiting"))
        #expect(editor.list.last { !$0.isEmpty }?.contains("Coffee") == true)
        editor.send(.input(.paste("Tea")), .connection(.lost("gone")))
        #expect(editor.landing != nil, "the item is lifted in this editor only")
    }

    @Test func `a paste of any length is one change, and is refused as a whole if the trip has no room`()
        throws
    {
        for count in [129, 1_000] {
            var editor = try Editor()
            editor.send(.input(.paste((1...count).map { "Line \($0)" }.joined(separator: "\n"))))
            guard case .apply(let edits)? = editor.type(" ").last else {
                Issue.record("\(count) lines are not one change")
                continue
            }
            let before = editor.sample.trip
            for edit in edits { try editor.sample.apply(edit) }
            let after = editor.sample.trip
            let titles = after.items.filter { before[$0.id] == nil }.map(\.content.title)
            #expect(titles == (1...count).map { "Line \($0)" }, "in the order of the lines")
            #expect(before.items.allSatisfy { after[$0.id]?.position == $0.position }, "no day is re-spaced")
        }
        var editor = try Editor()
        editor.send(.input(.paste("Tea")))
        let many = String(repeating: "Line\n", count: TripLimits.items)
        #expect(editor.send(.input(.paste(many))) == [.bell])
        #expect(editor.status.contains("10000 lines pasted, but the trip has room for"), "\(editor.status)")
        #expect(Self.added(editor.type(" ")).map(\.title) == ["Tea"])
        #expect(editor.send(.input(.longPaste)) == [.bell])
        #expect(editor.status.hasSuffix("nothing was pasted."))
    }

    @Test func `several lines pasted into the line for a new item become an item each, with the typed text`()
        throws
    {
        var editor = try Editor()
        editor.focus("Coffee")
        editor.type("aTea and ")
        editor.send(.input(.paste("cake\nMuseum\n")))
        #expect(editor.status.hasPrefix("Tea and cake and 1 more are lifted"), "\(editor.status)")
        #expect(Self.added(editor.type(" ")).map(\.title) == ["Tea and cake", "Museum"])
    }

    @Test func `a note keeps pasted line breaks and has a key for one, and other fields have one line`()
        throws
    {
        var editor = try Editor(columns: 100)
        editor.focus("Coffee")
        editor.type("e")
        #expect(editor.press(.enter, .alt) == [.bell])
        #expect(editor.status == "Only a note can have several lines.")
        editor.go(toField: "Note")
        editor.send(.input(.paste("one\n\ttwo\n\n")))
        editor.press(.enter, .alt)
        editor.type("three")
        guard case .apply(let edits)? = editor.press(.enter).last else {
            Issue.record("the note is changed")
            return
        }
        #expect(edits == [.update(editor.sample.coffee, [.note("one\n two\nthree")])])
        editor.focus("Coffee")
        editor.type("e")
        editor.send(.input(.paste(" and\ntea")))
        #expect(editor.status.hasPrefix("Title: Coffee and tea"), "\(editor.status)")
    }

    @Test(arguments: [
        ("/tmp/my games.csv", "/tmp/my games.csv"), ("'/tmp/my games.csv' ", "/tmp/my games.csv"),
        ("\"/tmp/a.CSV\"", "/tmp/a.CSV"), ("/tmp/my\\ games.csv\n", "/tmp/my games.csv"),
        ("file:///tmp/my%20games.csv", "/tmp/my games.csv"), ("file://host/tmp/a.csv", "/tmp/a.csv"),
        ("games.csv", "games.csv"), ("~/games.csv", "~/games.csv"), ("'/tmp/a.ics'", "/tmp/a.ics"),
        ("file:///tmp/a.ics", "/tmp/a.ics"), ("/tmp/a.JSON", "/tmp/a.JSON"),
        ("'/tmp/it'\\''s.ics'", "/tmp/it's.ics"), ("'file:///tmp/a%20b.json'", "/tmp/a b.json"),
    ])
    func `the pasted name of a schedule file requests a preview`(pasted: String, path: String) throws {
        var editor = try Editor(columns: 72, rows: 18)
        #expect(editor.send(.input(.paste(pasted))) == [.previewImport(path: path)])
        #expect(editor.landing == nil)
    }

    @Test func `a pasted sentence that ends in .csv, or the name of another file, becomes a title`() throws {
        for text in ["Read about games.csv", "/tmp/games.txt", ".csv", "a.csv\nb.csv"] {
            var editor = try Editor(columns: 72, rows: 18)
            #expect(editor.send(.input(.paste(text))) == [])
            #expect(editor.landing != nil, "\(text)")
        }
    }

    @Test func `any other dropped file adds an item with its name`() throws {
        for (text, title) in [
            ("'/home/ann/Boarding pass.pdf'", "Boarding pass"), ("/home/ann/Notes", "Notes"),
            ("file:///home/ann/My%20map.png", "My map"), ("~/.plan", ".plan"), ("/either way", "/either way"),
            ("and/or", "and/or"),
        ] {
            var editor = try Editor(columns: 72, rows: 18)
            editor.send(.input(.paste(text)))
            #expect(editor.landing?.contains("●━━ \(title) ━━") == true, "\(text)")
        }
    }

    @Test func `the preview lists the changes of an import, which Enter applies and Esc does not`() throws {
        var editor = try Editor(columns: 64, rows: 12)
        let edits: [Edit] = [.remove(editor.sample.beach), .remove(editor.sample.bell)]
        let preview = ImportPreview(
            name: "games.csv", result: "1 new, 0 changed", lines: ["2 games are new", "line 4: no time"],
            hasChanges: true)
        #expect(editor.send(.input(.paste("games.csv"))) == [.previewImport(path: "games.csv")])
        #expect(editor.state.keepsInput, "keys are for what is to come")
        editor.send(.importPreview(preview))
        #expect(
            editor.heading == "Import games.csv?"
                && editor.panel.dropFirst() == ["▌ 2 games are new", "  line 4: no time"])
        #expect(editor.press(.escape) == [])
        editor.send(.importPreview(preview))
        #expect(editor.list.first?.contains("Day 1") == true, "no operation waits for it")
        editor.send(.input(.paste("games.csv")), .importPreview(preview))
        #expect(editor.press(.enter) == [.takeImport])
        #expect(editor.send(.importEdits(edits)) == [.apply(edits)], "as one change, with one undo")
        editor.send(.input(.paste("games.csv")))
        editor.send(
            .importPreview(
                ImportPreview(name: "games.csv", result: "1 new, 0 changed", lines: [], hasChanges: false)))
        #expect(editor.status == "games.csv: there is nothing to import.")
        #expect(editor.send(.failed("games.csv: no such file")) == [.bell])
    }

    @Test func `if an import would have another result by now, the preview is shown again`() throws {
        var editor = try Editor(columns: 80, rows: 12)
        let first = ImportPreview(
            name: "games.csv", result: "1 new, 0 changed", lines: ["2 new"], hasChanges: true)
        let second = ImportPreview(
            name: "games.csv", result: "1 new, 0 changed", lines: ["1 new"], hasChanges: true)
        editor.send(.input(.paste("games.csv")), .importPreview(first))
        #expect(editor.press(.enter) == [.takeImport])
        #expect(editor.send(.importPreview(second)) == [.bell])
        #expect(editor.panel[1] == "▌ 1 new")
        #expect(editor.status == "The trip has changed since: this is what the import would do now.")
        #expect(editor.press(.enter) == [.takeImport])
    }

    @Test func `c drags a copy of an item with all its fields`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.focus("Philadelphia → Miami")
        #expect(editor.type("c") == [])
        #expect(editor.landing?.contains("●━━ Philadelphia → Mia… ━━ Day 4") == true)
        let effects = editor.press(.down, .enter)
        guard case .apply(let edits)? = effects.last, case .add(let id, let content, let to)? = edits.first
        else {
            Issue.record("an item is added")
            return
        }
        #expect(content == editor.sample.trip[editor.sample.toMiami]?.content)
        #expect(id != editor.sample.toMiami)
        #expect(to == .before(editor.sample.scotlandBrazil, day: 5))
        editor.focus("Brazil v Haiti")
        #expect(editor.type("c") == [.bell])
        #expect(editor.status == "An event cannot be copied.")
        editor.press(.home)
        #expect(editor.type("c") == [.bell])
    }

    @Test func `a copy of travel dropped at an invalid place is refused and does not return anywhere`() throws
    {
        var editor = try Editor(columns: 72, rows: 18)
        let before = editor.list
        editor.focus("Philadelphia → Miami")
        editor.type("c")
        editor.press(.home)
        #expect(editor.landing?.contains("○── Philadelphia → Miami ── must be on a day from 4 to 5") == true)
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.landing == nil)
        editor.press(.home, .down)
        #expect(editor.list == before)
    }
}
