import ItineraryUI
import TerminalCore
import TestSupport
import TripModel

/// A user who looks at the screen, decides, and types keys while other things happen. The keys must do what
/// the user decided by the screen at that time.
final class SimulatedUser {
    /// A decision, in terms of the screen at that time.
    enum Goal {
        case none
        case remove(ItemID)
        case edit(ItemID)
        case add(String)
        case drag(ItemID)
        case move(ItemID)
        case undo
        case redo
        case leave
        /// Drags an item by clicks on hints, and never drops it.
        case carry(ItemID)
        /// Moves an item by so many days.
        case shift(ItemID, days: Int)
        /// Adds all of these at once.
        case paste([String])
        /// Drops an item and quits at once.
        case dragAndLeave(ItemID)
    }

    private(set) var goal = Goal.none
    /// Bytes still to be typed.
    private var bytes: [UInt8] = []
    /// The time of the decision, until the first key is typed.
    private var decided: Duration?
    private var count = 0
    /// Whether a pause must follow, because the last byte was an Esc key.
    private var needsPause = false

    /// The time of the last undo or redo.
    private var undone: Duration?
    private static let glance = Duration.milliseconds(310)

    /// After this time without typing, the user looks at the screen again.
    private static let reaction = Duration.milliseconds(700)

    /// The title of the item that the next key is for.
    private(set) var target: String?
    /// Before the first key, the user waits until the focus leaves this item, or as long as a decision holds.
    private var hesitation: ItemID?

    func isIdle(at editor: SimulatedEditor) -> Bool {
        switch editor.face {
        case .drawn(let state, _): bytes.isEmpty && state.context == .list
        case .plain(_, let waiting): waiting.isEmpty
        }
    }

    // MARK: Typing

    func act(at editor: SimulatedEditor) throws {
        switch editor.face {
        case .plain: try typeLine(at: editor)
        case .drawn(let state, _):
            if bytes.isEmpty {
                // An undo moves the focus, so the user waits for it before the next decision.
                if let undone, editor.world.now < undone + Self.glance { return }
                undone = nil
                guard editor.random.chance(40) else { return }
                if state.context == .list { decide(state, editor) } else { recover(state, editor) }
                hesitation = target != nil && editor.random.chance(30) ? state.movableFocus : nil
                // Other things happen between looking and the first key.
                return
            }
            if looksAgain(at: editor) { return }
            if let hesitation, decided != nil, state.movableFocus == hesitation { return }
            if try leavesHalfway(state, editor) { return }
            try type(at: editor)
        }
    }

    /// Closes the window or presses Ctrl-C while writing a title; returns whether it did.
    private func leavesHalfway(_ state: EditorState, _ editor: SimulatedEditor) throws -> Bool {
        guard case .add = goal, state.context == .prompt, editor.random.chance(10) else { return false }
        let label = "New item: "
        guard
            let title = state.frame().text.split(separator: "\n").compactMap({ line in
                line.range(of: label).map { line[$0.upperBound...].prefix { $0 != " " } }
            }).first, !title.isEmpty
        else { return false }
        (goal, bytes) = (.leave, [])
        try editor.leave(writing: String(title))
        return true
    }

    /// Drops a decision that is too old to match the screen; returns whether it did.
    private func looksAgain(at editor: SimulatedEditor) -> Bool {
        guard let start = decided, editor.world.now > start + Self.reaction else { return false }
        (bytes, decided, target, hesitation) = ([], nil, nil, nil)
        return true
    }

    /// Finishes what was begun.
    func finish(at editor: SimulatedEditor) throws {
        guard case .drawn(let state, _) = editor.face else { return }
        // The trouble before the rest may have taken long.
        _ = looksAgain(at: editor)
        if bytes.isEmpty, state.context != .list { recover(state, editor) }
        while !bytes.isEmpty { try type(at: editor) }
    }

    private func type(at editor: SimulatedEditor) throws {
        guard !bytes.isEmpty else { return }
        (decided, target, hesitation) = (nil, nil, nil)
        switch goal {
        case .undo, .redo: undone = editor.world.now
        default: break
        }
        // A key's sequence comes in one piece; a terminal's response may be interrupted anywhere.
        let isAnswer = bytes.starts(with: [0x1B, UInt8(ascii: "]")])
        let part =
            isAnswer
            ? 2 + editor.random.below(bytes.count - 2)
            : bytes[0] == 0x1B ? bytes.count : 1 + editor.random.below(min(bytes.count, 6))
        try feed(Array(bytes.prefix(min(part, bytes.count))), at: editor)
    }

    private func feed(_ part: [UInt8], at editor: SimulatedEditor) throws {
        guard case .drawn(let state, var decoder) = editor.face else { return }
        bytes.removeFirst(min(part.count, bytes.count))
        var events = decoder.feed(part)
        // The line pauses, so the decoder's timer fires.
        if needsPause || part.last == 0x1B || editor.random.chance(30) { events += decoder.timeout() }
        needsPause = false
        editor.face = .drawn(state, decoder)
        editor.world.trace.say(
            "\(editor.name) types \(String(decoding: part, as: UTF8.self).debugDescription)")
        for event in events {
            editor.world.figures.inputs += 1
            try editor.deliver(.input(event))
        }
    }

    // MARK: Decisions

    private func decide(_ state: EditorState, _ editor: SimulatedEditor) {
        goal = .none
        decided = editor.world.now
        count += 1
        let title = "typed\(editor.index)x\(editor.world.figures.inputs)dq aut"
        let random = editor.random.below(100)
        if random == 0, state.mayAddHere {
            let titles = (0..<(TripLimits.operations + 1 + editor.random.below(8))).map { "\(title) \($0)" }
            goal = .paste(titles)
            return say("\u{1B}[200~\(titles.joined(separator: "\n"))\u{1B}[201~ ")
        }
        if random < 3, let item = state.movableFocus, let click = Self.click(on: "Space lift", state) {
            (goal, target) = (.carry(item), state.title(of: item))
            return say(editor.random.chance(50) ? click : " ")
        }
        if random < 5, let item = state.movableFocus {
            let isOn = editor.random.chance(50)
            (goal, target) = (.shift(item, days: isOn ? 2 : -2), state.title(of: item))
            return say(isOn ? "2>" : "2<")
        }
        if random < 30 {
            let moves = [
                "j", "k", "j", "\u{1B}[B", "\u{1B}[A", "G", "g", "\u{1B}[6~", "z", "i", "3j", "2G", "F",
            ]
            return say(moves[editor.random.below(moves.count)])
        }
        if random < 33 {
            // The terminal's response to the query for its colour.
            return say("\u{1B}]11;rgb:dddd/adad/\(editor.random.chance(50) ? "dada" : "1d1d")\u{1B}\\")
        }
        if random < 36 { return say("/typed\(editor.random.below(3))\r") }
        if random < 40 { (goal, bytes) = (.undo, Array("u".utf8)); return }
        if random < 42 { (goal, bytes) = (.redo, Array("U".utf8)); return }
        if random < 44 { (goal, bytes) = (.leave, Array("q".utf8)); return }
        if random < 58, state.mayAddHere { (goal, bytes) = (.add(title), Array("a\(title)\r".utf8)); return }
        guard let item = state.movableFocus else { return say("j") }
        target = state.title(of: item)
        switch random {
        case ..<66: (goal, bytes) = (.remove(item), Array("d".utf8))
        case ..<76: (goal, bytes) = (.edit(item), Array("e\u{15}\(title)\r".utf8))
        case ..<79: (goal, bytes) = (.dragAndLeave(item), Array(" j q".utf8))
        case ..<90:
            let steps = String(repeating: editor.random.chance(50) ? "j" : "k", count: editor.random.below(5))
            (goal, bytes) = (.drag(item), Array(" \(steps) ".utf8))
        case ..<93: (goal, bytes) = (.move(item), Array((editor.random.chance(50) ? "J" : "K").utf8))
        case ..<95: (goal, bytes) = (.move(item), Array((editor.random.chance(50) ? ">" : "<").utf8))
        default: (goal, bytes) = (.move(item), Array("mday \(1 + editor.random.below(4))\r".utf8))
        }
    }

    private func say(_ text: String) { bytes = Array(text.utf8) }

    /// The bytes of a click on a hint with this text; nil if there is none.
    private static func click(on hint: String, _ state: EditorState) -> String? {
        let lines = state.frame().text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let row = lines.lastIndex(where: { $0.contains(hint) }), row > lines.count - 3,
            let start = lines[row].range(of: hint)?.lowerBound
        else { return nil }
        let place = "\(lines[row].distance(from: lines[row].startIndex, to: start) + 1);\(row + 1)"
        return "\u{1B}[<0;\(place)M\u{1B}[<0;\(place)m"
    }

    /// Reads and answers whatever is shown instead of the list.
    private func recover(_ state: EditorState, _ editor: SimulatedEditor) {
        decided = nil
        switch state.context {
        case .confirmation:
            let question = state.question
            switch goal {
            case .remove(let id) where question == id: say("y")
            case .leave where question == nil: say(editor.random.chance(50) ? "y" : "n")
            default: say("n")
            }
        case .notice, .help:
            goal = .none
            say("\r")
        case .drag:
            if case .carry = goal, editor.random.chance(60), let click = Self.click(on: "J next valid", state)
            {
                return say(click)
            }
            say("\u{1B}")
            needsPause = true
        default:
            say("\u{1B}")
            needsPause = true
        }
    }

    // MARK: Lines

    private func typeLine(at editor: SimulatedEditor) throws {
        guard case .plain(let plain, var waiting) = editor.face, waiting.count < 4 else { return }
        count += 1
        editor.world.figures.inputs += 1
        let number = 1 + editor.random.below(8)
        let lines = [
            "add typed\(editor.index)x\(editor.world.figures.inputs) to day \(1 + editor.random.below(5))",
            "move \(number) to day \(1 + editor.random.below(5))", "delete \(number)", "yes", "undo", "list",
            "edit \(number) title typed\(editor.index)y\(editor.world.figures.inputs)", "lift \(number)",
            "down", "drop",
            "cancel",
        ]
        // Sometimes the same item that another user is about to change.
        let aimedAt = editor.world.editors.compactMap { $0.user.target }.first
        if let aimedAt, editor.random.chance(80) {
            waiting.append("delete \(aimedAt)")
        } else {
            waiting.append(lines[editor.random.below(lines.count)])
        }
        editor.face = .plain(plain, waiting: waiting)
        try editor.drainLines()
    }

    // MARK: Results

    /// Throws if a key did something other than the user intended.
    func check(_ effect: EditorEffect, of editor: SimulatedEditor) throws {
        guard case .drawn = editor.face else { return }
        func isMeant(_ edit: Edit) -> Bool {
            switch (edit, goal) {
            case (.remove(let id), .remove(let meant)): id == meant
            case (.move(let id, _), .move(let meant)): id == meant
            case (.update(let id, _), .edit(let meant)): id == meant
            case (.add(_, let content, _), .add(let title)): content.title == title
            // An item that others removed is added again.
            case (.add, .edit): true
            default: false
            }
        }
        let isRight =
            switch (effect, goal) {
            case (.apply(_, let edits), .edit) where edits.count == 2: isMeant(edits[0])
            case (.apply(_, let edits), .paste(let titles)): Self.titles(addedBy: edits) == titles
            case (.apply(_, let edits), .shift(let meant, let days)):
                edits.allSatisfy { edit in
                    guard case .move(let id, let to) = edit, let day = editor.shownDay(of: id) else {
                        return false
                    }
                    return id == meant && to.day == day + days
                }
            case (.apply(_, let edits), _): edits.allSatisfy(isMeant)
            case (.hold, .paste), (.release, .paste): true
            case (.beginDrag(let id), .carry(let meant)): id == meant
            case (.beginDrag(let id), .drag(let meant)), (.beginDrag(let id), .dragAndLeave(let meant)):
                id == meant
            case (.drop, .dragAndLeave), (.quit, .dragAndLeave): true
            case (.drop, .drag), (.undo, .undo), (.redo, .redo), (.quit, .leave): true
            case (.hover, _), (.cancelDrag, _), (.bell, _), (.wake, _), (.focus, _): true
            default: false
            }
        if !isRight {
            throw Violation(
                "a key means what was on the screen when it was pressed",
                "\(editor.name) wanted \(goal), and asked for \(effect)")
        }
    }

    /// The titles of added items in the order of their places: each is added directly below its anchor.
    private static func titles(addedBy edits: [Edit]) -> [String] {
        var rows: [(id: ItemID, title: String)] = []
        for edit in edits {
            guard case .add(let id, let content, let to) = edit else { return [] }
            var index = rows.endIndex
            if case .after(let anchor, _)? = to, let above = rows.firstIndex(where: { $0.id == anchor }) {
                index = above + 1
            }
            rows.insert((id, content.title), at: index)
        }
        return rows.map(\.title)
    }
}
