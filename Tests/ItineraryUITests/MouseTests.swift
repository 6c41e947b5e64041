import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

@Suite struct MouseTests {
    @Test func `a press moves the cursor, and a release on the same row does nothing else`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.mouse(.press(.left), row: 6)
        #expect(editor.focusedLine?.contains("Liberty Bell") == true)
        editor.mouse(.drag(.left), row: 6, column: 30)
        editor.mouse(.release(.left), row: 6)
        editor.mouse(.press(.left), row: 17)
        editor.mouse(.press(.right), row: 3)
        #expect(editor.effects.isEmpty)
        #expect(editor.focusedLine?.contains("Liberty Bell") == true)
    }

    @Test func `press, drag and release move the item to the gap at the pointer`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.mouse(.press(.left), row: 6)
        #expect(editor.mouse(.drag(.left), row: 7).first == .beginDrag(editor.sample.bell))
        editor.send(.dragGranted)
        editor.mouse(.drag(.left), row: 9)
        #expect(editor.landing?.contains("Day 4 · after Coffee") == true)
        let line = editor.lines.firstIndex { $0.contains("●━━") }
        #expect(line == 9)
        #expect(editor.mouse(.release(.left), row: 9) == [.drop(.after(editor.sample.coffee, day: 4))])
        editor.send(.dropAccepted)
        #expect(editor.lines[9].contains("Liberty Bell"))
    }

    @Test func `R-GAPS: every gap can be reached downward and upward, and every screen position means one`()
        throws
    {
        var editor = try Editor(columns: 72, rows: 24)
        let gaps = try #require(editor.sample.trip.gaps(for: editor.sample.bell)).gaps.map(\.placement)
        editor.mouse(.press(.left), row: 6)
        editor.mouse(.drag(.left), row: 7)
        editor.send(.dragGranted)
        editor.mouse(.drag(.left), row: 0)
        for direction in [Array(0...23), Array((0...23).reversed())] {
            var seen: Set<Placement> = []
            for row in direction {
                for column in [0, 71] {
                    for effect in editor.mouse(.drag(.left), row: row, column: column) {
                        if case .hover(let placement?) = effect { seen.insert(placement) }
                    }
                }
            }
            #expect(Set(gaps).subtracting(seen).count <= 1, "all but the one it began at")
        }
        editor.mouse(.drag(.left), row: 23)
        #expect(editor.landing?.contains("Day 5 · after Beach") == true)
    }

    @Test func `a release at an invalid place returns the item with the reason`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.mouse(.press(.left), row: 5)
        editor.mouse(.drag(.left), row: 1)
        editor.send(.dragGranted)
        let effects = editor.mouse(.release(.left), row: 1)
        #expect(effects == [.cancelDrag, .bell])
        #expect(editor.status == "Must be after Brazil v Morocco 18:00: it was not moved there.")
        #expect(editor.landing == nil)
    }

    @Test func `a release before the lease is granted drops as well`() throws {
        var editor = try Editor(columns: 72, rows: 18)
        editor.mouse(.press(.left), row: 6)
        editor.mouse(.drag(.left), row: 9)
        #expect(
            editor.mouse(.release(.left), row: 9) == [.drop(.after(editor.sample.coffee, day: 4))])
        #expect(editor.lines[9].contains("Liberty Bell"))
    }

    @Test func `games cannot be dragged, and the wheel scrolls and keeps the cursor visible`() throws {
        var editor = try Editor(columns: 40, rows: 10)
        editor.mouse(.press(.left), row: 2)
        #expect(editor.mouse(.drag(.left), row: 4) == [.bell])
        #expect(editor.mouse(.drag(.left), row: 5) == [], "said once")
        for _ in 0..<10 {
            editor.mouse(.wheelDown, row: 3)
            #expect(editor.focusedLine != nil)
        }
        #expect(editor.list.last?.contains("Beach") == true)
        for _ in 0..<10 { editor.mouse(.wheelUp, row: 3) }
        #expect(editor.list.first?.contains("Day 1") == true)
        #expect(editor.focusedLine != nil)
    }

    @Test func `a key takes over a drag from the mouse, which then scrolls no more`() throws {
        var editor = try Editor(columns: 40, rows: 10)
        editor.mouse(.press(.left), row: 3)
        editor.mouse(.drag(.left), row: 7)
        editor.send(.dragGranted)
        editor.press(.up)
        let place = editor.landing
        #expect(place != nil)
        for _ in 0..<10 {
            editor.now += .milliseconds(500)
            for effect in editor.state.handle(.timer, now: editor.now) {
                if case .hover = effect { Issue.record("the list scrolls at the resting mouse") }
            }
        }
        #expect(editor.landing == place)
    }

    @Test func `an item held at the edge scrolls the list faster and faster, up to the last gap`() throws {
        var editor = try Editor(columns: 40, rows: 10)
        editor.mouse(.press(.left), row: 3)
        var delays: [Duration] = []
        func send(_ event: EditorEvent) -> [EditorEffect] {
            let effects = editor.state.handle(event, now: editor.now)
            for case .wake(let delay) in effects { delays.append(delay) }
            return effects
        }
        _ = send(.input(.mouse(MouseEvent(.drag(.left), row: 7, column: 20))))
        #expect(delays == [.milliseconds(250)])
        var hovered: [Placement] = []
        var ticks = 0
        while ticks < delays.count, ticks < 100, delays[ticks] < .seconds(10) {
            editor.now += delays[ticks]
            ticks += 1
            for case .hover(let placement?) in send(.timer) { hovered.append(placement) }
            #expect(editor.landing != nil)
        }
        #expect(hovered.count == 7, "as many lines as were below the screen")
        #expect(editor.list.last?.contains("●━━") == true)
        #expect(hovered.last == .after(editor.sample.beach, day: 5))
        #expect(delays.dropFirst().prefix(2) == [.milliseconds(150), .microseconds(131_250)])
        #expect(delays.removeLast() > .seconds(100), "and that it is not forgotten")
        #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 >= $1 })
        #expect(ticks < 100, "at the end of the list nothing asks for time")

        _ = send(.input(.mouse(MouseEvent(.drag(.left), row: 1, column: 20))))
        #expect(delays.last == .milliseconds(250))
        _ = send(.input(.mouse(MouseEvent(.drag(.left), row: 4, column: 20))))
        editor.now += .seconds(1)
        #expect(send(.timer) == [.wake(after: .seconds(119))], "away from the edge it stops")
    }
}
