import TripModel

/// The ids that new items get, and the names from which they are derived. They are always the same for one entry, so the
/// trip's history shows whether it was removed. An instance of a series is named by its date, so that a
/// removed one is recognized if its hour has changed.
struct DerivedNames {
    /// The entries of each series.
    private(set) var series: [TextKey: [Int]] = [:]
    private let entries: [FileEntry]
    private let trip: TripID
    private let source: String
    /// For each entry by index, the number of earlier instances of its series on the same date.
    private var ordinals: [Int: Int] = [:]

    init(_ file: FileEntries, of trip: TripID, source: String) {
        (entries, self.trip, self.source) = (file.entries, trip, source)
        var counts: [Occurrence: Int] = [:]
        for (index, entry) in entries.enumerated() {
            guard let occurrence = entry.occurrence, occurrence.isOneOfSeries else { continue }
            ordinals[index] = counts[occurrence, default: 0]
            counts[occurrence, default: 0] += 1
            series[occurrence.uid, default: []].append(index)
        }
    }

    /// The ids for the item of the entry at an index; a new item gets the first one.
    func ids(of index: Int) -> [ItemID] {
        names(of: index).map { id($0, isGame: entries[index].kind == .game) }
    }

    /// The ids that the item of an entry has as a game or as another item.
    func allIDs(of index: Int) -> [ItemID] { ids(names(of: index)) }

    /// These ids, and those that the item got if its event was not a series, was one, or has moved by some days.
    func formerIDs(of index: Int, movedBy days: Set<Int>) -> [ItemID] {
        ids(formerNames(of: index, movedBy: days))
    }

    private func ids(_ names: [[String]]) -> [ItemID] {
        names.flatMap { name in [true, false].map { id(name, isGame: $0) } }
    }

    /// A gameID identifies one game in a trip, in any source.
    func id(_ name: [String], isGame: Bool) -> ItemID {
        ItemID(derivedFrom: [trip.description, isGame ? "" : source] + name)
    }

    /// The names of the entry at an index: the one for a new item, then the one that earlier versions used.
    private func names(of index: Int) -> [[String]] {
        let own = [entries[index].id]
        return ordinals[index] == nil ? [own] : (name(of: index, movedBy: 0).map { [$0] } ?? []) + [own]
    }

    private func formerNames(of index: Int, movedBy days: Set<Int>) -> [[String]] {
        var names = names(of: index)
        guard let occurrence = entries[index].occurrence else { return names }
        if ordinals[index] == nil { names += [name(of: index, movedBy: 0)].compactMap(\.self) }
        names += days.compactMap { name(of: index, movedBy: $0) }
        if series[occurrence.uid]?.first == index { names.append([occurrence.uid.text]) }
        return names
    }

    /// The name of an instance of a series before it moved by `days`; nil for entries without an event.
    func name(of index: Int, movedBy days: Int) -> [String]? {
        guard let occurrence = entries[index].occurrence, let date = occurrence.date.adding(days: -days)
        else {
            return nil
        }
        return ["series", occurrence.uid.text, date.description, String(ordinals[index] ?? 0)]
    }
}
