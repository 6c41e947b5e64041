import TripModel

/// Several items of the trip in hand at once. They stay in the list, where they are marked, until they are put down.
extension Drag {
    /// Takes items of the trip in hand, at the gap below a row.
    init?(several items: [Item], belowRow row: Int, of outline: Outline) {
        guard !items.isEmpty else { return nil }
        self.init(.several(items), Self.report(for: items, of: outline.trip), belowRow: row, of: outline)
    }

    /// Every gap of a trip, as far as all of the items may go there.
    ///
    /// The rules leave each travel one stretch of the shown order, so that only the ones with the latest beginning and the
    /// earliest end have to be asked.
    static func report(for items: [Item], of trip: Trip) -> GapReport {
        let free = trip.gaps(for: ItemContent.custom(CustomItem(title: "anything")))
        var latest: (content: ItemContent, index: Int)?
        var earliest: (content: ItemContent, index: Int)?
        var decisive: [ItemContent] = []
        for case let content in items.map(\.content) {
            guard case .travel = content else { continue }
            if trip.validDays(for: content) == nil {
                decisive = [content]
                break
            }
            let bound = trip.boundGames(of: content)
            if let index = bound.after.flatMap(trip.shownIndex(of:)), index > latest?.index ?? -1 {
                latest = (content, index)
            }
            if let index = bound.before.flatMap(trip.shownIndex(of:)), index < earliest?.index ?? .max {
                earliest = (content, index)
            }
        }
        if decisive.isEmpty { decisive = [latest?.content, earliest?.content].compactMap { $0 } }
        guard !decisive.isEmpty else { return free }
        let reports = decisive.map { trip.gaps(for: $0) }
        let gaps = free.gaps.indices.map { index in
            reports.lazy.map { $0.gaps[index] }.first { !$0.isValid } ?? free.gaps[index]
        }
        let days = gaps.lazy.filter(\.isValid).map(\.day)
        let validDays = days.first.flatMap { first in days.last.map { first...$0 } }
        return GapReport(validDays: validDays, barriers: reports.flatMap(\.barriers), gaps: gaps)
    }
}
