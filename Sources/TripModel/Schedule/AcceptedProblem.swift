extension Problem: Identifiable {
    /// The day and the key: an overlap at midnight is a problem of both days.
    public var id: String { "\(day) \(key)" }
}

/// Problems that a user has accepted as intended.
extension Problem {
    /// The kind and the sorted ids of the items. The key is stable while the problem concerns the same items.
    public var key: String { Self.key(kind, items) }

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

    /// The maximum number of ids in a key; further items are only counted. Keys still differ, because problems of so many
    /// items share none. A problem with more items cannot be accepted.
    static let namedItems = 50

    /// An id for the acceptance of a problem, derived from its key.
    package static func acceptance(ofKey key: String) -> ItemID { ItemID(derivedFrom: ["accepted", key]) }

    /// The items of a key; nil if no acceptable problem can have this key.
    static func items(ofKey key: String) -> [ItemID]? {
        var key = key
        return key.withUTF8 { key -> [ItemID]? in
            guard let colon = key.firstIndex(of: UInt8(ascii: ":")),
                Kind(rawValue: String(decoding: key[..<colon], as: UTF8.self)) != nil
            else { return nil }
            var items: [ItemID] = []
            for name in key[(colon + 1)...].split(
                separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            {
                guard let item = ItemID(utf8: UnsafeBufferPointer(rebasing: name)) else { return nil }
                items.append(item)
            }
            return items
        }
    }
}

extension Trip {
    /// Accepts a problem, or revokes its acceptance.
    mutating func accept(_ key: String, _ isAccepted: Bool, _ draft: inout Draft) throws(Rejection) {
        guard isAccepted else {
            header.acceptedProblems.remove(key)
            return
        }
        guard problems.contains(where: { $0.key == key }) else {
            throw .invalid(
                field: "problem", "no problem of the trip has this key; the list of problems shows the keys")
        }
        guard Problem.items(ofKey: key) != nil else {
            throw .invalid(
                field: "problem", "a problem of more than \(Problem.namedItems) items cannot be accepted")
        }
        if !header.acceptedProblems.contains(key) {
            guard header.acceptedProblems.count < TripLimits.acceptedProblems else {
                throw .limitExceeded(.acceptedProblems, field: "problem")
            }
            header.acceptedProblems.insert(key)
        }
        note(acceptanceOf: key, &draft)
    }

    /// Records the states of the items of a problem that is accepted now.
    func note(acceptanceOf key: String, _ draft: inout Draft) {
        draft.newAcceptances[key] = Problem.items(ofKey: key)?.compactMap { itemsByID[$0] }
    }

    /// Revokes acceptances of problems that have ended or concern an item that was removed, or whose day, time or city
    /// changed.
    mutating func endAcceptances(_ draft: Draft) {
        guard !header.acceptedProblems.isEmpty, !draft.touches.isEmpty else { return }
        let before = Dictionary(draft.touches.compactMap(\.before).map { ($0.id, $0) }) { $1 }
        var present: Set<String>?
        let ended = header.acceptedProblems.filter { key in
            let items =
                draft.newAcceptances[key] ?? Problem.items(ofKey: key)?.compactMap { before[$0] } ?? []
            let changed = items.filter { itemsByID[$0.id] != $0 }
            if changed.isEmpty { return false }
            if changed.contains(where: { itemsByID[$0.id]?.isAt(theTimeAndPlaceOf: $0) != true }) {
                return true
            }
            // Another field can end a problem, such as a stay's number of nights.
            guard !draft.isUndo, changed.contains(where: { itemsByID[$0.id]?.content != $0.content }) else {
                return false
            }
            if present == nil { present = Set(problems.map(\.key)) }
            return present?.contains(key) == false
        }
        if !ended.isEmpty { header.acceptedProblems.subtract(ended) }
    }
}

extension Item {
    /// Whether the day, the time and the cities are unchanged.
    fileprivate func isAt(theTimeAndPlaceOf before: Item) -> Bool {
        let fields: [ItemField] = [
            .time, .lateNight, .startsAt, .timeZone, .arrivalTimeZone, .city, .fromCity, .toCity,
        ]
        return position.day == before.position.day && fields.allSatisfy { content[$0] == before.content[$0] }
    }
}
