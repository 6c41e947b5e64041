import TripModel

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
