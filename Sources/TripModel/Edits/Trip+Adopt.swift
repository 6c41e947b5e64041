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
            try checkPlace(of: item)
            if case .game(let game) = item.content {
                guard itemByGameID.updateValue(item.id, forKey: TextKey(game.gameID)) == nil else {
                    throw .duplicateGameID(game.gameID)
                }
                if game.startsAt.isNearYearBounds { gamesNearYearBounds.insert(item.id) }
            }
            learnCities(of: item.id, as: item.content)
        }
        let sorted = items.map(Row.init).sorted()
        rows = RowList(sorted: sorted)
        let games = sorted.filter(\.isGame)
        self.games = RowList(sorted: games)
        plannedRows = RowList(sorted: sorted.filter { self.item(at: $0).content.isPlanned })
        var byCity: [CityGames: [Row]] = [:]
        for row in games {
            if let city = cityByGame[row.id] { byCity[city, default: []].append(row) }
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
        guard version > self.version else { throw .versionNotRising(from: self.version, to: version) }
        let daysBefore = self.header.dayCount
        if let header {
            try Self.checkForm(of: header)
            self.header = header
        }
        var touched: Set<ItemID> = []
        for id in removed {
            guard itemsByID[id] != nil else { throw .itemNotFound(id) }
            guard touched.insert(id).inserted else { throw .itemNotFound(id) }
        }
        for item in upserts {
            guard touched.insert(item.id).inserted else { throw .duplicateItemID(item.id) }
            try checkPlace(of: item)
        }
        var gameIDs: Set<TextKey> = []
        for case .game(let game) in upserts.map(\.content) {
            // Two games may have exchanged their gameIDs in one commit.
            let key = TextKey(game.gameID)
            let isOthers = itemByGameID[key].map { !touched.contains($0) } ?? false
            guard !isOthers, gameIDs.insert(key).inserted else { throw .duplicateGameID(game.gameID) }
        }
        replace(removed.map { ($0, nil) } + upserts.map { ($0.id, $0) })
        self.version = version
        if self.header.dayCount < daysBefore {
            for item in itemsByID.values { try checkPlace(of: item) }
        }
    }

    /// Rolls back the last commits, given oldest first.
    package mutating func rollBack(_ commits: [Commit]) {
        guard let first = commits.first, let last = commits.last else { return }
        precondition(last.version == version, "only the last commits are rolled back")
        var before: [ItemID: Item?] = [:]
        for commit in commits.reversed() {
            for change in commit.changes { before.updateValue(change.before, forKey: change.id) }
            if let change = commit.header { header = change.before.applied(to: header) }
        }
        replace(before.map { ($0.key, $0.value) })
        version = first.version - 1
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
        version: Int, by author: Author, edited: [Item], moved: [(id: ItemID, position: Position)],
        placed: [(id: ItemID, position: Position)], removed: [ItemID], header: TripHeader?
    ) throws(TripInconsistency) -> Commit {
        if let (id, position) = moved.first, moved.count == 1, edited.isEmpty, placed.isEmpty,
            removed.isEmpty,
            header == nil, let commit = try replayMove(version, author, id, position)
        {
            return commit
        }
        let headerBefore = self.header
        let rowsBefore = rows
        var upserts = edited
        for (id, position) in moved {
            guard let item = itemsByID[id] else { throw .itemNotFound(id) }
            upserts.append(item.moved(to: position, version: version, by: author))
        }
        let editCount = upserts.count
        for (id, position) in placed {
            guard let item = itemsByID[id] else { throw .itemNotFound(id) }
            upserts.append(item.placed(at: position, version: version))
        }
        let before = (upserts.map(\.id) + removed).map { itemsByID[$0] }
        try adopt(version: version, upserts: upserts, removed: removed, header: header)
        var outcome = CommitOutcome(
            rowsBefore: rowsBefore, rowsAfter: rows, reserving: upserts.count + removed.count)
        for (index, item) in upserts.enumerated() {
            outcome.add(item.id, before: before[index], after: item, isEdit: index < editCount)
        }
        for (index, id) in removed.enumerated() {
            outcome.add(id, before: before[upserts.count + index], after: nil, isEdit: true)
        }
        return outcome.commit(
            version: version, header: header == nil ? nil : HeaderChange(from: headerBefore, to: self.header))
    }

    /// Applies a commit that moved one item and did nothing else, which most commits do; nil for a game.
    private mutating func replayMove(
        _ version: Int, _ author: Author, _ id: ItemID, _ position: Position
    ) throws(TripInconsistency) -> Commit? {
        guard let index = itemsByID.index(forKey: id) else { throw .itemNotFound(id) }
        let before = itemsByID.values[index]
        guard !before.isGame else { return nil }
        guard version > self.version else { throw .versionNotRising(from: self.version, to: version) }
        let after = before.moved(to: position, version: version, by: author)
        try checkPlace(of: after)
        let neighbours = rows.neighbours(of: Row(before))
        relocate(CollectionOfOne((id, position)))
        itemsByID.values[index] = after
        self.version = version
        let change = ItemChange(
            id: id, before: before, after: after, isEdit: true, lostDay: false,
            isMove: before.position != position, neighboursBefore: neighbours)
        return Commit(version: version, changes: [change])
    }

    /// Checks a stored header. The zone is not checked: the trip is valid even if this build does not know
    /// it.
    private static func checkForm(of header: TripHeader) throws(TripInconsistency) {
        do throws(Rejection) { try header.check(isNameNew: false, isZoneNew: false) } catch {
            throw .header(error)
        }
    }

    private func checkPlace(of item: Item) throws(TripInconsistency) {
        guard item.isGame else {
            guard header.days.contains(item.position.day) else {
                throw .dayOutOfRange(item.id, day: item.position.day)
            }
            return
        }
        guard SortOrder.isGamePlace(item.position) else {
            throw .gameOutsideCalendar(item.id, item.position)
        }
    }
}

extension Trip {
    /// Changes the id and the slug, for a copy of the trip.
    package mutating func rename(_ id: TripID, _ slug: String) {
        header = TripHeader(
            id: id, slug: slug, name: header.name, startDate: header.startDate, timeZone: header.timeZone,
            dayCount: header.dayCount, acceptedProblems: header.acceptedProblems, todo: header.todo)
    }
}
