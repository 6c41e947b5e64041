import Foundation
import TripModel

/// Invariants of every trip; each check returns a violation, or nil.
struct TripInvariants {
    private var calendars: [String: Calendar] = [:]

    /// - Parameters:
    ///   - trip: the trip to check.
    ///   - shuffled: its items in another order.
    ///   - probes: content for which places are computed.
    mutating func violation(in trip: Trip, shuffled: [Item], probes: [ItemContent]) throws -> String? {
        let items = trip.items
        if Flattening.shownOrder(of: shuffled) != items { return "items are not in shown order" }
        for (above, below) in zip(items, items.dropFirst()) where !isAbove(above, below) {
            return "\(above) is shown above \(below)"
        }
        if trip.shownIDs != items.map(\.id) || trip.itemCount != items.count { return "ids and items differ" }
        for (index, item) in items.enumerated() {
            if trip[item.id] != item || trip.shownIndex(of: item.id) != index {
                return "\(item) is not found"
            }
            if !(item.position.sortOrder.magnitude <= 1e15) { return "\(item) is out of bounds" }
            if !item.isGame && !(1...trip.header.dayCount).contains(item.position.day) {
                return "\(item) is on no day of the trip"
            }
        }
        let days = Set(items.map(\.position.day)).sorted()
        if days.flatMap({ trip.items(onDay: $0) }) != items { return "the days do not add up" }
        if let wrong = misplacedGame(in: trip) { return wrong }
        return try staleIndex(in: trip, shuffled: shuffled, probes: probes)
    }

    /// Every index must equal that of a trip made from the items.
    private func staleIndex(in trip: Trip, shuffled: [Item], probes: [ItemContent]) throws -> String? {
        var rebuilt = try Trip(header: trip.header, version: trip.version, items: shuffled)
        if rebuilt != trip || rebuilt.shownIDs != trip.shownIDs { return "a rebuilt trip differs" }
        if rebuilt.problems != trip.problems { return "the problems of a rebuilt trip differ" }
        for probe in probes where rebuilt.gaps(for: probe) != trip.gaps(for: probe) {
            return "the gaps of a rebuilt trip differ"
        }
        var trip = trip
        let author = Author(name: "x", at: Timestamp(milliseconds: 0))
        for case .game(let game) in trip.items.map(\.content) {
            let edit = Edit.add(ItemID(high: 1, low: 1), .game(game), to: nil)
            if failure(of: edit, in: &rebuilt, author) != .duplicateGameID(game.gameID)
                || failure(of: edit, in: &trip, author) != .duplicateGameID(game.gameID)
            {
                return "\(game.gameID) counts as free"
            }
        }
        return nil
    }

    private func failure(of edit: Edit, in trip: inout Trip, _ author: Author) -> Rejection? {
        do throws(EditFailure) {
            _ = try trip.rehearse([edit], by: author)
            return nil
        } catch {
            return error.rejection
        }
    }

    /// R-DATA-03 and R-DAY, computed with Foundation.
    private mutating func misplacedGame(in trip: Trip) -> String? {
        struct Minute: Hashable {
            let day: Int
            let minute: Int
        }
        var minutes: [Minute: [(gameID: String, order: Double)]] = [:]
        for item in trip.items {
            guard case .game(let game) = item.content else { continue }
            let calendar = calendar(of: game.timeZone ?? trip.header.timeZone)
            let instant = Date(timeIntervalSince1970: Double(game.startsAt.secondsSince1970))
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: instant)
            let utc = self.calendar(of: "UTC")
            let start = trip.header.startDate
            guard
                let first = utc.date(
                    from: DateComponents(year: start.year, month: start.month, day: start.day)),
                let date = utc.date(
                    from: DateComponents(year: parts.year, month: parts.month, day: parts.day)),
                let days = utc.dateComponents([.day], from: first, to: date).day, let hour = parts.hour,
                let minute = parts.minute
            else { return "no date for \(item)" }
            if item.position.day != days + 1 { return "\(item) belongs on day \(days + 1)" }
            minutes[Minute(day: days + 1, minute: hour * 60 + minute), default: []].append(
                (game.gameID, item.position.sortOrder))
        }
        for (key, games) in minutes {
            let orders = games.sorted { $0.gameID.utf8.lexicographicallyPrecedes($1.gameID.utf8) }.map(
                \.order)
            let minute = Double(100 + key.minute)
            guard orders.allSatisfy({ $0 >= minute && $0 < minute + 1 }) else {
                return "\(games) are not at \(key)"
            }
            for (above, below) in zip(orders, orders.dropFirst()) where above >= below {
                return "\(games) are not apart"
            }
        }
        return nil
    }

    private mutating func calendar(of zone: String) -> Calendar {
        if let known = calendars[zone] { return known }
        var calendar = Calendar(identifier: .gregorian)
        guard let timeZone = TimeZone(identifier: zone) else { preconditionFailure("\(zone) is a zone") }
        calendar.timeZone = timeZone
        calendars[zone] = calendar
        return calendar
    }
}
