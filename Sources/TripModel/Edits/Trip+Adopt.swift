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
        try adopt(version, removed.map { ($0, nil) } + upserts.map { ($0.id, $0) }, header)
    }

    /// The same with the new states of all items, nil for a removed one.
    private mutating func adopt(
        _ version: Int, _ states: [(id: ItemID, item: Item?)], _ header: TripHeader?
    ) throws(TripInconsistency) {
        guard version > self.version else { throw .versionNotRising(from: self.version, to: version) }
        let daysBefore = self.header.dayCount
        if let header {
            try Self.checkForm(of: header)
            self.header = header
        }
        var touched: Set<ItemID> = []
        if states.count > 1 { touched.reserveCapacity(states.count) }
        for (id, item) in states {
            if item == nil, itemsByID[id] == nil { throw .itemNotFound(id) }
            if states.count > 1, !touched.insert(id).inserted {
                throw item == nil ? .itemNotFound(id) : .duplicateItemID(id)
            }
            if let item { try checkPlace(of: item) }
        }
        var gameIDs: Set<TextKey> = []
        for case (let id, .game(let game)?) in states.lazy.map({ ($0.id, $0.item?.content) }) {
            // Two games may have exchanged their gameIDs in one commit.
            let key = TextKey(game.gameID)
            let isOthers = itemByGameID[key].map { $0 != id && !touched.contains($0) } ?? false
            guard !isOthers, gameIDs.insert(key).inserted else { throw .duplicateGameID(game.gameID) }
        }
        replace(states)
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
        var states: [(id: ItemID, item: Item?)] = edited.map { ($0.id, $0) }
        for places in [moved, placed] {
            for (id, position) in places {
                guard let item = itemsByID[id] else { throw .itemNotFound(id) }
                states.append((id, item.placed(at: position, version: version)))
            }
        }
        states += removed.map { ($0, nil) }
        var draft = Draft(of: self)
        let editCount = edited.count + moved.count
        draft.touch(
            states.enumerated().map { index, state in
                Draft.Touch(
                    id: state.id, before: itemsByID[state.id], isEdit: index < editCount || state.item == nil)
            })
        try adopt(version, states, header)
        return commit(draft, version: version, by: author, dropsUnchanged: false)
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
