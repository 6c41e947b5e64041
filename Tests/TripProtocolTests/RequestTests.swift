import JSONLine
import Testing
import TripModel

@testable import TripProtocol

@Suite struct RequestTests {
    /// Reads a line like the daemon.
    private static func read(_ line: [UInt8]) throws -> (id: RequestID?, request: Request) {
        let envelope = try RequestEnvelope(try JSONDocument(parsing: line).root)
        let method = try #require(envelope.method)
        return (envelope.id, try Request(method, params: envelope.params))
    }

    /// The error for a method's parameters.
    private static func error(_ method: Method, _ params: String) throws -> WireError? {
        let node = try JSONDocument(parsing: Array(params.utf8)).root
        do throws(WireError) {
            _ = try Request(method, params: node)
            return nil
        } catch {
            return error
        }
    }

    private static let item = ItemID(high: 0, low: 7)
    private static let end = #"{"day":1,"at":"end"}"#

    @Test(arguments: Method.allCases)
    func `every request is decoded as it was encoded`(_ method: Method) throws {
        var requests = RandomRequests(seed: 1)
        for round in 0..<200 {
            let request = try requests.request(method)
            #expect(request.method == method)
            let id: RequestID? = [.number(round), .string("é\"\n\(round)"), nil][round % 3]
            let line = request.line(id: id)
            #expect(line.firstIndex(of: UInt8(ascii: "\n")) == line.count - 1, "one line")
            let back = try Self.read(line)
            #expect(back.id == id)
            #expect(back.request == request)
        }
    }

    @Test func `every field error contains its path`() throws {
        let id = #""trip":"t","item":"\#(Self.item)""#
        let hello = #""protocol":{"major":1,"minor":0}"#
        let draft = #""name":"n","startDate":"2026-06-11","timeZone":"UTC","dayCount":1"#
        let table: [(Method, String, String)] = [
            (.getTrip, "{}", "trip"), (.getTrip, #"{"trip":7}"#, "trip"),
            (.getTrip, #"{"trip":null}"#, "trip"),
            // The order of the errors.
            (.accept, "{}", "problem"), (.todo, "{}", "todo"), (.apply, "{}", "trip"),
            (.createTrip, #"{"items":7}"#, "items"), (.commitBatch, #"{"seq":"x"}"#, "seq"),
            (.drop, #"{"trip":7}"#, "drag"), (.hello, #"{"role":7}"#, "protocol"),
            (.gaps, #"{"trip":"t"}"#, "item"), (.gaps, #"{"trip":"t","item":"ABC"}"#, "item"),
            (.gaps, #"{"trip":"t","item":"00000000-0000-4000-8000-00000000000A"}"#, "item"),
            (.deleteTrip, #"{"trip":"t","ifVersion":1.5}"#, "ifVersion"),
            (.moveItem, "{\(id)}", "to"), (.moveItem, "{\(id),\"to\":7}", "to"),
            (.moveItem, #"{\#(id),"to":{"at":"end"}}"#, "to.day"),
            (.moveItem, #"{\#(id),"to":{"day":"1","at":"end"}}"#, "to.day"),
            (.moveItem, #"{\#(id),"to":{"day":1,"after":"x"}}"#, "to.after"),
            (.moveItem, #"{\#(id),"to":{"day":1,"before":7}}"#, "to.before"),
            (.moveItem, #"{\#(id),"to":{"day":1,"at":"middle"}}"#, "to.at"),
            (.moveItem, #"{\#(id),"to":{"day":1,"sortOrder":"1"}}"#, "to.sortOrder"),
            (.moveItem, #"{\#(id),"to":{"day":1,"sortOrder":1.1e15}}"#, "to.sortOrder"),
            (.moveItem, #"{\#(id),"to":\#(Self.end),"seq":"1"}"#, "seq"),
            (.moveItem, #"{\#(id),"to":\#(Self.end),"ifVersion":true}"#, "ifVersion"),
            (.moveItem, #"{\#(id),"to":\#(Self.end),"ifItemVersion":[]}"#, "ifItemVersion"),
            (.moveItem, #"{\#(id),"to":\#(Self.end),"dryRun":1}"#, "dryRun"),
            (.addItem, #"{"trip":"t"}"#, "item"), (.addItem, #"{"trip":"t","item":[]}"#, "item"),
            (.addItem, #"{"trip":"t","item":{}}"#, "item.kind"),
            (.addItem, #"{"trip":"t","item":{"kind":"custom"}}"#, "item.title"),
            (.addItem, #"{"trip":"t","item":{"kind":"custom","title":"x","id":"y"}}"#, "item.id"),
            (
                .addItem, #"{"trip":"t","item":{"kind":"custom","title":"x","durationMinutes":1.0}}"#,
                "item.durationMinutes"
            ),
            (.addItem, #"{"trip":"t","item":{"kind":"custom","title":"x","cost":5}}"#, "item.cost"),
            (
                .addItem, #"{"trip":"t","item":{"kind":"custom","title":"x","cost":{"amount":1}}}"#,
                "item.cost.currency"
            ),
            (.addItem, #"{"trip":"t","item":{"kind":"game","gameId":"g","title":"x"}}"#, "item.startsAt"),
            (
                .addItem,
                #"{"trip":"t","item":{"kind":"game","gameId":"g","title":"x","startsAt":"2026-06-11T10:00:00"}}"#,
                "item.startsAt"
            ),
            (.addItem, #"{"trip":"t","item":{"kind":"travel","fromCity":"a"}}"#, "item.toCity"),
            (
                .addItem,
                #"{"trip":"t","item":{"kind":"travel","fromCity":"a","toCity":"b","beforeGame":1}}"#,
                "item.beforeGame"
            ),
            (.updateItem, "{\(id)}", "set"), (.updateItem, "{\(id),\"set\":[]}", "set"),
            (.updateItem, #"{\#(id),"set":{"title":7}}"#, "set.title"),
            (.updateItem, #"{\#(id),"set":{"gameId":null}}"#, "set.gameId"),
            (.updateItem, #"{\#(id),"set":{"startsAt":null}}"#, "set.startsAt"),
            (.updateItem, #"{\#(id),"set":{"fromCity":null}}"#, "set.fromCity"),
            (.updateItem, #"{\#(id),"set":{"cost":{"currency":"EUR"}}}"#, "set.cost.amount"),
            (.updateTrip, #"{"trip":"t","startDate":"11.6.2026"}"#, "startDate"),
            (.updateTrip, #"{"trip":"t","startDate":"2026-02-30"}"#, "startDate"),
            (.updateTrip, #"{"trip":"t","dayCount":"5"}"#, "dayCount"),
            (.createTrip, #"{"startDate":"2026-06-11","timeZone":"UTC","dayCount":1}"#, "name"),
            (.createTrip, #"{\#(draft),"id":"x"}"#, "id"), (.createTrip, #"{\#(draft),"items":{}}"#, "items"),
            (
                .createTrip, #"{\#(draft),"items":[{"item":{"kind":"custom","title":"x"}},{}]}"#,
                "items[1].item"
            ),
            (
                .createTrip, #"{\#(draft),"items":[{"item":{"kind":"custom","title":"x"},"to":{"day":1}}]}"#,
                "items[0].to"
            ),
            (.createTrip, #"{\#(draft),"items":[7]}"#, "items[0]"),
            (.apply, #"{"trip":"t"}"#, "ops"), (.apply, #"{"trip":"t","ops":{}}"#, "ops"),
            (.apply, #"{"trip":"t","ops":[]}"#, "ops"), (.apply, #"{"trip":"t","ops":[{}]}"#, "ops[0].op"),
            (.apply, #"{"trip":"t","ops":[7]}"#, "ops[0]"),
            (
                .apply,
                #"{"trip":"t","ops":[{"op":"remove","item":"\#(Self.item)"},{"op":"move","item":"\#(Self.item)","to":{"day":1.0}}]}"#,
                "ops[1].to.day"
            ),
            (.subscribe, #"{"trip":"t","mode":"x"}"#, "mode"),
            (.subscribe, #"{"trip":"t","since":7}"#, "since"),
            (.subscribe, #"{"trip":"t","since":{"epoch":"e"}}"#, "since.version"),
            (.subscribe, #"{"trip":"t","deferWhileDragging":"no"}"#, "deferWhileDragging"),
            (.hover, "{}", "drag"), (.hover, #"{"drag":"d","over":{"day":1}}"#, "over"),
            (.drop, #"{"drag":"d"}"#, "to"), (.drop, #"{"drag":"d","to":\#(Self.end),"trip":7}"#, "trip"),
            (.cancelDrag, #"{"drag":7}"#, "drag"), (.ping, "[]", "params"), (.listTrips, "null", "params"),
            (.hello, "{}", "protocol"), (.hello, #"{"protocol":{"major":1}}"#, "protocol.minor"),
            (.hello, "{\(hello)}", "client"),
            (.hello, #"{\#(hello),"client":{"name":"n"}}"#, "client.version"),
            (.hello, #"{\#(hello),"client":{"name":"n","version":"1"},"role":"x"}"#, "role"),
            (.hello, #"{\#(hello),"client":{"name":"n","version":"1"},"clientId":"x"}"#, "clientId"),
        ]
        for (method, params, field) in table {
            let error = try #require(try Self.error(method, params), "\(method) \(params)")
            #expect(error.reason == .invalidParams, "\(method) \(params)")
            #expect(error.details.contains(.field(field)), "\(method) \(params): \(error)")
        }
    }

    @Test func `a placement has exactly one of after, before, at and sortOrder, or after and before`() throws
    {
        let parts = [
            #""after":"\#(Self.item)""#, #""before":"\#(Self.item)""#, #""at":"start""#, #""sortOrder":1"#,
        ]
        for mask in 0..<16 {
            let chosen = parts.indices.filter { mask & (1 << $0) != 0 }.map { parts[$0] }
            let place = (#""day":1"# + chosen.map { "," + $0 }.joined())
            let error = try Self.error(.hover, #"{"drag":"d","over":{\#(place)}}"#)
            #expect((error == nil) == (chosen.count == 1 || mask == 3), "\(place)")
            if let error { #expect(error.details == [.field("over")]) }
        }
        for order in ["1e15", "-1e15", "0", "-0", "1E+2", "5e-324"] {
            #expect(try Self.error(.hover, #"{"drag":"d","over":{"day":1,"sortOrder":\#(order)}}"#) == nil)
        }
    }

    @Test func `integers must be within 2^53 − 1`() throws {
        func error(_ number: String) throws -> WireError? {
            try Self.error(.deleteTrip, #"{"trip":"t","ifVersion":\#(number)}"#)
        }
        for good in ["0", "-0", "7", "9007199254740991", "-9007199254740991", "null"] {
            #expect(try error(good) == nil, "\(good)")
        }
        for bad in [
            "1.0", "1e2", "0.5", "9007199254740992", "-9007199254740992", "\"1\"", "true", "1e400000", "[]",
        ] {
            if bad == "1e400000" {
                #expect(throws: JSONSyntaxError.self) { try error(bad) }
            } else {
                #expect(try error(bad)?.reason == .invalidParams, "\(bad)")
            }
        }
    }

    @Test func `unknown fields are ignored everywhere`() throws {
        let extra = #""future":{"a":[1,{"b":null}]}"#
        let node = try JSONDocument(
            parsing: Array(
                #"{"trip":"t","item":{"kind":"custom","title":"x",\#(extra),"cost":{"amount":1,"currency":"EUR",\#(extra)}},"to":{"day":1,"at":"end",\#(extra)},\#(extra)}"#
                    .utf8)
        ).root
        guard case .change(let change) = try Request(.addItem, params: node),
            case .add(_, let content, let to)? = change.edits.first
        else {
            Issue.record("an addition")
            return
        }
        #expect(content == .custom(CustomItem(title: "x", cost: Cost(amount: 1, currency: "EUR"))))
        #expect(to == .end(day: 1))
        #expect(try Self.error(.updateItem, #"{"trip":"t","item":"\#(Self.item)","set":{\#(extra)}}"#) == nil)
        #expect(try Self.error(.ping, "{\(extra)}") == nil)
    }

    @Test func `read-only fields are refused, and null clears optional ones`() throws {
        for field in ["id", "kind", "day", "sortOrder", "version", "modifiedAt", "modifiedBy"] {
            let error = try Self.error(
                .updateItem, #"{"trip":"t","item":"\#(Self.item)","set":{"\#(field)":null}}"#)
            #expect(error?.reason == .invalidParams)
            #expect(error?.details == [.field("set.\(field)")])
        }
        let cleared: [(String, FieldChange)] = [
            ("city", .clear(.city)), ("note", .clear(.note)), ("icon", .clear(.icon)),
            ("cost", .clear(.cost)),
            ("durationMinutes", .clear(.durationMinutes)), ("venue", .clear(.venue)),
            ("timeZone", .clear(.timeZone)),
            ("mode", .clear(.mode)), ("afterGame", .clear(.afterGame)), ("beforeGame", .clear(.beforeGame)),
        ]
        for (field, change) in cleared {
            let node = try JSONDocument(
                parsing: Array(#"{"trip":"t","item":"\#(Self.item)","set":{"\#(field)":null}}"#.utf8)
            ).root
            guard case .change(let request) = try Request(.updateItem, params: node) else { continue }
            #expect(request.edits == [.update(Self.item, [change])])
        }
    }

    @Test func `default values are those of the documentation`() throws {
        func request(_ method: Method, _ params: String) throws -> Request {
            try Request(method, params: try JSONDocument(parsing: Array(params.utf8)).root)
        }
        #expect(try request(.subscribe, #"{"trip":"t"}"#) == .subscribe(Subscribe(trip: .slug("t"))))
        #expect(Subscribe(trip: .slug("t")).mode == .snapshot)
        #expect(Subscribe(trip: .slug("t")).defersWhileDragging)
        guard
            case .hello(let hello) = try request(
                .hello, #"{"protocol":{"major":1,"minor":0},"client":{"name":"n","version":"1"}}"#)
        else { return }
        #expect(hello.role == .editor)
        #expect(hello.user == nil)
        #expect(hello.clientID == nil)
        // A trip with an invalid slug counts as not found.
        #expect(try request(.getTrip, #"{"trip":"No Such!"}"#) == .getTrip(.slug("No Such!")))
    }

    @Test func `128 operations are accepted and 129 are not, and an operation's error contains its index`()
        throws
    {
        let op = #"{"op":"remove","item":"\#(Self.item)"}"#
        func apply(_ count: Int) throws -> WireError? {
            try Self.error(
                .apply, #"{"trip":"t","ops":[\#(Array(repeating: op, count: count).joined(separator: ","))]}"#
            )
        }
        #expect(try apply(128) == nil)
        #expect(try apply(129)?.reason == .limitExceeded)
        #expect(try apply(129)?.details.contains(.limit("ops", max: 128)) == true)
        let error = try Self.error(.apply, #"{"trip":"t","ops":[\#(op),\#(op),{"op":"add"}]}"#)
        #expect(error?.details.contains(.opIndex(2)) == true)
    }
}
