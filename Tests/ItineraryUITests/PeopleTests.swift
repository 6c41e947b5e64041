import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// Other users' cursors, their changes, and viewers.
@Suite struct PeopleTests {
    /// The rows of the cursor that an event sends to the others.
    private func sentFocus(_ editor: inout Editor, _ event: EditorEvent) -> [ListRow?] {
        editor.state.handle(event, now: editor.now).compactMap { effect in
            if case .focus(let row) = effect { .some(row) } else { nil }
        }
    }

    @Test func `the row of the cursor is sent while others are there, and again only after it moves`() throws
    {
        var editor = try Editor()
        var view = editor.sample.view
        #expect(sentFocus(&editor, .input(.key(.down))) == [], "nobody else is here")
        view.people = [Person(name: "Ben")]
        #expect(sentFocus(&editor, .shown(view)) == [.item(editor.sample.dinner)])
        #expect(sentFocus(&editor, .shown(view)) == [])
        #expect(sentFocus(&editor, .input(.key(.down))) == [.day(2)])
        #expect(sentFocus(&editor, .input(.key(.down))) == [.item(editor.sample.toPhiladelphia)])
    }

    @Test func `a mark beside a row shows another user's cursor, and F follows it until the user moves`()
        throws
    {
        var editor = try Editor()
        #expect(editor.type("F") == [.bell])
        #expect(editor.status == "Nobody else is here.")
        editor.send(.people([Person(name: "Ben", focus: .item(editor.sample.coffee))]))
        #expect(editor.lines.contains { $0.hasPrefix("  B ⋮⋮") && $0.contains("Coffee") })
        #expect(editor.lines.contains { $0.hasPrefix("  B Day 4") }, "and on its day")
        editor.type("F")
        #expect(editor.status == "Following Ben; moving the cursor or changing something ends it.")
        #expect(editor.focusedLine?.contains("Coffee") == true)
        editor.send(.people([Person(name: "Ben", focus: .item(editor.sample.beach))]))
        #expect(editor.focusedLine?.contains("Beach") == true)
        editor.press(.up)
        editor.send(.people([Person(name: "Ben", focus: .item(editor.sample.coffee))]))
        #expect(editor.focusedLine?.contains("Scotland v Brazil") == true)
        editor.type("F")
        editor.send(.people([]))
        #expect(editor.status == "Ben has left.")
    }

    @Test func `a cursor on the heading of a day is shown there and followed, also where days are folded`()
        throws
    {
        var editor = try Editor()
        editor.send(.people([Person(name: "Ben", focus: .day(3))]))
        #expect(editor.lines.contains { $0.hasPrefix("  B Day 3") })
        editor.type("F")
        #expect(editor.statusAndBar.hasPrefix("Following Ben; moving the cursor"))
        #expect(editor.focusedLine?.contains("Day 3") == true)
        editor.send(.people([Person(name: "Ben", focus: .day(5))]))
        #expect(editor.focusedLine?.contains("Day 5") == true)
        try editor.sample.apply(.trip(TripChange(dayCount: 20)))
        editor.load()
        editor.wait(milliseconds: 1001)
        editor.type("z")
        editor.send(.people([Person(name: "Ben", focus: .day(15))]))
        #expect(editor.focusedLine?.contains("Days 6 to 20") == true)
        editor.wait(milliseconds: 1001)
        editor.type("z")
        #expect(editor.focusedLine?.contains("Day 15") == true, "the day of the followed cursor, unfolded")
        editor.wait(milliseconds: 1001)
        editor.type("z")
        #expect(editor.focusedLine?.hasPrefix("▌ B Days 6") == true)
    }

    @Test func `two people on one row are shown as two letters, and more as a letter and a plus`() throws {
        var editor = try Editor()
        let names = ["Ben", "Cy", "Dee"]
        for count in 1...3 {
            editor.send(
                .people(
                    names.prefix(count).enumerated().map {
                        Person(name: $1, id: $0, focus: .item(editor.sample.beach))
                    }))
            let marks = ["B ", "BC", "B+"][count - 1]
            #expect(
                editor.lines.contains { $0.hasPrefix("  \(marks)⋮⋮") && $0.contains("Beach") }, "\(count)")
        }
    }

    @Test func `a letter of two columns is drawn whole, or as a plus if there is no room`() throws {
        for (columns, mark) in [(80, "  花⋮⋮"), (50, "  +⋮⋮")] {
            var editor = try Editor(columns: columns)
            editor.send(.people([Person(name: "花子", focus: .item(editor.sample.beach))]))
            #expect(
                editor.lines.contains { $0.hasPrefix(mark) && $0.contains("Beach") }, "\(editor.lines)")
        }
        var editor = try Editor()
        editor.send(
            .people([
                Person(name: "花子", id: 1, focus: .item(editor.sample.beach)),
                Person(name: "Ben", id: 2, focus: .item(editor.sample.beach)),
            ]))
        #expect(editor.lines.contains { $0.hasPrefix("  花⋮⋮") && $0.contains("Beach") })
    }

    @Test func `the pane names each person with their letter and their place`() throws {
        var editor = try Editor(columns: 140, rows: 40)
        editor.send(
            .people([
                Person(name: "Ben", id: 1, focus: .item(editor.sample.beach)),
                Person(name: "Bob", id: 2, focus: .day(3)),
            ]))
        #expect(editor.lines.contains { $0.hasSuffix("│ B Ben, at Beach, Day 5") })
        #expect(editor.lines.contains { $0.hasSuffix("│ o Bob, at Day 3") })
    }

    @Test func `users with the same first letter have different letters`() throws {
        var editor = try Editor()
        editor.send(
            .people([
                Person(name: "Bob", id: 1, focus: .item(editor.sample.coffee)),
                Person(name: "Ben", id: 2, focus: .item(editor.sample.beach)),
                Person(name: "Ben", id: 3, focus: .item(editor.sample.bell)),
            ]))
        #expect(editor.lines.contains { $0.hasPrefix("  o ⋮⋮") && $0.contains("Coffee") })
        #expect(editor.lines.contains { $0.hasPrefix("  B ⋮⋮") && $0.contains("Beach") })
        #expect(editor.lines.contains { $0.contains("B ⋮⋮") && $0.contains("Liberty Bell") })
    }

    @Test func `several windows of one user are shown as one name with a number`() throws {
        var editor = try Editor()
        editor.send(
            .people([Person(name: "Ben", id: 1), Person(name: "Ann", id: 2), Person(name: "Ben", id: 3)]))
        #expect(editor.lines[0].hasSuffix("  Ann (2), Ben (2)"))
        editor.send(.people([Person(name: "Ben", id: 1)]))
        #expect(editor.lines[0].hasSuffix("  Ann, Ben"))
    }

    @Test func `a message says that the followed person's place is unknown`() throws {
        var editor = try Editor()
        editor.send(.people([Person(name: "Ben")]))
        editor.type("F")
        #expect(
            editor.statusAndBar.hasPrefix("Following Ben, whose place is not known yet; moving the cursor"))
    }

    @Test
    func `a key pressed for the previous item does not apply to the one that the followed user moved to`()
        throws
    {
        for key in ["d", "e", ">"] {
            var editor = try Editor()
            editor.send(.people([Person(name: "Ben", focus: .item(editor.sample.coffee))]))
            editor.type("F")
            editor.send(.people([Person(name: "Ben", focus: .item(editor.sample.beach))]))
            #expect(editor.type(key).allSatisfy { effect in if case .apply = effect { false } else { true } })
            #expect(editor.lines.contains { $0.contains("Ben moved to") }, "\(key): \(editor.lines)")
        }
    }

    @Test func `others' drags do not move rows, and their item is shown beside the row above its place`()
        throws
    {
        var editor = try Editor()
        let before = editor.list.map { $0.prefix(16) }
        let person = Person(
            name: "Ben", dragging: editor.sample.coffee, over: .after(editor.sample.bell, day: 2))
        editor.send(.people([person]))
        #expect(editor.list.map { $0.prefix(16) } == before)
        #expect(editor.lines.contains { $0.contains("Liberty Bell") && $0.contains("┄ Ben: Coffee") })
    }

    @Test func `H lists the history with user and time, and goes to the item`() throws {
        var options = EditorOptions()
        options.today = { CalendarDate("2026-06-02") ?? .epoch }
        var editor = try Editor(options: options)
        #expect(editor.type("H") == [.listHistory])
        let noon = Int64(1_780_401_600)
        editor.send(
            .history([
                HistoryLine(
                    user: "Ben", seconds: noon, summary: "moved “Beach” from day 4 to day 5",
                    items: [editor.sample.beach]),
                HistoryLine(
                    user: "Ann", seconds: noon - 86_400, summary: "removed “Tea”",
                    items: [ItemID(high: 9, low: 9)]),
            ]))
        #expect(editor.panel[1].hasPrefix("▌ Ben moved “Beach” from day 4 to day 5"))
        #expect(editor.panel[1].hasSuffix("12:00"))
        #expect(editor.panel[2].hasSuffix("yesterday 12:00"))
        editor.press(.enter)
        #expect(editor.focusedLine?.contains("Beach") == true)
        editor.type("H")
        editor.send(.history([]))
        #expect(editor.status == "There are no changes yet.")
    }

    @Test func `the history names a user and a minute once, and again in the first visible line`() throws {
        var editor = try Editor()
        _ = editor.type("H")
        let lines = (0..<40).map {
            HistoryLine(
                user: $0 < 30 ? "Ann" : "Ben", seconds: 1_780_401_600, summary: "added “\($0)”", items: [])
        }
        editor.send(.history(lines))
        #expect(editor.panel[1].hasPrefix("▌ Ann added “0”") && editor.panel[1].hasSuffix(":00"))
        #expect(editor.panel[2] == "      added “1”")
        editor.press(.end)
        #expect(editor.panel[1].hasPrefix("  Ann added “") && editor.panel[1].hasSuffix(":00"))
        #expect(editor.panel.contains { $0.hasPrefix("  Ben added “30”") })
    }

    @Test func `others' changes during a drag are reported with the drop, and marked until the next key`()
        throws
    {
        var editor = try Editor()
        editor.focus("Beach")
        editor.type(" ")
        editor.send(.dragGranted)
        let old = editor.sample.trip
        try editor.sample.apply(
            .move(editor.sample.dinner, to: .end(day: 2)), .remove(editor.sample.coffee),
            .move(editor.sample.bell, to: .start(day: 3)))
        var view = editor.sample.view
        view.news = [editor.sample.dinner, editor.sample.coffee, editor.sample.bell].map {
            RemoteEdit(user: "Ben", before: old[$0], after: editor.sample.trip[$0])
        }
        editor.send(.loaded(view))
        editor.press(.up, .up)
        editor.type(" ")
        editor.send(.dropAccepted)
        #expect(
            editor.statusAndBar.contains("Meanwhile Ben moved 2 items and removed Coffee."))
        #expect(editor.lines.contains { $0.contains("~ ⋮⋮") && $0.contains("Dinner") })
        editor.press(.right)
        #expect(!editor.text.contains("~"))
    }

    @Test func `a viewer gets a message for every key that would change something, and no request is sent`()
        throws
    {
        var options = EditorOptions()
        options.isViewer = true
        var editor = try Editor(options: options)
        #expect(editor.lines[0].hasSuffix("Ann (viewing)"))
        for key in ["a", "A", "e", "d", " ", "m", "c", "J", "K", ">", "<", "=", "+", "-", "r", "u", "U"] {
            editor.focus("Beach")
            #expect(editor.type(key) == [.bell], "\(key)")
            #expect(editor.status == "You can only view this trip; nothing was changed.", "\(key)")
        }
        #expect(editor.send(.input(.paste("Tea"))) == [.bell])
        editor.mouse(.press(.left), row: 5)
        #expect(editor.mouse(.drag(.left), row: 7) == [.bell])
        #expect(editor.type("i") == [])
    }

    @Test func `the message that another user drags an item disappears with the drag`() throws {
        var editor = try Editor()
        editor.focus("Beach")
        editor.send(.people([Person(name: "Ben", dragging: editor.sample.beach)]))
        editor.wait(milliseconds: 1_100)
        editor.type("e")
        #expect(editor.status == "Ben is moving Beach.")
        editor.send(.people([Person(name: "Ben")]))
        #expect(!editor.text.contains("is moving"))
        editor.send(.people([Person(name: "Ben", dragging: editor.sample.beach)]))
        #expect(editor.status == "Beach: Day 5, 2 of 2. Ben is moving it.")
        editor.send(.people([]))
        #expect(!editor.text.contains("is moving"), "he has left")
    }

    @Test func `problems outside the trip's days show a date, not a number below 1`() throws {
        var editor = try Editor(columns: 109)
        try editor.sample.apply(
            .add(
                ItemID(high: 5, low: 1), SampleTrip.game("Test match", "Lima", "2026-06-09T18:00:00Z"),
                to: nil))
        editor.load()
        editor.type("!")
        #expect(editor.text.contains("Tue 9 Jun 2026"), "\(editor.list)")
        #expect(!editor.text.contains("Day -") && !editor.text.contains("Day 0"))
    }

    // MARK: The mouse and the help

    @Test func `a click on a hint presses its key, and a click on a field moves there`() throws {
        var editor = try Editor()
        editor.click(hint: "a add")
        #expect(editor.status == "New item:")
        editor.press(.escape)
        editor.focus("Beach")
        editor.type("e")
        let row = try #require(editor.lines.firstIndex { $0.hasPrefix("  Cost") })
        editor.mouse(.press(.left), row: row, column: 6)
        #expect(editor.status == "Cost:  like 45 EUR")
    }

    @Test func `a slash filters the help by words, also by those that begin with a key of the help`() throws {
        var editor = try Editor()
        editor.type("?")
        #expect(editor.type("w") == [.bell], "a letter is no word before that")
        editor.type("/quxk")
        #expect(editor.list.filter { !$0.isEmpty } == ["  No key matches these words."])
        editor.press(.character("u"), .control)
        editor.type("fold")
        #expect(editor.list[0] == "  In the list")
        #expect(editor.list[1].contains("fold days without items"))
        #expect(editor.list[2].isEmpty)
        #expect(editor.status == "Keys: fold")
        editor.press(.enter)
        #expect(editor.status == "Lines with “fold”; / changes the filter.")
        #expect(editor.list[2].isEmpty)
        editor.type("/")
        editor.press(.escape)
        #expect(editor.list[2].contains("one row down"), "all lines again")
        editor.press(.escape)
        #expect(editor.focusedLine?.contains("Brazil v Morocco") == true)
    }

    @Test func `F follows each of two users with the same name in turn, and then none`() throws {
        var editor = try Editor()
        let people = [
            Person(name: "Ben", id: 4, focus: .item(editor.sample.coffee)),
            Person(name: "Ben", id: 9, focus: .item(editor.sample.beach)),
        ]
        editor.send(.people(people))
        editor.type("F")
        #expect(editor.status.hasPrefix("Following Ben (1 of 2);"))
        #expect(editor.focusedLine?.contains("Coffee") == true)
        editor.type("F")
        #expect(editor.status.hasPrefix("Following Ben (2 of 2);"))
        #expect(editor.focusedLine?.contains("Beach") == true)
        editor.send(.people([people[0], Person(name: "Ben", id: 9, focus: .item(editor.sample.bell))]))
        #expect(editor.focusedLine?.contains("Liberty Bell") == true)
        editor.type("F")
        #expect(editor.status == "Following nobody.")
        // A user who reconnects is followed again.
        editor.type("F")
        editor.send(.people([Person(name: "Ben", id: 12, focus: .item(editor.sample.dinner))]))
        #expect(editor.focusedLine?.contains("Dinner") == true)
    }

    private func allow(_ mayChange: Bool, in editor: inout Editor) {
        var view = editor.sample.view
        view.mayChange = mayChange
        for effect in editor.state.handle(.shown(view), now: editor.now) { #expect(effect == .bell) }
    }

    @Test func `a user of reduced access gets a message for every changing key, until it is raised again`()
        throws
    {
        var editor = try Editor()
        allow(false, in: &editor)
        #expect(editor.status == "You can only view this trip now.")
        #expect(editor.lines[0].hasSuffix("Ann (viewing)"))
        for key in ["a", "A", "e", "d", " ", "m", "c", "J", "K", ">", "<", "=", "+", "-", "r", "u", "U"] {
            editor.focus("Beach")
            #expect(editor.type(key) == [.bell], "\(key)")
            #expect(editor.status == "You can only view this trip; nothing was changed.", "\(key)")
        }
        // Other trips are not affected.
        editor.type("t")
        editor.send(.trips(TripList(trips: [SampleTrip.choice(77, "Summer", days: 9)])))
        editor.press(.character("n"), .control)
        #expect(editor.text.contains(" A new trip "))
        editor.press(.escape)
        editor.press(.escape)
        allow(true, in: &editor)
        #expect(editor.status == "You can edit this trip now.")
        #expect(editor.lines[0].hasSuffix("Ann"))
    }

    @Test func `open text, lists and questions stay when access is reduced, for when it is raised`() throws {
        for keys in ["aTea", "e at eight", "m", "r by Ann"] {
            var editor = try Editor()
            editor.focus("Coffee")
            editor.type(keys)
            allow(false, in: &editor)
            #expect(editor.press(.enter) == [.bell], "\(keys)")
            #expect(editor.status == "You can only view this trip; nothing was changed.")
            allow(true, in: &editor)
            #expect(applied(editor.press(.enter)) != nil, "\(keys)")
        }
        var editor = try Editor()
        editor.send(.input(.paste("One")))
        allow(false, in: &editor)
        #expect(editor.type(" ") == [.bell])
        #expect(editor.landing?.contains("One") == true)
    }
}
