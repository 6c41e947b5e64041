/// A place between two neighbours of a day, as if the item were not in the trip (R-GAPS).
public struct Gap: Equatable, Sendable {
    /// The day.
    public let day: Int
    /// The neighbour above; nil at the top of the day.
    public let after: ItemID?
    /// The neighbour below; nil at the bottom of the day.
    public let before: ItemID?
    /// The reason why the item may not go there; nil if it may.
    public let refusal: PlaceRefusal?

    /// Makes a gap.
    public init(day: Int, after: ItemID?, before: ItemID?, refusal: PlaceRefusal?) {
        self.day = day
        self.after = after
        self.before = before
        self.refusal = refusal
    }

    /// Whether the item may go there.
    public var isValid: Bool { refusal == nil }

    /// The placement for this gap.
    public var placement: Placement {
        if let after { return .after(after, day: day) }
        if let before { return .before(before, day: day) }
        return .start(day: day)
    }
}

/// All gaps of a trip for one item, computed once, at the start of a drag.
public struct GapReport: Equatable, Sendable {
    /// The days it may be on; nil for a game and if no place is valid.
    public let validDays: ClosedRange<Int>?
    /// The games that bind it.
    public let barriers: [ItemID]
    /// Every gap of every day of the trip, in shown order.
    public let gaps: [Gap]

    /// Makes a report.
    public init(validDays: ClosedRange<Int>?, barriers: [ItemID], gaps: [Gap]) {
        self.validDays = validDays
        self.barriers = barriers
        self.gaps = gaps
    }
}

extension Trip {
    /// All gaps for an item; nil if there is no such item.
    public func gaps(for id: ItemID) -> GapReport? {
        itemsByID[id].map { gaps(for: $0.content, without: id) }
    }

    /// All gaps for content, as if item `id` were not in the trip.
    public func gaps(for content: ItemContent, without id: ItemID? = nil) -> GapReport {
        let judge = judge(for: content)
        var gaps: [Gap] = []
        gaps.reserveCapacity(rows.count + header.dayCount)
        var rest = rows[rows.partitioningIndex { $0.day >= 1 }...]
        for day in header.days {
            var above: Row?
            while let row = rest.first, row.day == day {
                rest = rest.dropFirst()
                if row.id == id { continue }
                gaps.append(
                    Gap(day: day, after: above?.id, before: row.id, refusal: judge(day, above)))
                above = row
            }
            gaps.append(Gap(day: day, after: above?.id, before: nil, refusal: judge(day, above)))
        }
        return GapReport(validDays: validDays(for: content), barriers: barriers(for: content), gaps: gaps)
    }

    /// A function that checks gaps for one item, with its bounds looked up once. It takes a day and the row
    /// above the gap (nil at the top) and returns the reason why the item may not go there.
    ///
    /// - Parameter ends: the cities of a travel that is in the trip.
    func judge(
        for content: ItemContent, between ends: TravelEnds? = nil
    ) -> (_ day: Int, _ above: Row?) -> PlaceRefusal? {
        switch content {
        case .game: return { _, _ in .gameImmovable }
        case .custom: return { _, _ in nil }
        case .travel(let travel):
            let bounds = bounds(for: travel, between: ends)
            return { day, above in
                let isAbove = { (game: Row) in above.map { game <= $0 } ?? false }
                return bounds.refusal(onDay: day, isAbove: isAbove, isBelow: { !isAbove($0) })
            }
        }
    }

    /// The first valid gap for content, as a placement; nil if there is none.
    ///
    /// The valid places of travel are contiguous in the shown order, so the first is found without a look at
    /// every gap.
    func firstValidPlacement(for content: ItemContent) -> Placement? {
        guard case .travel(let travel) = content else { return content.isGame ? nil : .start(day: 1) }
        let bounds = bounds(for: travel)
        guard bounds.noPlace == nil else { return nil }
        return bounds.departures.last.map { .after($0.id, day: $0.day) } ?? .start(day: bounds.firstDay)
    }
}
