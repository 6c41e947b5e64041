extension Trip {
    mutating func add(
        _ id: ItemID, _ content: ItemContent, to placement: Placement?, _ author: Author,
        _ log: inout ChangeLog
    ) throws(Rejection) {
        guard itemsByID[id] == nil else { throw .duplicateItemID(id) }
        guard itemCount < TripLimits.items else { throw .limitExceeded(.items, field: "item") }
        try content.check()
        let resolution: Resolution
        switch content {
        case .game(let game):
            guard placement == nil else {
                throw .invalid(field: "to", "a game's place follows from startsAt; leave `to` out")
            }
            guard itemByGameID[game.gameID] == nil else { throw .duplicateGameID(game.gameID) }
            resolution = .position(try scheduledPosition(of: game))
        case .travel(let travel):
            try checkNamedGame(travel.afterGame, field: "afterGame")
            try checkNamedGame(travel.beforeGame, field: "beforeGame")
            if let placement {
                resolution = try resolve(placement, for: id, content)
            } else {
                guard let gap = firstValidGap(for: content) else { throw .place(.noValidPosition) }
                resolution = try resolve(gap.placement, for: id, content)
            }
        case .custom:
            resolution = try resolve(placement ?? .end(day: 1), for: id, content)
        }
        let new = Item(
            id: id, position: Position(day: 1, sortOrder: 0), content: content, version: version,
            modifiedAt: author.at, modifiedBy: author.name)
        log.touch(id, before: nil, isEdit: true)
        carryOut(resolution, for: new, &log)
        if content.isGame { separateGames(sharingMinuteWith: id, &log) }
    }

    mutating func place(_ item: Item, _ placement: Placement, _ log: inout ChangeLog) throws(Rejection) {
        let resolution = try resolve(placement, for: item.id, item.content)
        if case .unchanged = resolution { return }
        log.touch(item.id, before: item, isEdit: true)
        carryOut(resolution, for: item, &log)
    }

    mutating func remove(_ item: Item, _ log: inout ChangeLog) {
        log.touch(item.id, before: item, isEdit: true)
        discard(item.id)
        if item.isGame { separateGames(inMinuteOf: item.position, &log) }
    }

    mutating func update(
        _ item: Item, _ changes: [FieldChange], _ log: inout ChangeLog
    ) throws(Rejection) {
        var changed = item
        for change in changes { try changed.content.set(change) }
        guard changed.content != item.content else { return }
        try changed.content.check()
        switch (item.content, changed.content) {
        case (.game(let old), .game(let new)):
            if new.gameID != old.gameID, itemByGameID[new.gameID] != nil {
                throw .duplicateGameID(new.gameID)
            }
            if new.startsAt != old.startsAt || new.timeZone != old.timeZone {
                changed.position = try scheduledPosition(of: new)
            }
        case (.travel(let old), .travel(let new)):
            if new.afterGame != old.afterGame { try checkNamedGame(new.afterGame, field: "afterGame") }
            if new.beforeGame != old.beforeGame { try checkNamedGame(new.beforeGame, field: "beforeGame") }
        default: break
        }
        log.touch(item.id, before: item, isEdit: true)
        store(changed)
        if changed.isGame {
            separateGames(inMinuteOf: item.position, &log)
            separateGames(sharingMinuteWith: item.id, &log)
        }
    }

    mutating func update(_ change: TripChange, _ log: inout ChangeLog) throws(Rejection) {
        var changed = header
        if let name = change.name { changed.name = name }
        if let slug = change.slug { changed.slug = slug }
        if let startDate = change.startDate { changed.startDate = startDate }
        if let timeZone = change.timeZone { changed.timeZone = timeZone }
        if let dayCount = change.dayCount { changed.dayCount = dayCount }
        try changed.check()
        let old = header
        header = changed
        if changed.startDate != old.startDate || changed.timeZone != old.timeZone {
            do throws(Rejection) {
                try rescheduleGames(&log)
            } catch {
                header = old
                throw error
            }
        }
        if changed.dayCount < old.dayCount { displaceItems(&log) }
    }

    private func checkNamedGame(_ id: ItemID?, field: String) throws(Rejection) {
        guard let id else { return }
        guard itemsByID[id]?.isGame == true else {
            throw .invalid(field: field, "it names a game of this trip by its item id; none has \(id)")
        }
    }

    /// Moves the items whose day is gone to the end of the last day, in shown order (R-EDIT).
    private mutating func displaceItems(_ log: inout ChangeLog) {
        let last = header.dayCount
        let stranded = rows[rows.range(ofDay: last).upperBound...].filter { !$0.isGame }
        for row in stranded {
            let item = item(at: row)
            let site = endOfDay(last)
            log.touch(item.id, before: item, isEdit: false)
            log.displaced(item.id)
            let resolution: Resolution =
                site.order.map { .position(Position(day: last, sortOrder: $0)) } ?? .respace(site)
            carryOut(resolution, for: item, &log)
        }
    }

    /// Stores an item at its resolved place, the items around it re-spaced where there was no room.
    private mutating func carryOut(_ resolution: Resolution, for item: Item, _ log: inout ChangeLog) {
        var placed = item
        switch resolution {
        case .unchanged: return
        case .position(let position): placed.position = position
        case .respace(let site):
            let (orders, inserted) = site.respaced()
            // The item itself may stand among the rows that shift: it goes first.
            discard(item.id)
            let start = rows.range(ofDay: site.day).lowerBound
            for (offset, order) in zip(site.run, orders) where rows[start + offset].sortOrder != order {
                let id = rows[start + offset].id
                log.touch(id, before: itemsByID[id], isEdit: false)
                shift(rowAt: start + offset, to: order)
            }
            placed.position = Position(day: site.day, sortOrder: inserted)
            log.respaced(day: site.day)
        }
        store(placed)
    }
}
