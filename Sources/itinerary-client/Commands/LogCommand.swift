import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripProtocol

/// `log TRIP`: the history of changes.
enum LogCommand {
    private static let limit = OptionRow.value("--limit", "N", "the maximum number of changes (50)")

    private static let items = OptionRow.flag(
        "--items", "name the items of each change, with the old and new values")

    static let command = Command(
        name: "log", summary: "list the changes and their authors, newest first",
        forms: ["TRIP [--limit N] [--items]"], words: [.trip], options: [limit, items],
        examples: [
            .init("log japan --limit 5", "the last five changes"),
            .init("log japan --limit 1 --items", "each item that an import has changed"),
            .init("log japan --json", "with the changed items"),
        ], run: run)

    /// The number of entries per request.
    private static let page = 500

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let limit = try invocation.number(limit) ?? 50
        guard limit > 0 else { throw .usage("--limit is a number from 1 on, not \(limit)") }
        let client = try await invocation.reader()
        let id = try await invocation.trip.trip(client)
        var entries: [JSONNode] = []
        var before: Int?
        while entries.count < limit {
            let wanted = min(limit - entries.count, page)
            let (last, trip) = (before, TripReference.id(id))
            let answer = try await asking(
                await History.entries(of: trip, before: last, limit: wanted, client))
            entries += answer
            guard answer.count == wanted, let oldest = answer.last?["version"]?.int else { break }
            before = oldest
        }
        if invocation.isJSON {
            return Answer.print { json in
                json.array("entries", entries) { entry, json in json.raw(entry.rawBytes) }
            }
        }
        for entry in entries {
            StandardStream.output.print(History.line(entry))
            guard invocation.has(items) else { continue }
            for line in History.lines(ofItemsIn: entry) { StandardStream.output.print("    \(line)") }
        }
    }
}

/// The history of a trip as text.
enum History {
    /// The changes before a version, the newest first.
    static func entries(
        of trip: TripReference, before: Int? = nil, limit: Int, _ client: TripClient
    ) async throws(ClientError) -> [JSONNode] {
        let answer = try await client.perform(
            .history(HistoryRequest(trip: trip, before: before, limit: limit)))
        return (answer["entries"]?.elements).map(Array.init) ?? []
    }

    /// `12  2026-11-22 07:10  Ann  moved “Hotel” from day 1 to day 3`
    static func line(_ entry: JSONNode) -> String {
        let at = (entry["at"]?.string ?? "").prefix(16).replacing("T", with: " ")
        return "\(entry["version"]?.int ?? 0)  \(at)  \(said(entry))"
    }

    /// `changed Manchester: startsAt 2027-04-09T19:00+01:00 → 2027-05-19T19:00+01:00, venue A → B` for each item.
    static func lines(ofItemsIn entry: JSONNode) -> [String] {
        func text(_ value: JSONNode?) -> String {
            guard let value, !value.isNull else { return "none" }
            let text = value.string ?? String(decoding: value.rawBytes, as: UTF8.self)
            return text.count > 60 ? text.prefix(57) + "…" : text
        }
        let verbs = [
            "add": "added", "move": "moved", "update": "changed", "remove": "removed",
            "trip": "changed the trip",
        ]
        return (entry["ops"]?.elements.map { $0 } ?? []).map { operation in
            let fields = (operation["fields"]?.elements.map { $0 } ?? []).map { field in
                "\(field["field"]?.string ?? "") \(text(field["before"])) → \(text(field["after"]))"
            }
            let verb = verbs[operation["op"]?.string ?? ""] ?? "changed"
            let head = [verb, operation["title"]?.string].compactMap(\.self).joined(separator: " ")
            return PlainText.visible(head + (fields.isEmpty ? "" : ": " + fields.joined(separator: ", ")))
        }
    }

    /// `Ann  moved “Hotel” from day 1 to day 3`
    static func said(_ entry: JSONNode) -> String {
        let user = PlainText.visible(entry["user"]?.string ?? "")
        return "\(user)  \(PlainText.visible(entry["summary"]?.string ?? ""))"
    }
}
