import TerminalCore
import TripModel

extension EditorState {
    /// The current key context.
    package var context: KeyMap.Context { mode.context }

    mutating func receive(_ input: InputEvent) {
        switch input {
        case .key(let key, let modifiers): press(KeyStroke(key, modifiers))
        // An invisible list cannot be clicked.
        case .mouse(let event):
            if case .move = event.action {} else { count.clear() }
            if window.isLargeEnough { point(event) }
        case .paste(let text):
            count.clear()
            paste(text)
        case .longPaste:
            count.clear()
            refuse("The pasted text is too long for a trip; nothing was pasted.")
        case .reply(.backgroundColor(let red, let green, let blue)):
            recolor(on: Palette.Background(red: red, green: green, blue: blue))
        case .focus, .reply: break
        }
    }

    private mutating func press(_ stroke: KeyStroke) {
        let binding = keys.binding(for: stroke, in: context)
        let action = binding?.action
        if action == .suspend { return suspend() }
        if action == .quit { return quit(isForced: stroke == KeyStroke(.character("c"), .control)) }
        // An invisible list cannot be controlled.
        guard window.isLargeEnough else { return }
        status.clear()
        motion.unmark()
        motion.endSnapBack()
        pointer.reset()
        if case .choosing(let chooser) = mode, choose(chooser, byKey: stroke) { return }
        if let binding {
            perform(binding, stroke)
        } else if mode.isBrowsing || mode.drag != nil || context == .help {
            if context == .help || !appendToCount(stroke) { sayUnknown(stroke) }
        } else if context == .confirmation {
            // Any other key is not an answer.
            repeatMessage()
        } else if case .choosing(let chooser) = mode, chooser.line == nil {
            sayUnknown(stroke)
        } else if case .character(let scalar) = stroke.key, stroke.modifiers.isEmpty {
            write([scalar])
        }
    }

    /// Reports a key that has no binding here.
    private mutating func sayUnknown(_ stroke: KeyStroke) {
        count.clear()
        // Other keys only dismiss the message.
        guard case .character = stroke.key else { return }
        let help: String? =
            switch mode {
            case .browsing: keys.advertisedKey(of: .help, in: .list).map { "; \($0) lists the keys" }
            case .choosing(let chooser) where chooser.isFiltered:
                keys.advertisedKey(of: .search, in: context).map { "; \($0) filters the list" }
            default: nil
            }
        refuse("\(stroke) does nothing here\(help ?? "").")
    }

    private mutating func perform(_ binding: KeyMap.Binding, _ stroke: KeyStroke) {
        let action = binding.action
        let number = count.use()
        if let number {
            if action == .cancel { return }
            guard binding.takesNumber else {
                return refuse("\(number)\(stroke) does nothing: \(stroke) takes no number.")
            }
        }
        if refusesAsViewer(action) { return }
        switch mode {
        case .browsing: browse(binding, number: number)
        case .dragging: binding.run(on: &self, number: number)
        case .prompting(let prompt): edit(prompt, action)
        case .filling(let form): fill(form, action)
        case .planning(let form): plan(form, action)
        case .choosing(let chooser): choose(chooser, action)
        case .awaiting(let operation): wait(operation, action)
        case .confirming(let question): confirm(question, action)
        case .acknowledging(let notice): acknowledge(notice)
        case .ended(let end): leave(end)
        case .helping(let page): help(page, action)
        }
    }

    /// Quits. If changes cannot be delivered or new items would be lost, asks first unless it is forced.
    private mutating func quit(isForced: Bool) {
        let stuck = connection == .connected ? board?.view.doubtful ?? 0 : asked.count
        let newItems = draggedNewItems
        if !isForced, options.style.guardsKeys, stuck > 0 || newItems != nil {
            if newItems == nil { cancelDrag() }
            // The question must be visible.
            status.clear()
            var missing = newItems.map { ["\($0.title) \($0.isOrAre) not added yet."] } ?? []
            if stuck > 0 {
                let what = asked.count == 1 ? unresolvedChanges[0] : "\(asked.count) changes"
                missing.insert("The daemon has not confirmed \(what) yet.", at: 0)
            }
            let text = "\(missing.joined(separator: " ")) Leave anyway?"
            ask(Question(purpose: .quit, text: text, suspendedDrag: newItems))
            return
        }
        leave(.wanted)
    }

    /// A drag of new items, which would be lost; the drag of an existing item is cancelled.
    private var draggedNewItems: Drag? {
        guard let drag = mode.drag, case .new = drag.load, !drag.isDropped else { return nil }
        return drag
    }

    /// Suspends. New items stay in the drag; an existing item is released for the others.
    private mutating func suspend() {
        if draggedNewItems == nil { cancelDrag() }
        emit(.suspend)
    }
}
