import JSONLine
import TestSupport
import Testing

/// The trip of most tests: slug `t`, five days, custom items and no games.
enum SampleTrip {
    /// Creates the trip with items `Item 1`, `Item 2`, …, all on day 1, in that order.
    static func make(_ count: Int, by client: LineClient) throws {
        let items = (1...count).map { #"{"item":\#(custom($0, "Item \($0)")),"to":\#(end(1))}"# }
        try client.makeTrip("t", named: "Test", items: items.joined(separator: ","))
    }

    /// The params of a move of an item to an order on a day.
    static func move(_ number: Int, day: Int, order: Double, seq: Int? = nil) -> String {
        let retry = seq.map { #","seq":\#($0)"# } ?? ""
        return LineClient.moving(number, to: #"{"day":\#(day),"sortOrder":\#(order)}"#, retry)
    }
}

/// The places of all items, which must be the same after a crash.
struct Places: Equatable {
    struct Place: Equatable {
        let day: Int
        let sortOrder: Double
    }

    let version: Int
    let epoch: String
    let items: [String: Place]
    /// The ids in shown order.
    let order: [String]

    /// Reads a snapshot.
    init(_ snapshot: JSONNode) throws {
        version = try #require(snapshot["version"]?.int)
        epoch = try #require(snapshot["epoch"]?.string)
        var items: [String: Place] = [:]
        var order: [String] = []
        for item in try #require(snapshot["items"]).elements {
            let id = try #require(item["id"]?.string)
            items[id] = Place(
                day: try #require(item["day"]?.int), sortOrder: try #require(item["sortOrder"]?.double))
            order.append(id)
        }
        self.items = items
        self.order = order
    }
}

extension LineClient {
    /// The current places in the sample trip.
    func places() throws -> Places { try Places(result("trip.get", #"{"trip":"t"}"#)) }
}
