import JSONLine
import TripModel
import TripProtocol

/// The result of an import or a dry run.
package struct ImportReport: Equatable, Sendable {
    /// The number of new items.
    package internal(set) var imported = 0
    /// The number of changed items.
    package internal(set) var updated = 0
    /// The number of entries that the trip already has.
    package internal(set) var unchanged = 0
    /// The number of removed items.
    package internal(set) var removed = 0
    /// The entries that are not imported, in the file's order.
    package internal(set) var skipped: [SkippedEntry] = []
    /// What is changed, in the file's order.
    package internal(set) var changed: [EntryChange] = []
    /// The new items, in the file's order.
    package internal(set) var added: [NamedEntry] = []
    /// The removed items, and the kept ones that the file no longer has.
    package internal(set) var gone: [NamedEntry] = []
    /// Kept items of this source that the file no longer has.
    package internal(set) var vanished: [ItemID] = []
    /// Items with users' values that the file no longer has. They are kept, or removed if all of the source's
    /// items are.
    package internal(set) var ownWords: [OwnWords] = []
    /// Kept events that the file cancels.
    package internal(set) var cancelled: Set<ItemID> = []
    /// A line for each event that this import marks as cancelled, or removes because it is.
    private(set) var cancellations: [String] = []
    /// Users' values that were kept although the source has others.
    package internal(set) var kept: [KeptValue] = []
    /// New problems with travel and days.
    package internal(set) var problems: [Problem] = []
    /// Travel that became invalid.
    package internal(set) var invalidTravel: [InvalidTravel] = []
    /// Notes for the user.
    package internal(set) var notes: [FileNote] = []
    /// Whether the end of the file is missing.
    package internal(set) var isCut = false
    /// Whether the file only cancels events.
    package internal(set) var isCancellation = false

    /// Travel whose place became invalid.
    package struct InvalidTravel: Equatable, Sendable {
        /// The item.
        package let item: ItemID
        /// Its title.
        package let title: String
        /// The reason.
        package let reason: String
    }

    /// Whether everything was imported: nothing was skipped, and the file is complete.
    package var isComplete: Bool { skipped.isEmpty && !isCut }

    /// `imported 104 · updated 0 · unchanged 0 · removed 0 · skipped 0`.
    package var summary: String {
        "imported \(imported) · updated \(updated) · unchanged \(unchanged) · removed \(removed) · skipped "
            + "\(skipped.count)"
    }

    /// What is changed, added, removed and missing, a line each; of each kind at most 20 lines.
    ///
    /// - Parameter more: how to see the others, such as `: log TRIP`.
    package func names(more: String = "") -> [String] {
        func some(_ lines: [String]) -> [String] {
            let most = 20
            return lines.count <= most
                ? lines : lines.prefix(most) + ["and \(lines.count - most) more\(more)"]
        }
        // These have lines of their own.
        let named = cancelled.union(ownWords.map(\.item))
        let gone = gone.filter { !named.contains($0.item) }
        let kept = Set(vanished)
        return some(changed.map(\.description)) + some(added.map { "new: \($0.description)" })
            + some(gone.filter { !kept.contains($0.item) }.map { "removed: \($0.description)" })
            + some(
                gone.filter { kept.contains($0.item) }.map {
                    "missing from the source and kept: \($0.description)"
                })
    }

    /// The report in lines.
    package var lines: [String] { lines(more: "") }

    /// The report in lines: the summary, the items by name, those that need a decision, and notes.
    ///
    /// - Parameter more: how to see the items that are not named.
    package func lines(more: String) -> [String] {
        var lines =
            [summary] + skipped.map(\.description) + names(more: more) + concerns.dropFirst(skipped.count)
        if ownWords.isEmpty {
            let cancelled = isCancellation ? vanished.count : cancelled.count
            for (count, state) in [
                (vanished.count - cancelled, "vanished from the file"),
                (cancelled, "cancelled at the source"),
            ] where count > 0 {
                lines.append("\(count) \(state) and kept; --prune removes them")
            }
        }
        return lines + notes.map(\.description)
    }

    /// A line for each item that needs a decision, first the skipped ones: skipped entries, users' values or items that the source
    /// has changed or lost, invalid travel, and days with new conflicts.
    package var concerns: [String] {
        var lines = skipped.map(\.description)
        lines += kept.map(\.description)
        for item in ownWords {
            let reason = cancelled.contains(item.item) ? "cancelled at the source" : "missing from the source"
            let state = vanished.contains(item.item) ? "\(reason) and kept" : "removed"
            lines.append(TextRule.visible("\(state): \(item.description)"))
        }
        lines += cancellations
        lines += invalidTravel.map { TextRule.visible("travel \($0.title): \($0.reason)") }
        lines += problems.filter { $0.kind != .travelInvalid }.map {
            TextRule.visible("day \($0.day): \($0.message)")
        }
        return lines
    }

    /// Adds items that the file cancels, which are kept or removed, to the lines.
    mutating func nameCancelled(_ items: [ItemID], of trip: Trip, isKept: Bool = false) {
        cancellations += items.compactMap { trip[$0] }.map { item in
            TextRule.visible("\(isKept ? "cancelled" : "cancelled and removed"): \(item.content.title)")
        }
    }

    /// Writes the report as a JSON document.
    ///
    /// - Parameters:
    ///   - trip: the trip's slug or id; nil, written as null, if no trip was created.
    ///   - version: the trip's version after the import.
    package func encode(to writer: inout JSONWriter, trip: String?, version: Int) {
        writer.beginObject()
        writer.member("imported", imported)
        writer.member("updated", updated)
        writer.member("unchanged", unchanged)
        writer.member("removed", removed)
        writer.objects("skipped", skipped) { entry, writer in
            writer.member("line", entry.line)
            writer.member("id", entry.id)
            writer.member("field", entry.field)
            writer.member("reason", entry.reason)
        }
        writer.objects("changed", changed) { change, writer in
            writer.member("item", change.item)
            writer.member("title", change.title)
            writer.objects("fields", change.differences) { difference, writer in
                writer.member("field", difference.field)
                writer.member("before", difference.before)
                writer.member("after", difference.after)
            }
        }
        let missing = Set(vanished)
        func names(_ name: StaticString, _ entries: [NamedEntry]) {
            writer.objects(name, entries) { entry, writer in
                writer.member("item", entry.item)
                writer.member("title", entry.title)
                writer.member("date", entry.date?.description)
            }
        }
        names("new", added)
        names("removedItems", gone.filter { !missing.contains($0.item) })
        names("vanishedItems", gone.filter { missing.contains($0.item) })
        writer.key("vanished")
        writer.encode(vanished)
        writer.key("cancelled")
        writer.encode(vanished.filter(cancelled.contains))
        writer.objects("kept", kept) { value, writer in
            writer.member("item", value.item)
            writer.member("title", value.title)
            writer.member("field", value.field)
            writer.member("value", value.value)
        }
        writer.objects("ownWords", ownWords) { item, writer in
            writer.member("item", item.item)
            writer.member("title", item.title)
            writer.array("fields", item.fields) { field, writer in writer.value(field.name) }
        }
        writer.objects("invalidTravel", invalidTravel) { travel, writer in
            writer.member("item", travel.item)
            writer.member("title", travel.title)
            writer.member("reason", travel.reason)
        }
        writer.array("problems", problems) { problem, writer in writer.encode(problem) }
        writer.objects("notes", notes) { note, writer in
            writer.member("line", note.line)
            writer.member("id", note.id)
            writer.member("text", note.text)
        }
        writer.key("trip")
        if let trip { writer.value(trip) } else { writer.null() }
        writer.member("version", version)
        writer.endObject()
    }
}

extension SkippedEntry: CustomStringConvertible {
    /// `line 120: UID game-7@league, DTSTART: …`.
    package var description: String {
        var text = "line \(line)"
        if let id { text += ": \(TextRule.visible(id))" }
        if let field { text += "\(id == nil ? ":" : ",") \(field)" }
        return text + ": \(reason)"
    }
}

extension FileNote: CustomStringConvertible {
    /// `note: line 120: game-7@league: …`.
    package var description: String {
        var parts = ["note"]
        if let line { parts.append("line \(line)") }
        if let id { parts.append(TextRule.visible(id)) }
        return (parts + [text]).joined(separator: ": ")
    }
}
