extension Commit {
    /// A description of the commit, as a sentence without its subject: `moved “Hotel” from day 1 to day 3`.
    ///
    /// Names are in quotation marks, so that they cannot be mistaken for parts of the sentence.
    public var summary: String {
        let edited = changes.filter(\.isEdit)
        var parts: [String] = []
        if edited.count == 1 {
            parts = Self.parts(for: edited[0])
        } else {
            for action in ItemAction.allCases {
                let concerned = edited.filter { ItemAction($0) == action }
                if concerned.count == 1 {
                    parts += Self.parts(for: concerned[0])
                } else if !concerned.isEmpty {
                    parts.append("\(action.rawValue) \(concerned.count) items")
                }
            }
        }
        if let header { parts += header.words }
        guard let last = parts.popLast() else { return "changed nothing" }
        return parts.isEmpty ? last : "\(parts.joined(separator: ", ")) and \(last)"
    }

    /// The kinds of changes to an item, in the order of the sentence.
    private enum ItemAction: String, CaseIterable {
        case added
        case removed
        case changed
        case moved
        case noted = "recorded the source's values of"

        init(_ change: ItemChange) {
            switch (change.before, change.after) {
            case (nil, _): self = .added
            case (_, nil): self = .removed
            case (let before?, let after?):
                self = before.content == after.content ? .moved : change.isOnlySaid ? .noted : .changed
            }
        }
    }

    private static func parts(for change: ItemChange) -> [String] {
        switch (change.before, change.after) {
        case (nil, let after?): return ["added \(quoted(after)) on day \(after.position.day)"]
        case (let before?, nil): return ["removed \(quoted(before)) from day \(before.position.day)"]
        case (let before?, let after?):
            if change.isOnlySaid { return ["\(ItemAction.noted.rawValue) \(quoted(after))"] }
            var parts: [String] = []
            let isRenamed = !String.isVerbatim(before.content.title, after.content.title)
            if isRenamed {
                parts.append("renamed \(quoted(before)) to \(quoted(after))")
            } else if before.content != after.content {
                let fields = FieldChange.words(from: before.content, to: after.content)
                parts.append("changed \(quoted(after))\(fields.map { " (\($0))" } ?? "")")
            }
            // The time of an edited game decides its place. Another item was moved on purpose.
            if parts.isEmpty || change.isMove && !after.isGame {
                let (from, to) = (before.position.day, after.position.day)
                let name = parts.isEmpty ? quoted(after) : "it"
                parts.append(
                    from == to
                        ? "moved \(name) within day \(to)" : "moved \(name) from day \(from) to day \(to)")
            }
            return [parts.joined(separator: " and ")]
        case (nil, nil): return []
        }
    }

    private static func quoted(_ item: Item) -> String { "“\(item.content.title)”" }
}

extension HeaderChange {
    /// The changed fields, in words.
    fileprivate var words: [String] {
        var words: [String] = []
        if let name = after.name { words.append("renamed the trip to “\(name)”") }
        if let count = after.dayCount { words.append("made the trip \(count) days long") }
        if let date = after.startDate { words.append("moved the start of the trip to \(date)") }
        if let zone = after.timeZone { words.append("set the trip's zone to \(zone)") }
        if let slug = after.slug { words.append("changed the slug of the trip to \(slug)") }
        func problems(_ verb: String, _ count: Int) {
            if count > 0 { words.append(count == 1 ? "\(verb) a problem" : "\(verb) \(count) problems") }
        }
        problems("accepted", after.accepted.count)
        problems("no longer accepted", after.revoked.count)
        return words + todoWords
    }

    /// The changes of the things to do, such as `ticked off “Visa”`.
    private var todoWords: [String] {
        let old = Dictionary(before.todo.map { ($0.id, $0) }) { $1 }
        let steps = after.todo.compactMap { step in old[step.id].map { (before: $0.entry, after: step.entry) }
        }
        func list(_ verb: String, _ isMeant: (_ before: TodoEntry, _ after: TodoEntry) -> Bool) -> String? {
            words(
                verb,
                steps.compactMap { step in
                    guard let before = step.before, let after = step.after else { return nil }
                    return isMeant(before, after) ? after : nil
                })
        }
        func words(_ verb: String, _ entries: [TodoEntry]) -> String? {
            guard let first = entries.first else { return nil }
            return "\(verb) \(entries.count == 1 ? "“\(first.text)”" : "\(entries.count) things to do")"
        }
        return [
            words("added to the list", steps.compactMap { $0.before == nil ? $0.after : nil }),
            words("removed from the list", steps.compactMap { $0.after == nil ? $0.before : nil }),
            list("ticked off") { $0.doneBy == nil && $1.doneBy != nil },
            list("reopened") { $0.doneBy != nil && $1.doneBy == nil },
            list("reworded") { !String.isVerbatim($0.text, $1.text) },
            steps.contains { $0.before == nil && $0.after == nil } ? "changed the order of the list" : nil,
        ].compactMap(\.self)
    }
}

extension ItemChange {
    /// Whether only the values last imported from the item's source differ.
    fileprivate var isOnlySaid: Bool {
        guard !isMove, let before, let after, before.content != after.content else { return false }
        return FieldChange.between(before.content, and: after.content)?.allSatisfy {
            $0.isOnlySaid(of: before.content)
        } ?? false
    }
}
