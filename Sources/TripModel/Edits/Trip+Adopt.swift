/// The reason why items and a header do not form a valid trip.
package enum TripInconsistency: Error, Hashable, Sendable {
    /// Two items have this id.
    case duplicateItemID(ItemID)
    /// Two games have this gameID.
    case duplicateGameID(String)
    /// Travel or a custom item is on a day that the trip does not have.
    case dayOutOfRange(ItemID, day: Int)
    /// A game is at a place that no schedule can give.
    case gameOutsideCalendar(ItemID, Position)
    /// An item to remove or move does not exist.
    case itemNotFound(ItemID)
    /// The new version is not higher.
    case versionNotRising(from: Int, to: Int)
    /// The header breaks a rule.
    case header(Rejection)
}

extension Trip {
    /// Makes a trip from the parts of a snapshot, with positions as stored.
    ///
    /// - Throws: `TripInconsistency` if the parts contradict each other.
    package init(header: TripHeader, version: Int, items: [Item]) throws(TripInconsistency) {
        try Self.checkForm(of: header)
        self.init(empty: header)
        self.version = version
        itemsByID.reserveCapacity(items.count)
        for item in items {
            guard itemsByID.updateValue(item, forKey: item.id) == nil else { throw .duplicateItemID(item.id) }
            try checkPlace(of: item.id, item.position, isGame: item.isGame)
            if case .game(let game) = item.content {
                guard itemByGameID.updateValue(item.id, forKey: TextKey(game.gameID)) == nil else {
                    throw .duplicateGameID(game.gameID)
                }
                if game.startsAt.isNearYearBounds { gamesNearYearBounds.insert(item.id) }
            }
            textBytes += item.textBytes
        }
        let sorted = items.map(Row.init).sorted()
        rows = RowList(sorted: sorted)
        let games = sorted.filter(\.isGame)
        self.games = RowList(sorted: games)
        plannedRows = RowList(sorted: sorted.filter { self.item(at: $0).content.isPlanned })
        var byCity: [CityGames: [Row]] = [:]
        for row in games {
            if let city = item(at: row).cityGames { byCity[city, default: []].append(row) }
        }
        gamesByCity = byCity.mapValues(RowList.init(sorted:))
    }

    /// Applies the result of a commit that was decided elsewhere: changed items, removed ids, and the header.
    ///
    /// - Throws: `TripInconsistency` if the result does not fit. The trip is then unchanged, unless a header was
    ///   given: then it may be partly changed and must be discarded.
    package mutating func adopt(
        version: Int, upserts: [Item], removed: [ItemID], header: TripHeader?
    ) throws(TripInconsistency) {
        _ = try take(version, upserts, moved: [], placed: [], removed, header)
    }

    /// Applies a commit from a journal and returns it as it was when it was new.
    ///
    /// - Parameters:
    ///   - author: the user and the time.
    ///   - edited: the edited items, after the commit.
    ///   - moved: the items that were only moved by a user.
    ///   - placed: the unedited items with new positions, in order.
    /// - Throws: `TripInconsistency`, like `adopt`.
    package mutating func replay(
        version: Int, by author: Author, edited: [Item], moved: [PlacedItem], placed: [PlacedItem],
        removed: [ItemID], header: TripHeader?
    ) throws(TripInconsistency) -> Commit {
        let draft = try take(version, edited, moved: moved, placed: placed, removed, header)
        return commit(draft, version: version, by: author, dropsUnchanged: false)
    }

    /// An item's id and its new place.
    package typealias PlacedItem = (id: ItemID, position: Position)

    private mutating func take(
        _ version: Int, _ edited: [Item], moved: [PlacedItem], placed: [PlacedItem], _ removed: [ItemID],
        _ header: TripHeader?
    ) throws(TripInconsistency) -> Draft {
        guard version > self.version else { throw .versionNotRising(from: self.version, to: version) }
        var draft = Draft(self.header, writes: headerWrites)
        if let header {
            try Self.checkForm(of: header)
            self.header = header
        }
        var states: [(id: ItemID, item: Item?)] = []
        for id in removed {
            guard let item = itemsByID[id], !draft.contains(id) else { throw .itemNotFound(id) }
            draft.touch(id, before: item, isEdit: true)
            states.append((id, nil))
        }
        for item in edited {
            guard !draft.contains(item.id) else { throw .duplicateItemID(item.id) }
            try checkPlace(of: item.id, item.position, isGame: item.isGame)
            draft.touch(item.id, before: itemsByID[item.id], isEdit: true)
            states.append((item.id, item))
        }
        func touch(_ places: [PlacedItem], isEdit: Bool) throws(TripInconsistency) {
            for (id, position) in places {
                guard let item = itemsByID[id] else { throw .itemNotFound(id) }
                guard !draft.contains(id) else { throw .duplicateItemID(id) }
                try checkPlace(of: id, position, isGame: item.isGame)
                draft.touch(id, before: item, isEdit: isEdit)
            }
        }
        try touch(moved, isEdit: true)
        try touch(placed, isEdit: false)
        var gameIDs: Set<TextKey> = []
        for case .game(let game) in edited.lazy.map(\.content) {
            // Two games may have exchanged their gameIDs in one commit.
            let key = TextKey(game.gameID)
            let isOthers = itemByGameID[key].map { !draft.contains($0) } ?? false
            guard !isOthers, gameIDs.insert(key).inserted else { throw .duplicateGameID(game.gameID) }
        }
        if !states.isEmpty { replace(states) }
        if !moved.isEmpty { relocate(moved) }
        if !placed.isEmpty { relocate(placed) }
        self.version = version
        if self.header.dayCount < draft.headerBefore.dayCount {
            for item in itemsByID.values { try checkPlace(of: item.id, item.position, isGame: item.isGame) }
        }
        return draft
    }

    /// Rolls back the last commits, given oldest first.
    package mutating func rollBack(_ commits: [Commit]) {
        guard let first = commits.first, let last = commits.last else { return }
        precondition(last.version == version, "only the last commits are rolled back")
        var before: [ItemID: Item?] = [:]
        for commit in commits.reversed() {
            for change in commit.changes { before.updateValue(change.before, forKey: change.id) }
            for shift in commit.shifts {
                let after = before[shift.id] ?? itemsByID[shift.id]
                before.updateValue(
                    after?.placed(at: shift.before, version: shift.versionBefore), forKey: shift.id)
            }
            if let change = commit.header { header = change.before.applied(to: header) }
        }
        replace(before.map { ($0.key, $0.value) })
        version = first.version - 1
    }

    /// Checks a stored header. The zone is not checked: the trip is valid even if this build does not know
    /// it.
    private static func checkForm(of header: TripHeader) throws(TripInconsistency) {
        do throws(Rejection) { try header.check(isNameNew: false, isZoneNew: false) } catch {
            throw .header(error)
        }
    }

    private func checkPlace(of id: ItemID, _ position: Position, isGame: Bool) throws(TripInconsistency) {
        if isGame {
            guard SortOrder.isGamePlace(position) else { throw .gameOutsideCalendar(id, position) }
        } else {
            guard header.days.contains(position.day) else { throw .dayOutOfRange(id, day: position.day) }
        }
    }
}

extension Trip {
    /// Changes the id and the slug, for a copy of the trip.
    package mutating func rename(_ id: TripID, _ slug: String) {
        header = TripHeader(
            id: id, slug: slug, name: header.name, startDate: header.startDate, timeZone: header.timeZone,
            dayCount: header.dayCount, rates: header.rates, acceptedProblems: header.acceptedProblems,
            todo: header.todo)
    }
}
