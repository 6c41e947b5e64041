/// Random requests about the trip `t`, as JSON: every method that changes a trip with every field of every kind,
/// whatever the kind of the item that it names. Many are refused.
package struct RandomChanges {
    package var random: SplitMix64
    private static let cities = ["Chicago", "Detroit", "Miami", "São Paulo"]
    private static let zones = ["UTC", "Asia/Tokyo", "America/Lima", "Mars/Olympus"]

    package init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// All fields of items, with a kind of value for each.
    package static let fields: [String: Value] = [
        "title": .text, "icon": .text, "city": .city, "fromCity": .city, "toCity": .city, "venue": .text,
        "place": .text, "mode": .text, "note": .text, "reference": .text, "paidBy": .text, "for": .text,
        "who": .text, "gameId": .gameID, "url": .url, "time": .time, "endTime": .time, "startsAt": .moment,
        "timeZone": .zone, "arrivalTimeZone": .zone, "durationMinutes": .number, "nights": .number,
        "cost": .cost, "coordinate": .coordinate, "attending": .flag, "cancelled": .flag, "lateNight": .flag,
        "afterGame": .side,
        "beforeGame": .side, "source": .source, "said": .said,
    ]
    private static let names = fields.keys.sorted()

    /// The type of a field's values.
    package enum Value: CaseIterable, Sendable {
        case text, city, gameID, url, time, moment, zone, number, cost, coordinate, flag, side, source, said
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }

    private mutating func item() -> String { id(1 + random.below(random.chance(95) ? 25 : 99)) }

    private mutating func moment() -> String {
        let minute = pick(["00", "00", "30", "59"])
        return "2026-06-1\(random.below(8))T\(10 + random.below(13)):\(minute):00\(pick(["Z", "+09:00"]))"
    }

    /// A value of a field: mostly a valid one, sometimes null or one of another type.
    private mutating func value(_ value: Value) -> String {
        switch random.below(20) {
        case ..<3: "null"
        case 3: valid(pick(Value.allCases))
        case 4: pick([#""""#, #""\u0000""#, "1e308", "-1", "[]", "{}", #"" ""#, "9007199254740993"])
        default: valid(value)
        }
    }

    /// A value that some kind of item accepts, unless it names a game that does not exist.
    package mutating func valid(_ value: Value) -> String {
        switch value {
        case .text: #""\#(pick(["a", "Zoë", "e\u{301}", "日本", "line\\n", "\\u202E"]))\#(random.below(9))""#
        case .city: #""\#(pick(Self.cities))""#
        case .gameID: #""g\#(random.below(30))""#
        case .url: #""https://a/\#(random.below(9))""#
        case .time: #""\#(10 + random.below(14)):\#(pick(["00", "59"]))""#
        case .moment: #""\#(moment())""#
        case .zone: #""\#(pick(Self.zones))""#
        case .number: "\(random.below(400))"
        case .cost: #"{"amount":\#(random.below(99)).5,"currency":"EUR"}"#
        case .coordinate: #"{"lat":\#(random.below(90)),"lon":\#(random.below(180))}"#
        case .flag: pick(["true", "false"])
        case .side: #""\#(random.chance(30) ? "none" : item())""#
        case .source: #"{"name":"table","id":"\#(random.below(9))"}"#
        case .said: #"{"title":"s\#(random.below(9))","startsAt":"\#(moment())"}"#
        }
    }

    /// One to four fields, of whatever kinds.
    private mutating func set() -> String {
        var names: Set<String> = []
        for _ in 0...random.below(4) { names.insert(pick(Self.names)) }
        let members = names.sorted().map { name in
            #""\#(name)":\#(value(Self.fields[name] ?? .text))"#
        }
        return "{\(members.joined(separator: ","))}"
    }

    package mutating func placement() -> String {
        let day = random.chance(95) ? 1 + random.below(5) : random.below(12) - 3
        let place =
            switch random.below(7) {
            case 0: #""after":"\#(item())""#
            case 1: #""before":"\#(item())""#
            case 2: #""at":"start""#
            case 3: #""at":"end""#
            case 4: #""after":"\#(item())","before":"\#(item())""#
            default:
                "\"sortOrder\":" + pick(["0", "1", "-1", "0.5", "1e15", "-1e15", "1e-11", "700", "1180"])
            }
        return #"{"day":\#(day),\#(place)}"#
    }

    private mutating func newItem() -> String {
        let base =
            switch random.below(5) {
            case 0:
                #""kind":"game","gameId":"g\#(random.below(30))","title":"G","city":"\#(pick(Self.cities))","#
                    + #""startsAt":"\#(moment())""#
            case 1: #""kind":"travel","fromCity":"\#(pick(Self.cities))","toCity":"\#(pick(Self.cities))""#
            default: #""kind":"custom","title":"c\#(random.below(9))""#
            }
        let more = pick(Self.names)
        let isOfOtherKind = random.chance(30) && !base.contains("\"\(more)\"")
        let extra = isOfOtherKind ? #","\#(more)":\#(value(Self.fields[more] ?? .text))"# : ""
        return #"{"id":"\#(item())",\#(base)\#(extra)}"#
    }

    private mutating func header() -> String {
        switch random.below(8) {
        case 0: #""name":"n\#(random.below(9))""#
        case 1: #""dayCount":\#(random.chance(90) ? 3 + random.below(4) : 0)"#
        case 2: #""startDate":"2026-06-1\#(random.below(3))""#
        case 3: #""timeZone":"\#(pick(Self.zones))""#
        case 4: #""problem":"stay_outside_trip:\#(item())","accepted":\#(pick(["true", "false"]))"#
        case 5: #""slug":"\#(pick(["t", "Not A Slug"]))""#
        case 6: #""rates":"\#(pick(["JPY:0.0061 EUR", "USD:0.92 EUR", "", "EUR", "JPY:"]))""#
        default: #""todo":\#(todo())"#
        }
    }

    private mutating func todo() -> String {
        let id = id(1 + random.below(6))
        return switch random.below(5) {
        case 0: #"{"id":"\#(id)","removed":true}"#
        case 2:
            #"{"id":"\#(id)","item":{"kind":"\#(pick(["custom", "game"]))","title":"idea \#(random.below(9))"}}"#
        case 1: #"{"id":"\#(id)","done":\#(pick(["true", "false", "null"]))}"#
        default: #"{"id":"\#(id)","text":"do \#(random.below(9))"}"#
        }
    }

    private mutating func operation() -> (name: String, fields: String) {
        switch random.below(12) {
        case ..<3:
            let to = random.chance(60) ? #","to":\#(placement())"# : ""
            return ("add", #""item":\#(newItem())\#(to)"#)
        case ..<6: return ("move", #""item":"\#(item())","to":\#(placement())"#)
        case ..<9: return ("update", #""item":"\#(item())","set":\#(set())"#)
        case 9: return ("remove", #""item":"\#(item())""#)
        default: return ("trip", header())
        }
    }

    private mutating func operations() -> String {
        let list = (0..<1 + random.below(5)).map { _ in
            let (name, fields) = operation()
            return #"{"op":"\#(name)",\#(fields)}"#
        }
        return "[\(list.joined(separator: ","))]"
    }

    /// A change.
    package mutating func change() -> (method: String, params: String) {
        let options = random.chance(15) ? #","dryRun":true"# : ""
        if random.chance(15) { return ("trip.apply", #"{"trip":"t","ops":\#(operations())\#(options)}"#) }
        let (name, fields) = operation()
        let method =
            switch name {
            case "trip" where fields.contains("todo"): "trip.todo"
            case "trip" where fields.contains("problem"): "trip.accept"
            case "trip": "trip.update"
            default: "item.\(name)"
            }
        return (method, #"{"trip":"t",\#(fields)\#(options)}"#)
    }

    /// Any request.
    ///
    /// - Parameters:
    ///   - drag: the id of a drag.
    ///   - batch: the id of a batch.
    package mutating func request(
        drag: String, batch: String = "none"
    ) -> (method: String, params: String) {
        switch random.below(24) {
        case ..<10: change()
        case 10: ("drag.begin", #"{"trip":"t","item":"\#(item())"}"#)
        case 11: ("drag.hover", #"{"drag":"\#(drag)","over":\#(placement())}"#)
        case 12:
            ("drag.drop", #"{"drag":"\#(drag)","to":\#(placement()),"trip":"t","seq":\#(random.below(500))}"#)
        case 13: ("drag.cancel", #"{"drag":"\#(drag)"}"#)
        case 14: ("trip.get", #"{"trip":"t"}"#)
        case 15: ("item.gaps", #"{"trip":"t","item":"\#(item())"}"#)
        case 16: ("trip.sync", #"{"trip":"t"}"#)
        case 17: (random.chance(70) ? "trip.subscribe" : "trip.unsubscribe", #"{"trip":"t"}"#)
        case 18: (pick(["trip.list", "trip.trash"]), "{}")
        case 19: (pick(["trip.undo", "trip.redo", "trip.history", "item.trash"]), #"{"trip":"t"}"#)
        case 20: ("batch.open", #"{"trip":"t"}"#)
        case 21: ("batch.add", #"{"batch":"\#(batch)","ops":\#(operations())}"#)
        case 22: (pick(["batch.commit", "batch.commit", "batch.drop"]), #"{"batch":"\#(batch)"}"#)
        default: (pick(["ping", "daemon.stats", "nonsense", "item.move"]), "{}")
        }
    }
}
