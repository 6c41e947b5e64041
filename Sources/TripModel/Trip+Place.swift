/// What a placement means for one item, here and now.
enum Resolution {
    /// It is there already.
    case unchanged
    /// It takes this position.
    case position(Position)
    /// The items around the gap have to be re-spaced first.
    case respace(GapSite)
}

/// A gap found in the rows of a day, one item left out.
struct GapSite {
    let day: Int
    /// The rows of the day, the item itself taken out.
    let others: [Row]
    /// How many of them are above the gap.
    let index: Int

    var above: Row? { index > 0 ? others[index - 1] : nil }
    var below: Row? { index < others.count ? others[index] : nil }

    /// Whether the day has games and the gap lies above all of them.
    var isAboveFirstGame: Bool {
        guard let first = others.firstIndex(where: { $0.isGame }) else { return false }
        return index <= first
    }

    /// The order the gap gives; nil if there is no room left.
    var order: Double? {
        SortOrder.order(
            between: above?.sortOrder, and: below?.sortOrder, isAboveFirstGame: isAboveFirstGame)
    }

    /// The run of movable rows around the gap, as a range of `others`.
    var run: Range<Int> {
        let start = others[..<index].lastIndex { $0.isGame }.map { $0 + 1 } ?? 0
        let end = others[index...].firstIndex { $0.isGame } ?? others.count
        return start..<end
    }

    /// New orders for the run with one more item in the gap: as many as the run has, and that item's.
    func respaced() -> (orders: [Double], inserted: Double) {
        let run = run
        let isNegative = SortOrder.isNegative(
            between: above?.sortOrder, and: below?.sortOrder, isAboveFirstGame: isAboveFirstGame)
        let above = run.lowerBound > 0 ? others[run.lowerBound - 1].sortOrder : nil
        let below = run.upperBound < others.count ? others[run.upperBound].sortOrder : nil
        let negatives =
            above == nil ? others[run].count(where: { $0.sortOrder < 0 }) + (isNegative ? 1 : 0) : 0
        var orders = SortOrder.respaced(
            negatives: negatives, count: run.count + 1, above: above, below: below)
        let inserted = orders.remove(at: index - run.lowerBound)
        return (orders, inserted)
    }
}

extension Trip {
    /// Finds out what a placement means for an item of that content; nothing is changed.
    ///
    /// - Parameters:
    ///   - id: the item; one that the trip does not have yet is new.
    ///   - content: what it is.
    func resolve(
        _ placement: Placement, for id: ItemID, _ content: ItemContent
    ) throws(Rejection) -> Resolution {
        if content.isGame { throw .place(.gameImmovable) }
        let day = placement.day
        guard header.days.contains(day) else {
            throw .place(.dayOutOfRange(day: day, dayCount: header.dayCount))
        }
        let present = itemsByID[id]
        let site: GapSite
        switch placement {
        case .order(let order, _):
            guard order.magnitude <= Position.maximumOrder else {
                throw .invalid(field: "sortOrder", "a sort order lies within ±1e15")
            }
            let position = Position(day: day, sortOrder: order)
            if present?.position == position { return .unchanged }
            if let refusal = refusal(of: content, at: position) { throw .place(refusal) }
            return .position(position)
        case .after(let anchor, _), .before(let anchor, _):
            guard let item = itemsByID[anchor] else { throw .itemNotFound(anchor) }
            guard item.position.day == day else {
                throw .anchorMoved(anchor, nowOnDay: item.position.day)
            }
            if anchor == id { return .unchanged }
            let others = others(onDay: day, without: id)
            let index = others.lowerBound(of: Row(item))
            if case .after = placement {
                site = GapSite(day: day, others: others, index: index + 1)
            } else {
                site = GapSite(day: day, others: others, index: index)
            }
        case .start:
            site = GapSite(day: day, others: others(onDay: day, without: id), index: 0)
        case .end:
            let others = others(onDay: day, without: id)
            site = GapSite(day: day, others: others, index: others.count)
        }
        if let present, present.position.day == day,
            site.others.lowerBound(of: Row(present)) == site.index
        {
            return .unchanged
        }
        if let refusal = judge(for: content)(day, site.above) { throw .place(refusal) }
        return site.order.map { .position(Position(day: day, sortOrder: $0)) } ?? .respace(site)
    }

    private func others(onDay day: Int, without id: ItemID) -> [Row] {
        var others = Array(rows[rows.range(ofDay: day)])
        if let item = itemsByID[id], item.position.day == day {
            others.remove(at: others.lowerBound(of: Row(item)))
        }
        return others
    }

    /// The gap at the end of a day.
    func endOfDay(_ day: Int) -> GapSite {
        let others = Array(rows[rows.range(ofDay: day)])
        return GapSite(day: day, others: others, index: others.count)
    }
}
