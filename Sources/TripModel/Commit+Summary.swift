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
        if let before = headerBefore, let after = headerAfter { parts += Self.parts(from: before, to: after) }
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

    private static func parts(from before: TripHeader, to after: TripHeader) -> [String] {
        var parts: [String] = []
        if !String.isVerbatim(before.name, after.name) { parts.append("renamed the trip to “\(after.name)”") }
        if before.dayCount != after.dayCount { parts.append("made the trip \(after.dayCount) days long") }
        if before.startDate != after.startDate {
            parts.append(
                "moved the start of the trip to \(after.startDate)")
        }
        if before.timeZone != after.timeZone { parts.append("set the trip's zone to \(after.timeZone)") }
        if before.slug != after.slug { parts.append("changed the slug of the trip to \(after.slug)") }
        let accepted = after.acceptedProblems.subtracting(before.acceptedProblems).count
        if accepted > 0 {
            parts.append(accepted == 1 ? "accepted a problem" : "accepted \(accepted) problems")
        }
        let ended = before.acceptedProblems.subtracting(after.acceptedProblems).count
        if ended > 0 {
            parts.append(ended == 1 ? "no longer accepted a problem" : "no longer accepted \(ended) problems")
        }
        return parts + after.todo.words(since: before.todo)
    }

    private static func quoted(_ item: Item) -> String { "“\(item.content.title)”" }
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
