import TestSupport

/// Random requests for the trip `t` from a seed: all kinds, many of them refused.
struct RequestWorkload {
    var random: SplitMix64
    private static let cities = ["Chicago", "Detroit", "Miami", "São Paulo"]

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }

    private mutating func item() -> Int { 1 + random.below(random.chance(95) ? 25 : 99) }

    mutating func placement() -> String {
        let day = random.chance(95) ? 1 + random.below(5) : random.below(12) - 3
        switch random.below(6) {
        case 0: return after(item(), day: day)
        case 1: return before(item(), day: day)
        case 2: return start(day)
        case 3: return end(day)
        default:
            let order = pick(["0", "1", "-1", "0.5", "1e15", "-1e15", "1e-11", "700", "1180"])
            return #"{"day":\#(day),"sortOrder":\#(order)}"#
        }
    }

    private mutating func content() -> String {
        let number = item()
        switch random.below(5) {
        case 0:
            let start = "2026-06-1\(1 + random.below(6))T\(10 + random.below(12)):00:00Z"
            return game(number, pick(Self.cities), start, gameID: "g\(random.below(30))")
        case 1: return travel(number, pick(Self.cities), pick(Self.cities))
        default: return custom(number, "c\(random.below(9))")
        }
    }

    private mutating func set() -> String {
        switch random.below(5) {
        case 0: #"{"title":"t\#(random.below(9))","note":"\#(random.below(9))"}"#
        case 1: #"{"note":null,"source":{"name":"table","id":"\#(random.below(9))"}}"#
        case 2: #"{"fromCity":"\#(pick(Self.cities))"}"#
        case 3: #"{"startsAt":"2026-06-1\#(1 + random.below(6))T\#(10 + random.below(12)):30:00Z"}"#
        default:
            #"{"durationMinutes":\#(random.below(300)),"url":"https://a/\#(random.below(9))"}"#
        }
    }

    private mutating func header() -> String {
        switch random.below(3) {
        case 0: #""name":"n\#(random.below(9))""#
        case 1: #""dayCount":\#(random.chance(90) ? 3 + random.below(4) : 0)"#
        default: #""startDate":"2026-06-1\#(random.below(3))""#
        }
    }

    private mutating func operation() -> (name: String, fields: String) {
        switch random.below(10) {
        case ..<3:
            let to = random.chance(60) ? #","to":\#(placement())"# : ""
            return ("add", #""item":\#(content())\#(to)"#)
        case ..<7: return ("move", #""item":"\#(id(item()))","to":\#(placement())"#)
        case 7: return ("update", #""item":"\#(id(item()))","set":\#(set())"#)
        case 8: return ("remove", #""item":"\#(id(item()))""#)
        default: return ("trip", header())
        }
    }

    /// A change of the trip `t`.
    mutating func change() -> (method: String, params: String) {
        if random.chance(15) {
            let count = 1 + random.below(5)
            let ops = (0..<count).map { _ in
                let (name, fields) = operation()
                return #"{"op":"\#(name)",\#(fields)}"#
            }
            return ("trip.apply", #"{"trip":"t","ops":[\#(ops.joined(separator: ","))]}"#)
        }
        let (name, fields) = operation()
        let method = name == "trip" ? "trip.update" : "item.\(name)"
        return (method, #"{"trip":"t",\#(fields)}"#)
    }

    /// Any request.
    mutating func request(drag: String) -> (method: String, params: String) {
        switch random.below(20) {
        case ..<10: change()
        case 10: ("drag.begin", #"{"trip":"t","item":"\#(id(item()))"}"#)
        case 11: ("drag.hover", #"{"drag":"\#(drag)","over":\#(placement())}"#)
        case 12:
            ("drag.drop", #"{"drag":"\#(drag)","to":\#(placement()),"trip":"t","seq":\#(random.below(500))}"#)
        case 13: ("drag.cancel", #"{"drag":"\#(drag)"}"#)
        case 14: ("trip.get", #"{"trip":"t"}"#)
        case 15: ("item.gaps", #"{"trip":"t","item":"\#(id(item()))"}"#)
        case 16: ("trip.sync", #"{"trip":"t"}"#)
        case 17: (random.chance(70) ? "trip.subscribe" : "trip.unsubscribe", #"{"trip":"t"}"#)
        case 18: ("trip.list", "{}")
        default: (pick(["ping", "daemon.stats", "nonsense", "item.move"]), "{}")
        }
    }
}
