/// Why items and a header do not make a trip.
public enum AdoptFailure: Error, Hashable, Sendable {
    /// Two items have this id.
    case duplicateItemID(ItemID)
    /// Two games have this gameID.
    case duplicateGameID(String)
    /// Travel or a custom item stands on a day that the trip does not have.
    case dayOutOfRange(ItemID, day: Int)
    /// A game stands where no schedule puts one.
    case gameOutsideCalendar(ItemID, Position)
    /// An item that is to go is not there.
    case itemNotFound(ItemID)
    /// The version does not follow.
    case versionNotRising(from: Int, to: Int)
    /// The header breaks a rule.
    case header(Rejection)
}

extension Trip {
    /// Makes a trip from what a snapshot holds; positions are taken as they are, nothing is derived again.
    ///
    /// - Throws: `AdoptFailure` where the parts contradict each other.
    public init(header: TripHeader, version: Int, items: [Item]) throws(AdoptFailure) {
        try Self.checkForm(of: header)
        self.init(empty: header)
        self.version = version
        itemsByID.reserveCapacity(items.count)
        for item in items {
            guard itemsByID.updateValue(item, forKey: item.id) == nil else { throw .duplicateItemID(item.id) }
            try checkPlace(of: item)
            if item.content.time != nil { timedItems.insert(item.id) }
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
        var byCity: [CityName: [Row]] = [:]
        for row in games {
            if let city = cityByGame[row.id] { byCity[city, default: []].append(row) }
        }
        gamesByCity = byCity.mapValues(RowList.init(sorted:))
    }

    /// Takes over the outcome of a commit made elsewhere: items as they are now, ids that are gone, the header.
    ///
    /// - Throws: `AdoptFailure` where it does not fit. Where a header comes with it the trip may then be half changed and must
    ///   be dropped, else it is as it was.
    public mutating func adopt(
        version: Int, upserts: [Item], removed: [ItemID], header: TripHeader?
    ) throws(AdoptFailure) {
        guard version > self.version else { throw .versionNotRising(from: self.version, to: version) }
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
        if header != nil {
            for item in itemsByID.values { try checkPlace(of: item) }
        }
    }

    /// Takes back the last commits, given oldest first, as if they had never been made.
    package mutating func withdraw(_ commits: [Commit]) {
        guard let first = commits.first, let last = commits.last else { return }
        precondition(last.version == version, "the last commits are withdrawn")
        var before: [ItemID: Item?] = [:]
        for commit in commits.reversed() {
            for change in commit.changes { before.updateValue(change.before, forKey: change.id) }
            if let header = commit.headerBefore { self.header = header }
        }
        replace(before.map { ($0.key, $0.value) })
        version = first.version - 1
    }

    /// Takes over a commit from a journal, and tells it in the words in which it was told when it was made.
    ///
    /// - Parameters:
    ///   - author: who made it, and when.
    ///   - edited: the items that somebody edited, as they are after it.
    ///   - moved: the items that somebody moved and did nothing else to.
    ///   - placed: the items that only stand elsewhere after it, in order.
    /// - Throws: `AdoptFailure`, as `adopt` does.
    package mutating func replay(
        version: Int, by author: Author, edited: [Item], moved: [(id: ItemID, position: Position)],
        placed: [(id: ItemID, position: Position)], removed: [ItemID], header: TripHeader?
    ) throws(AdoptFailure) -> Commit {
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
            version: version, headerBefore: headerBefore == self.header ? nil : headerBefore,
            headerAfter: self.header)
    }

    /// Its zone is not judged: this build may not know it, and the trip is whole all the same.
    private static func checkForm(of header: TripHeader) throws(AdoptFailure) {
        do throws(Rejection) { try header.check(isNameNew: false, isZoneNew: false) } catch {
            throw .header(error)
        }
    }

    private func checkPlace(of item: Item) throws(AdoptFailure) {
        guard item.isGame else {
            guard header.days.contains(item.position.day) else {
                throw .dayOutOfRange(item.id, day: item.position.day)
            }
            return
        }
        // Beside a game whose order is anything, there might be no number left for another item.
        guard CalendarDate.dayNumbers.contains(item.position.day),
            SortOrder.gameOrders.contains(item.position.sortOrder)
        else { throw .gameOutsideCalendar(item.id, item.position) }
    }
}

extension Trip {
    /// Gives a trip another id and slug, as a copy of it has; everything else stays.
    package mutating func rename(_ id: TripID, _ slug: String) {
        header = TripHeader(
            id: id, slug: slug, name: header.name, startDate: header.startDate, timeZone: header.timeZone,
            dayCount: header.dayCount)
    }
}
