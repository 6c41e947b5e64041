import TripModel

/// Invariants of a commit; each check returns a violation, or nil.
struct CommitInvariants {
    let before: Trip
    let after: Trip
    let edits: [Edit]
    let commit: Commit
    let author: Author

    func violation() throws -> String? {
        if commit.version != after.version { return "the commit has another version" }
        if commit.isNoop {
            return after == before && after.shownIDs == before.shownIDs ? nil : "a noop changed something"
        }
        if after.version != before.version + 1 { return "the version did not rise by one" }
        if after == before { return "nothing changed and it is no noop" }
        return try wrongChange() ?? wrongHeader() ?? disorder() ?? wrongOrder() ?? wrongMirror()
    }

    private func wrongChange() -> String? {
        let changed = Set(commit.itemIDs)
        if changed.count != commit.itemIDs.count { return "the commit contains an item twice" }
        for shift in commit.shifts {
            guard let was = before[shift.id], let now = after[shift.id] else {
                return "a shifted item is new"
            }
            if was.placed(at: shift.after, version: after.version) != now
                || now.placed(at: shift.before, version: shift.versionBefore) != was
                || shift.before == shift.after
            {
                return "a shift differs from the result"
            }
        }
        for change in commit.changes {
            if change.before != before[change.id] || change.after != after[change.id] {
                return "a change differs from the result"
            }
            guard let now = change.after else { continue }
            if now.version != after.version { return "a changed item has an old version" }
            if let was = change.before {
                if was.content == now.content && was.position == now.position && !change.isMove {
                    return "nothing changed in \(now)"
                }
                if !change.isEdit && (was.modifiedBy != now.modifiedBy || was.modifiedAt != now.modifiedAt) {
                    return "\(now) was not edited"
                }
            }
            if change.isEdit && (now.modifiedBy != author.name || now.modifiedAt != author.at) {
                return "the wrong person edited \(now)"
            }
        }
        for id in Set(before.shownIDs).union(after.shownIDs) where !changed.contains(id) {
            if before[id] != after[id] { return "\(id) changed and is not in the commit" }
        }
        return nil
    }

    private func wrongHeader() -> String? {
        if before.header == after.header {
            return commit.header == nil ? nil : "the header did not change"
        }
        guard let change = commit.header else { return "the header changed" }
        if change.after.applied(to: before.header) != after.header { return "the new header is wrong" }
        if change.before.applied(to: after.header) != before.header { return "the former header is wrong" }
        return nil
    }

    /// An item that was not edited, displaced or rescheduled must keep its day, its sign and its rank.
    private func disorder() -> String? {
        let changed = Set(commit.changes.map(\.id))
        // An item may be moved to the order that re-spacing gives it, but then it was edited.
        let edited = Set(edits.compactMap(\.item))
        func isStable(_ item: Item) -> Bool {
            if edited.contains(item.id) || changed.contains(item.id) { return false }
            return !item.isGame || !commit.shifts.contains { $0.id == item.id }
        }
        let stable = before.items.filter(isStable).map(\.id)
        if stable != after.items.filter(isStable).map(\.id) { return "bystanders changed their order" }
        for id in stable {
            guard let was = before[id]?.position, let now = after[id]?.position else {
                return "\(id) is gone"
            }
            if was == now { continue }
            if was.day != now.day || (was.sortOrder < 0) != (now.sortOrder < 0) {
                return "re-spacing moved \(id) past an item"
            }
            if !commit.respacedDays.contains(now.day) {
                return "day \(now.day) was re-spaced and is not in the commit"
            }
        }
        if commit.respacedDays != Set(commit.respacedDays).sorted() {
            return "re-spaced days are not in order"
        }
        return nil
    }

    /// R-PERS-03 and R-FLAT-03 for a single edit with a placement, implemented directly from the rules.
    private func wrongOrder() -> String? {
        let id: ItemID
        let placement: Placement
        switch edits.first {
        case .move(let moved, let to) where edits.count == 1: (id, placement) = (moved, to)
        case .add(let added, _, let to?) where edits.count == 1: (id, placement) = (added, to)
        default: return nil
        }
        guard let position = after[id]?.position, position.day == placement.day else {
            return "the item is at another place"
        }
        let others = before.items(onDay: placement.day).filter { $0.id != id }
        let index: Int
        switch placement {
        case .order(let order, _):
            return position.sortOrder == order && commit.respacedDays == []
                ? nil : "a given order is not kept"
        case .after(let anchor, _):
            guard let found = others.firstIndex(where: { $0.id == anchor }) else { return "no anchor" }
            index = found + 1
        case .before(let anchor, _):
            guard let found = others.firstIndex(where: { $0.id == anchor }) else { return "no anchor" }
            index = found
        case .between(let above, let below, _):
            // The first anchor counts if it is there, else the second.
            if let found = others.firstIndex(where: { $0.id == above }) {
                index = found + 1
            } else if let found = others.firstIndex(where: { $0.id == below }) {
                index = found
            } else {
                return "no anchor"
            }
        case .start: index = 0
        case .end: index = others.count
        }
        var expected = others.map(\.id)
        expected.insert(id, at: index)
        if after.items(onDay: placement.day).map(\.id) != expected {
            return "it is not at the requested place"
        }
        let low = index > 0 ? others[index - 1].position.sortOrder : nil
        let high = index < others.count ? others[index].position.sortOrder : nil
        let isBeforeGames = others[..<index].allSatisfy { !$0.isGame } && others.contains(where: \.isGame)
        if isBeforeGames && (low ?? -1) < 0 && position.sortOrder >= 0 { return "it is not before the games" }
        guard commit.respacedDays == [] else { return nil }
        return position.sortOrder == Self.order(low, high, isBeforeGames)
            ? nil : "the order is not the rule's"
    }

    private static func order(_ low: Double?, _ high: Double?, _ isBeforeGames: Bool) -> Double {
        guard let low else {
            guard let high else { return 1 }
            return min(high, 0) - 1
        }
        guard let high else { return max(low, 0) + 1 }
        let bound = isBeforeGames && low < 0 ? min(high, 0) : high
        return low + (bound - low) / 2
    }

    private func wrongMirror() throws -> String? {
        var mirror = before
        try mirror.adopt(
            version: commit.version, upserts: commit.itemIDs.compactMap { after[$0] },
            removed: commit.changes.filter { $0.after == nil }.map(\.id),
            header: commit.header == nil ? nil : after.header)
        return mirror == after && mirror.shownIDs == after.shownIDs && mirror.problems == after.problems
            ? nil : "a mirror that adopts the changes differs"
    }
}

extension Edit {
    /// The added or changed item.
    fileprivate var item: ItemID? {
        switch self {
        case .add(let id, _, _), .move(let id, _), .update(let id, _), .remove(let id): id
        case .trip: nil
        }
    }
}

extension Commit: Equatable {
    package static func == (left: Commit, right: Commit) -> Bool {
        left.version == right.version && left.changes == right.changes && left.shifts == right.shifts
            && left.header == right.header && left.respacedDays == right.respacedDays
    }
}
