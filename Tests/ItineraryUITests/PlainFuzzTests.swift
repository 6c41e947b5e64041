import EditorSessions
import ItineraryUI
import TestSupport
import Testing
import TripModel

/// Random lines and events in any order, including ones that a correct driver would not send.
@Suite struct PlainFuzzTests {
    @Test func `random lines never trap, every line is answered, and no output controls the terminal`() throws
    {
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

    @Test func `a session with a daemon that answers never waits forever`() throws {
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

/// Words for lines that are valid, almost valid, or meaningless.
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
        // Most lines are valid; rare ones occur because there are many lines.
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
    var live: PlayedTrip
    var sample: SampleTrip
    var now = Duration.zero
    var drops = 0
    var edits = 0
    var isDropping = false

    init(seed: UInt64) throws {
        words = PlainWords(seed: seed)
        sample = try SampleTrip()
        live = PlayedTrip(sample.view)
        editor = PlainEditor(
            userName: "Ann\u{1B}", options: EditorOptions(generator: SplitMix64(seed: seed)))
        happen(.loaded(sample.view))
    }

    mutating func step() throws {
        now += .milliseconds(words.below(200))
        if words.below(100) < 45 {
            let wasBusy = editor.isBusy
            let line = words.line()
            let output = take(.line(line))
            #expect(!output.lines.isEmpty || wasBusy || editor.isBusy, "\(line)")
        } else {
            try happen()
        }
    }

    private mutating func happen(_ happening: Happening) {
        for event in live.happen(happening, awaited: editor.awaited) { take(.editor(event)) }
    }

    @discardableResult
    private mutating func take(_ event: PlainEvent) -> PlainOutput {
        var output = editor.handle(event, now: now)
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
            if live.perform(effect) { output.lines += take(.editor(.shown(live.takeView()))).lines }
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

    private mutating func happen() throws {
        switch words.below(30) {
        case 0..<6, 26...29: happen(.dragGranted)
        case 6: happen(.dragLost("no\u{1B}"))
        case 7..<11:
            if isDropping { drops += 1 }
            isDropping = false
            happen(.dropAccepted)
        case 11: happen(.dropRefused("no"))
        case 12: happen(.editUnknown("gone"))
        case 13..<17: happen(.editAccepted(nil))
        case 17: happen(.editRefused("no"))
        case 18: happen(.waiting(words.below(5) - 1))
        case 19: happen(.timer)
        case 20:
            var view = live.view
            view.news = [RemoteEdit(user: "Ben\n\u{9B}2J", before: sample.trip.items.first, after: nil)]
            take(.editor(.shown(view)))
        case 21:
            let item = sample.trip.items.first
            happen(
                .people(
                    (0..<words.below(8)).map { Person(name: "P\($0)\r", dragging: $0 == 2 ? item?.id : nil) })
            )
        case 22: happen(.connection(words.below(4) > 0 ? .connected : .lost("gone")))
        case 23: take(.overlongLine)
        default:
            let item = sample.trip.items.last { !$0.isGame }
            if let item, sample.trip.itemCount > 12 { try sample.apply(.remove(item.id)) }
            let id = ItemID(high: 9, low: UInt64(now / .milliseconds(1)))
            try sample.apply(.add(id, SampleTrip.custom("Item \(id)"), to: .start(day: words.below(5) + 1)))
            happen(.loaded(sample.view))
        }
    }
}
