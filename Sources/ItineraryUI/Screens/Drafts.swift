import TripModel

/// Text that was typed into a form or a list and left with Esc. The key that opens the form or list offers it again, and
/// Esc drops it if it has not changed since.
struct Drafts: Sendable {
    /// The line, form or list that a draft belongs to.
    enum Subject: Hashable, Sendable {
        case title
        case newItem(ItemKind)
        case item(ItemID)
        case trip(TripForm.Purpose)
        case trips
        case todo
    }

    /// What happened to the text of a form or list that is left.
    enum Outcome {
        case kept
        case dropped
    }

    private static let limit = 16
    /// The oldest first, each with its form or list.
    private var kept: [(subject: Subject, mode: Mode)] = []
    /// The open draft's text as it was offered.
    private var offered: [String]?

    var count: Int { kept.count }

    /// The open form was opened with a draft.
    var isOffered: Bool { offered != nil }

    /// Keeps the text of a form or list that is left, in place of an older draft of the same one; nil without text.
    ///
    /// - Parameter evicted: is set to a draft for which no room is left.
    mutating func leave(_ mode: Mode, evicted: inout Mode?) -> Outcome? {
        defer { offered = nil }
        guard let (subject, text) = mode.typed else { return nil }
        if text == offered { return .dropped }
        kept.removeAll { $0.subject == subject }
        if kept.count == Self.limit { evicted = kept.removeFirst().mode }
        kept.append((subject, mode))
        return .kept
    }

    /// Removes and returns the draft of a form or list that is opened.
    mutating func take(_ subject: Subject) -> Mode? {
        offered = nil
        guard let index = kept.firstIndex(where: { $0.subject == subject }) else { return nil }
        let mode = kept.remove(at: index).mode
        offered = mode.typed?.text
        return mode
    }

    /// Removes and returns all drafts.
    mutating func takeAll() -> [Mode] {
        defer { self = Drafts() }
        return kept.map(\.mode)
    }
}

extension Mode {
    /// The typed text of an open form or list, and what its draft would belong to; nil if nothing was typed.
    var typed: (subject: Drafts.Subject, text: [String])? {
        switch self {
        case .prompting(let prompt) where prompt.isAdd: prompt.line.trimmed.map { (.title, [$0]) }
        case .filling(let form):
            form.written.map { (form.isNew ? .newItem(form.item.content.kind) : .item(form.item.id), $0) }
        case .planning(let form): form.written.map { (.trip(form.purpose), $0) }
        case .choosing(let chooser):
            chooser.subject.flatMap { subject in chooser.typedText.map { (subject, [$0]) } }
        default: nil
        }
    }
}

extension Chooser {
    /// The subject of a draft of the open line; nil for a list without new entries.
    var subject: Drafts.Subject? {
        switch purpose {
        case .todo: .todo
        case .trips: .trips
        default: nil
        }
    }
}

extension EditorState {
    /// The number of drafts that leaving would report.
    package var draftCount: Int { drafts.count }

    /// Closes the open line, form or list, and saves its text as a draft.
    mutating func closeKeepingDraft(_ close: (inout EditorState) -> Void) {
        if !options.style.keepsDrafts || isViewer { return close(&self) }
        var evicted: Mode?
        let outcome = drafts.leave(mode, evicted: &evicted)
        if let evicted { note(unsaved: evicted, "too many forms were left unsaved") }
        close(&self)
        switch outcome {
        case .kept: say("Not saved, but kept: the same key offers it again, and Esc then drops it.")
        case .dropped: say("The text was dropped.")
        case nil: break
        }
    }

    /// Reports all drafts, because they will not be saved.
    mutating func noteDrafts(_ reason: String) {
        for draft in drafts.takeAll() { note(unsaved: draft, reason) }
    }
}
