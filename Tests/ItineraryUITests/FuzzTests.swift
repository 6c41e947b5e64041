import EditorSessions
import ItineraryUI
import TerminalCore
import TestSupport
import Testing
import TripModel

/// Random events in any order, including ones that a correct driver would not send.
@Suite struct FuzzTests {
    /// In two halves, for two processors.
    @Test(arguments: [1, 4] as [UInt64])
    func `random events never trap, the focus is always visible, and drags are in order`(from first: UInt64)
        throws
    {
        var drops = 0
        var edits = 0
        for seed in first..<first + 3 {
            var run = try FuzzRun(seed: seed)
            for _ in 0..<2_000 { try run.step() }
            drops += run.drops
            edits += run.applied
        }
        #expect(drops > 2, "drags reach their end")
        #expect(edits > 25)
    }
}

private struct FuzzRun {
    /// The state of the drag, as the driver knows it.
    enum Drag { case none, inHand }

    var generator: SplitMix64
    var state: EditorState
    var live: PlayedTrip
    var sample: SampleTrip
    var size = (columns: 0, rows: 0)
    var drag = Drag.none
    var now = Duration.zero
    var nextID: UInt64 = 1_000
    var drops = 0
    var applied = 0
    var isLoaded = false
    /// The last context besides the search line, which is on the list or on the help.
    var context = KeyMap.Context.list

    init(seed: UInt64) throws {
        generator = SplitMix64(seed: seed)
        state = EditorState(
            userName: "Ann",
            options: EditorOptions(ascii: seed.isMultiple(of: 2), generator: SplitMix64(seed: seed)))
        sample = try SampleTrip()
        live = PlayedTrip(sample.view)
    }

    mutating func step() throws {
        now += .milliseconds(Int.random(in: 0...300, using: &generator))
        let event = try randomEvent()
        note(event)
        for event in live.happen(event) { deliver(event) }
        if let order = state.shownOrder {
            #expect(order == live.view.trip.shownIDs, "the screen's order is the state's")
        }
        let frame = state.frame()
        #expect(frame.width == size.columns && frame.height == size.rows)
        guard isLoaded, size.columns >= 40, size.rows >= 10 else { return }
        let marks = frame.lines.dropFirst().dropLast(2).count {
            $0.hasPrefix("▌") || $0.hasPrefix(">") || $0.contains("●━━") || $0.contains("○──")
                || $0.contains("*==") || $0.contains("x--")
        }
        if state.context != .search { context = state.context }
        let isHelp = context == .help
        switch state.context {
        case .search where isHelp: #expect(marks == 0)
        case .list, .drag, .prompt, .search, .confirmation, .notice: #expect(marks == 1, "\(frame.text)")
        case .form: #expect((1...2).contains(marks), "the field, and the item where there is room")
        case .menu, .trips, .problems, .todo, .filter: #expect(marks <= 2, "a line, and the item behind it")
        case .help: break
        }
        #expect(frame.cursor != nil || isHelp, "a row is in focus, or a line is written")
    }

    /// Sends one event. Its effects on the trip are shown before the next event.
    private mutating func deliver(_ event: EditorEvent) {
        for effect in state.handle(event, now: now) {
            check(effect)
            if live.perform(effect) { deliver(.shown(live.takeView())) }
        }
    }

    /// Updates the state of the drag after an answer.
    private mutating func note(_ event: Happening) {
        switch event {
        case .dragLost, .connection(.lost): drag = .none
        case .loaded: isLoaded = true
        case .resized(let columns, let rows): size = (max(columns, 0), max(rows, 0))
        default: break
        }
    }

    private mutating func check(_ effect: EditorEffect) {
        switch effect {
        case .beginDrag:
            #expect(drag == .none)
            drag = .inHand
        case .hover: #expect(drag == .inHand)
        case .drop:
            #expect(drag == .inHand)
            drag = .none
            drops += 1
        case .cancelDrag:
            #expect(drag == .inHand)
            drag = .none
        case .apply(_, let edits):
            #expect(!edits.isEmpty)
            applied += 1
        case .wake(let delay): #expect(delay > .zero)
        default: break
        }
    }
}

// MARK: - Events

extension FuzzRun {
    private mutating func randomEvent() throws -> Happening {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<52: return .input(.key(randomKey(), randomModifiers()))
        case 52..<62: return .input(.mouse(randomMouse()))
        case 62: return randomPaste()
        case 63: return .input(.focus(true))
        case 64..<67: return randomSize()
        case 67..<73: return try randomTrip()
        case 73..<76: return .people(randomPeople())
        case 76..<84: return .dragGranted
        case 84: return .editUnknown("the daemon has gone")
        case 85..<91: return .dropAccepted
        case 91: return .dropRefused("no")
        case 92: return .dragLost("gone")
        case 93..<95: return .editAccepted(nil)
        case 95: return .editRefused("no")
        case 96: return .waiting(Int.random(in: -1...3, using: &generator))
        case 97: return randomAnswer()
        case 98: return .announced("Ben moved something")
        default: return .connection(Bool.random(using: &generator) ? .connected : .lost("gone"))
        }
    }

    private mutating func randomKey() -> Key {
        let keys: [Key] =
            [
                .up, .down, .down, .up, .pageUp, .pageDown, .home, .end, .enter, .escape, .escape, .escape,
                .delete,
            ]
            + [.left, .right, .tab, .function(3)]
            + "            jjjkkJKaedyuU!?xémcc/nNtMxX<>zA+-r:iHFo=13EJJJKKKddddyyyy".unicodeScalars.map(
                Key.character)
        return keys[Int.random(in: keys.indices, using: &generator)]
    }

    private mutating func randomPaste() -> Happening {
        let texts = ["A\u{1B}b\n日本 c", "", "\n\n", "/tmp/games.csv", String(repeating: "x\n", count: 3)]
        return .input(.paste(texts[Int.random(in: texts.indices, using: &generator)]))
    }

    private mutating func randomAnswer() -> Happening {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: .trips(TripList(trips: [SampleTrip.choice(1, "This", days: 2)]))
        case 1: .trips(TripList(trips: []))
        case 2:
            .importPreview(
                ImportPreview(name: "x.csv", result: "1 new, 0 changed", lines: ["1 new"], hasChanges: true))
        case 3: .failed("no such file")
        case 4: .conflict(SampleTrip.choice(1, "That", days: 3).plan)
        default: .timer
        }
    }

    private mutating func randomModifiers() -> Modifiers {
        Int.random(in: 0..<20, using: &generator) == 0
            ? [.alt, .control, .shift].randomElement(using: &generator) ?? [] : []
    }

    private mutating func randomMouse() -> MouseEvent {
        let actions: [MouseEvent.Action] = [
            .press(.left), .drag(.left), .drag(.left), .release(.left), .wheelUp, .wheelDown, .press(.right),
            .move,
        ]
        return MouseEvent(
            actions[Int.random(in: actions.indices, using: &generator)],
            row: Int.random(in: 0..<40, using: &generator), column: Int.random(in: 0..<200, using: &generator)
        )
    }

    private mutating func randomSize() -> Happening {
        Bool.random(using: &generator)
            ? .resized(
                columns: Int.random(in: -1...50, using: &generator),
                rows: Int.random(in: -1...12, using: &generator))
            : .resized(
                columns: Int.random(in: 40...90, using: &generator),
                rows: Int.random(in: 10...30, using: &generator))
    }

    /// The trip after some changes; once it is large, most of them are removals.
    private mutating func randomTrip() throws -> Happening {
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let items = sample.trip.items
            let day = Int.random(in: 1...sample.trip.header.dayCount, using: &generator)
            let edit: Edit
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<4:
                nextID += 1
                edit = .add(
                    ItemID(high: 1, low: nextID), SampleTrip.custom("Item \(nextID)"), to: .start(day: day))
            case 4..<6 where items.count > 4:
                edit = .remove(items[Int.random(in: items.indices, using: &generator)].id)
            case 6..<9 where !items.isEmpty:
                edit = .move(items[Int.random(in: items.indices, using: &generator)].id, to: .end(day: day))
            default:
                edit = .trip(TripChange(dayCount: Int.random(in: 1...9, using: &generator)))
            }
            // Moving a game is refused and changes nothing.
            _ = try? sample.apply(edit)
        }
        return .loaded(sample.view)
    }

    private mutating func randomPeople() -> [Person] {
        (0..<Int.random(in: 0...3, using: &generator)).map { index in
            let item = sample.trip.items.randomElement(using: &generator)
            let day = Int.random(in: -1...10, using: &generator)
            let anchor = sample.trip.items.randomElement(using: &generator)
            let over: Placement? = [.start(day: day), .end(day: day), .order(3, day: day)]
                .randomElement(using: &generator)
            return Person(
                name: "P\(index)", dragging: item?.id,
                over: anchor.map { .after($0.id, day: $0.position.day) } ?? over)
        }
    }
}
