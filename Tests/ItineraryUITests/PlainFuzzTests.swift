import ItineraryUI
import TestSupport
import Testing
import TripModel

/// Random lines and events in any order, also ones that a sound driver would not send.
@Suite struct PlainFuzzTests {
    @Test("ACC-02: whatever is typed, nothing traps, every line is answered, nothing steers a terminal")
    func randomLines() throws {
        var drops = 0
        var edits = 0
        for seed in 1...6 {
            var run = try PlainFuzzRun(seed: UInt64(seed))
            for _ in 0..<2_000 { try run.step() }
            drops += run.drops
            edits += run.edits
        }
        #expect(drops > 10, "drags reach their end")
        #expect(edits > 100)
    }

    @Test("ACC-02: a session against a daemon that answers is never left waiting")
    func answeredLines() throws {
        for seed in 1...4 {
            var words = PlainWords(seed: UInt64(seed))
            var session = try PlainSession()
            try session.run("")
            for _ in 0..<500 where !session.hasQuit {
                let before = session.transcript.count
                let line = words.line()
                session.type(line)
                #expect(session.transcript.count > before, "\(line)")
                #expect(!session.editor.isBusy, "\(line)")
            }
        }
    }
}

/// Lines that mean something, or nearly, or nothing at all.
private struct PlainWords {
    private(set) var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    private static let verbs = [
        "list", "l", "show", "go", "where", "move", "lift", "lift 4", "lift 5", "down", "down", "drop",
        "drop", "add", "edit", "rename", "remove",
        "delete", "problems", "people", "help", "up", "down", "next valid", "previous valid", "first", "last",
        "undo", "redo", "cancel", "yes", "no", "done", "next day", "u", "K", "!", "Esc", "Alt+Down", "",
    ]
    private static let rest = [
        "after", "before", "to", "day", "on", "start of day", "Coffee", "Liberty Bell", "Tea", "title",
        "city",
        "duration", "cost", "12 EUR", "1:30", "-", "after game", "🏨", "\u{1B}[2J", "\u{202E}x", "\u{7}", "日本",
        "99999999999999999999", "-3",
        "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    ]

    mutating func line() -> String {
        // Most lines make sense: what is rare comes by the number of them.
        var words: [String] = []
        if generator.chance(95), let verb = generator.pick(Self.verbs) { words.append(verb) }
        for _ in 0..<generator.below(generator.chance(60) ? 1 : 5) {
            words.append(
                generator.chance(60) ? "\(generator.below(14))" : generator.pick(Self.rest) ?? "")
        }
        return words.joined(separator: generator.chance(95) ? " " : "  ")
    }

    mutating func below(_ bound: Int) -> Int { generator.below(bound) }
}

private struct PlainFuzzRun {
    var words: PlainWords
    var editor: PlainEditor
    var sample: SampleTrip
    var now = Duration.zero
    var drops = 0
    var edits = 0
    var isDropping = false

    init(seed: UInt64) throws {
        words = PlainWords(seed: seed)
        sample = try SampleTrip()
        editor = PlainEditor(
            userName: "Ann\u{1B}", options: EditorOptions(generator: SplitMix64(seed: seed)))
        take(.editor(.connection(.connected)))
        take(.editor(.loaded(sample.view)))
    }

    mutating func step() throws {
        now += .milliseconds(words.below(200))
        if words.below(100) < 45 {
            let wasBusy = editor.isBusy
            let line = words.line()
            let output = take(.line(line))
            #expect(!output.lines.isEmpty || wasBusy || editor.isBusy, "\(line)")
        } else {
            take(try event())
        }
    }

    @discardableResult
    private mutating func take(_ event: PlainEvent) -> PlainOutput {
        let output = editor.handle(event, now: now)
        for line in output.lines {
            let isHarmless = line.unicodeScalars.allSatisfy {
                switch $0.value {
                case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: false
                default: true
                }
            }
            #expect(isHarmless && !line.isEmpty, "\(line.debugDescription)")
        }
        for effect in output.effects {
            switch effect {
            case .drop: isDropping = true
            case .apply: edits += 1
            case .wake(let delay): #expect(delay > .zero)
            case .bell: Issue.record("a plain editor rings no bell")
            default: break
            }
        }
        return output
    }

    private mutating func event() throws -> PlainEvent {
        switch words.below(30) {
        case 0..<6, 26...29: return .editor(.dragGranted)
        case 6: return .editor(.dragRefused("no\u{1B}"))
        case 7..<11:
            if isDropping { drops += 1 }
            isDropping = false
            return .editor(.dropAccepted)
        case 11: return .editor(.dropRefused("no"))
        case 12: return .editor(.dragLost("gone"))
        case 13..<17: return .editor(.editAccepted(nil))
        case 17: return .editor(.editRefused("no"))
        case 18: return .editor(.waiting(words.below(5) - 1))
        case 19: return .editor(.timer)
        case 20: return .announced("Ben moved \u{9B}2J", by: "Ben\n")
        case 21:
            let item = sample.trip.items.first
            return .editor(
                .people(
                    (0..<words.below(8)).map { Person(name: "P\($0)\r", dragging: $0 == 2 ? item?.id : nil) })
            )
        case 22: return .editor(words.below(4) > 0 ? .connection(.connected) : .connection(.lost("gone")))
        case 23: return .overlongLine
        default:
            let item = sample.trip.items.last { !$0.isGame }
            if let item, sample.trip.itemCount > 12 { try sample.apply(.remove(item.id)) }
            let id = ItemID(high: 9, low: UInt64(now / .milliseconds(1)))
            try sample.apply(.add(id, SampleTrip.custom("Item \(id)"), to: .start(day: words.below(5) + 1)))
            return .editor(.loaded(sample.view))
        }
    }
}
