/// The result of resolving a placement for an item.
enum Resolution {
    /// The item is there already.
    case unchanged
    /// The item gets this position.
    case position(Position)
    /// The items around the gap have to be re-spaced first.
    case respace(GapSite)
}

/// A gap between two rows of a day, as if the item were not in the trip.
struct GapSite {
    let day: Int
    let above: Row?
    let below: Row?
    /// Whether the day has games and the gap is above all of them.
    let isAboveFirstGame: Bool

    /// The order in the gap; nil if there is no room.
    var order: Double? {
        SortOrder.order(
            between: above?.sortOrder, and: below?.sortOrder, isAboveFirstGame: isAboveFirstGame)
    }

    /// Ascending orders for several items in the gap; nil if there is no room.
    func orders(for count: Int) -> [Double]? {
        count == 1
            ? order.map { [$0] }
            : SortOrder.orders(
                for: count, between: above?.sortOrder, and: below?.sortOrder,
                isAboveFirstGame: isAboveFirstGame)
    }

    /// Whether orders are ascending and between those of the neighbours.
    func holds(_ orders: [Double]) -> Bool {
        let all = [above?.sortOrder].compactMap(\.self) + orders + [below?.sortOrder].compactMap(\.self)
        return zip(all, all.dropFirst()).allSatisfy { $0 < $1 }
    }
}

extension Trip {
    /// Resolves a placement for an item without changing the trip.
    ///
    /// - Parameter present: the item in the trip; nil for a new one.
    func resolve(
        _ placement: Placement, for id: ItemID, _ content: ItemContent, present: Item? = nil
    ) throws(Rejection) -> Resolution {
        if content.isGame { throw .place(.gameImmovable) }
        let day = placement.day
        guard header.days.contains(day) else {
            throw .place(.dayOutOfRange(day: day, dayCount: header.dayCount))
        }
        let site: GapSite
        switch withOneAnchor(placement) {
        case .order(let order, _):
            guard order.magnitude <= Position.maximumOrder else {
                throw .invalid(field: "sortOrder", "a sort order is within ±1e15")
            }
            let position = Position(day: day, sortOrder: order)
            if present?.position == position { return .unchanged }
            if let refusal = refusal(of: content, at: position) { throw .place(refusal) }
            return .position(position)
        case .after(let anchor, _):
            let item = try anchorItem(anchor, onDay: day)
            if anchor == id { return .unchanged }
            site = gap(below: Row(item), without: id)
        case .before(let anchor, _):
            let item = try anchorItem(anchor, onDay: day)
            if anchor == id { return .unchanged }
            site = gap(above: Row(item), without: id)
        case .start: site = startOfDay(day, without: id)
        case .end: site = endOfDay(day, without: id)
        case .between: preconditionFailure("it has one anchor now")
        }
        if let present, present.position.day == day, isAround(Row(present), site) { return .unchanged }
        if let refusal = judge(for: content)(day, site.above) { throw .place(refusal) }
        return site.order.map { .position(Position(day: day, sortOrder: $0)) } ?? .respace(site)
    }

    /// Reduces a placement with two anchors to one with a single anchor; returns others unchanged.
    func withOneAnchor(_ placement: Placement) -> Placement {
        guard case .between(let above, let below, let day) = placement else { return placement }
        if itemsByID[above]?.position.day == day { return .after(above, day: day) }
        if itemsByID[below]?.position.day == day { return .before(below, day: day) }
        return itemsByID[above] != nil ? .after(above, day: day) : .before(below, day: day)
    }

    private func anchorItem(_ id: ItemID, onDay day: Int) throws(Rejection) -> Item {
        guard let item = itemsByID[id] else { throw .anchorNotFound(id, day: day) }
        guard item.position.day == day else { throw .anchorMoved(id, nowOnDay: item.position.day) }
        return item
    }

    /// Whether a row is in the gap already.
    private func isAround(_ row: Row, _ site: GapSite) -> Bool {
        (site.above.map { $0 < row } ?? true) && (site.below.map { row < $0 } ?? true)
    }
}

// MARK: - Gaps

extension Trip {
    /// The gap directly below a row of the trip.
    func gap(below row: Row, without id: ItemID?) -> GapSite {
        let next = rows.index(after: rows.lowerBound(of: row))
        return site(
            onDay: row.day, between: row, and: rows.below(next, onDay: row.day, without: id))
    }

    /// The gap directly above a row of the trip.
    func gap(above row: Row, without id: ItemID?) -> GapSite {
        let above = rows.above(rows.lowerBound(of: row), onDay: row.day, without: id)
        return site(onDay: row.day, between: above, and: row)
    }

    func startOfDay(_ day: Int, without id: ItemID? = nil) -> GapSite {
        let first = rows.partitioningIndex { $0.day >= day }
        return site(onDay: day, between: nil, and: rows.below(first, onDay: day, without: id))
    }

    func endOfDay(_ day: Int, without id: ItemID? = nil) -> GapSite {
        let end = rows.partitioningIndex { $0.day > day }
        return site(onDay: day, between: rows.above(end, onDay: day, without: id), and: nil)
    }

    /// The gap at an order of a day: below all rows with this order or a lower one.
    func gap(at position: Position, without id: ItemID? = nil) -> GapSite {
        let day = position.day
        let next = rows.partitioningIndex { ($0.day, $0.sortOrder) > (day, position.sortOrder) }
        return site(
            onDay: day, between: rows.above(next, onDay: day, without: id),
            and: rows.below(next, onDay: day, without: id))
    }

    private func site(onDay day: Int, between above: Row?, and below: Row?) -> GapSite {
        let firstGame = games.partitioningIndex { $0.day >= day }
        let isAboveFirstGame =
            firstGame < games.endIndex && games[firstGame].day == day
            && (above.map { $0 < games[firstGame] } ?? true)
        return GapSite(day: day, above: above, below: below, isAboveFirstGame: isAboveFirstGame)
    }
}

// MARK: - Applying

extension Trip {
    /// Stores an item at its resolved place, after re-spacing the items around it if necessary.
    ///
    /// - Parameter isNew: whether the trip does not have it.
    mutating func carryOut(
        _ resolution: Resolution, for item: Item, isNew: Bool = false, _ draft: inout Draft
    ) {
        var placed = item
        switch resolution {
        case .unchanged: return
        case .position(let position) where !isNew:
            return relocate(CollectionOfOne((item.id, position)))
        case .position(let position): placed.position = position
        case .respace(let site):
            // The item itself may be among the rows that shift, so it is removed first.
            discard(item.id)
            placed.position = Position(day: site.day, sortOrder: respace(site, for: 1, &draft)[0])
        }
        store(placed)
    }

    /// Re-spaces the movable items around a gap, between the two enclosing games, to make room for newcomers
    /// (R-NORM). These must not be in the trip.
    ///
    /// - Returns: the orders of the newcomers.
    mutating func respace(_ site: GapSite, for newcomers: Int, _ draft: inout Draft) -> [Double] {
        let day = rows.range(ofDay: site.day)
        let gap = site.above.map { rows.index(after: rows.lowerBound(of: $0)) } ?? day.lowerBound
        let start = rows[day.lowerBound..<gap].lastIndex(where: \.isGame).map(rows.index(after:))
        let end = rows[gap..<day.upperBound].firstIndex(where: \.isGame)
        let run = (start ?? day.lowerBound)..<(end ?? day.upperBound)
        let isNegative = SortOrder.isNegative(
            between: site.above?.sortOrder, and: site.below?.sortOrder,
            isAboveFirstGame: site.isAboveFirstGame)
        var negatives = 0
        var upper = 0
        var count = 0
        for index in rows[run].indices {
            if rows[index].sortOrder < 0 { negatives += 1 }
            if index < gap { upper += 1 }
            count += 1
        }
        itemsLookedAt += count
        var orders = SortOrder.respaced(
            negatives: start == nil ? negatives + (isNegative ? newcomers : 0) : 0,
            count: count + newcomers,
            above: start.map { rows[rows.index(before: $0)].sortOrder },
            below: end.map { rows[$0].sortOrder })
        let inserted = Array(orders[upper..<(upper + newcomers)])
        orders.removeSubrange(upper..<(upper + newcomers))
        for (index, order) in zip(rows[run].indices, orders) where rows[index].sortOrder != order {
            let id = rows[index].id
            draft.touch(id, before: itemsByID[id], isEdit: false)
        }
        shift(run, to: orders)
        draft.respaced(day: site.day)
        return inserted
    }
}
