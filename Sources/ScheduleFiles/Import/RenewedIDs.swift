import TripModel

/// Finds the items of a source that gives its entries new ids: entries that are new and items that have vanished are
/// the same if they agree in title and start, in title and day, or in the start and the beginning of the title, for at
/// least half of the entries or of the items. Items that vanished long ago may still be in the trip.
struct RenewedIDs {
    /// What an entry or an item says, whatever its id.
    struct Mark: Hashable {
        let title: String
        /// Seconds since 1970; nil without a time.
        let start: Int64?
        /// Nil outside the supported years.
        let date: CalendarDate?
    }

    /// The items by the indices of their entries.
    private(set) var items: [Int: ItemID] = [:]

    init(vanished: [(item: ItemID, mark: Mark)], new: [(entry: Int, mark: Mark)]) {
        guard !vanished.isEmpty, !new.isEmpty else { return }
        var pairs: [Int: ItemID] = [:]
        var paired: Set<ItemID> = []
        func pair(by key: (Mark) -> Mark) {
            let open = vanished.filter { !paired.contains($0.item) }
            var items = Dictionary(grouping: open) { key($0.mark) }.mapValues { $0.map(\.item)[...] }
            for (entry, mark) in new where pairs[entry] == nil {
                guard let item = items[key(mark)]?.popFirst() else { continue }
                pairs[entry] = item
                paired.insert(item)
            }
        }
        pair { $0 }
        pair { Mark(title: $0.title, start: nil, date: $0.date) }
        // A source may also extend its titles.
        var byStart = Dictionary(grouping: vanished.filter { !paired.contains($0.item) }, by: \.mark.start)
        for (entry, mark) in new where pairs[entry] == nil && mark.start != nil {
            let found = byStart[mark.start]?.firstIndex { _, former in
                Self.extends(mark.title, former.title) || Self.extends(former.title, mark.title)
            }
            if let found { pairs[entry] = byStart[mark.start]?.remove(at: found).item }
        }
        if pairs.count * 2 >= min(vanished.count, new.count) { items = pairs }
    }

    /// Whether a title is another one with more words.
    private static func extends(_ long: String, _ short: String) -> Bool {
        guard long.hasPrefix(short) else { return false }
        return long.dropFirst(short.count).first.map { !$0.isLetter && !$0.isNumber } ?? false
    }
}

extension RenewedIDs.Mark {
    /// What the source of an item said about it at the last import.
    init(_ item: SeriesMatch.Candidate, _ date: CalendarDate?) {
        let said = item.content.said
        title = if case .text(let words)? = said?[.title] { words } else { item.content.title }
        start =
            if case .moment(let moment)? = said?[.startsAt] ?? item.content[.startsAt] {
                moment.secondsSince1970
            } else {
                nil
            }
        self.date = date
    }
}
