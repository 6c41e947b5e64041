import JSONLine
import TripModel

/// A fixed id, for items and trips of tests.
package func id(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
}

package func custom(_ number: Int, _ title: String) -> String {
    #"{"id":"\#(id(number))","kind":"custom","title":"\#(title)"}"#
}

package func game(_ number: Int, _ city: String, _ startsAt: String, gameID: String? = nil) -> String {
    #"{"id":"\#(id(number))","kind":"game","gameId":"\#(gameID ?? "g\(number)")","title":"Game \#(number)","#
        + #""city":"\#(city)","startsAt":"\#(startsAt)"}"#
}

package func travel(_ number: Int, _ from: String, _ to: String) -> String {
    #"{"id":"\#(id(number))","kind":"travel","fromCity":"\#(from)","toCity":"\#(to)"}"#
}

package func after(_ number: Int, day: Int) -> String { #"{"day":\#(day),"after":"\#(id(number))"}"# }

package func before(_ number: Int, day: Int) -> String { #"{"day":\#(day),"before":"\#(id(number))"}"# }

package func end(_ day: Int) -> String { #"{"day":\#(day),"at":"end"}"# }

package func start(_ day: Int) -> String { #"{"day":\#(day),"at":"start"}"# }

extension LineClient {
    /// The trip `t` of five days that most tests use, at version 1: a game in Chicago on day 1 (item 1), one
    /// in Detroit on day 3 (2), the travel between them on day 2 (3), and A, B, C on day 4 (4, 5, 6).
    @discardableResult
    package func makeTrip(_ slug: String = "t", id number: Int? = nil) throws -> JSONNode {
        let items = [
            #"{"item":\#(game(1, "Chicago", "2026-06-11T18:00:00Z"))}"#,
            #"{"item":\#(game(2, "Detroit", "2026-06-13T12:00:00Z"))}"#,
            #"{"item":\#(travel(3, "Chicago", "Detroit")),"to":\#(end(2))}"#,
            #"{"item":\#(custom(4, "A")),"to":\#(end(4))}"#,
            #"{"item":\#(custom(5, "B")),"to":\#(end(4))}"#,
            #"{"item":\#(custom(6, "C")),"to":\#(end(4))}"#,
        ]
        return try makeTrip(slug, id: number, items: items.joined(separator: ","))
    }

    @discardableResult
    package func makeTrip(
        _ slug: String, named name: String? = nil, id number: Int? = nil, items: String
    ) throws -> JSONNode {
        let identified = number.map { #""id":"\#(id($0))","# } ?? ""
        return try result(
            "trip.create",
            #"{\#(identified)"name":"\#(name ?? "Trip \(slug)")","slug":"\#(slug)","startDate":"2026-06-11","timeZone":"UTC","#
                + #""dayCount":5,"items":[\#(items)]}"#)
    }

    /// Moves an item of the trip `t`; returns any answer.
    package func move(_ number: Int, to placement: String, _ more: String = "") throws -> Line {
        try call("item.move", Self.moving(number, to: placement, more))
    }

    /// The parameters of a move in the trip `t`.
    package static func moving(_ number: Int, to placement: String, _ more: String = "") -> String {
        #"{"trip":"t","item":"\#(id(number))","to":\#(placement)\#(more)}"#
    }

    package func beginDrag(_ number: Int, trip: String = "t") throws -> String {
        let result = try result("drag.begin", #"{"trip":"\#(trip)","item":"\#(id(number))"}"#)
        return result["drag"]?.string ?? ""
    }

    @discardableResult
    package func subscribe(_ trip: String = "t", _ more: String = "") throws -> JSONNode {
        try result("trip.subscribe", #"{"trip":"\#(trip)"\#(more)}"#)
    }
}

extension JSONNode {
    /// The titles of a snapshot's custom items, in order.
    package var customTitles: [String] {
        (self["items"]?.elements ?? elements).compactMap { $0["title"]?.string }
    }

    /// Day and id of each item of a snapshot, in order.
    package var places: [String] {
        var places: [String] = []
        for item in self["items"]?.elements ?? elements {
            places.append("\(item["day"]?.int ?? 0) \(item["id"]?.string?.suffix(2) ?? "")")
        }
        return places
    }

    /// The names of an object's members, in order.
    package var keys: [String] { members.map(\.key) }

    package var text: String { String(decoding: rawBytes, as: UTF8.self) }
}
