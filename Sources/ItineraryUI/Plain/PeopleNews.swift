import TripModel

/// Changes of presence on a trip: users who came or left, and drags.
struct PeopleNews {
    let sentences: [String]

    private struct Hold: Hashable {
        let name: String
        let item: ItemID
    }

    init(from old: [Person], to new: [Person], title: (ItemID) -> String?) {
        var sentences: [String] = []
        let came = Self.names(new, without: old)
        let left = Self.names(old, without: new)
        if !came.isEmpty { sentences.append("\(Self.list(came)) \(came.count == 1 ? "is" : "are") here.") }
        if !left.isEmpty { sentences.append("\(Self.list(left)) \(left.count == 1 ? "has" : "have") left.") }
        let held = Set(Self.holds(old))
        for hold in Self.holds(new) where !held.contains(hold) {
            sentences.append("\(hold.name) lifts \(title(hold.item) ?? "an item").")
        }
        self.sentences = sentences
    }

    private static func holds(_ people: [Person]) -> [Hold] {
        people.compactMap { person in person.dragging.map { Hold(name: person.name, item: $0) } }
    }

    /// The names, each as often as it occurs more in the first list than in the second.
    private static func names(_ here: [Person], without there: [Person]) -> [String] {
        var counts: [String: Int] = [:]
        for person in there { counts[person.name, default: 0] += 1 }
        return here.map(\.name).filter { name in
            guard let count = counts[name], count > 0 else { return true }
            counts[name] = count - 1
            return false
        }
    }

    /// `Ann, Ben and Cara`; of many only the first.
    static func list(_ names: [String]) -> String {
        let named = names.count > namedPeople ? Array(names.prefix(namedPeople - 1)) : names
        let rest = names.count - named.count
        let all = rest > 0 ? named + ["\(rest) more"] : named
        guard let last = all.last, all.count > 1 else { return all.first ?? "" }
        return "\(all.dropLast().joined(separator: ", ")) and \(last)"
    }

    private static let namedPeople = 6
}
