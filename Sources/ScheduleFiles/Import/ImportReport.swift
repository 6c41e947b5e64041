import JSONLine
import TripModel
import TripProtocol

/// What an import came to, or would come to.
package struct ImportReport: Equatable, Sendable {
    /// How many items are new.
    package internal(set) var imported = 0
    /// How many items change.
    package internal(set) var updated = 0
    /// How many entries are as the trip has them.
    package internal(set) var unchanged = 0
    /// How many items are removed.
    package internal(set) var removed = 0
    /// The entries that are not imported, in the file's order.
    package internal(set) var skipped: [SkippedEntry] = []
    /// Items that came from this source and that the file no longer has.
    package internal(set) var vanished: [ItemID] = []
    /// Problems that were not there before, of travel and of days.
    package internal(set) var problems: [Problem] = []
    /// The titles of the travel that became invalid, and the reasons.
    package internal(set) var invalidTravel: [InvalidTravel] = []
    /// What a person should know.
    package internal(set) var notes: [FileNote] = []
    /// Whether the file's end is missing.
    package internal(set) var isCut = false

    /// Travel that no longer fits.
    package struct InvalidTravel: Equatable, Sendable {
        /// The item.
        package let item: ItemID
        /// What people call it.
        package let title: String
        /// Why it does not fit.
        package let reason: String
    }

    /// Whether everything of the file is in the trip now: nothing was skipped, and its end is there.
    package var isComplete: Bool { skipped.isEmpty && !isCut }

    /// `imported 104 · updated 0 · unchanged 0 · removed 0 · skipped 0`.
    package var summary: String {
        "imported \(imported) · updated \(updated) · unchanged \(unchanged) · removed \(removed) · skipped "
            + "\(skipped.count)"
    }

    /// The report for a person: the summary, then a line for each entry skipped, each travel that became invalid, each
    /// day that clashes now, and each note.
    package var lines: [String] {
        var lines = [summary]
        lines += skipped.map(\.description)
        lines += invalidTravel.map { TextRule.visible("travel \($0.title): \($0.reason)") }
        lines += problems.filter { $0.kind != .travelInvalid }.map {
            TextRule.visible("day \($0.day): \($0.message)")
        }
        if !vanished.isEmpty {
            lines.append("\(vanished.count) vanished from the file and kept; --prune removes them")
        }
        lines += notes.map(\.description)
        return lines
    }

    /// The report as one JSON document.
    ///
    /// - Parameters:
    ///   - trip: the trip's slug or id; nil, and null, where none was made.
    ///   - version: the trip's version after it.
    package func encode(to writer: inout JSONWriter, trip: String?, version: Int) {
        writer.beginObject()
        writer.member("imported", imported)
        writer.member("updated", updated)
        writer.member("unchanged", unchanged)
        writer.member("removed", removed)
        writer.key("skipped")
        writer.beginArray()
        for entry in skipped {
            writer.beginObject()
            writer.member("line", entry.line)
            writer.member("id", entry.id)
            writer.member("field", entry.field)
            writer.member("reason", entry.reason)
            writer.endObject()
        }
        writer.endArray()
        writer.key("vanished")
        writer.encode(vanished)
        writer.key("invalidTravel")
        writer.beginArray()
        for travel in invalidTravel {
            writer.beginObject()
            writer.member("item", travel.item)
            writer.member("title", travel.title)
            writer.member("reason", travel.reason)
            writer.endObject()
        }
        writer.endArray()
        writer.key("problems")
        writer.beginArray()
        for problem in problems { writer.encode(problem) }
        writer.endArray()
        writer.key("notes")
        writer.beginArray()
        for note in notes {
            writer.beginObject()
            writer.member("line", note.line)
            writer.member("id", note.id)
            writer.member("text", note.text)
            writer.endObject()
        }
        writer.endArray()
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
