import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// What is typed while another screen is to come, and what was written for it.
@Suite struct ErrandTests {
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

    /// Types as a terminal does: what is for a screen to come is kept until then.
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

    @Test("What is typed behind the key that opens a trip is done to nothing of the trip before")
    func opening() throws {
        for behind in ["dd", "aDinner\r", "q"] {
            var editor = try editor()
            var ahead = TypedAhead()
            #expect(typing(keys("tsumm\r" + behind), &editor, &ahead) == [.listTrips])
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

    @Test("What is typed while a trip is made, copied, restored, changed or deleted is kept")
    func making() throws {
        let old = DeletedTrip(
            key: "old", name: "Old", itemCount: 3, deleted: Self.today, keptUntil: Self.today)
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
        #expect(typing([down, control("x")] + keys("ydd"), &editor, &ahead) == [.listTrips])
        editor.send(.trips(list))
        #expect(look(&editor, &ahead) == [.deleteTrip(Self.summer)])
        editor.send(.trips(list, said: "Deleted Summer."))
        #expect(look(&editor, &ahead) == [], "the keys behind it narrow the list")
        #expect(editor.list[0].contains("dd"))
    }

    @Test("Esc ends the wait for a list, Ctrl-C every wait, and takes away what was typed before it")
    func leaving() throws {
        var editor = try editor()
        var ahead = TypedAhead()
        #expect(typing(keys("tbern\r") + [.key(.escape)] + keys("/x"), &editor, &ahead) == [.listTrips])
        #expect(editor.status.hasPrefix("Search: x"), "\(editor.status)")
        editor.send(.trips(list))
        #expect(editor.status.hasPrefix("Search: x"), "nobody waits for it")

        editor = try self.editor()
        ahead = TypedAhead()
        _ = typing(keys("t"), &editor, &ahead)
        editor.send(.trips(list))
        _ = typing([.key(.down), .key(.enter)], &editor, &ahead)
        #expect(typing(keys("q") + [.key(.escape)], &editor, &ahead) == [])
        #expect(typing([.key(.character("c"), .control)], &editor, &ahead) == [.quit])
    }

    @Test("What was typed for a screen that does not come is thrown away")
    func discarding() throws {
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

    @Test("A trip that cannot be opened leads back to the list, which is asked for anew")
    func notOpened() throws {
        var editor = try editor()
        editor.type("t")
        editor.send(.trips(list))
        editor.press(.down)
        editor.press(.enter)
        #expect(editor.send(.failed("It cannot be opened: it has been deleted.")).contains(.listTrips))
        #expect(editor.state.keepsInput)
        editor.send(.trips(TripList(trips: [list.trips[0]])))
        #expect(editor.status == "It cannot be opened: it has been deleted.")
        #expect(editor.list[0] == "  Open the trip:")
        #expect(!editor.text.contains("Summer"))
        editor.acknowledge()

        editor.press(.escape)
        editor.type("t")
        editor.send(.trips(list))
        editor.press(.down)
        editor.press(.enter)
        editor.send(.failed("It cannot be opened: no daemon."))
        editor.send(.failed("There is no list: no daemon."))
        #expect(editor.status == "It cannot be opened: no daemon.")
        #expect(editor.focusedLine?.contains("Brazil v Morocco") == true)
    }

    @Test("A form whose trip is not made comes back as it was written, and asks for the same trip again")
    func comesBack() throws {
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
        // What was on its way to the trip that did not come is written into no field, and asks for nothing.
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

    @Test("The forms of another trip and of a copy come back where it is not done")
    func changeComesBack() throws {
        for key in ["e", "y"] as [Unicode.Scalar] {
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
            #expect(editor.bar.hasPrefix("Enter done"))
        }
    }

    @Test(
        "A form of another trip does not write over what somebody has made of it meanwhile, before it says so"
    )
    func changedMeanwhile() throws {
        var editor = try editor()
        editor.type("t")
        editor.send(.trips(list))
        editor.press(.down)
        editor.press(.character("e"), .control)
        editor.type("!")
        #expect(editor.press(.enter) == [.changeTrip(Self.summer, TripChange(name: "Summer!"))])
        #expect(editor.send(.conflict(SampleTrip.choice(77, "Winter", days: 9).plan)) == [.bell])
        #expect(editor.told.contains("Name is Winter now (somebody else). Enter again writes Summer!."))
        editor.acknowledge()
        #expect(editor.lines.contains { $0.contains("Summer!") && $0.contains("now Winter (somebody else)") })
        #expect(editor.press(.enter) == [.changeTrip(Self.summer, TripChange(name: "Summer!"))])
    }

    @Test("What fails is taken for nothing else that is waited for")
    func otherFailure() throws {
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
        // A list that was asked for before is no answer to that.
        editor.send(.trips(list))
        #expect(editor.state.awaited == .deed)
        editor.send(.trips(list, said: "Deleted Summer."))
        #expect(editor.state.awaited == nil)
    }

    @Test("A deletion asks by what the trip is by now, not by what the list said")
    func deletionAsks() throws {
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
        #expect(editor.list[0] == "  Open the trip:")
    }

    @Test("The form of the open trip follows what others make of it, and writes over it only after saying so")
    func tripFormFollows() throws {
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
        #expect(editor.status.contains("Name is Cup by bob now (bob). Enter again writes"))
        #expect(
            editor.press(.enter) == [.apply([.trip(TripChange(name: "World Cup with Brazil by ann"))])],
            "the days stay bob's")
    }
}
