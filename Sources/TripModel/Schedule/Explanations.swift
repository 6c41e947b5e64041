extension Trip {
    /// The reason for a refused place, with the titles of games; it completes "it cannot go there: …".
    public func explanation(of refusal: PlaceRefusal) -> String { explanation(of: refusal, .command) }

    /// The same reason, naming the sides of travel in the words of a command or of a form.
    package func explanation(of refusal: PlaceRefusal, _ words: TravelSide.Words) -> String {
        switch refusal {
        case .gameImmovable:
            "an event follows its schedule and cannot be moved"
        case .dayOutOfRange(let day, let dayCount):
            "the trip has days 1 to \(dayCount), no day \(day)"
        case .noValidPosition(let after, let before):
            "\(wrongOrder(of: after, before)), so it has no place; "
                + "\(words.opening(.afterGame)) or \(words.opening(.beforeGame)) opens a side"
        case .outsideValidDays, .beforeDepartureGame, .afterArrivalGame:
            "it \(requirement(of: refusal) ?? "cannot be there")"
        }
    }

    /// The condition that a place must meet, to follow the item's name: `must be after Brazil v Morocco
    /// 18:00`; nil if no place meets it.
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

    /// The reason why travel has no place between two games, as in `Carp v Giants (day 7) is not before Giants v Tigers (day 3)`.
    package func wrongOrder(of after: ItemID, _ before: ItemID) -> String {
        guard let last = itemsByID[after], let first = itemsByID[before] else {
            return "its first event is not before the other"
        }
        let (title, day) = (last.content.title, last.position.day)
        if after == before { return "\(title) (day \(day)) cannot be both before and after it" }
        guard day == first.position.day else {
            return "\(title) (day \(day)) is not before \(first.content.title) (day \(first.position.day))"
        }
        return "\(title) (day \(day), \(last.position.clockTime)) is not before \(first.content.title) "
            + "(\(first.position.clockTime))"
    }

    /// The command that makes a place of travel valid, `edit japan 83789344 afterGame=none` or, if an event fits,
    /// `… beforeGame='Boston v Toronto'`; nil if no side is to be changed.
    package func remedyCommand(for item: Item) -> String? {
        remedy(for: item).map { side, value in
            let game = value.game.flatMap { itemsByID[$0]?.content.title }
            let word = game.map { "'\($0.replacing("'", with: "'\\''"))'" } ?? TravelSide.openWord
            return "edit \(header.slug) \(item.id.description.prefix(8)) \(side.name)=\(word)"
        }
    }

    /// A game's title and its local time: `Brazil v Morocco 18:00`.
    private func name(of id: ItemID?) -> String {
        guard let id, let item = itemsByID[id] else { return "an event" }
        return "\(item.content.title) \(item.position.clockTime)"
    }
}

extension Position {
    /// The local time that a game's order represents, such as `18:00` (R-DATA-03).
    public var clockTime: String {
        let minute = Int(sortOrder - SortOrder.gameBase)
        return "\(padded(minute / 60, 2)):\(padded(minute % 60, 2))"
    }
}

extension Item {
    /// The local start of a game, or the time of another item, such as `18:00`; nil if it has none.
    public var clockTime: String? { isGame ? position.clockTime : content.startTime?.description }
}
