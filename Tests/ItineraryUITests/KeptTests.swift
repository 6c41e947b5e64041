import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// Written and pasted text is kept if the change fails.
@Suite struct KeptTests {
    // MARK: Written text

    @Test func `a failed change keeps its text until it is read`() throws {
        var editor = try Editor()
        editor.focus("Beach")
        editor.type("e")
        editor.go(toField: "Note")
        editor.type("code 4711")
        editor.press(.enter)
        editor.send(.editRefused("the disk is full"))
        #expect(editor.statusAndBar.contains("Not done: changing note of Beach: the disk is full"))
        #expect(
            editor.state.notDoneSentences == [
                "Not done: changing note of Beach: the disk is full · note: code 4711"
            ])
        editor.type("E")
        #expect(editor.text.contains("code 4711"), "\(editor.text)")

        editor = try Editor()
        editor.type("A")
        editor.press(.down, .enter)
        editor.type("Hotel")
        editor.go(toField: "Reference")
        editor.type("XK99")
        editor.press(.enter)
        editor.send(.editRefused("no"))
        #expect(editor.state.notDoneSentences.first?.contains("XK99") == true)
    }

    @Test func `if several items are not added, all titles are kept`() throws {
        var editor = try Editor()
        editor.send(.input(.paste("One\nTwo")))
        editor.type(" ")
        editor.send(.editRefused("the trip has days 1 to 2, no day 5"))
        #expect(editor.state.notDoneSentences.first?.hasSuffix(" · title: One · title: Two") == true)
    }

    @Test func `after a jump without a target the next key is held`() throws {
        func check(_ editor: inout Editor) {
            #expect(editor.type("d").allSatisfy { $0 == .bell })
            #expect(editor.bar == "Enter go on")
        }
        var editor = try Editor()
        editor.type("/bell")
        try ben(&editor, .remove(editor.sample.bell))
        editor.type("s")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status.hasPrefix("Nothing matches bells"))
        #expect(editor.type("d") == [], "it is a letter of what is searched for")
        editor.press(.escape)

        editor = try Editor()
        editor.type("/bell")
        editor.press(.enter)
        editor.focus("Beach")
        try ben(&editor, .remove(editor.sample.bell))
        editor.wait(milliseconds: 2_000)
        #expect(editor.type("n") == [.bell])
        check(&editor)

        editor = try Editor()
        editor.type("H")
        editor.send(
            .history([
                HistoryLine(
                    user: "Ben", seconds: 0, summary: "removed “Tea”", items: [ItemID(high: 9, low: 9)])
            ]))
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "It no longer exists.")
        check(&editor)

        editor = try Editor()
        try editor.sample.apply(
            .update(editor.sample.bell, [.time(ClockTime("19:30"))]),
            .update(editor.sample.toPhiladelphia, [.time(ClockTime("20:30"))]))
        editor.load()
        editor.type("!")
        try ben(&editor, .remove(editor.sample.bell), .remove(editor.sample.toPhiladelphia))
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status.hasPrefix("No problems are left."))
        check(&editor)
    }

    @Test func `the form of the open trip follows others' changes, and warns once before it overwrites them`()
        throws
    {
        var editor = try Editor()
        editor.type("r")
        editor.type(" by Ann")
        var view = editor.sample.view
        try editor.sample.apply(.trip(TripChange(name: "Finals", dayCount: 6)))
        view = editor.sample.view
        view.news = [RemoteEdit(user: "Ben", before: nil, after: nil)]
        editor.send(.loaded(view))
        #expect(
            editor.lines.contains {
                $0.contains("World Cup with Brazil by Ann") && $0.hasSuffix("now Finals (Ben)")
            })
        #expect(editor.lines.contains { $0.contains("Days        6") && $0.hasSuffix("(Ben)") })
        #expect(editor.press(.enter) == [.bell])
        #expect(
            editor.statusAndBar.contains(
                "Name is now Finals (Ben). Enter again saves World Cup with Brazil by Ann.")
        )
        #expect(editor.press(.enter) == [.apply([.trip(TripChange(name: "World Cup with Brazil by Ann"))])])
    }

    @Test func `the form of a trip that could not be created or changed returns with its text`() throws {
        for (key, index) in [("n", 0), ("y", 1)] {
            var editor = try Editor()
            editor.type("t")
            editor.send(.trips(TripList(trips: [SampleTrip.choice(77, "Summer", days: 9)])))
            for scalar in key.unicodeScalars { editor.press(.character(scalar), .control) }
            editor.type("Winter")
            editor.press(.enter)
            editor.send(.failed("Not made: no daemon listens."))
            #expect(editor.status == "Not made: no daemon listens.")
            editor.acknowledge()
            editor.press(.right)
            #expect(editor.lines.contains { $0.contains("Winter") }, "\(index)")
            let effects = editor.press(.enter)
            #expect(
                effects.contains { effect in
                    switch effect {
                    case .createTrip(let plan), .copyTrip(_, let plan): plan.name.hasSuffix("Winter")
                    default: false
                    }
                })
        }
    }

    // MARK: Pastes

    @Test func `pasted items join a drag of new items, and are refused during a drag of an existing item`()
        throws
    {
        var editor = try Editor(columns: 100)
        editor.focus("Coffee")
        editor.send(.input(.paste("One")))
        editor.press(.up)
        let landing = editor.lines.firstIndex { $0.contains("●━━") }
        editor.send(.input(.paste("Two\nThree")))
        #expect(editor.lines.firstIndex { $0.contains("●━━") } == landing)
        #expect(editor.landing?.contains("One and 2 more") == true)
        let edits = try #require(applied(editor.type(" ")))
        #expect(edits.count == 3)

        editor = try Editor(columns: 100)
        editor.focus("Beach")
        editor.type(" ")
        #expect(editor.send(.input(.paste("Two"))) == [.bell])
        #expect(editor.status == "Beach is lifted: put it down first, then paste again.")
    }

    @Test func `the question before quitting is visible, and the pasted items are still dragged`() throws {
        var editor = try Editor()
        editor.send(.connection(.lost("gone")))
        editor.focus("Coffee")
        editor.type("K")
        editor.send(.input(.paste("One\nTwo")))
        #expect(editor.type("q") == [])
        #expect(editor.status.hasPrefix("The daemon has not confirmed moving Coffee"), "\(editor.status)")
        #expect(editor.type("n") == [])
        #expect(editor.landing?.contains("One and 1 more") == true)
        #expect(applied(editor.type(" "))?.count == 2)

        editor = try Editor()
        editor.send(.connection(.lost("gone")))
        editor.focus("Coffee")
        editor.type("K")
        editor.focus("Beach")
        #expect(editor.type("J") == [.bell], "there is a sentence on the screen already")
        #expect(editor.type("q") == [])
        #expect(editor.status.hasPrefix("The daemon has not confirmed"))
        #expect(editor.type("y") == [.quit])
    }

    @Test func `q asks before it drops new items, and Ctrl-C does not ask`() throws {
        var editor = try Editor()
        editor.send(.input(.paste("One\nTwo")))
        #expect(editor.type("q") == [])
        #expect(
            editor.status.hasPrefix("One and 1 more are not added yet. Leave anyway?"), "\(editor.status)")
        #expect(editor.type("n") == [])
        #expect(editor.landing?.contains("One and 1 more") == true, "the items are still lifted")
        #expect(editor.type("q") == [])
        #expect(editor.type("y") == [.quit])

        editor = try Editor()
        editor.focus("Coffee")
        editor.type("c")
        #expect(editor.type("q") == [])
        #expect(editor.status.hasPrefix("Coffee is not added yet. Leave anyway?"), "\(editor.status)")

        editor = try Editor()
        editor.send(.input(.paste("One")))
        #expect(editor.press(.character("c"), .control).last == .quit)
    }

    @Test func `new dragged items are kept when the window closes, also behind the question before quitting`()
        throws
    {
        for keys in ["", "q"] {
            var editor = try Editor()
            editor.send(.input(.paste("One\nTwo")))
            editor.type(keys)
            editor.send(.leave(.windowClosed))
            let kept = editor.state.notDoneSentences.joined()
            #expect(kept.contains("One") && kept.contains("Two"), "\(keys): \(kept)")
        }
    }

    @Test func `Ctrl-Z keeps new dragged items, and cancels the drag of an existing one`() throws {
        var editor = try Editor()
        editor.send(.input(.paste("One\nTwo")))
        #expect(editor.press(.character("z"), .control) == [.suspend])
        #expect(editor.landing?.contains("One and 1 more") == true)
        #expect(applied(editor.type(" "))?.count == 2)

        editor = try Editor()
        editor.focus("Coffee")
        editor.type(" ")
        #expect(editor.press(.character("z"), .control) == [.cancelDrag, .suspend])
    }

    @Test func `a pasted line that is too long for a title is truncated, with a message`() throws {
        var editor = try Editor(columns: 100)
        editor.send(.input(.paste("Tea\n" + String(repeating: "é", count: 900))))
        #expect(editor.status == "1 line is longer than a title may be (512 bytes): the rest is left out.")
        editor = try Editor(columns: 100)
        editor.send(
            .input(
                .paste(String(repeating: "Tea with \(String(repeating: "x", count: 200))\n", count: 5_000))))
        #expect(applied(editor.type(" "))?.count == 5_000, "all lines are taken")
    }

    @Test func `after overwriting an unseen change, the user gets its value`() throws {
        var editor = try Editor(columns: 120)
        editor.focus("Coffee")
        editor.type("e")
        editor.go(toField: "Note")
        editor.type("mine")
        #expect(applied(editor.press(.enter)) != nil)
        try ben(&editor, .update(editor.sample.coffee, [.note("theirs")]))
        editor.send(.editAccepted(nil))
        #expect(editor.statusAndBar.contains("Ben had set note to theirs. Changed"), "\(editor.statusAndBar)")

        // A change of another field, or to the same text, loses nothing.
        for changes in [[FieldChange.title("Espresso")], [.note("mine")]] {
            editor = try Editor(columns: 120)
            editor.focus("Coffee")
            editor.type("e")
            editor.go(toField: "Note")
            editor.type("mine")
            editor.press(.enter)
            try ben(&editor, .update(editor.sample.coffee, changes))
            editor.send(.editAccepted(nil))
            #expect(!editor.statusAndBar.contains("had made"), "\(editor.statusAndBar)")
        }
    }
}
