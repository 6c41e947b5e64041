import TripModel

/// Matches items with instances whose ids have changed: a series was moved, has another rule or zone, or a
/// single event has become a series or the reverse. They are matched by local date, then by their order in
/// the series.
struct SeriesMatch {
    /// The matched items by the indexes of their entries, without those that an entry's own id finds.
    private(set) var items: [Int: ItemID] = [:]
    /// The maximum number of days by which a series may move and still be matched if some of its instances are missing.
    static let largestShift = 31

    /// An item that may be an instance of an event.
    struct Candidate {
        let item: ItemID
        /// Its id in the source.
        let key: TextKey
        let content: ItemContent
        /// Its day in the trip; nil if it is not in the trip any more.
        var day: Int?

        init(_ item: ItemID, key: TextKey, _ content: ItemContent) {
            (self.item, self.key, self.content) = (item, key, content)
        }

        /// Nil for an item of another source.
        init?(_ item: Item, in source: String) {
            guard let key = item.content.key(in: source) else { return nil }
            self.init(item.id, key: key, item.content)
            day = item.position.day
        }
    }

    /// An item that is an instance of an event.
    private struct KnownOccurrence {
        let item: ItemID
        let date: CalendarDate
    }

    init() {}

    /// - Parameters:
    ///   - candidates: the items of the file's source.
    ///   - exact: the item of the entry with an index, in the trip or removed by a user, if that is known without its series.
    init(
        _ file: FileEntries, _ candidates: [Candidate], _ header: TripHeader, exact: (Int) -> ItemID?
    ) {
        guard !candidates.isEmpty else { return }
        var found: Set<ItemID> = []
        var open: Set<Int> = []
        var events: [TextKey: [Int]] = [:]
        for (index, entry) in file.entries.enumerated() where entry.own == nil {
            guard let uid = entry.occurrence?.uid else { continue }
            events[uid, default: []].append(index)
            if let item = exact(index) {
                found.insert(item)
            } else {
                open.insert(index)
            }
        }
        events = events.filter { $0.value.contains(where: open.contains) }
        guard !events.isEmpty else { return }
        var clocks: [String: WallClock] = [:]
        var knownEvents: [TextKey: [KnownOccurrence]] = [:]
        for candidate in candidates {
            let (uid, time) =
                Self.parts(of: candidate.key).flatMap { events[$0.uid] == nil ? nil : ($0.uid, $0.time) }
                ?? (candidate.key, nil)
            guard events[uid] != nil, let date = Self.date(of: candidate, time, header, &clocks) else {
                continue
            }
            knownEvents[uid, default: []].append(KnownOccurrence(item: candidate.item, date: date))
        }
        for (uid, indices) in events {
            guard let known = knownEvents[uid] else { continue }
            match(
                indices, known.sorted { ($0.date, $0.item) < ($1.date, $1.item) }, in: file, open, found)
        }
    }

    private mutating func match(
        _ indices: [Int], _ known: [KnownOccurrence], in file: FileEntries, _ open: Set<Int>,
        _ found: Set<ItemID>
    ) {
        var found = found
        func date(_ index: Int) -> CalendarDate { file.entries[index].occurrence?.date ?? .epoch }
        let indices = indices.sorted { (date($0), $0) < (date($1), $1) }
        let byDate = Dictionary(grouping: known, by: \.date)
        for index in indices where open.contains(index) {
            guard let item = byDate[date(index)]?.first(where: { !found.contains($0.item) })?.item else {
                continue
            }
            items[index] = item
            found.insert(item)
        }
        // In a series that keeps most of its dates, the others are cancelled or new instances.
        let kept = known.count { found.contains($0.item) }
        guard kept < known.count - kept else { return }
        // In a series with unknown instances the order cannot be used.
        if let uid = indices.first.flatMap({ file.entries[$0].occurrence?.uid }), file.unclear.contains(uid) {
            return
        }
        if let days = Self.shift(
            from: known.filter { !found.contains($0.item) }.map(\.date),
            to: indices.filter { open.contains($0) && items[$0] == nil }.map(date))
        {
            for index in indices where open.contains(index) && items[index] == nil {
                guard let former = date(index).adding(days: -days) else { continue }
                guard let item = byDate[former]?.first(where: { !found.contains($0.item) })?.item else {
                    continue
                }
                items[index] = item
                found.insert(item)
            }
            return
        }
        for (index, occurrence) in zip(indices, known)
        where open.contains(index) && items[index] == nil && !found.contains(occurrence.item) {
            items[index] = occurrence.item
            found.insert(occurrence.item)
        }
    }

    /// The number of days by which all instances of a series have moved, if each instance of the shorter list then has a
    /// match; nil for a series with another rule, and for a single instance.
    private static func shift(from former: [CalendarDate], to dates: [CalendarDate]) -> Int? {
        let fewer = min(former.count, dates.count)
        guard fewer > 1 else { return nil }
        let days = Dictionary(dates.map { ($0.daysSince1970, 1) }, uniquingKeysWith: +)
        let formerDays = Dictionary(former.map { ($0.daysSince1970, 1) }, uniquingKeysWith: +)
        let shifts = (1...largestShift).flatMap { [$0, -$0] }
        return shifts.first { shift in
            formerDays.reduce(0) { $0 + min($1.value, days[$1.key + shift] ?? 0) } == fewer
        }
    }

    /// The UID and the time in an instance's id; nil for other ids.
    static func parts(of key: TextKey) -> (uid: TextKey, time: CalendarTime)? {
        guard let slash = key.text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let suffix = Array(key.text.utf8[key.text.utf8.index(after: slash)...])
        return CalendarTime(suffix[...], zone: nil).map { (TextKey(String(key.text[..<slash])), $0) }
    }

    /// The UID in an instance's id; nil for other ids.
    static func uid(of key: TextKey) -> TextKey? { parts(of: key)?.uid }

    /// The local date of an item in its source; a user may have moved the item.
    ///
    /// - Parameter time: the time in the id of an instance.
    static func date(
        of item: Candidate, _ time: CalendarTime?, _ header: TripHeader,
        _ clocks: inout [String: WallClock]
    ) -> CalendarDate? {
        if let time, time.isWholeDay { return time.date }
        let said = item.content.said
        var start = time?.wallClock
        if start == nil, case .moment(let moment)? = said?[.startsAt] ?? item.content[.startsAt] {
            start = moment.secondsSince1970
        }
        guard let start else {
            return (said?.day?.number(in: header) ?? item.day).flatMap(header.date(ofDay:))
        }
        var zone = header.timeZone
        if case .text(let own)? = said?[.timeZone] ?? item.content[.timeZone] { zone = own }
        if clocks[zone] == nil { clocks[zone] = WallClock(zone: zone) }
        return clocks[zone]?.time(atSecondsSince1970: start)?.date
    }
}
