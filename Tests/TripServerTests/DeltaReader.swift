import JSONLine
import Testing

@testable import TripServer

/// A client in delta mode as Protocol/README.md describes it: it has a copy of the trip and applies the deltas.
struct DeltaReader {
    /// The kind of each update, so that a test can check that all kinds occur.
    struct Counts: Equatable {
        var steps = 0
        var merged = 0
        var snapshots = 0
    }

    private var items: [String: JSONNode] = [:]
    private var header = ""
    private var problems = ""
    private(set) var epoch = ""
    private(set) var version = 0
    private(set) var counts = Counts()

    /// Applies a whole state: a snapshot's members.
    mutating func take(snapshot: JSONNode) throws {
        items = [:]
        for item in try #require(snapshot["items"]).elements { items[item["id"]?.string ?? ""] = item }
        header = snapshot["trip"]?.text ?? ""
        problems = snapshot["problems"]?.text ?? ""
        epoch = snapshot["epoch"]?.string ?? ""
        version = try #require(snapshot["version"]?.int)
        counts.snapshots += 1
    }

    /// Applies a delta by the steps under "Catching up".
    mutating func apply(delta: JSONNode) throws {
        try #require(delta["epoch"]?.string == epoch)
        try #require(delta["from"]?.int == version, "a delta begins where the last one ended")
        let next = try #require(delta["version"]?.int)
        counts.steps += next == version + 1 ? 1 : 0
        counts.merged += next > version + 1 ? 1 : 0
        if let changed = delta["header"] { header = changed.text }
        for id in try #require(delta["removed"]).elements { items[id.string ?? ""] = nil }
        for item in try #require(delta["upserts"]).elements { items[item["id"]?.string ?? ""] = item }
        if let changed = delta["problems"] { problems = changed.text }
        version = next
    }

    /// The copy as the members of a snapshot in the daemon's own spelling.
    var shown: String {
        let order = items.values.sorted { Self.key($0) < Self.key($1) }.map(\.text).joined(separator: ",")
        return
            #""trip":\#(header),"epoch":"\#(epoch)","version":\#(version),"items":[\#(order)],"problems":\#(problems)"#
    }

    /// The shown order: day, order, games before others, the bytes of the id.
    private static func key(_ item: JSONNode) -> (Int, Double, Int, String) {
        (
            item["day"]?.int ?? 0, item["sortOrder"]?.double ?? 0, item["kind"]?.string == "game" ? 0 : 1,
            item["id"]?.string ?? ""
        )
    }
}
