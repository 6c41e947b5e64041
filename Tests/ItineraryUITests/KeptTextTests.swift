import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// Written text is kept until it is known to be in the trip.
@Suite struct KeptTextTests {
    // MARK: Failed changes

    @Test func `a long text is listed in full, on several lines`() throws {
        var editor = try Editor(columns: 72, rows: 20)
        editor.focus("Beach")
        editor.type("e")
        editor.go(toField: "Note")
        let words = (1...60).map { "word\($0)" }
        editor.type(words.joined(separator: " "))
        editor.press(.enter)
        editor.send(.editRefused("the disk is full"))
        editor.type("E")
        for word in words { #expect(editor.text.contains(word)) }
    }

    @Test func `a report of another session is listed in full, of any width`() throws {
        var editor = try Editor(columns: 40, rows: 20)
        let words = (1...20).map { "word\($0)" }
        let kept =
            "Test: Not done: writing Beach: the window was closed · note: \(words.joined(separator: " "))"
        _ = editor.state.handle(.unsaid([kept]), now: .zero)
        editor.type("E")
        for word in words { #expect(editor.text.contains(word), "\(editor.text)") }
    }

    @Test func `a report of another session keeps one trip name, however often it is stored again`() throws {
        var editor = try Editor()
        let kept = "Cup: Not done: writing Beach: the window was closed · note: shells"
        _ = editor.state.handle(.unsaid([kept]), now: .zero)
        #expect(editor.state.notDoneByTrip == [kept])
    }

    @Test func `a text of any length is listed completely`() throws {
        var editor = try Editor(columns: 40, rows: 20)
        let words = (1...3_000).map { "word\($0)" }
        _ = editor.state.handle(.unsaid([words.joined(separator: " ")]), now: .zero)
        editor.type("E")
        editor.press(.end)
        #expect(editor.text.contains("word3000"), "\(editor.text)")
    }

    @Test func `a report does not repeat text that the item's name contains`() throws {
        var editor = try Editor(columns: 72, rows: 20)
        editor.type("aTea")
        editor.press(.enter)
        editor.send(.editRefused("no"))
        #expect(editor.state.notDoneSentences == ["Not done: adding Tea: no"])
    }

    @Test func `the form of an item that another user is dragging stays open with its text`() throws {
        var editor = try Editor(columns: 72, rows: 20)
        editor.focus("Beach")
        editor.type("e")
        editor.type(" with a view")
        editor.send(.people([Person(name: "Ben", dragging: editor.sample.beach)]))
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.status == "Ben is moving Beach.")
        #expect(editor.text.contains("Beach with a view"))
        editor.send(.people([]))
        #expect(
            editor.press(.enter)
                == [.apply([.update(editor.sample.beach, [.title("Beach with a view")])])])
    }

    @Test func `the next trip's editor keeps the reports of the previous one, with the name of that trip`()
        throws
    {
        var editor = try Editor()
        editor.focus("Beach")
        editor.type("d")
        editor.send(.editRefused("the disk is full"))
        var next = EditorState(after: editor.state)
        _ = next.handle(.shown(editor.sample.view), now: .zero)
        #expect(
            next.notDoneSentences == ["World Cup with Brazil: Not done: removing Beach: the disk is full"])
        #expect(next.frame().text.contains("1 not done: E"))
        #expect(EditorState(after: next).notDoneSentences == next.notDoneSentences, "it is named once")
    }

    // MARK: Deleted trips

    @Test func `if the trip is deleted while text is written, the text stays until the message is read`()
        throws
    {
        for (keys, text) in [("e by the sea", "Beach by the sea"), ("aDinner with", "Dinner with")] {
            var editor = try Editor(columns: 72, rows: 20)
            editor.focus("Beach")
            editor.type(keys)
            #expect(editor.send(.ended("the trip was deleted")) == [.bell])
            #expect(editor.status == "The trip was deleted. Enter goes to the trips.")
            #expect(editor.text.contains(text), "\(editor.text)")
            #expect(!editor.type(" and rmq").contains(.quit))
            #expect(editor.press(.enter) == [.bell], "it was for what was written")
            #expect(editor.text.contains(text))
            editor.wait(milliseconds: 1100)
            #expect(editor.press(.enter) == [.leaveTrip])
            #expect(editor.state.keepsInput)
            #expect(editor.state.notDoneSentences.joined().contains(text))
        }
    }

    @Test func `a deletion is announced only if opening the next trip fails`() throws {
        var editor = try Editor(columns: 72, rows: 20)
        editor.type("t")
        editor.send(.ended("the trip was deleted"))
        #expect(editor.state.keepsInput)
        editor.send(.failed("There is no list."))
        #expect(editor.status == "The trip was deleted. Enter goes to the trips.")
    }

    @Test func `new dragged items are kept if the trip is deleted, and an existing item is not`() throws {
        var editor = try Editor(columns: 72, rows: 20)
        editor.send(.input(.paste("One\nTwo")))
        editor.send(.ended("the trip was deleted"))
        #expect(editor.text.contains("One") && editor.text.contains("Two"))
        #expect(editor.state.notDoneSentences.joined().contains("title: Two"))

        editor = try Editor(columns: 72, rows: 20)
        editor.focus("Beach")
        editor.type(" ")
        editor.send(.dragGranted, .ended("the trip was deleted"))
        #expect(editor.state.notDoneSentences == [])
        editor.wait(milliseconds: 1100)
        #expect(editor.press(.escape) == [.leaveTrip])
    }
}
