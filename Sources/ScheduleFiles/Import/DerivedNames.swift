import TripModel

/// The names from which the ids of new items are derived. One of a series is named by its date, so that a removed one is
/// known again if its hour changes.
struct DerivedNames {
    /// The entries of each series.
    private(set) var series: [TextKey: [Int]] = [:]
    private let entries: [FileEntry]
    /// How many times of its series before an entry are on the same date, by index.
    private var ordinals: [Int: Int] = [:]

    init(_ file: FileEntries) {
        entries = file.entries
        var counts: [Occurrence: Int] = [:]
        for (index, entry) in entries.enumerated() {
            guard let occurrence = entry.occurrence, occurrence.isOneOfSeries else { continue }
            ordinals[index] = counts[occurrence, default: 0]
            counts[occurrence, default: 0] += 1
            series[occurrence.uid, default: []].append(index)
        }
    }

    /// The names of the entry at an index, first the one of a new item; earlier versions used the second.
    func names(of index: Int) -> [[String]] {
        let own = [entries[index].id]
        return ordinals[index] == nil ? [own] : (name(of: index, movedBy: 0).map { [$0] } ?? []) + [own]
    }

    /// Those and the names that the entry had if its event was no series, was one, or has moved by some days.
    func formerNames(of index: Int, movedBy days: Set<Int>) -> [[String]] {
        var names = names(of: index)
        guard let occurrence = entries[index].occurrence else { return names }
        if ordinals[index] == nil { names += [name(of: index, movedBy: 0)].compactMap(\.self) }
        names += days.compactMap { name(of: index, movedBy: $0) }
        if series[occurrence.uid]?.first == index { names.append([occurrence.uid.text]) }
        return names
    }

    /// The name of one of a series before it moved by so many days; nil for entries that no event names.
    func name(of index: Int, movedBy days: Int) -> [String]? {
        guard let occurrence = entries[index].occurrence, let date = occurrence.date.adding(days: -days)
        else {
            return nil
        }
        return ["series", occurrence.uid.text, date.description, String(ordinals[index] ?? 0)]
    }
}
