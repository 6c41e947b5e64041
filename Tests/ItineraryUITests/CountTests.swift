import EditorSessions
import ItineraryUI
import TerminalCore
import Testing
import TripModel

/// A number before a key repeats it, or the key is refused.
@Suite struct CountTests {
    @Test(
        "a number before a key does the same as the key so many times",
        arguments: ["j", "n", "N", "x", "K", "J"])
    func repeats(key: String) throws {
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
                // A day is between: x of a number goes on to the next item.
                if key == "x", once.focusedLine?.contains("Day ") == true { once.press(.down) }
                once.type(key)
            }
            counted.type("\(count)\(key)")
            #expect(once.list == counted.list, "\(count)\(key)")
            #expect(once.state.shownOrder == counted.state.shownOrder)
        }
    }

    @Test("so many changes are taken back and made again")
    func undo() throws {
        var editor = try Editor()
        #expect(editor.type("3u") == [.undo, .undo, .undo])
        #expect(editor.type("2U") == [.redo, .redo])
        #expect(editor.type("9999u") == [.bell])
    }

    @Test("with an item in hand a number repeats the keys that move it")
    func inHand() throws {
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

    @Test(
        "a number before any other key is refused, and nothing is done",
        arguments: [
            "d", "e", "a", "A", "c", "m", "=", "+", "-", "r", "i", "z", "/", ":", "g", "t", "H", "!", " ",
        ])
    func refused(key: String) throws {
        var editor = try Editor()
        editor.focus("Coffee")
        let list = editor.list
        #expect(editor.type("2\(key)") == [.bell])
        #expect(
            editor.status.hasSuffix("takes no number before it; nothing is done with 2."), "\(editor.status)")
        #expect(editor.list == list)
        editor.type("2")
        editor.press(.escape)
        editor.type("j")
        #expect(editor.focusedLine?.contains("Coffee") == false, "Esc forgets the number")
    }
}
