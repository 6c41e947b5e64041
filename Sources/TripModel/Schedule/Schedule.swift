extension Trip {
    /// The scheduled place of a game: its local date and minute (R-DATA-03, R-DAY).
    mutating func scheduledPosition(of game: Game) throws(Rejection) -> Position {
        let zone = game.timeZone ?? header.timeZone
        guard let clock = clock(of: zone) else {
            throw .invalid(field: "timeZone", TimeZoneName.refusal(of: zone))
        }
        guard let local = clock.time(atSecondsSince1970: game.startsAt.secondsSince1970) else {
            throw .invalid(field: "startsAt", "an event must be in the years 1583 to 9999")
        }
        return Position(
            day: header.dayNumber(of: local.date), sortOrder: SortOrder.gameBase + Double(local.minute))
    }

    // MARK: Consequences of edits

    /// Records a new start or zone, and removed days.
    mutating func follow(_ old: TripHeader, _ draft: inout Draft) throws(Rejection) {
        if header.startDate != old.startDate || header.timeZone != old.timeZone {
            if draft.pending.fewestDays != nil { displaceItems(&draft) }
            if draft.pending.scheduledBy == nil { draft.pending.scheduledBy = old }
            // Only these games can be refused, and the refusal must name the edit that caused it.
            if !gamesNearYearBounds.isEmpty { try rescheduleGames(&draft) }
        }
        if header.dayCount < old.dayCount {
            if draft.pending.scheduledBy != nil { try rescheduleGames(&draft) }
            draft.pending.fewestDays = min(draft.pending.fewestDays ?? header.dayCount, header.dayCount)
        }
    }

    /// Applies recorded changes of the header, so that days and games are at their places.
    mutating func catchUpWithHeader(_ draft: inout Draft) throws(Rejection) {
        guard headerWrites != draft.headerWrites else { return }
        if draft.pending.scheduledBy != nil { try rescheduleGames(&draft) }
        if draft.pending.fewestDays != nil { displaceItems(&draft) }
    }

    // MARK: Games

    /// Gives the games of each minute in which this change places a game distinct orders, by gameID, so that items fit
    /// between them.
    ///
    /// - Parameter skipsSeparate: whether to skip minutes whose games have distinct orders already.
    mutating func separateGames(_ draft: inout Draft, unlessApart skipsSeparate: Bool = false) {
        if draft.pending.isRestoring || !draft.pending.hasMinutes { return }
        var places: [(id: ItemID, position: Position)] = []
        let (days, newcomers) = draft.pending.takeMinutes()
        // In shown order, so that the rows to exchange are sorted.
        for (day, minutes) in days.sorted(by: { $0.key < $1.key }) {
            for minute in minutes.sorted() {
                let start = rows.partitioningIndex { ($0.day, $0.sortOrder) >= (day, minute) }
                let end = rows.partitioningIndex { ($0.day, $0.sortOrder) >= (day, minute + 1) }
                if skipsSeparate, SharedMinute.isApart(rows[start..<end], gameID: gameID(of:)) { continue }
                let sharing = SharedMinute(minute, rows[start..<end], newcomers, gameID: gameID(of:))
                itemsLookedAt += sharing.count
                for (game, order) in zip(sharing.games, sharing.orders) where game.sortOrder != order {
                    places.append((game.id, Position(day: day, sortOrder: order)))
                }
            }
        }
        relocate(places, &draft)
    }

    /// Derives the places of games from the trip's new start and zone.
    private mutating func rescheduleGames(_ draft: inout Draft) throws(Rejection) {
        guard let old = draft.pending.scheduledBy else { return }
        separateGames(&draft)
        let shift = old.startDate.daysSince1970 - header.startDate.daysSince1970
        let hasOtherZone = old.timeZone != header.timeZone
        var places: [(id: ItemID, position: Position)] = []
        places.reserveCapacity(games.count)
        itemsLookedAt += games.count
        for row in games {
            // A new start shifts all days alike; only a new zone changes minutes.
            var position = Position(day: row.day + shift, sortOrder: row.sortOrder)
            if hasOtherZone, case .game(let game) = item(at: row).content, game.timeZone == nil {
                draft.pending.mark(minuteOf: position)
                position = try scheduledPosition(of: game)
                draft.pending.mark(minuteOf: position, newcomer: row.id)
            }
            if position != Position(day: row.day, sortOrder: row.sortOrder) {
                places.append((row.id, position))
            }
        }
        relocate(places, &draft)
        draft.pending.scheduledBy = nil
        separateGames(&draft)
    }

    private mutating func relocate(
        _ places: [(id: ItemID, position: Position)], _ draft: inout Draft
    ) {
        for (id, _) in places { draft.touch(id, before: itemsByID[id], isEdit: false) }
        relocate(places)
    }

    private func gameID(of row: Row) -> String {
        guard case .game(let game) = item(at: row).content else {
            preconditionFailure("the rows of games are games")
        }
        return game.gameID
    }

    // MARK: Removed days

    /// Moves the items of removed days to the end of the last day, in shown order (R-EDIT).
    private mutating func displaceItems(_ draft: inout Draft) {
        guard let last = draft.pending.fewestDays else { return }
        draft.pending.fewestDays = nil
        separateGames(&draft)
        let stranded = rows[rows.partitioningIndex { $0.day > last }...].filter { !$0.isGame }
        guard !stranded.isEmpty else { return }
        itemsLookedAt += stranded.count
        for row in stranded {
            draft.touch(row.id, before: itemsByID[row.id], isEdit: false, isDisplaced: true)
        }
        var rest = stranded[...]
        while let first = rest.first {
            let site = endOfDay(last)
            // The end of a day has room for all unless they would exceed ±1e15; then the others are
            // re-spaced.
            let room = Int(Position.maximumOrder - max(site.above?.sortOrder ?? 0, 0))
            guard room > 0, let orders = site.orders(for: min(room, rest.count)) else {
                carryOut(.respace(site), for: item(at: first), &draft)
                rest = rest.dropFirst()
                continue
            }
            relocate(
                zip(rest, orders).map { row, order in (row.id, Position(day: last, sortOrder: order)) })
            rest = rest.dropFirst(orders.count)
        }
    }
}

extension Game {
    /// The local date of the start, in the game's own zone or the trip's.
    ///
    /// - Returns: nil if the zone is unknown or the date is outside the supported years.
    package func date(inTripZone zone: String) -> CalendarDate? {
        WallClock(zone: timeZone ?? zone)?.time(atSecondsSince1970: startsAt.secondsSince1970)?.date
    }
}
