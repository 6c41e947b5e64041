/// Problems that a user has accepted as intended.
extension Problem {
    /// The kind and the sorted ids of the items. The key is stable while the problem concerns the same items.
    public var key: String {
        Self.key(kind, items)
    }

    private static func key(_ kind: Kind, _ items: [ItemID]) -> String {
        let named = items.sorted().prefix(namedItems)
        let rest = items.count > named.count ? "+\(items.count - named.count)" : ""
        return "\(kind.rawValue):\(named.map(\.description).joined(separator: ","))\(rest)"
    }

    /// The key with other ids of its items; nil for a key that names no items.
    package static func key(_ key: String, renaming id: (ItemID) -> ItemID) -> String? {
        guard let items = items(ofKey: key), let kind = Kind(rawValue: String(key.prefix { $0 != ":" }))
        else {
            return nil
        }
        return self.key(kind, items.map(id))
    }

    /// The maximum number of ids in a key; further items are only counted. Keys still differ, because problems of one
    /// kind share no item. A problem with more items cannot be accepted.
    static let namedItems = 50

    /// The items of a key; nil if no acceptable problem can have this key.
    static func items(ofKey key: String) -> [ItemID]? {
        guard let colon = key.firstIndex(of: ":"), Kind(rawValue: String(key[..<colon])) != nil else {
            return nil
        }
        let names = key[key.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
        let items = names.compactMap { ItemID(String($0)) }
        return items.count == names.count ? items : nil
    }
}

extension Trip {
    /// Accepts a problem, or revokes its acceptance.
    mutating func accept(_ key: String, _ isAccepted: Bool, _ log: inout ChangeLog) throws(Rejection) {
        guard isAccepted else {
            header.acceptedProblems.remove(key)
            return
        }
        guard !header.acceptedProblems.contains(key) else { return }
        guard problems.contains(where: { $0.key == key }) else {
            throw .invalid(
                field: "problem", "no problem of the trip has this key; the list of problems shows the keys")
        }
        guard Problem.items(ofKey: key) != nil else {
            throw .invalid(
                field: "problem", "a problem of more than \(Problem.namedItems) items cannot be accepted")
        }
        guard header.acceptedProblems.count < TripLimits.acceptedProblems else {
            throw .limitExceeded(.acceptedProblems, field: "problem")
        }
        header.acceptedProblems.insert(key)
        log.newAcceptances.insert(key)
    }

    /// Revokes acceptances if an item of the problem was removed, or its day, time or city changed.
    mutating func endAcceptances(_ log: ChangeLog) {
        guard !header.acceptedProblems.isEmpty else { return }
        var changed: Set<ItemID> = []
        for touch in log.touches {
            if let before = touch.before, itemsByID[touch.id]?.isAt(theTimeAndPlaceOf: before) == true {
                continue
            }
            changed.insert(touch.id)
        }
        guard !changed.isEmpty else { return }
        header.acceptedProblems = header.acceptedProblems.filter { key in
            log.newAcceptances.contains(key)
                || !(Problem.items(ofKey: key) ?? []).contains(where: changed.contains)
        }
    }
}

extension Item {
    /// Whether the day, the time and the cities are unchanged.
    fileprivate func isAt(theTimeAndPlaceOf before: Item) -> Bool {
        let fields: [ItemField] = [
            .time, .startsAt, .timeZone, .arrivalTimeZone, .city, .fromCity, .toCity,
        ]
        return position.day == before.position.day && fields.allSatisfy { content[$0] == before.content[$0] }
    }
}
