import TerminalCore
import Testing

@testable import ItineraryUI

@Suite struct ConfigurationTests {
    private static func mistakes(_ text: String) -> [String] {
        do throws(Configuration.Mistakes) {
            _ = try Configuration(text)
            return []
        } catch {
            return error.all.map(\.description)
        }
    }

    @Test func `a configuration file sets keys, colours, feedback and all other settings`() throws {
        let configuration = try Configuration(
            """
            # how I like it
            ascii = no
            mouse = no
              reduce-motion = yes
            feedback = visual
            background = light

            color accent = bright-green
            color refusal = #ff8000
            key list lift = v Ctrl-L
            key list remove = F8 Delete
            key drag drop = x Enter
            """)
        var options = EditorOptions()
        configuration.apply(to: &options)
        #expect(!options.ascii && !options.takesMouse && options.reduceMotion)
        #expect(options.feedback == .visual)
        #expect(options.background == .light)
        var editor = try Editor(options: options)
        editor.focus("Liberty Bell")
        #expect(editor.type(" ") == [], "the key that was; its feedback is silent")
        #expect(editor.type("v") == [.beginDrag(editor.sample.bell)])
        #expect(editor.bar.hasPrefix("x drop"))
        #expect(editor.styledText.contains("brightGreen"))
        editor.press(.escape)
        #expect(editor.press(.character("l"), .control) == [.beginDrag(editor.sample.bell)])
        editor.press(.escape)
        #expect(editor.press(.function(8)) == [.apply([.remove(editor.sample.bell)])])
        editor.type("?")
        #expect(editor.lines.contains { $0.contains("v Ctrl-L") && $0.contains("lift the item") })
    }

    @Test(arguments: [
        (
            "feedbak = visual",
            "line 1: there is no setting feedbak; the settings are ascii, background, color NAME, feedback, key PLACE ACTION, mouse, reduce-motion"
        ),
        ("\n\nfeedback = loud", "line 3: the value is one of visual, bell, both, off, not loud"),
        ("mouse", "line 1: a setting looks like `name = value`"),
        ("mouse = maybe", "line 1: the value is yes or no, not maybe"),
        ("background = pink", "line 1: the value is one of auto, dark, light, not pink"),
        (
            "color accents = red",
            "line 1: accents is not a color; use one of accent, on-accent, time, people, warning, refusal"
        ),
        (
            "color accent = redd",
            "line 1: a color is a name like red or bright-blue, a number from 0 to 255, or #rrggbb, not redd"
        ),
        (
            "color accent = #12345",
            "line 1: a color is a name like red or bright-blue, a number from 0 to 255, or #rrggbb, not #12345"
        ),
        (
            "color accent = 256",
            "line 1: a color is a name like red or bright-blue, a number from 0 to 255, or #rrggbb, not 256"
        ),
        (
            "key list lift = Spce",
            "line 1: Spce is not a key; keys are like x, Space, Enter, PgUp, F2, Ctrl-X, Alt+Up"
        ),
        ("key list lift =", "line 1: a key is missing, like Space or Ctrl-X"),
        ("key list drop = x", "line 1: drop is not an action of list"),
        ("key list lift = d", "line 1: d already means remove in list"),
        ("key list lift = Ctrl-C", "line 1: Ctrl-C already means quit in list"),
        (
            "key lists lift = v",
            "line 1: lists is not a place; use one of list, drag, prompt, form, search, menu, trips, problems, todo, filter, confirmation, notice, help"
        ),
    ])
    func `each invalid line of a configuration is reported with a valid example`(
        text: String, mistake: String
    ) {
        #expect(Self.mistakes(text) == [mistake])
    }

    @Test func `all errors of a configuration are reported in order, and keys may be exchanged`() {
        #expect(
            Self.mistakes("mouse = 1\nascii = yes\nkey list lift = d\nx").map { $0.prefix(7) } == [
                "line 1:", "line 3:", "line 4:",
            ])
        #expect(Self.mistakes("key list lift = d\nkey list remove = Space Enter") == [])
        #expect(Self.mistakes("key list quit = Q") == [])
    }

    @Test func `Ctrl-C cannot be rebound`() throws {
        var editor = try Editor(
            options: {
                var options = EditorOptions(); try Configuration("key list quit = Q").apply(to: &options);
                return options
            }())
        #expect(editor.type("q") == [.bell])
        #expect(editor.type("Q") == [.quit])
        #expect(editor.press(.character("c"), .control) == [.quit])
    }

    @Test
    func `every key of the list and of a drag has a command, except those that mean the same everywhere`() {
        let without = KeyMap.standard.bindings.filter {
            [.list, .drag].contains($0.context) && $0.command == nil
        }
        #expect(Set(without.map(\.action)) == [.quit, .suspend])
    }

    @Test func `every key of the table has a name that parses to the same key`() throws {
        for binding in KeyMap.standard.bindings {
            for key in binding.keys { #expect(KeyStroke(key.description) == key, "\(key)") }
        }
        #expect(
            KeyStroke("-") == "-" && KeyStroke("+") == "+"
                && KeyStroke("Ctrl--") == KeyStroke(.character("-"), .control))
        for name in ["", "Ctrl-", "ab", "F0", "F36", "\u{7F}", "Hyper-x"] {
            #expect(KeyStroke(name) == nil, "\(name)")
        }
    }

    @Test
    func `light and dark backgrounds have their own palettes; the configuration overrides the terminal`()
        throws
    {
        func accent(_ options: EditorOptions, answer: InputEvent?) throws -> Color {
            var editor = try Editor(options: options)
            if let answer { editor.send(.input(answer)) }
            let row = try #require(editor.lines.firstIndex { $0.hasPrefix("▌") })
            return editor.state.frame()[row: row, column: 0].style.foreground
        }
        let white = InputEvent.reply(.backgroundColor(red: 250, green: 250, blue: 250))
        #expect(try accent(EditorOptions(), answer: nil) == .ansi(.cyan))
        #expect(try accent(EditorOptions(), answer: white) == .ansi(.blue))
        let dark = try accent(EditorOptions(colorDepth: .trueColor), answer: nil)
        let light = try accent(EditorOptions(colorDepth: .trueColor), answer: white)
        guard case .rgb = dark, case .rgb = light else {
            Issue.record("24 bits where they are offered")
            return
        }
        #expect(dark != light)
        #expect(try accent(EditorOptions(colorDepth: .trueColor, background: .dark), answer: white) == dark)
    }
}
