extension Commit {
    /// What the commit did, as a sentence without its subject: `moved Hotel from day 1 to day 3`.
    public var summary: String {
        let edited = changes.filter(\.isEdit)
        if edited.count > 1 {
            let verbs = Set(edited.map(Self.verb))
            let verb = verbs.count == 1 ? (verbs.first ?? "changed") : "changed"
            return "\(verb) \(edited.count) items"
        }
        if let change = edited.first { return Self.sentence(for: change) }
        guard let before = headerBefore, let after = headerAfter else { return "changed nothing" }
        if before.name != after.name { return "renamed the trip to \(after.name)" }
        if before.dayCount != after.dayCount { return "made the trip \(after.dayCount) days long" }
        if before.startDate != after.startDate { return "let the trip begin on \(after.startDate)" }
        if before.timeZone != after.timeZone { return "set the trip's zone to \(after.timeZone)" }
        return "gave the trip the slug \(after.slug)"
    }

    private static func verb(for change: ItemChange) -> String {
        switch (change.before, change.after) {
        case (nil, _): "added"
        case (_, nil): "removed"
        case (let before?, let after?): before.content == after.content ? "moved" : "changed"
        }
    }

    private static func sentence(for change: ItemChange) -> String {
        switch (change.before, change.after) {
        case (nil, let after?): return "added \(after.content.title) on day \(after.position.day)"
        case (let before?, nil): return "removed \(before.content.title) from day \(before.position.day)"
        case (let before?, let after?):
            let (old, new) = (before.content.title, after.content.title)
            if old != new { return "renamed \(old) to \(new)" }
            if before.content != after.content { return "changed \(new)" }
            let (from, to) = (before.position.day, after.position.day)
            return from == to ? "moved \(new) within day \(to)" : "moved \(new) from day \(from) to day \(to)"
        case (nil, nil): return "changed nothing"
        }
    }
}
