import TerminalCore
import TripModel

extension EditorState {
    /// Where a key is pressed now.
    package var context: KeyMap.Context {
        switch mode {
        case .browsing: .list
        case .dragging: .drag
        case .prompting(let prompt): prompt.purpose == .add ? .prompt : .search
        case .filling: .form
        case .choosing: .menu
        case .confirming: .confirmation
        case .helping: .help
        }
    }

    mutating func take(_ input: InputEvent) {
        switch input {
        case .key(let key, let modifiers): press(KeyStroke(key, modifiers), input)
        case .mouse(let event): point(event)
        case .paste(let text): paste(text, input)
        case .reply(.backgroundColor(let red, let green, let blue)):
            guard options.background == nil else { break }
            theme = options.theme(on: Palette.Background(red: red, green: green, blue: blue))
        case .focus, .reply: break
        }
    }

    private mutating func press(_ stroke: KeyStroke, _ input: InputEvent) {
        let action = keys.action(for: stroke, in: context)
        switch action {
        case .quit: quit()
        case .suspend: suspend()
        default:
            if isWaitingForDrop(action) {
                hold(input)
                return
            }
            message = nil
            motion.snapBack = nil
            pointer = nil
            edgeScroll = nil
            if let action {
                perform(action)
            } else if case .character(let scalar) = stroke.key, stroke.modifiers.isEmpty {
                write([scalar])
            }
        }
    }

    private mutating func perform(_ action: Action) {
        switch mode {
        case .browsing: browse(action)
        case .dragging: drag(action)
        case .prompting(let prompt): edit(prompt, action)
        case .filling(let form): fill(form, action)
        case .choosing(let chooser): choose(chooser, action)
        case .confirming(let id): confirm(id, action)
        case .helping(let top): scrollHelp(from: top, action)
        }
    }

    private mutating func quit() {
        // A drop that only waits for the grant is done; the driver lets it through before it leaves.
        if !isDropOnItsWay { cancelDrag() }
        emit(.quit)
    }

    private mutating func suspend() {
        cancelDrag()
        emit(.suspend)
    }

    // MARK: Keys that come while a drop waits for its answer

    private var isDropOnItsWay: Bool {
        guard case .dragging(let drag) = mode, case .asking(dropsWhenGranted: true) = drag.phase else {
            return false
        }
        return true
    }

    func isWaitingForDrop(_ action: Action?) -> Bool {
        guard case .dragging(let drag) = mode else { return false }
        switch drag.phase {
        case .held: return false
        case .asking(let dropsWhenGranted): return dropsWhenGranted && action != .cancel
        case .dropping: return true
        }
    }

    mutating func hold(_ input: InputEvent) {
        if heldInput.count < Self.heldInputLimit { heldInput.append(input) }
    }

    /// Does what was asked for while a drop waited for its answer.
    mutating func takeHeldInput() {
        let inputs = heldInput
        heldInput = []
        for input in inputs { take(input) }
    }
}
