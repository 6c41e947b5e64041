/// Why items and a header do not make a trip.
public enum AdoptFailure: Error, Hashable, Sendable {
    /// Two items have this id.
    case duplicateItemID(ItemID)
    /// Two games have this gameID.
    case duplicateGameID(String)
    /// Travel or a custom item stands on a day that the trip does not have.
    case dayOutOfRange(ItemID, day: Int)
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
        do throws(Rejection) { try header.check() } catch { throw .header(error) }
        self.init(empty: header)
        self.version = version
        itemsByID.reserveCapacity(items.count)
        for item in items {
            guard itemsByID.updateValue(item, forKey: item.id) == nil else { throw .duplicateItemID(item.id) }
            try checkPlace(of: item)
            if case .game(let game) = item.content {
                guard itemByGameID.updateValue(item.id, forKey: game.gameID) == nil else {
                    throw .duplicateGameID(game.gameID)
                }
            }
        }
        rows = items.map(Row.init).sorted()
        for row in rows where row.isGame {
            guard case .game(let game) = item(at: row).content else { continue }
            if let city = game.effectiveCity.flatMap(CityName.init) {
                gamesByCity[city, default: []].append(row)
            }
        }
    }

    /// Takes over the outcome of a commit made elsewhere: items as they are now, ids that are gone, the header.
    ///
    /// - Throws: `AdoptFailure` where it does not fit; the trip may then be half changed and must be dropped.
    public mutating func adopt(
        version: Int, upserts: [Item], removed: [ItemID], header: TripHeader?
    ) throws(AdoptFailure) {
        guard version > self.version else { throw .versionNotRising(from: self.version, to: version) }
        if let header {
            do throws(Rejection) { try header.check() } catch { throw .header(error) }
            self.header = header
        }
        for id in removed {
            guard itemsByID[id] != nil else { throw .itemNotFound(id) }
            discard(id)
        }
        // Two games may swap their gameIDs in one commit: all are taken out before any is put back.
        for item in upserts where itemsByID[item.id]?.isGame == true { discard(item.id) }
        for item in upserts {
            try checkPlace(of: item)
            if case .game(let game) = item.content, itemByGameID[game.gameID] != nil {
                throw .duplicateGameID(game.gameID)
            }
            store(item)
        }
        self.version = version
        if header != nil {
            for item in itemsByID.values { try checkPlace(of: item) }
        }
    }

    private func checkPlace(of item: Item) throws(AdoptFailure) {
        guard item.isGame || header.days.contains(item.position.day) else {
            throw .dayOutOfRange(item.id, day: item.position.day)
        }
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
