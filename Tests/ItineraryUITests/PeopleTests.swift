import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// Where the others are, what they did, and who only looks.
@Suite struct PeopleTests {
    /// Lets something happen, and tells where the others were told that the cursor is; nil inside for on no item.
    private func told(_ editor: inout Editor, _ event: EditorEvent) -> [ItemID?] {
        editor.state.handle(event, now: editor.now).compactMap { effect in
            if case .focus(let item) = effect { .some(item) } else { nil }
        }
    }

    @Test("the cursor is told while somebody is there to be told, and only when it moves to another item")
    func focusIsTold() throws {
        var editor = try Editor()
        var view = editor.sample.view
        #expect(told(&editor, .input(.key(.down))) == [], "nobody else is here")
        view.people = [Person(name: "Ben")]
        #expect(told(&editor, .shown(view)) == [editor.sample.dinner])
        #expect(told(&editor, .shown(view)) == [])
        #expect(told(&editor, .input(.key(.down))) == [nil], "a day is no item")
        #expect(told(&editor, .input(.key(.down))) == [editor.sample.toPhiladelphia])
    }

    @Test("a mark beside a row says whose cursor is on it; F follows it until a key of one's own moves")
    func follow() throws {
        var editor = try Editor()
        #expect(editor.type("F") == [.bell])
        #expect(editor.status == "Nobody else is here.")
        editor.send(.people([Person(name: "Ben", focus: editor.sample.coffee)]))
        #expect(editor.lines.contains { $0.hasPrefix("  ⋮⋮B") && $0.contains("Coffee") })
        #expect(editor.lines.contains { $0.hasPrefix("  Day 4") && $0.contains(" B ─") }, "and on its day")
        editor.type("F")
        #expect(editor.status == "Following Ben; a key that moves the cursor or changes something ends it.")
        #expect(editor.focusedLine?.contains("Coffee") == true)
        editor.send(.people([Person(name: "Ben", focus: editor.sample.beach)]))
        #expect(editor.focusedLine?.contains("Beach") == true)
        editor.press(.up)
        editor.send(.people([Person(name: "Ben", focus: editor.sample.coffee)]))
        #expect(editor.focusedLine?.contains("Scotland v Brazil") == true)
        editor.type("F")
        editor.send(.people([]))
        #expect(editor.status == "Ben has left.")
    }

    @Test("a key that was pressed as the followed person went on is not for the item that they went to")
    func followedAway() throws {
        for key in ["d", "e", ">"] {
            var editor = try Editor()
            editor.send(.people([Person(name: "Ben", focus: editor.sample.coffee)]))
            editor.type("F")
            editor.send(.people([Person(name: "Ben", focus: editor.sample.beach)]))
            #expect(editor.type(key).allSatisfy { effect in if case .apply = effect { false } else { true } })
            #expect(editor.lines.contains { $0.contains("Ben went on to") }, "\(key): \(editor.lines)")
        }
    }

    @Test("no row moves because somebody else drags: their item is told beside the row above its place")
    func ghost() throws {
        var editor = try Editor()
        let before = editor.list.map { $0.prefix(16) }
        let person = Person(
            name: "Ben", dragging: editor.sample.coffee, over: .after(editor.sample.bell, day: 2))
        editor.send(.people([person]))
        #expect(editor.list.map { $0.prefix(16) } == before)
        #expect(editor.lines.contains { $0.contains("Liberty Bell") && $0.contains("┄ Ben: Coffee") })
    }

    @Test("H tells what happened, who did it and when, and goes to the item")
    func history() throws {
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
        #expect(editor.list[1].hasPrefix("▌ Ben moved “Beach” from day 4 to day 5"))
        #expect(editor.list[1].hasSuffix("12:00"))
        #expect(editor.list[2].hasSuffix("yesterday 12:00"))
        editor.press(.enter)
        #expect(editor.focusedLine?.contains("Beach") == true)
        editor.type("H")
        editor.send(.history([]))
        #expect(editor.status == "Nothing has happened yet.")
    }

    @Test(
        "m7: what others did while something was in hand is told with the drop, and marked until the next key"
    )
    func meanwhile() throws {
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
            editor.told.contains("Meanwhile Ben moved 2 items and removed Coffee."))
        #expect(editor.lines.contains { $0.contains("⋮⋮~") && $0.contains("Dinner") })
        editor.press(.right)
        #expect(!editor.text.contains("~"))
    }

    @Test("whoever only looks is told so by every key that would change something, and nothing is asked for")
    func viewer() throws {
        var options = EditorOptions()
        options.isViewer = true
        var editor = try Editor(options: options)
        #expect(editor.lines[0].hasSuffix("Ann (looking)"))
        for key in ["a", "A", "e", "d", " ", "m", "c", "J", "K", ">", "<", "=", "+", "-", "r", "u", "U"] {
            editor.focus("Beach")
            #expect(editor.type(key) == [.bell], "\(key)")
            #expect(editor.status == "You only look at this trip; nothing is changed.", "\(key)")
        }
        #expect(editor.send(.input(.paste("Tea"))) == [.bell])
        editor.mouse(.press(.left), row: 5)
        #expect(editor.mouse(.drag(.left), row: 7) == [.bell])
        #expect(editor.type("i") == [])
    }

    @Test("m6: that somebody holds an item is said as long as it is so")
    func staleHold() throws {
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

    @Test("m16: what does not fit outside the trip's days is told by its date, not by a number below 1")
    func outsideInWords() throws {
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

    @Test("ITEM 10: a click on a hint is its key, a click on a field goes there")
    func clicks() throws {
        var editor = try Editor()
        editor.click(hint: "a add")
        #expect(editor.status == "New item:")
        editor.press(.escape)
        editor.focus("Beach")
        editor.type("e")
        let row = try #require(editor.lines.firstIndex { $0.hasPrefix("  Cost") })
        editor.mouse(.press(.left), row: row, column: 6)
        #expect(editor.status == "Cost:")
    }

    @Test("ITEM 10: ? is narrowed by what is typed")
    func filteredHelp() throws {
        var editor = try Editor()
        editor.type("?")
        editor.type("fold")
        #expect(editor.list[0] == "  In the list")
        #expect(editor.list[1].contains("fold days without items"))
        #expect(editor.list[2].isEmpty)
        #expect(editor.status == "Keys: fold")
        editor.press(.escape)
        #expect(editor.focusedLine?.contains("Brazil v Morocco") == true)
    }

    @Test("of two people of one name each is followed in turn, and then nobody")
    func followNamesakes() throws {
        var editor = try Editor()
        let people = [
            Person(name: "Ben", id: 4, focus: editor.sample.coffee),
            Person(name: "Ben", id: 9, focus: editor.sample.beach),
        ]
        editor.send(.people(people))
        editor.type("F")
        #expect(editor.status.hasPrefix("Following Ben (1 of 2);"))
        #expect(editor.focusedLine?.contains("Coffee") == true)
        editor.type("F")
        #expect(editor.status.hasPrefix("Following Ben (2 of 2);"))
        #expect(editor.focusedLine?.contains("Beach") == true)
        editor.send(.people([people[0], Person(name: "Ben", id: 9, focus: editor.sample.bell)]))
        #expect(editor.focusedLine?.contains("Liberty Bell") == true)
        editor.type("F")
        #expect(editor.status == "Following nobody.")
        // Whoever comes back on another connection is followed on.
        editor.type("F")
        editor.send(.people([Person(name: "Ben", id: 12, focus: editor.sample.dinner)]))
        #expect(editor.focusedLine?.contains("Dinner") == true)
    }

    private func allow(_ mayChange: Bool, in editor: inout Editor) {
        var view = editor.sample.view
        view.mayChange = mayChange
        for effect in editor.state.handle(.shown(view), now: editor.now) { #expect(effect == .bell) }
    }

    @Test(
        "whom the daemon lets only look is told so, by every key that would change something, until it lets them more"
    )
    func viewerByAccess() throws {
        var editor = try Editor()
        allow(false, in: &editor)
        #expect(editor.status == "You may only look at this trip from now on.")
        #expect(editor.lines[0].hasSuffix("Ann (looking)"))
        for key in ["a", "A", "e", "d", " ", "m", "c", "J", "K", ">", "<", "=", "+", "-", "r", "u", "U"] {
            editor.focus("Beach")
            #expect(editor.type(key) == [.bell], "\(key)")
            #expect(editor.status == "You only look at this trip; nothing is changed.", "\(key)")
        }
        // Other trips are another matter.
        editor.type("t")
        editor.send(.trips(TripList(trips: [SampleTrip.choice(77, "Summer", days: 9)])))
        editor.press(.character("n"), .control)
        #expect(editor.text.contains(" A new trip "))
        editor.press(.escape)
        editor.press(.escape)
        allow(true, in: &editor)
        #expect(editor.status == "You may change this trip from now on.")
        #expect(editor.lines[0].hasSuffix("Ann"))
    }

    @Test(
        "what is being written, chosen or asked when one may only look stays, and is done where one may again"
    )
    func viewerWhileWriting() throws {
        for keys in ["aTea", "e at eight", "m", "r by Ann"] {
            var editor = try Editor()
            editor.focus("Coffee")
            editor.type(keys)
            allow(false, in: &editor)
            #expect(editor.press(.enter) == [.bell], "\(keys)")
            #expect(editor.status == "You only look at this trip; nothing is changed.")
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
