extension Trip {
    /// Where the schedule puts a game: its date and minute on the clocks of its place (R-DATA-03, R-DAY).
    func scheduledPosition(of game: Game) throws(Rejection) -> Position {
        let zone = game.timeZone ?? header.timeZone
        guard let clock = WallClock(zone: zone) else {
            throw .invalid(field: "timeZone", "no IANA zone is called \(zone)")
        }
        return try position(of: game, by: clock)
    }

    /// The distance between the orders of games that share a minute: fine enough for the trip's most items.
    static func minuteStep(for count: Int) -> Double {
        count <= 1024 ? 1.0 / 1024 : 1.0 / 16_384
    }

    /// Gives the games of a minute distinct orders, by gameID, so that something can be put between them.
    mutating func separateGames(inMinuteOf position: Position, _ log: inout ChangeLog) {
        let minute = position.sortOrder.rounded(.down)
        let day = rows.range(ofDay: position.day)
        let start = rows[day].partitioningIndex { $0.sortOrder >= minute }
        let end = rows[start..<day.upperBound].partitioningIndex { $0.sortOrder >= minute + 1 }
        let games = rows[start..<end].filter(\.isGame).map(item)
        let step = Self.minuteStep(for: games.count)
        for (rank, game) in games.sorted(by: Self.byGameID).enumerated() {
            let derived = Position(day: position.day, sortOrder: minute + Double(rank) * step)
            guard game.position != derived else { continue }
            log.touch(game.id, before: game, isEdit: false)
            var moved = game
            moved.position = derived
            store(moved)
        }
    }

    mutating func separateGames(sharingMinuteWith id: ItemID, _ log: inout ChangeLog) {
        if let position = itemsByID[id]?.position { separateGames(inMinuteOf: position, &log) }
    }

    /// Derives every game's place again, after the trip's start or zone has changed.
    mutating func rescheduleGames(_ log: inout ChangeLog) throws(Rejection) {
        var clocks: [String: WallClock] = [:]
        var minutes: Set<Position> = []
        var moved: [Item] = []
        for row in rows where row.isGame {
            var item = item(at: row)
            guard case .game(let game) = item.content else { continue }
            let zone = game.timeZone ?? header.timeZone
            guard let clock = clocks[zone] ?? WallClock(zone: zone) else {
                throw .invalid(field: "timeZone", "no IANA zone is called \(zone)")
            }
            clocks[zone] = clock
            item.position = try position(of: game, by: clock)
            minutes.insert(item.position)
            moved.append(item)
        }
        for item in moved {
            log.touch(item.id, before: itemsByID[item.id], isEdit: false)
            store(item)
        }
        for minute in minutes { separateGames(inMinuteOf: minute, &log) }
    }

    private func position(of game: Game, by clock: WallClock) throws(Rejection) -> Position {
        guard let local = clock.time(atSecondsSince1970: game.startsAt.secondsSince1970) else {
            throw .invalid(field: "startsAt", "a game is played in the years 1583 to 9999")
        }
        return Position(
            day: header.dayNumber(of: local.date), sortOrder: SortOrder.gameBase + Double(local.minute))
    }

    private static func byGameID(_ left: Item, _ right: Item) -> Bool {
        guard case .game(let first) = left.content, case .game(let second) = right.content else {
            preconditionFailure("only games are compared by gameID")
        }
        return first.gameID.utf8.lexicographicallyPrecedes(second.gameID.utf8)
    }
}
