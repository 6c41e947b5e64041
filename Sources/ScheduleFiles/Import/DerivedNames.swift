import TripModel

/// The names from which the ids of new items are derived. An instance of a series is named by its date, so that a
/// removed one is recognized if its hour has changed.
struct DerivedNames {
    /// The entries of each series.
    private(set) var series: [TextKey: [Int]] = [:]
    private let entries: [FileEntry]
    /// For each entry by index, the number of earlier instances of its series on the same date.
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

    /// The names of the entry at an index: the one for a new item, then the one that earlier versions used.
    func names(of index: Int) -> [[String]] {
        let own = [entries[index].id]
        return ordinals[index] == nil ? [own] : (name(of: index, movedBy: 0).map { [$0] } ?? []) + [own]
    }

    /// These names, and those that the entry had if its event was not a series, was one, or has moved by some days.
    func formerNames(of index: Int, movedBy days: Set<Int>) -> [[String]] {
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
