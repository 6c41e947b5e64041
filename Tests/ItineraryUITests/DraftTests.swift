import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// Text that was typed into a form or list and left with Esc.
@Suite struct DraftTests {
    private static let kept = "Not saved, but kept: the same key offers it again, and Esc then drops it."
    private static let offered = ", as you left it"

    private func addDinner(_ editor: inout Editor) {
        editor.type("A")
        editor.press(.down, .enter)
    }

    @Test func `a draft of a new item is restored in the next form, at the place of the cursor`() throws {
        var editor = try Editor(columns: 80, rows: 40)
        editor.focus("Coffee")
        addDinner(&editor)
        editor.type("Long dinner")
        editor.go(toField: "City")
        editor.type("Bern")
        #expect(editor.press(.escape).isEmpty && editor.status == Self.kept)
        editor.focus("Beach")
        addDinner(&editor)
        #expect(editor.lines.contains("  Title       Long dinner") && editor.text.contains(Self.offered))
        let added = editor.press(.enter)
        guard case .apply(let edits)? = added.last, case .add(_, let content, let place)? = edits.first else {
            Issue.record("\(added)")
            return
        }
        #expect(content.title == "Long dinner" && content[.city] == .text("Bern"))
        #expect(place == .after(editor.sample.beach, day: 5))
        addDinner(&editor)
        #expect(!editor.lines.contains("  Title       Long dinner"), "a saved form leaves no draft")
    }

    @Test func `an untouched form closes without a word, and an offered draft that is left is dropped`()
        throws
    {
        var editor = try Editor(columns: 80, rows: 40)
        addDinner(&editor)
        editor.press(.escape)
        #expect(editor.status != Self.kept && editor.state.notDoneSentences.isEmpty)
        editor.focus("Coffee")
        editor.type("e and tea")
        editor.press(.escape)
        editor.type("e")
        #expect(editor.text.contains(Self.offered) && editor.text.contains("Coffee and tea"))
        editor.press(.escape)
        #expect(editor.status == "The text was dropped.")
        editor.type("e")
        #expect(!editor.text.contains("Coffee and tea"))
        editor.press(.escape)
        editor.send(.leave(.ended))
        #expect(editor.state.notDoneSentences.isEmpty)
    }

    @Test func `a draft shows what another user has changed since, before it overwrites it`() throws {
        var editor = try Editor(columns: 80, rows: 40)
        editor.focus("Coffee")
        editor.type("e and tea")
        editor.press(.escape)
        let coffee = try #require(editor.sample.trip.items.first { $0.content.title == "Coffee" })
        try editor.sample.apply(.update(coffee.id, [.title("Espresso")]))
        editor.load()
        editor.focus("Espresso")
        editor.type("e")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status.hasPrefix("Title is now Espresso"))
    }

    @Test func `a title that was left is offered again at the new place`() throws {
        var editor = try Editor()
        editor.focus("Coffee")
        editor.type("aTea")
        editor.press(.escape)
        #expect(editor.status == Self.kept)
        editor.focus("Beach")
        editor.type("a time")
        let added = editor.press(.enter)
        guard case .apply(let edits)? = added.last, case .add(_, let content, let place)? = edits.first else {
            Issue.record("\(added)")
            return
        }
        #expect(content.title == "Tea time" && place == .after(editor.sample.beach, day: 5))
    }

    @Test func `lists keep typed text that matches nothing`() throws {
        var editor = try Editor()
        editor.type("TaBuy tickets")
        editor.press(.escape)
        #expect(editor.status == Self.kept)
        editor.type("a")
        #expect(editor.status == "New: Buy tickets")
        editor.press(.escape)
        #expect(editor.status == "The text was dropped.")
    }

    @Test(arguments: [Departure.wanted, .windowClosed, .ended])
    func `drafts are reported when the editor is closed`(departure: Departure) throws {
        var editor = try Editor()
        for title in ["Coffee", "Beach"] {
            editor.focus(title)
            editor.type("e!")
            editor.press(.escape)
        }
        editor.type("TaSocks")
        editor.press(.escape)
        editor.send(.leave(departure))
        let written = ["title: Coffee!", "title: Beach!", "to do: Socks"]
        let sentences = editor.state.notDoneSentences
        #expect(
            sentences.count == 3 && zip(sentences, written).allSatisfy { $0.contains($1) }, "\(sentences)")
    }

    @Test func `drafts are reported when the user leaves in spite of a question`() throws {
        var editor = try Editor()
        editor.focus("Coffee")
        editor.type("e!")
        editor.press(.escape)
        editor.send(.input(.paste("One")))
        editor.type("q")
        #expect(editor.status.contains("Leave anyway?"), "\(editor.status)")
        #expect(editor.type("y").last == .quit)
        #expect(editor.state.notDoneSentences.map { $0.contains("title: Coffee!") } == [true])
    }

    @Test func `at most sixteen drafts are kept, and the oldest is then reported`() throws {
        var editor = try Editor()
        for number in 1...17 {
            let content = ItemContent.custom(CustomItem(title: "Walk \(number)."))
            try editor.sample.apply(.add(.random(), content, to: .end(day: 5)))
        }
        editor.load()
        for number in 1...17 {
            editor.focus("Walk \(number).")
            editor.type("e?")
            editor.press(.escape)
        }
        let sentences = editor.state.notDoneSentences
        #expect(sentences.count == 1 && sentences[0].contains("title: Walk 1.?"), "\(sentences)")
    }
}
