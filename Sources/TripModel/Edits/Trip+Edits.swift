extension Trip {
    mutating func add(
        _ id: ItemID, _ content: ItemContent, to placement: Placement?, _ author: Author,
        _ draft: inout Draft
    ) throws(Rejection) {
        guard itemsByID[id] == nil else { throw .duplicateItemID(id) }
        guard itemCount < TripLimits.items else { throw .limitExceeded(.items, field: "item") }
        try check(content)
        let resolution: Resolution
        switch content {
        case .game(let game):
            guard placement == nil else {
                throw .invalid(field: "to", "the place of an event follows from startsAt; leave `to` out")
            }
            guard itemByGameID[TextKey(game.gameID)] == nil else { throw .duplicateGameID(game.gameID) }
            let position = try scheduledPosition(of: game)
            if isTaken(minuteOf: position) { draft.pending.mark(minuteOf: position, newcomer: id) }
            resolution = .position(position)
        case .travel(let travel):
            try checkNamedGame(travel.afterGame, field: "afterGame")
            try checkNamedGame(travel.beforeGame, field: "beforeGame")
            separateGames(&draft)
            if let placement {
                resolution = try resolve(placement, for: id, content)
            } else {
                if let refusal = bounds(for: travel).noPlace { throw .place(refusal) }
                resolution = try resolve(
                    firstValidPlacement(for: content) ?? .start(day: 1), for: id, content)
            }
        case .custom:
            let placement = placement ?? .end(day: 1)
            if draft.pending.hasMinutes(onDay: placement.day) { separateGames(&draft) }
            resolution = try resolve(placement, for: id, content)
        }
        let new = Item(
            id: id, position: Position(day: 1, sortOrder: 0), content: content, version: version,
            modifiedAt: author.at, modifiedBy: author.name)
        draft.touch(id, before: nil, isEdit: true)
        carryOut(resolution, for: new, isNew: true, &draft)
    }

    /// Whether a game already starts in this minute.
    private func isTaken(minuteOf position: Position) -> Bool {
        let next = games.partitioningIndex { ($0.day, $0.sortOrder) >= (position.day, position.sortOrder) }
        guard next < games.endIndex, games[next].day == position.day else { return false }
        return games[next].sortOrder < position.sortOrder + 1
    }

    mutating func place(_ item: Item, _ placement: Placement, _ draft: inout Draft) throws(Rejection) {
        separateGames(&draft)
        let resolution = try resolve(placement, for: item.id, item.content, present: item)
        if case .unchanged = resolution { return }
        draft.touch(item.id, before: item, isEdit: true)
        carryOut(resolution, for: item, &draft)
    }

    mutating func remove(_ item: Item, _ draft: inout Draft) {
        draft.touch(item.id, before: item, isEdit: true)
        discard(item.id)
        if item.isGame { draft.pending.mark(minuteOf: item.position) }
    }

    mutating func update(
        _ item: Item, _ changes: [FieldChange], _ draft: inout Draft
    ) throws(Rejection) {
        var content = try item.content.changed(by: changes)
        content.keepSaid(of: item.content)
        var changed = item
        changed.content = content
        guard changed.content != item.content else { return }
        try check(changed.content, replacing: item.content)
        switch (item.content, changed.content) {
        case (.game(let old), .game(let new)):
            let isRenamed = !String.isVerbatim(new.gameID, old.gameID)
            if isRenamed, itemByGameID[TextKey(new.gameID)] != nil { throw .duplicateGameID(new.gameID) }
            if new.startsAt != old.startsAt || new.timeZone != old.timeZone {
                changed.position = try scheduledPosition(of: new)
            }
            if isRenamed || changed.position != item.position {
                draft.pending.mark(minuteOf: item.position)
                draft.pending.mark(minuteOf: changed.position, newcomer: item.id)
            }
        case (.travel(let old), .travel(let new)):
            if new.afterGame != old.afterGame { try checkNamedGame(new.afterGame, field: "afterGame") }
            if new.beforeGame != old.beforeGame { try checkNamedGame(new.beforeGame, field: "beforeGame") }
        default: break
        }
        draft.touch(item.id, before: item, isEdit: true)
        store(changed)
    }

    mutating func update(_ change: TripChange, _ draft: inout Draft) throws(Rejection) {
        var changed = header
        if let name = change.name { changed.name = name }
        if let slug = change.slug { changed.slug = slug }
        if let startDate = change.startDate { changed.startDate = startDate }
        if let timeZone = change.timeZone { changed.timeZone = timeZone }
        if let dayCount = change.dayCount { changed.dayCount = dayCount }
        if let rates = change.rates { try changed.set(rates: rates) }
        try changed.check(
            isNameNew: !changed.name.utf8.elementsEqual(header.name.utf8),
            isZoneNew: changed.timeZone != header.timeZone)
        let old = header
        header = changed
        try follow(old, &draft)
    }

    private func checkNamedGame(_ side: TravelSide?, field: String) throws(Rejection) {
        guard case .game(let id)? = side else { return }
        guard itemsByID[id]?.isGame == true else {
            throw .invalid(
                field: field, "the item id of an event, or none, is needed; no event has the id \(id)")
        }
    }
}
