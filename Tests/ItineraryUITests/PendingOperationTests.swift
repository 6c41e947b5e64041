import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// Keys typed while another screen is about to open, and text written for it.
@Suite struct PendingOperationTests {
    private static let today = CalendarDate("2027-03-01") ?? .epoch
    private static let summer = TripID(high: 0, low: 77)

    private func editor(loads: Bool = true) throws -> Editor {
        var options = EditorOptions()
        options.today = { Self.today }
        options.timeZone = "Europe/Berlin"
        return try Editor(loads: loads, options: options)
    }

    private var list: TripList {
        TripList(trips: [
            SampleTrip.choice(1, "World Cup with Brazil", days: 5, items: 9),
            SampleTrip.choice(77, "Summer", days: 9, items: 1),
        ])
    }

    /// Types like a terminal: events for the next screen are held until it opens.
    private func typing(_ events: [InputEvent], _ editor: inout Editor, _ ahead: inout TypedAhead) -> [Did] {
        ahead.append(events)
        return look(&editor, &ahead)
    }

    private func look(_ editor: inout Editor, _ ahead: inout TypedAhead) -> [Did] {
        var did: [Did] = []
        while let event = ahead.next(for: editor.state) { did += editor.send(.input(event)) }
        return did
    }

    private func keys(_ text: String) -> [InputEvent] {
        text.unicodeScalars.map { .key($0 == "\r" ? .enter : .character($0)) }
    }

    @Test func `keys typed after the one that opens a trip do not change the previous trip`() throws {
        for behind in ["dd", "aDinner\r", "q"] {
            var editor = try editor()
            var ahead = TypedAhead()
            #expect(typing(keys("t/summ\r" + behind), &editor, &ahead) == [.listTrips])
            editor.send(.trips(list))
            #expect(look(&editor, &ahead) == [.openTrip(Self.summer)], "\(behind)")
            #expect(editor.state.keepsInput)
            var next = EditorState(after: editor.state)
            #expect(ahead.next(for: next) == nil, "its trip is not on the screen")
            _ = next.handle(.shown(editor.sample.view), now: .zero)
            for key in keys(behind) { #expect(ahead.next(for: next) == key) }
            #expect(ahead.next(for: next) == nil)
        }
    }

    @Test func `keys typed while a trip is created, copied, restored, changed or deleted are kept`() throws {
        let old = DeletedTrip(
            id: TripID(high: 0, low: 99), name: "Old", itemCount: 3, deleted: Self.today,
            keptUntil: Self.today)
        var withOld = list
        withOld.deleted = [old]
        let down = InputEvent.key(.down)
        let enter = InputEvent.key(.enter)
        func control(_ key: Unicode.Scalar) -> InputEvent { .key(.character(key), .control) }
        for asked in [
            [control("n")] + keys("Mine") + [enter], [down, control("y"), enter],
            [down, down, down, enter], [down, control("e")] + keys("!") + [enter],
        ] {
            var editor = try editor()
            var ahead = TypedAhead()
            _ = typing(keys("t"), &editor, &ahead)
            editor.send(.trips(withOld))
            let did = typing(asked + keys("dd"), &editor, &ahead)
            #expect(did.count == 1, "\(did)")
            #expect(editor.state.keepsInput)
        }
        var editor = try editor()
        var ahead = TypedAhead()
        _ = typing(keys("t"), &editor, &ahead)
        editor.send(.trips(list))
        #expect(typing([down, control("x")] + keys("y/dd"), &editor, &ahead) == [.listTrips])
        editor.send(.trips(list))
        #expect(look(&editor, &ahead) == [.deleteTrip(Self.summer)])
        editor.send(.trips(list, said: "Deleted Summer."))
        #expect(look(&editor, &ahead) == [], "the keys behind it narrow the list")
        #expect(editor.status.contains("dd"))
    }

    @Test func `Esc ends the wait for a list and Ctrl-C any wait, and both drop the keys typed before`()
        throws
    {
        var editor = try editor()
        var ahead = TypedAhead()
        #expect(typing(keys("tbern\r") + [.key(.escape)] + keys("/x"), &editor, &ahead) == [.listTrips])
        #expect(editor.status.hasPrefix("Search: x"), "\(editor.status)")
        editor.send(.trips(list))
        #expect(editor.status.hasPrefix("Search: x"), "no operation waits for it")

        editor = try self.editor()
        ahead = TypedAhead()
        _ = typing(keys("t"), &editor, &ahead)
        editor.send(.trips(list))
        _ = typing([.key(.down), .key(.enter)], &editor, &ahead)
        #expect(typing(keys("q") + [.key(.escape)], &editor, &ahead) == [])
        #expect(typing([.key(.character("c"), .control)], &editor, &ahead) == [.quit])
    }

    @Test func `keys typed for a screen that does not open are dropped`() throws {
        let editor = try editor()
        var ahead = TypedAhead()
        let hadNothing = !ahead.discard()
        ahead.append(keys("dd"))
        let hadKeys = ahead.discard()
        let next = ahead.next(for: editor.state)
        #expect(hadNothing && hadKeys && next == nil)
        ahead.append(Array(repeating: .key(.down), count: TypedAhead.limit))
        #expect(!ahead.hasRoom)
    }

    @Test func `if a trip cannot be opened, the list of trips is shown and refreshed`() throws {
        var editor = try editor()
        editor.type("t")
        editor.send(.trips(list))
        editor.press(.down)
        editor.press(.enter)
        #expect(editor.send(.failed("It cannot be opened: it has been deleted.")).contains(.listTrips))
        #expect(editor.state.keepsInput)
        editor.send(.trips(TripList(trips: [list.trips[0]])))
        #expect(editor.status == "It cannot be opened: it has been deleted.")
        #expect(editor.heading == "Open the trip")
        #expect(!editor.text.contains("Summer"))
        editor.acknowledge()

        editor.press(.escape)
        editor.type("t")
        editor.send(.trips(list))
        editor.press(.down)
        editor.press(.enter)
        editor.send(.failed("It cannot be opened: no daemon."))
        editor.send(.failed("The trips could not be loaded: no daemon."))
        #expect(editor.status == "It cannot be opened: no daemon.")
        #expect(editor.focusedLine?.contains("Brazil v Morocco") == true)
    }

    @Test
    func `the form of a trip that was not created returns with its text, and its retry uses the same id`()
        throws
    {
        var editor = try editor()
        editor.type("t")
        editor.send(.trips(list))
        editor.press(.character("n"), .control)
        editor.type("Japan")
        editor.press(.enter)
        #expect(editor.text.contains("Japan"), "what was written stays to be seen")
        #expect(editor.send(.failed("It may or may not be made: no answer.")) == [.bell])
        #expect(editor.status == "It may or may not be made: no answer.")
        #expect(editor.text.contains(" A new trip ") && editor.text.contains("Japan"))
        // Keys for the trip that did not open are not written into a field, and start nothing.
        editor.type("zebra")
        #expect(editor.press(.enter, .escape).allSatisfy { $0 == .bell })
        #expect(!editor.text.contains("zebra"))
        #expect(editor.bar == "Enter go on")
        editor.acknowledge()
        editor.press(.enter)
        editor.send(.failed("no"))
        editor.acknowledge()
        editor.type("!")
        editor.press(.enter)
        #expect(editor.madeIDs.count == 3)
        #expect(Set(editor.madeIDs).count == 2, "another plan is another trip")
        #expect(editor.madeIDs.first == editor.madeIDs.dropFirst().first)
    }

    @Test func `the forms of another trip and of a copy return if the operation fails`() throws {
        for (key, word) in [("e", "save"), ("y", "add")] as [(Unicode.Scalar, String)] {
            var editor = try editor()
            editor.type("t")
            editor.send(.trips(list))
            editor.press(.down)
            editor.press(.character(key), .control)
            editor.type(" with Ann")
            editor.press(.enter)
            editor.send(.failed("It is not done: the trip has been deleted."))
            #expect(editor.status == "It is not done: the trip has been deleted.")
            #expect(editor.text.contains("with Ann"))
            editor.acknowledge()
            #expect(editor.bar.hasPrefix("Enter \(word)"))
        }
    }

    @Test func `the form of another trip does not overwrite others' changes without a warning`() throws {
        var editor = try editor()
        editor.type("t")
        editor.send(.trips(list))
        editor.press(.down)
        editor.press(.character("e"), .control)
        editor.type("!")
        #expect(editor.press(.enter) == [.changeTrip(Self.summer, TripChange(name: "Summer!"))])
        #expect(editor.send(.conflict(SampleTrip.choice(77, "Winter", days: 9).plan)) == [.bell])
        #expect(
            editor.statusAndBar.contains("Name is now Winter (someone else). Enter again saves Summer!."))
        editor.acknowledge()
        #expect(editor.lines.contains { $0.contains("Summer!") && $0.contains("now Winter (someone else)") })
        #expect(editor.press(.enter) == [.changeTrip(Self.summer, TripChange(name: "Summer!"))])
    }

    @Test func `a failure applies only to its own operation`() throws {
        var editor = try editor()
        editor.send(.connection(.stopped))
        editor.type("S")
        editor.type("t")
        _ = editor.state.handle(.failed(.aside, "The daemon cannot be started."), now: editor.now)
        #expect(editor.state.awaited == .trips)
        _ = editor.state.handle(.failed(.history, "There is no history."), now: editor.now)
        #expect(editor.state.awaited == .trips)
        editor.send(.trips(list))
        editor.press(.down)
        editor.press(.character("x"), .control)
        editor.send(.trips(list))
        editor.type("y")
        // A list that was requested earlier does not answer this.
        editor.send(.trips(list))
        #expect(editor.state.awaited == .tripChange)
        editor.send(.trips(list, said: "Deleted Summer."))
        #expect(editor.state.awaited == nil)
    }

    @Test func `the question before a deletion shows the present trip, not the one in the list`() throws {
        var editor = try editor()
        editor.type("t")
        editor.send(.trips(list))
        editor.press(.down)
        #expect(editor.press(.character("x"), .control) == [.listTrips])
        editor.send(.trips(TripList(trips: [SampleTrip.choice(77, "Zzz", days: 9, items: 200)])))
        let screen = editor.status + " " + editor.bar
        #expect(screen.contains("Delete Zzz and its 200 items? It can be restored here for 30 days."))
        #expect(editor.type("y") == [.deleteTrip(Self.summer)])

        editor = try self.editor()
        editor.type("t")
        editor.send(.trips(list))
        editor.press(.down)
        editor.press(.character("x"), .control)
        editor.send(.trips(TripList(trips: [list.trips[0]])))
        #expect(editor.status == "That trip has been deleted already.")
        #expect(editor.heading == "Open the trip")
    }

    @Test func `the form of the open trip follows others' changes, and overwrites them only after a warning`()
        throws
    {
        var editor = try editor()
        editor.type("r")
        editor.type(" by ann")
        try editor.sample.apply(.trip(TripChange(name: "Cup by bob", dayCount: 9)))
        var view = editor.sample.view
        view.news = [RemoteEdit(user: "bob", before: nil, after: nil)]
        editor.send(.loaded(view))
        #expect(editor.text.contains("now Cup by bob (bob)"), "\(editor.text)")
        #expect(editor.lines.contains { $0.hasPrefix("  Days") && $0.contains("9") })
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status.contains("Name is now Cup by bob (bob). Enter again saves"))
        #expect(
            editor.press(.enter) == [.apply([.trip(TripChange(name: "World Cup with Brazil by ann"))])],
            "the days stay bob's")
    }
}
