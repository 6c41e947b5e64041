import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// A count before a key repeats it, or the key is refused.
@Suite struct CountTests {
    @Test(arguments: ["j", "n", "N", "x", "K", "J"])
    func `a count before a key repeats the key`(key: String) throws {
        for count in 2...3 {
            var (once, counted) = (try Editor(), try Editor())
            func begin(_ editor: inout Editor) {
                editor.type("/e")
                editor.press(.enter)
                editor.focus("Coffee")
            }
            begin(&once)
            begin(&counted)
            for _ in 0..<count {
                // x with a count skips to the next item, but here a day heading is in between.
                if key == "x", once.focusedLine?.contains("Day ") == true { once.press(.down) }
                once.type(key)
            }
            counted.type("\(count)\(key)")
            #expect(once.list == counted.list, "\(count)\(key)")
            #expect(once.state.shownOrder == counted.state.shownOrder)
        }
    }

    @Test func `a count before undo or redo repeats it`() throws {
        var editor = try Editor()
        #expect(editor.type("3u") == [.undo, .undo, .undo])
        #expect(editor.type("2U") == [.redo, .redo])
        #expect(editor.type("9999u") == [.bell])
    }

    @Test func `a counted undo reports how many changes were undone, and what stopped the others`() throws {
        var editor = try Editor()
        editor.type("3u")
        editor.send(.editAccepted("added Tea"))
        editor.send(.editAccepted("moved Beach"))
        #expect(editor.send(.editRefused("nothing is left to undo")) == [.bell])
        #expect(editor.status == "2 of 3 changes undone: nothing is left to undo")
        #expect(editor.state.notDoneSentences == ["2 of 3 changes undone: nothing is left to undo"])
        editor.type("2U")
        editor.send(.editAccepted("moved Beach"), .editAccepted("added Tea"))
        #expect(editor.status.hasPrefix("Done again: 2 changes."))
        editor.type("2u")
        editor.send(.editUnknown("the connection was lost"), .editUnknown("the connection was lost"))
        #expect(
            editor.status
                == "0 of 2 changes undone; the others may or may not be: the connection was lost")
    }

    @Test func `an undo for which nothing is left is no change that was not done`() throws {
        var editor = try Editor()
        editor.type("u")
        #expect(editor.send(.noneLeft("there is nothing of yours to undo")) == [.bell])
        #expect(editor.status == "There is nothing of yours to undo.")
        editor.type("2u")
        editor.send(.editAccepted("added Tea"), .noneLeft("there is nothing of yours to undo"))
        #expect(editor.status == "1 of 2 changes undone: there is nothing of yours to undo")
        #expect(editor.state.notDoneSentences.isEmpty)
        editor.type("2u")
        editor.send(.editRefused("the disk is full"), .noneLeft("there is nothing of yours to undo"))
        #expect(editor.state.notDoneSentences == ["0 of 2 changes undone: the disk is full"])
    }

    @Test func `during a drag a count repeats the keys that move the item`() throws {
        var (once, counted) = (try Editor(), try Editor())
        for key in ["j", "k", "J", "K"] {
            for editor in [0, 1] {
                if editor == 0 {
                    once.press(.escape)
                    once.focus("Coffee")
                    once.type(" \(key)\(key)")
                } else {
                    counted.press(.escape)
                    counted.focus("Coffee")
                    counted.type(" 2\(key)")
                }
            }
            #expect(once.landing == counted.landing && once.landing != nil, "\(key)")
        }
    }

    @Test(arguments: [
        "d", "e", "a", "A", "c", "m", "=", "+", "-", "r", "i", "z", "/", ":", "g", "t", "H", "!", " ",
    ])
    func `a count before any other key is refused without an effect`(key: String) throws {
        var editor = try Editor()
        editor.focus("Coffee")
        let list = editor.list
        #expect(editor.type("2\(key)") == [.bell])
        #expect(editor.status.contains(" does nothing: "), "\(editor.status)")
        #expect(editor.list == list)
        editor.type("2")
        editor.press(.escape)
        editor.type("j")
        #expect(editor.focusedLine?.contains("Coffee") == false, "Esc forgets the number")
    }
}
