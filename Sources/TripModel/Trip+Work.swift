/// An upper bound of the cost of a step. It decides whether the step runs on the event loop.
package struct Work: Equatable, Sendable {
    /// Items that are read or changed, weighted by cost.
    package var items: Int
    /// Bytes that are encoded, compared or copied.
    package var bytes: Int

    package init(items: Int = 0, bytes: Int = 0) {
        self.items = items
        self.bytes = bytes
    }

    /// The cost as one number; a unit takes about a microsecond.
    package var units: Int { items + bytes / 1024 }

    /// Adds the cost of another part of the step.
    package static func += (sum: inout Work, more: Work) { sum = sum + more }

    /// The cost of both parts of a step.
    package static func + (left: Work, right: Work) -> Work {
        Work(items: left.items + right.items, bytes: left.bytes + right.bytes)
    }
}

extension Work {
    /// Units per changed item: it is checked, stored, logged and encoded.
    package static let itemChange = 8

    /// The cost of changing this many items.
    fileprivate static func changing(_ items: Int, bytes: Int = 0) -> Work {
        Work(items: items * itemChange, bytes: bytes)
    }
}

extension Trip {
    /// An upper bound of the cost of a change, without applying it.
    ///
    /// - Parameter limit: the number of units below which the bound may be higher than needed.
    package func work(of edits: [Edit], notBelow limit: Int = 0) -> Work {
        var work = Work()
        for edit in edits {
            switch edit {
            case .add(_, let content, _):
                work += .changing(1, bytes: 2 * content.textBytes)
                work += sharing(minuteOf: content)
            case .move(let id, _): work += .changing(1, bytes: encodedBytes(of: id))
            case .update(let id, let changes):
                let texts = changes.reduce(0) { $0 + ($1.value?.textBytes ?? 0) }
                work += .changing(1, bytes: encodedBytes(of: id) + 2 * texts)
                if changes.contains(where: { $0.field.tellsMinute }), let item = self[id], item.isGame {
                    work += sharing(minuteOf: item.position)
                    work += sharing(minuteOf: item.content.with(changes))
                }
            case .remove(let id):
                work += .changing(1)
                if let item = self[id], item.isGame { work += sharing(minuteOf: item.position) }
            case .trip(let change):
                let looksAtItems =
                    change.startDate != nil || change.timeZone != nil || change.dayCount != nil
                    || change.acceptance != nil
                if looksAtItems { work += .changing(itemCount) }
            }
        }
        // Fast path: in a small trip even to re-space all items at each edit is a short step.
        let most = work + .changing(edits.count * (itemCount + edits.count))
        if most.units < limit { return most }
        return keepsRoom(edits) ? work : edits.reduce(work) { $0 + respacing(for: $1, among: edits.count) }
    }

    /// An estimate of the cost of undoing a commit.
    ///
    /// - Parameter isExact: whether the trip is as the commit left it, so that all items return to their old places.
    package func work(ofUndoing commit: Commit, exactly isExact: Bool) -> Work {
        var work = Work()
        if let header = commit.header?.before,
            header.startDate != nil || header.timeZone != nil || header.dayCount != nil
        {
            work += .changing(itemCount)
        }
        work += .changing(commit.shifts.count)
        let keepsRoom = isExact || keepsRoom(commit)
        // A restored item may find no room on its day, but one re-spacing makes room for many.
        var days: Set<Int> = []
        for change in commit.changes {
            work += .changing(1, bytes: 2 * (change.before?.textBytes ?? 0))
            guard !keepsRoom, let before = change.before, !before.isGame else { continue }
            let day = min(before.position.day, header.dayCount)
            if days.insert(day).inserted { work += respacing(onDay: day) }
        }
        return work
    }

    private func encodedBytes(of id: ItemID) -> Int {
        itemsByID.index(forKey: id).map { 2 * itemsByID.values[$0].textBytes } ?? 0
    }

    /// The cost of re-spacing a day.
    private func respacing(onDay day: Int) -> Work {
        let day = rows.range(ofDay: day)
        return .changing(rows.offset(of: day.upperBound) - rows.offset(of: day.lowerBound))
    }

    /// The cost of separating the games of a minute.
    private func sharing(minuteOf position: Position) -> Work {
        let (day, minute) = (position.day, position.sortOrder.rounded(.down))
        let start = rows.partitioningIndex { ($0.day, $0.sortOrder) >= (day, minute) }
        let end = rows.partitioningIndex { ($0.day, $0.sortOrder) >= (day, minute + 1) }
        return .changing(rows.offset(of: end) - rows.offset(of: start))
    }

    private func sharing(minuteOf content: ItemContent) -> Work {
        guard case .game(let game) = content else { return Work() }
        // Looking up a zone's clock fills a cache of the trip.
        var copy = self
        return (try? copy.scheduledPosition(of: game)).map { sharing(minuteOf: $0) } ?? Work()
    }

    /// The cost of re-spacing the day on which an edit places an item.
    private func respacing(for edit: Edit, among edits: Int) -> Work {
        let placement: Placement?
        switch edit {
        case .move(_, let named): placement = named
        case .add(_, let content, let named): placement = named ?? firstValidPlacement(for: content)
        case .update, .remove, .trip: placement = nil
        }
        guard let placement else { return Work() }
        if case .order = placement { return Work() }
        var work = respacing(onDay: placement.day)
        // Items that the other edits add to the day.
        work += .changing(edits)
        return work
    }

    // MARK: Room in gaps

    /// Whether every edit of a change finds room in its gap, so that no day is re-spaced.
    ///
    /// An edit leaves at least half of the gap that it uses. Several edits of which one gives an explicit order or
    /// reschedules a game may leave less, so that the next one finds no room.
    private func keepsRoom(_ edits: [Edit]) -> Bool {
        let isSingle = edits.count == 1
        return edits.allSatisfy { edit in
            switch edit {
            case .remove: return true
            case .trip: return isSingle
            case .update(let id, _): return isSingle || self[id]?.isGame != true
            case .add(let id, let content, let placement):
                if content.isGame { return isSingle }
                let placement = placement ?? firstValidPlacement(for: content)
                return placement.map { hasRoom(at: $0, for: id, halvings: edits.count) } ?? true
            case .move(let id, let placement):
                return hasRoom(at: placement, for: id, halvings: edits.count)
            }
        }
    }

    /// Whether an undo restores one item, which finds room.
    private func keepsRoom(_ commit: Commit) -> Bool {
        guard commit.changes.count == 1, commit.header == nil, let change = commit.changes.first,
            let before = change.before
        else { return false }
        return commit.runs(of: [change.id: before]).allSatisfy {
            site(of: $0, without: change.id).order != nil
        }
    }

    private func hasRoom(at placement: Placement, for id: ItemID, halvings: Int) -> Bool {
        // A gap beside an item that is not there yet is part of a gap that another edit names.
        func anchorItem(_ anchor: ItemID, onDay day: Int) -> Item? {
            anchor == id ? nil : self[anchor].flatMap { $0.position.day == day ? $0 : nil }
        }
        let site: GapSite
        switch withOneAnchor(placement) {
        case .order: return halvings == 1
        case .start(let day): site = startOfDay(day, without: id)
        case .end(let day): site = endOfDay(day, without: id)
        case .after(let anchor, let day):
            guard let item = anchorItem(anchor, onDay: day) else { return true }
            site = gap(below: Row(item), without: id)
        case .before(let anchor, let day):
            guard let item = anchorItem(anchor, onDay: day) else { return true }
            site = gap(above: Row(item), without: id)
        case .between: return false
        }
        return halvings == 1 ? site.order != nil : site.hasRoom(forHalvings: halvings)
    }
}

extension GapSite {
    /// Whether an item fits into the gap after `count` − 1 halvings.
    fileprivate func hasRoom(forHalvings count: Int) -> Bool {
        guard let order, order.magnitude + Double(count) <= Position.maximumOrder else { return false }
        // Items at an open end are one apart.
        var (width, largest) = (1.0, order.magnitude + Double(count))
        if let above, let below {
            let high = isAboveFirstGame && above.sortOrder < 0 ? min(below.sortOrder, 0) : below.sortOrder
            width = high - above.sortOrder
            largest = max(above.sortOrder.magnitude, high.magnitude)
        }
        let rest = width / Double(sign: .plus, exponent: min(count, 1000), significand: 1)
        return rest >= SortOrder.smallestGap && rest > 2 * largest.ulp
    }
}

extension ItemField {
    /// Whether the field decides a game's minute or its order within it.
    fileprivate var tellsMinute: Bool { self == .startsAt || self == .timeZone || self == .gameID }
}
