extension Trip {
    /// Why a place is refused, in words that name the games; it completes "it cannot go there: …".
    public func explanation(of refusal: PlaceRefusal) -> String {
        switch refusal {
        case .gameImmovable:
            "a game follows the schedule and is not moved"
        case .dayOutOfRange(let day, let dayCount):
            "the trip has days 1 to \(dayCount), no day \(day)"
        case .noValidPosition(let after, let before):
            "it leaves after \(dayName(of: after)) and arrives before \(dayName(of: before)), so it has no place; "
                + "\(TravelSide.openWord) as its afterGame or beforeGame says that no game constrains that side"
        case .outsideValidDays, .beforeDepartureGame, .afterArrivalGame:
            "it \(requirement(of: refusal) ?? "cannot be there")"
        }
    }

    /// What a place would have to be, to complete the item's name: `must be after Brazil v Morocco 18:00`; nil where no place
    /// would do.
    package func requirement(of refusal: PlaceRefusal) -> String? {
        switch refusal {
        case .outsideValidDays(let days):
            days.count == 1
                ? "must be on day \(days.lowerBound)"
                : "must be on a day from \(days.lowerBound) to \(days.upperBound)"
        case .beforeDepartureGame(let games): "must be after \(name(of: games.last))"
        case .afterArrivalGame(let games): "must be before \(name(of: games.first))"
        case .gameImmovable, .dayOutOfRange, .noValidPosition: nil
        }
    }

    /// A game's title, day and time, `Carp v Giants (day 7, 18:00)`.
    private func dayName(of id: ItemID) -> String {
        guard let item = itemsByID[id] else { return "a game" }
        return "\(item.content.title) (day \(item.position.day), \(item.position.clockTime))"
    }

    /// A game's title and its time on the clocks of its place, `Brazil v Morocco 18:00`.
    private func name(of id: ItemID?) -> String {
        guard let id, let item = itemsByID[id] else { return "a game" }
        return "\(item.content.title) \(item.position.clockTime)"
    }
}

extension Position {
    /// The wall clock time that a game's order stands for, `18:00` (R-DATA-03).
    public var clockTime: String {
        let minute = Int(sortOrder - SortOrder.gameBase)
        return "\(padded(minute / 60, 2)):\(padded(minute % 60, 2))"
    }
}

extension Item {
    /// `18:00`: when a game begins on the clocks of its zone, or what time somebody gave another item; nil for none.
    public var clockTime: String? { isGame ? position.clockTime : content.time?.description }
}
