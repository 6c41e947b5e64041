import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// A remote change never changes the meaning of a key, and the user learns the outcome of each change.
@Suite struct SafeHandsTests {
    /// Ben removes an item.
    private static func remove(_ id: ItemID, _ editor: inout Editor) throws {
        let before = try #require(editor.sample.trip[id])
        try editor.sample.apply(.remove(id))
        var view = editor.sample.view
        view.news = [RemoteEdit(user: "Ben", before: before, after: nil)]
        editor.send(.loaded(view))
    }

    // MARK: Removed targets

    @Test func `the form of a removed item stays open, accepts text, and adds the item again or closes`()
        throws
    {
        var editor = try Editor(columns: 80, rows: 18)
        editor.focus("Liberty Bell")
        editor.type("e")
        try Self.remove(editor.sample.bell, &editor)
        #expect(editor.status == "Ben removed Liberty Bell. Enter adds it again, Esc leaves.")
        #expect(editor.type("dad quit") == [], "nothing of it is a command")
        #expect(editor.text.contains("Liberty Belldad quit"))
        let effects = editor.press(.enter)
        guard case .apply(let edits)? = effects.first, case .add(_, let content, let to)? = edits.first else {
            Issue.record("it is added again: \(effects)")
            return
        }
        #expect(content.title == "Liberty Bell")
        #expect(to == .after(editor.sample.toPhiladelphia, day: 2))
        #expect(editor.focusedLine?.contains("Liberty Belldad quit") == true)

        editor = try Editor(columns: 80, rows: 18)
        editor.focus("Liberty Bell")
        editor.type("e")
        try Self.remove(editor.sample.bell, &editor)
        #expect(editor.press(.escape) == [])
        #expect(editor.focusedLine?.contains("New York → Philadelphia") == true)
    }

    @Test func `a key for an item that others have just removed does not affect its neighbour`() throws {
        for keys in ["d", "dd", "J", "eDinner", "mday 1", "c", " jj d"] {
            var editor = try Editor(columns: 80, rows: 18)
            editor.focus("Liberty Bell")
            try Self.remove(editor.sample.bell, &editor)
            editor.wait(milliseconds: 60)
            #expect(editor.type(keys).allSatisfy { $0 == .bell }, "\(keys)")
            #expect(editor.status == "Ben removed Liberty Bell.")
            #expect(editor.bar == "Enter go on")
            editor.press(.enter)
            editor.wait(milliseconds: 1_000)
            #expect(editor.type("d") == [.apply([.remove(editor.sample.toPhiladelphia)])], "it has been seen")
        }
        var editor = try Editor(columns: 80, rows: 18)
        editor.focus("Liberty Bell")
        try Self.remove(editor.sample.bell, &editor)
        editor.wait(milliseconds: 600)
        editor.press(.down, .up)
        #expect(
            editor.type("d") == [.apply([.remove(editor.sample.toPhiladelphia)])],
            "a key to move says that it was seen")
    }

    @Test func `a removal within half a second of others' change asks first, and names the item`() throws {
        var editor = try Editor(columns: 80, rows: 18)
        editor.focus("Coffee")
        try Self.remove(editor.sample.bell, &editor)
        #expect(editor.type("d") == [])
        #expect(editor.status == "Remove Coffee? y/n")
        #expect(editor.type("aj") == [.bell, .bell], "only an answer is one")
        #expect(editor.type("y") == [.apply([.remove(editor.sample.coffee)])])
        #expect(editor.status == "Removed Coffee. u undoes it.")
    }

    @Test func `a question stays open if its subject is removed`() throws {
        var editor = try Editor(columns: 80, rows: 18)
        editor.focus("Brazil v Haiti")
        editor.type("d")
        try Self.remove(editor.sample.brazilHaiti, &editor)
        #expect(editor.status == "Ben removed it already. y/n")
        #expect(editor.type("q") == [])
        #expect(editor.status.hasPrefix("Nothing was removed."))
    }

    @Test func `after a key that fails because of a recent change, later keys are held`() throws {
        var editor = try Editor(columns: 80, rows: 18)
        editor.focus("Liberty Bell")
        editor.send(.people([Person(name: "Ben", dragging: editor.sample.bell)]))
        #expect(editor.type("edad").allSatisfy { $0 == .bell })
        #expect(editor.status == "Ben is moving Liberty Bell.")
        editor.press(.enter)
        editor.wait(milliseconds: 1_100)
        #expect(editor.type("e") == [.bell])
        #expect(editor.bar.hasPrefix("Space lift"), "this time it was on the screen")
    }

    @Test func `a list of places stays open and accepts text although another user drags its item`() throws {
        var editor = try Editor(columns: 80, rows: 18)
        editor.focus("Liberty Bell")
        editor.type("m")
        editor.send(.people([Person(name: "Ben", dragging: editor.sample.bell)]))
        editor.load()
        #expect(editor.type("/day 3") == [], "nothing of it is a command")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "Ben is moving Liberty Bell.")
    }

    @Test func `a title is added at the place where it was begun, even if the item above is removed`() throws
    {
        var editor = try Editor(columns: 80, rows: 18)
        editor.focus("New York → Philadelphia")
        editor.type("aWalk")
        try Self.remove(editor.sample.toPhiladelphia, &editor)
        #expect(editor.status == "New item: Walk")
        guard case .apply(let edits)? = editor.press(.enter).first, case .add(_, _, let to)? = edits.first
        else {
            Issue.record("it is added")
            return
        }
        #expect(to == .before(editor.sample.bell, day: 2))
    }

    @Test func `an item removed and restored while its form was open has the focus when the form closes`()
        throws
    {
        for key in [Key.enter, .escape] {
            var editor = try Editor(columns: 80, rows: 18)
            editor.focus("Liberty Bell")
            editor.type("e")
            let before = editor.sample
            try Self.remove(editor.sample.bell, &editor)
            editor.type("E")
            editor.sample = before
            editor.load()
            editor.press(key)
            #expect(editor.focusedLine?.contains("Liberty Bell") == true)
            editor.wait(milliseconds: 2_000)
            #expect(editor.type("d") == [.apply([.remove(editor.sample.bell)])])
        }
    }

    @Test(arguments: ["/Liberty", "?", "E", "t", "a"])
    func `a removal of the focused item while something else was open is reported on return`(keys: String)
        throws
    {
        var editor = try Editor(columns: 80, rows: 18)
        // Gives each list an entry.
        editor.send(.connection(.lost("gone")))
        editor.focus("Beach")
        editor.type("K")
        editor.send(.connection(.connected), .editRefused("no"))
        editor.focus("Liberty Bell")
        editor.type(keys)
        try Self.remove(editor.sample.bell, &editor)
        if keys == "/Liberty" { #expect(editor.status == "Ben removed Liberty Bell.") }
        editor.wait(milliseconds: 5_000)
        editor.press(.escape)
        #expect(editor.status.hasPrefix("Ben removed Liberty Bell."), "\(editor.status)")
        editor.wait(milliseconds: 500)
        #expect(editor.type("d").allSatisfy { $0 == .bell })
        #expect(editor.bar == "Enter go on")
        editor.press(.enter)
        // A search starts at the row where it was opened, which is another row now.
        if keys == "/Liberty" { editor.focus("New York → Philadelphia") }
        #expect(editor.type("d") == [.apply([.remove(editor.sample.toPhiladelphia)])])
    }

    @Test func `if the selected place no longer exists, no place is chosen until the user selects one`()
        throws
    {
        var editor = try Editor(columns: 80, rows: 24)
        editor.focus("Coffee")
        editor.type("m")
        for _ in 0..<40 where !(editor.focusedLine?.contains("after Liberty Bell") ?? false) {
            editor.press(.down)
        }
        try editor.sample.apply(.update(editor.sample.bell, [.title("Bell")]))
        editor.load()
        #expect(editor.focusedLine?.contains("after Bell") == true, "the same place by another name")
        try Self.remove(editor.sample.bell, &editor)
        #expect(editor.status == "Day 2 · after Bell is gone: choose another line.")
        #expect(editor.press(.enter).allSatisfy { $0 == .bell })
        #expect(editor.press(.enter).allSatisfy { $0 == .bell })
        editor.press(.up)
        editor.press(.down)
        #expect(editor.press(.enter).contains { if case .apply = $0 { true } else { false } })
    }

    @Test func `the selected place stays the same among others with the same text`() throws {
        var editor = try Editor(columns: 80, rows: 24)
        for _ in 0..<2 {
            try editor.sample.apply(
                .add(.random(), SampleTrip.custom("Twin"), to: .end(day: 3)))
        }
        editor.load()
        let twins = editor.sample.trip.shownIDs.filter { editor.state.title(of: $0) == "Twin" }
        editor.focus("Coffee")
        editor.type("m")
        for _ in 0..<40 where !(editor.focusedLine?.contains("after Twin") ?? false) { editor.press(.down) }
        editor.press(.down)
        #expect(editor.focusedLine?.contains("after Twin") == true)
        try Self.remove(editor.sample.bell, &editor)
        #expect(
            editor.press(.enter).contains(.apply([.move(editor.sample.coffee, to: .after(twins[1], day: 3))]))
        )
    }

    // MARK: Outcomes

    @Test func `reports of failed changes are kept until they are read`() throws {
        var editor = try Editor(columns: 80, rows: 18)
        editor.send(.connection(.lost("gone")))
        editor.focus("Beach")
        editor.type("K")
        editor.type("aLast")
        editor.press(.enter)
        editor.focus("Coffee")
        editor.type("d")
        try Self.remove(editor.sample.bell, &editor)
        editor.send(.connection(.connected), .editRefused("the trip has no item \(editor.sample.bell)"))
        editor.send(.editAccepted(nil), .editUnknown("the daemon has gone"))
        #expect(
            editor.status.hasPrefix(
                "2 changes not done; E lists them. May or may not be saved: removing Coffee"))
        editor.press(.down)
        #expect(editor.status.hasSuffix("2 not done: E"))
        editor.type("E")
        #expect(
            editor.panel[1] == "▌ moving Beach to Day 5, 1 of 2: Liberty Bell has been removed")
        #expect(editor.panel[2] == "  May or may not be saved: removing Coffee: the daemon has gone")
        #expect(editor.status == "1 of 2.", "it is said once")
        #expect(editor.bar.hasPrefix("Enter read, clear the list  Esc keep it"))
        editor.press(.escape)
        #expect(editor.status.hasSuffix("2 not done: E"))
        editor.focus("Beach")
        editor.type("KE")
        // A message that arrives while the list is open is not in it, and is not marked as read.
        editor.send(.editRefused("Ben is moving it"))
        editor.press(.enter)
        #expect(editor.state.notDoneSentences.map { $0.hasSuffix("Ben is moving it") } == [true])
        editor.type("E")
        editor.press(.enter)
        #expect(!editor.status.contains("not done"))
        #expect(editor.state.notDoneSentences.isEmpty)
    }

    @Test func `a sentence longer than a line of the list continues on the next`() throws {
        var editor = try Editor(columns: 60, rows: 18)
        editor.focus("Beach")
        editor.type("K")
        let reason = "another user was faster, and this sentence is far too long for one row"
        editor.send(.editRefused(reason))
        editor.type("E")
        for word in reason.split(separator: " ") { #expect(editor.text.contains(word), "\(editor.text)") }
    }

    @Test func `while quitting waits for changes, a message says so on any screen`() throws {
        for keys in ["", "m", "/Be", "?", "t"] {
            var editor = try Editor(columns: 80, rows: 18)
            editor.focus("Beach")
            editor.type("K\(keys)")
            editor.send(.leaving)
            #expect(
                editor.statusAndBar.hasPrefix(
                    "Waiting for 1 change (moving Beach to Day 5, 1 of 2) before leaving. Ctrl-C leaves now."
                ),
                "\(keys)")
        }
        var editor = try Editor(columns: 80, rows: 18)
        let before = editor.text
        editor.send(.leaving)
        #expect(editor.text == before, "there is nothing to wait for")
    }

    @Test func `q asks if changes cannot be delivered, and names a single one, and Ctrl-C does not ask`()
        throws
    {
        var editor = try Editor(columns: 80, rows: 18)
        editor.send(.connection(.stopped))
        editor.focus("Beach")
        editor.type("K")
        #expect(editor.type("q") == [])
        #expect(
            editor.status == "The daemon has not confirmed moving Beach to Day 5, 1 of 2 yet. Leave "
                + "anyway? y/n")
        #expect(editor.type("n") == [])
        #expect(editor.type("q") == [])
        #expect(editor.type("y") == [.quit])
        #expect(editor.press(.character("c"), .control) == [.quit])
    }

    @Test func `a drag behind a question follows the trip, and its gap still exists`() throws {
        var editor = try Editor(columns: 100, rows: 40)
        editor.send(.connection(.stopped))
        editor.press(.end)
        for title in ["One", "Two", "Three"] {
            editor.type("a\(title)")
            editor.press(.enter)
        }
        editor.send(.input(.paste("Tea")))
        editor.press(.end)
        #expect(editor.list.last { !$0.isEmpty }?.contains("Tea") == true)
        editor.type("q")
        #expect(editor.status.contains("Leave anyway? y/n"))
        for _ in 0..<3 { editor.send(.editRefused("no")) }
        #expect(!editor.list.contains { $0.contains("Three") })
        editor.type("n")
        #expect(editor.list.last { !$0.isEmpty }?.contains("Tea") == true)
        #expect(applied(editor.type(" "))?.count == 1)
    }

    // MARK: Other users

    @Test func `a field that another user changes shows both values, and saving over it asks once`() throws {
        var editor = try Editor(columns: 80, rows: 18)
        editor.focus("Beach")
        editor.type("e")
        editor.press(.character("u"), .control)
        editor.type("BBB")
        let ben = Author(name: "Ben", at: Timestamp(milliseconds: 1_790_000_000_000))
        _ = try editor.sample.trip.apply(
            [.update(editor.sample.beach, [.title("AAA"), .city("Miami")])], by: ben)
        editor.load()
        #expect(editor.lines.contains { $0.contains("Title       BBB") && $0.hasSuffix("now AAA (Ben)") })
        #expect(editor.lines.contains { $0.contains("City        Miami") && $0.hasSuffix("(Ben)") })
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "Title is now AAA (Ben). Enter again saves BBB.")
        #expect(editor.press(.enter) == [.apply([.update(editor.sample.beach, [.title("BBB")])])])
    }

    @Test func `an idle drag is cancelled after two minutes`() throws {
        var editor = try Editor(columns: 80, rows: 18)
        editor.focus("Beach")
        editor.type(" k")
        editor.wait(milliseconds: 119_000)
        editor.type("k")
        editor.wait(milliseconds: 119_999)
        #expect(editor.landing != nil)
        editor.wait(milliseconds: 1)
        #expect(editor.effects.suffix(2) == [.cancelDrag, .bell])
        #expect(editor.status == "Beach is back where it was: it was idle for two minutes.")
        #expect(editor.landing == nil)
    }
}
