import TripModel

/// Reports of failed or uncertain changes, kept until the user has read them.
struct NotDone: Sendable {
    /// The maximum number of sentences; further ones are only counted.
    static let limit = 200

    /// One report.
    struct Entry: Sendable {
        /// The change and the reason of its failure.
        var sentence: String
        /// The texts that it would have written, one per line.
        let written: [String]
        var origin = Origin.openTrip

        /// The trip of the change.
        enum Origin: Equatable, Sendable {
            case openTrip
            case trip(String)
            /// A report of an earlier session, whose sentence begins with the name of its trip.
            case earlierSession
        }

        /// The name of another trip with a colon; empty for the open one.
        var prefix: String { if case .trip(let name) = origin { "\(name): " } else { "" } }

        /// The whole report as text.
        var text: String { prefix + ([sentence] + written).joined(separator: " · ") }
    }

    private(set) var entries: [Entry] = []
    /// The number of reports beyond the limit.
    private(set) var moreCount = 0

    /// The number of reports.
    var count: Int { entries.count + moreCount }

    /// Removes the oldest reports, which were read; newer ones stay.
    mutating func forget(_ read: NotDone) {
        entries.removeFirst(min(read.entries.count, entries.count))
        moreCount -= min(read.moreCount, moreCount)
    }

    /// Adds a report.
    ///
    /// - Parameter written: the texts that the change would have written, one per line.
    mutating func note(_ sentence: String, written: [String] = []) {
        add(Entry(sentence: sentence, written: written))
    }

    /// Adds a report of an earlier session.
    mutating func note(recalled sentence: String) {
        add(Entry(sentence: sentence, written: [], origin: .earlierSession))
    }

    private mutating func add(_ entry: Entry) {
        if entries.count < Self.limit { entries.append(entry) } else { moreCount += 1 }
    }

    /// The reports for the next trip's editor: those without a trip get the name of the old one.
    func carried(from trip: String) -> NotDone {
        var carried = self
        for index in entries.indices where entries[index].origin == .openTrip {
            carried.entries[index].origin = .trip(trip)
        }
        return carried
    }
}

/// The titles of removed items, used in messages instead of ids.
struct RemovedTitles: Sendable {
    private static let limit = 256
    private var titles: [ItemID: String] = [:]
    private var order: [ItemID] = []

    subscript(id: ItemID) -> String? { titles[id] }

    mutating func note(_ item: Item) {
        if titles.updateValue(item.content.title, forKey: item.id) == nil { order.append(item.id) }
        if order.count > Self.limit { titles[order.removeFirst()] = nil }
    }
}

/// The text that a failed change would have written, so that the user does not lose it; one line per text,
/// such as `note: code 4711`.
enum UnsavedText {
    /// The texts in the edits, without those in the change's own description.
    ///
    /// - Parameter trip: the trip of the edits.
    static func lines(of edits: [Edit], in trip: Trip) -> [String] {
        // An item that is added and then changed counts once.
        var added: [ItemID: ItemContent] = [:]
        for edit in edits { if case .add(let id, let content, _) = edit { added[id] = content } }
        for edit in edits {
            guard case .update(let id, let changes) = edit else { continue }
            added[id]?.assign(changes)
        }
        return edits.flatMap { edit -> [String] in
            switch edit {
            case .add(let id, let content, _):
                let content = added[id] ?? content
                let lines = ItemField.editable(in: content).compactMap { line(of: $0, in: content, trip) }
                // The change's description contains the title of a single added item.
                return edits.count == 1 && lines.count == 1 ? [] : lines
            case .update(let id, let changes):
                guard added[id] == nil, var content = trip[id]?.content else { return [] }
                content.assign(changes)
                return changes.map { change in
                    line(of: change.field, in: content, trip)
                        ?? "\(change.field.spokenName): cleared"
                }
            case .trip(let change): return lines(of: change)
            case .move, .remove: return []
            }
        }
    }

    private static func line(of field: ItemField, in content: ItemContent, _ trip: Trip) -> String? {
        let text =
            if field == .startsAt, case .game(let game) = content {
                game.startsAt.text
            } else {
                content.text(of: field, in: trip, lineBreak: ItemField.lineBreakSign) ?? ""
            }
        return text.isEmpty ? nil : "\(field.spokenName): \(text)"
    }

    private static func lines(of change: TripChange) -> [String] {
        var lines: [String] = []
        if let name = change.name { lines.append("name: \(name)") }
        if let start = change.startDate { lines.append("first day: \(start)") }
        if let zone = change.timeZone { lines.append("time zone: \(zone)") }
        if let days = change.dayCount { lines.append("days: \(days)") }
        if let text = change.todo?.text { lines.append("to do: \(text)") }
        return lines
    }
}
