import EditorSessions
import ItineraryUI
import TerminalCore
import Testing

/// However the editor is left, what was not finished is kept.
@Suite struct LeaveTests {
    /// The ways to leave without a question.
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

    @Test("what is half written or new in hand is on the list of what was not done", arguments: 0..<3)
    func unfinishedIsKept(way: Int) throws {
        for (begin, kept) in Self.unfinished {
            var editor = try Editor(columns: 100)
            begin(&editor)
            #expect(Self.ways[way].leave(&editor).contains(.quit))
            let sentences = editor.state.notDoneSentences
            #expect(
                sentences.count == 1 && sentences[0].contains(kept) && sentences[0].hasPrefix("Not done: "),
                "\(Self.ways[way].name): \(sentences)")
            // The signal and the end of the input come both, in any order.
            editor.send(.leave(.windowClosed))
            #expect(editor.state.notDoneSentences == sentences)
        }
    }

    @Test("nothing is listed if nothing was begun, or if the user has agreed to leave without it")
    func nothingUnfinished() throws {
        for way in Self.ways {
            var editor = try Editor()
            editor.focus("Coffee")
            editor.type("ej")
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

    @Test("by lines, fields that were answered and a copy in hand are told when the editor is left")
    func byLines() throws {
        for end in ["end of the input", "signal"] {
            var session = try PlainSession()
            try session.run("> edit Coffee\n> Cappuccino")
            session.send(end == "signal" ? .editor(.leave(.ended)) : .end(isCutOff: false))
            #expect(session.hasQuit)
            let told = session.transcript.last { $0.hasPrefix("Not done: changing Coffee") }
            #expect(told?.contains("title: Cappuccino") == true, "\(session.transcript)")
        }
        var session = try PlainSession()
        try session.run("> copy Coffee\n> quit")
        #expect(session.hasQuit)
        #expect(session.transcript.contains { $0.hasPrefix("Not done: writing a new item") })
    }
}
