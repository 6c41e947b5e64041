import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// Animations; the clock is passed in, so every moment can be checked.
@Suite struct MotionTests {
    private static func moving(_ options: EditorOptions = EditorOptions()) throws -> Editor {
        try Editor(columns: 72, rows: 18, reduceMotion: false, options: options)
    }

    /// Starts to drag the Liberty Bell and waits for the end of the animation.
    private static func lifted() throws -> Editor {
        var editor = try moving()
        editor.focus("Liberty Bell")
        editor.type(" ")
        editor.send(.dragGranted)
        editor.wait(milliseconds: 1_000)
        return editor
    }

    @Test func `a lifted row is bold on the accent, with a column around its title`() throws {
        var editor = try Self.moving()
        editor.focus("Liberty Bell")
        editor.type(" ")
        #expect(editor.landing == "╎   ⋮⋮    ●━━ Liberty Bell ━━ Day 2 · after New York → Philadelphia")
        #expect(editor.styledText.contains("⟦bold reverse cyan⟧ Liberty Bell ⟦"))
        editor.wait(milliseconds: 1_000)
        #expect(editor.alarm == .seconds(120), "a lifted item at rest only asks not to be forgotten")
    }

    @Test func `the rows between the old and the new gap are indented for two frames of 50 ms`() throws {
        var editor = try Self.lifted()
        editor.press(.down, .down)
        let day4 = try #require(editor.list.first { $0.contains("Day 4 · Tue") })
        #expect(day4.hasPrefix("      Day 4"), "two columns aside")
        editor.wait(milliseconds: 50)
        #expect(editor.list.contains { $0.hasPrefix("     Day 4 · Tue") }, "one column aside")
        #expect(editor.list.contains { $0.hasPrefix("    Day 5") }, "other rows stay")
        editor.wait(milliseconds: 50)
        #expect(editor.list.contains { $0.hasPrefix("    Day 4 · Tue") })
        #expect(editor.alarm == .seconds(121))

        editor.press(.pageDown)
        let aside = editor.list.filter {
            $0.hasPrefix("     ") && !$0.contains("18:00") && !$0.contains("━━")
        }
        #expect(aside.count == 4, "all rows of the day that it passes")
    }

    @Test func `the background of a dropped row fades over 700 ms, without timers if motion is reduced`()
        throws
    {
        var editor = try Self.moving()
        editor.focus("Liberty Bell")
        editor.type("J")
        #expect(editor.styledText.contains("⟦bold reverse cyan⟧⋮⋮"))
        editor.wait(milliseconds: 350)
        #expect(editor.styledText.contains("⟦underline on brightBlack⟧⋮⋮"))
        editor.wait(milliseconds: 349)
        #expect(editor.styledText.contains("underline on brightBlack"))
        editor.wait(milliseconds: 1)
        #expect(!editor.styledText.contains("underline on brightBlack"))

        editor = try Editor(reduceMotion: true)
        editor.focus("Liberty Bell")
        editor.type("J")
        #expect(editor.alarm == .seconds(1), "only the timer for a late answer")
    }

    @Test func `with true colour the background fades from the accent to the terminal's own`() throws {
        var editor = try Self.moving(EditorOptions(colorDepth: .trueColor))
        editor.send(.input(.reply(.backgroundColor(red: 255, green: 255, blue: 255))))
        editor.focus("Liberty Bell")
        editor.type("J")
        var backgrounds: [String] = []
        for _ in 0..<7 {
            let row = try #require(editor.state.frame().lines.firstIndex { $0.contains("Liberty Bell") })
            backgrounds.append(editor.state.frame()[row: row, column: 40].style.background.description)
            editor.wait(milliseconds: 100)
        }
        #expect(backgrounds.first == "#00628c")
        #expect(Set(backgrounds).count == 7)
        #expect(backgrounds.last == "#dae8ee", "the last step before the paper's own white")
    }

    @Test func `after an invalid drop the row returns in 3 steps, and a toast keeps the reason`() throws {
        var editor = try Self.moving()
        editor.focus("Philadelphia → Miami")
        editor.type(" ")
        editor.send(.dragGranted)
        editor.press(.home)
        editor.wait(milliseconds: 1_000)
        let from = try #require(editor.lines.firstIndex { $0.contains("○──") })
        #expect(editor.type(" ") == [.cancelDrag, .bell])
        var rows: [Int] = []
        for _ in 0..<3 {
            rows.append(try #require(editor.lines.firstIndex { $0.contains("○──") }))
            #expect(editor.landing?.contains("must be on a day from 4 to 5") == true)
            editor.wait(milliseconds: 60)
        }
        #expect(rows == rows.sorted() && Set(rows).count == 3 && rows[0] > from, "\(rows)")
        #expect(editor.landing == nil)
        #expect(editor.focusedLine?.contains("Philadelphia → Miami") == true)
        #expect(editor.lines[11].contains("Philadelphia → Miami"), "home")
        editor.press(.down)
        #expect(editor.status == "Day 5 · Wed 17 Jun 2026: 2 items, 1 event.")
        #expect(editor.lines[17].hasSuffix(" must be on a day from 4 to 5"), "kept by the toast")
        editor.wait(milliseconds: 5_000)
        #expect(!editor.text.contains("must be"))
        #expect(editor.alarm == nil)
    }

    @Test func `the daemon's refusal also makes the row return, and a key ends the animation at once`() throws
    {
        var editor = try Self.lifted()
        editor.press(.end)
        editor.type(" ")
        editor.send(.dropRefused("the anchor has moved"))
        #expect(editor.landing?.contains("the anchor has moved") == true)
        editor.send(.people([]))
        #expect(editor.landing != nil)
        editor.press(.right)
        #expect(editor.landing == nil)
        #expect(editor.focusedLine?.contains("Liberty Bell") == true)
    }

    @Test func `the animation ends if the item is removed during it`() throws {
        var editor = try Self.lifted()
        editor.press(.end)
        editor.type(" ")
        editor.send(.dropRefused("the anchor has moved"))
        for item in editor.sample.trip.items { try editor.sample.apply(.remove(item.id)) }
        editor.load()
        #expect(editor.landing == nil)
        #expect(editor.focusedLine?.contains("Day 2") == true)
    }

    @Test(arguments: Feedback.allCases)
    func `the handle flashes at a grab, and a refusal flashes and rings once`(kind: Feedback) throws {
        let flashes = kind == .visual || kind == .both
        let rings = kind == .bell || kind == .both
        var editor = try Self.moving(EditorOptions(feedback: kind))
        editor.focus("New York → Philadelphia")
        editor.type(" ")
        editor.send(.dragGranted)
        #expect(editor.styledText.contains("⟦bold reverse cyan⟧⋮⋮⟦") == flashes)
        editor.wait(milliseconds: 150)
        #expect(!editor.styledText.contains("⟦bold reverse cyan⟧⋮⋮⟦"))
        editor.press(.home)
        #expect(editor.type(" ") == (rings ? [.cancelDrag, .bell] : [.cancelDrag]))
        #expect(editor.styledText.contains("⟦bold reverse red⟧Must be after") == flashes)
        editor.wait(milliseconds: 150)
        #expect(editor.styledText.contains("⟦bold red⟧Must be after"))
        editor.type("J")
        #expect(editor.styledText.contains("⟦bold reverse cyan⟧⋮⋮") == flashes, "the drop fades")
    }

    /// The style in front of the undo hint of the bar.
    private static func undoStyle(_ editor: Editor) -> Substring? {
        editor.styledText.split(separator: "\n").last?.firstMatch(of: /⟦([^⟧]*)⟧u(?:⟦[^⟧]*⟧)? undo/)?.output.1
    }

    @Test
    func `after a change the undo hint stands out in its place for five seconds, and the bar stays as it is`()
        throws
    {
        var editor = try Self.moving()
        editor.focus("Liberty Bell")
        let bar = editor.bar
        #expect(bar.contains("m move  u undo"))
        editor.type("d")
        for _ in 0..<5 {
            #expect(editor.bar == bar)
            #expect(Self.undoStyle(editor)?.contains("reverse") == true, "\(editor.styledText)")
            editor.wait(milliseconds: 1_000)
        }
        #expect(Self.undoStyle(editor)?.contains("reverse") != true)
        #expect(editor.bar == bar)
        #expect(editor.alarm == nil)
        #expect(editor.type("uU") == [.undo, .redo])
        editor.type("d")
        let column = try #require(bar.range(of: "u undo")).lowerBound
        #expect(
            editor.click(
                row: editor.lines.count - 1, column: bar.distance(from: bar.startIndex, to: column) + 2)
                == [.undo])
    }

    @Test func `the undo hint is highlighted until an undo, and again after a change`() throws {
        var editor = try Self.moving()
        editor.send(.resized(columns: 100, rows: 18))
        editor.focus("Liberty Bell")
        editor.type("d")
        editor.wait(milliseconds: 4_000)
        editor.type("d")
        editor.wait(milliseconds: 2_000)
        #expect(Self.undoStyle(editor)?.contains("reverse") == true)
        editor.type("u")
        #expect(Self.undoStyle(editor)?.contains("reverse") != true)
    }

    @Test func `if the bar has no room for undo, its last hint is undo for five seconds`() throws {
        var editor = try Self.moving()
        editor.send(.resized(columns: 40, rows: 18))
        editor.focus("Liberty Bell")
        #expect(!editor.bar.contains("u undo"))
        editor.type("d")
        #expect(editor.bar.hasSuffix("  u undo"))
        editor.wait(milliseconds: 5_000)
        #expect(!editor.bar.contains("u undo"))
    }
}
