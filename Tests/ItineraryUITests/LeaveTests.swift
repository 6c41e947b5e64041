import EditorSessions
import ItineraryUI
import TerminalCore
import Testing

/// Unfinished text is kept, however the editor is closed.
@Suite struct LeaveTests {
    /// The ways to quit without a question.
    private static let ways: [(name: String, leave: @Sendable (inout Editor) -> [Did])] = [
        ("Ctrl-C", { $0.press(.character("c"), .control) }),
        ("the window is closed", { $0.send(.leave(.windowClosed)) }),
        ("a signal", { $0.send(.leave(.ended)) }),
    ]

    private static let unfinished: [(begin: @Sendable (inout Editor) -> Void, kept: String)] = [
        ({ $0.type("aHalf a title") }, "writing a new item: "),
        (
            {
                $0.focus("Coffee")
                $0.type("e and tea")
            }, "title: Coffee and tea"
        ),
        (
            {
                $0.type("A")
                $0.press(.enter)
                $0.type("Oslo")
            }, "Oslo"
        ),
        ({ $0.type("r 2") }, "name: "),
        ({ $0.type("TaBuy tickets") }, "to do: Buy tickets"),
        ({ $0.send(.input(.paste("One\nTwo"))) }, "title: One · title: Two"),
        (
            {
                $0.focus("Coffee")
                $0.type("c")
            }, "title: Coffee"
        ),
        (
            {
                $0.send(.input(.paste("One")))
                $0.type("q")
            }, "title: One"
        ),
    ]

    @Test(arguments: 0..<3)
    func `unsaved text and new dragged items are in the list of failed changes`(way: Int) throws {
        for (begin, kept) in Self.unfinished {
            var editor = try Editor(columns: 100)
            begin(&editor)
            #expect(Self.ways[way].leave(&editor).contains(.quit))
            let sentences = editor.state.notDoneSentences
            #expect(
                sentences.count == 1 && sentences[0].contains(kept) && sentences[0].hasPrefix("Not done: "),
                "\(Self.ways[way].name): \(sentences)")
            // The signal and the end of the input both come, in any order.
            editor.send(.leave(.windowClosed))
            #expect(editor.state.notDoneSentences == sentences)
        }
    }

    @Test func `nothing is listed if no text was written, or after the user has confirmed quitting`() throws {
        for way in Self.ways {
            var editor = try Editor()
            editor.focus("Coffee")
            editor.type("e")
            editor.press(.escape)
            editor.type(" ")
            #expect(way.leave(&editor) == [.cancelDrag, .quit], "\(way.name)")
            #expect(editor.state.notDoneSentences.isEmpty)
        }
        var editor = try Editor()
        editor.send(.input(.paste("One")))
        #expect(editor.type("qy").last == .quit)
        #expect(editor.state.notDoneSentences.isEmpty)
    }

    @Test func `when the plain editor is closed, answered fields and a dragged copy are reported`() throws {
        for end in ["end of the input", "signal"] {
            var session = try PlainSession()
            try session.run("> edit Coffee\n> Cappuccino")
            session.send(end == "signal" ? .editor(.leave(.ended)) : .end(isCutOff: false))
            #expect(session.hasQuit)
            let statusAndBar = session.transcript.last { $0.hasPrefix("Not done: writing Coffee") }
            #expect(statusAndBar?.contains("title: Cappuccino") == true, "\(session.transcript)")
        }
        var session = try PlainSession()
        try session.run("> copy Coffee\n> quit")
        #expect(session.hasQuit)
        #expect(session.transcript.contains { $0.hasPrefix("Not done: writing a new item") })
    }
}
