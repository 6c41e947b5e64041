import TestSupport
import Testing

/// The sections “Requests and answers” and “Hello” of Protocol/README.md.
@Suite struct EnvelopeTests {
    @Test(arguments: [
        #"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "[]", "7", "null", #""ping""#,
        #"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#,
        #"{"jsonrpc":"2.0","id":9007199254740992,"method":"ping"}"#,
        #"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
        #"{"id":1,"method":"ping"}"#, #"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        #"{"jsonrpc":"2.0","id":1}"#,
        #"{"jsonrpc":"2.0","id":1,"method":7}"#,
    ])
    func `JSON that is not a request is invalid_request`(_ text: String) throws {
        let client = try TestServer().connected()
        try client.send(text)
        let line = try client.line()
        #expect(line.error?["code"]?.int == -32600)
        #expect(line.reason == "invalid_request")
        try client.drain()
    }

    @Test func `an id is returned unchanged`() throws {
        let client = try TestServer().connected()
        try client.send(#"{"jsonrpc":"2.0","id":"a\"é\u0000","method":"ping"}"#)
        #expect(try client.line().json["id"]?.string == "a\"é\0")
        try client.send(#"{"jsonrpc":"2.0","id":-9007199254740991,"method":"ping"}"#)
        #expect(try client.line().json["id"]?.int == -9_007_199_254_740_991)
        try client.send(#"{"jsonrpc":"2.0","id":"","method":"nonsense"}"#)
        #expect(try client.line().json["id"]?.string == "")
    }

    @Test func `a request without an id is executed and not answered, valid or not`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        try client.send(#"{"jsonrpc":"2.0","method":"item.remove","params":{"trip":"t","item":"\#(id(4))"}}"#)
        try client.send(#"{"jsonrpc":"2.0","method":"item.remove","params":{"trip":"t","item":"\#(id(4))"}}"#)
        try client.send(#"{"jsonrpc":"2.0","method":"nonsense"}"#)
        try client.send(#"{"jsonrpc":"2.0","method":"trip.get","params":{"trip":"t"}}"#)
        try client.send(#"{"jsonrpc":"2.0","method":"trip.subscribe","params":{"trip":"t"}}"#)
        try client.send(#"{"jsonrpc":"2.0","method":"trip.list"}"#)
        #expect(try client.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 2)
        // It is subscribed, from the state that it would have got.
        #expect(try client.move(5, to: end(5)).version == 3)
        #expect(try client.next("trip.snapshot").params?["previous"]?.int == 2)
    }

    @Test
    func `unknown methods and params that are not an object are refused, and unknown fields are ignored`()
        throws
    {
        let client = try TestServer().connected()
        let unknown = try client.call("trip.explode")
        #expect(unknown.error?["code"]?.int == -32601)
        #expect(unknown.reason == "method_not_found")
        for params in ["[]", "7", #""x""#, "null", "true"] {
            let line = try client.call("trip.list", params)
            #expect(line.error?["code"]?.int == -32602)
            #expect(line.reason == "invalid_params")
            #expect(line.data?["field"]?.string == "params")
        }
        #expect(try client.result("ping", #"{"whatever":[1,2,{"a":null}]}"#).count == 0)
        try client.send(#"{"jsonrpc":"2.0","id":900,"method":"ping","extra":1}"#)
        #expect(try client.line().id == 900)
    }
}

@Suite struct HelloTests {
    private static func hello(_ version: String, _ more: String = "") -> String {
        #"{"protocol":\#(version),"client":{"name":"n","version":"1"}\#(more)}"#
    }

    @Test func `only ping and rpc.discover work before hello`() throws {
        let server = try TestServer()
        let client = try server.connect()
        #expect(try client.result("ping").count == 0)
        #expect(try client.result("rpc.discover")["openrpc"]?.string?.hasPrefix("1.") == true)
        for method in ["trip.list", "item.move", "daemon.shutdown", "daemon.stats", "drag.hover", "nonsense"]
        {
            let line = try client.call(method)
            #expect(line.reason == "not_initialized")
            #expect(line.error?["code"]?.int == -32002)
        }
        try client.hello("ann")
        #expect(try client.result("trip.list")["trips"]?.count == 0)
    }

    @Test func `hello returns versions, ids, role, limits and capabilities`() throws {
        let server = try TestServer()
        let client = try server.connect()
        let mine = id(77)
        let welcome = try client.hello("ann", client: mine)
        #expect(welcome["protocol"]?["major"]?.int == 1)
        #expect(welcome["protocol"]?["minor"]?.int == 3)
        #expect(welcome["server"]?["name"]?.string == "itineraryd")
        #expect(welcome["server"]?["version"]?.string?.isEmpty == false)
        #expect(welcome["server"]?["pid"]?.int != nil)
        #expect(welcome["clientId"]?.string == mine)
        #expect(welcome["role"]?.string == "editor")
        #expect(welcome["durability"]?.string == "sync")
        #expect(welcome["capabilities"]?.elements.contains { $0.stringEquals("snapshot") } == true)
        let limits = try #require(welcome["limits"])
        let table = [
            1 << 20: "lineBytes", 32: "depth", 512: "textBytes", 64: "userBytes", 16_384: "noteBytes",
            8: "combiningMarks", 10_000: "items", 366: "days", 128: "ops", 8 << 20: "queuedBytes",
        ]
        for (value, name) in table { #expect(limits.member(named: name)?.int == value, "\(name)") }
        for (name, value) in [("trips", 10_000), ("connections", 256), ("requestsInFlight", 256)] {
            #expect(limits.member(named: name)?.int == value)
        }
        let other = try server.connect().hello("bob")
        #expect(other["clientId"]?.string?.count == 36)
        #expect(other["clientId"]?.string != mine)
        #expect(other["connectionId"]?.int != welcome["connectionId"]?.int)
    }

    @Test func `a negative minor version is invalid_params, and another hello may follow`() throws {
        let server = try TestServer()
        let client = try server.connect()
        let line = try client.call("hello", Self.hello(#"{"major":1,"minor":-1}"#))
        #expect(line.reason == "invalid_params")
        #expect(line.data?["field"]?.string == "protocol.minor")
        try client.hello("ann")
    }

    @Test(arguments: [(2, 0, "server"), (0, 9, "client"), (99, 0, "server")])
    func `another major version is refused, with both versions and the older side`(
        major: Int, minor: Int, older: String
    ) throws {
        let server = try TestServer()
        let client = try server.connect()
        let line = try client.call("hello", Self.hello(#"{"major":\#(major),"minor":\#(minor)}"#))
        #expect(line.reason == "unsupported_protocol")
        #expect(line.error?["code"]?.int == -32002)
        #expect(line.data?["client"]?["major"]?.int == major)
        #expect(line.data?["client"]?["minor"]?.int == minor)
        #expect(line.data?["server"]?["major"]?.int == 1)
        #expect(line.data?["older"]?.string == older)
        #expect(try client.reason("trip.list") == "not_initialized")
        try client.hello("ann")
    }

    @Test func `another major version is reported even if the rest of its hello is invalid`() throws {
        let server = try TestServer()
        let client = try server.connect()
        #expect(
            try client.reason("hello", #"{"protocol":{"major":2,"minor":0},"client":"new","role":"god"}"#)
                == "unsupported_protocol")
    }

    @Test func `a newer minor version is accepted`() throws {
        let server = try TestServer()
        let client = try server.connect()
        let welcome = try client.result("hello", Self.hello(#"{"major":1,"minor":7}"#))
        #expect(welcome["protocol"]?["minor"]?.int == 3)
    }

    @Test(arguments: ["", "{}", #"{"protocol":7}"#])
    func `a second hello is invalid_request, whatever it contains`(_ params: String) throws {
        let client = try TestServer().connected()
        let text = params.isEmpty ? Self.hello(#"{"major":1,"minor":0}"#) : params
        #expect(try client.reason("hello", text) == "invalid_request")
        try client.drain()
    }

    @Test func `a user's name is checked, and defaults to the account's`() throws {
        let server = try TestServer()
        let client = try server.connect()
        let current = #"{"major":1,"minor":0}"#
        let long = String(repeating: "x", count: 65)
        let line = try client.call("hello", Self.hello(current, #","user":"\#(long)""#))
        #expect(line.reason == "limit_exceeded")
        #expect(line.data?["limit"]?.string == "userBytes")
        #expect(line.data?["max"]?.int == 64)
        for bad in [#"a\u0000b"#, #"\u001b[31m"#, #"\u202eevil"#, #"a\nb"#, #"\u0085"#] {
            #expect(
                try client.reason("hello", Self.hello(current, #","user":"\#(bad)""#)) == "text_not_allowed")
        }
        #expect(try client.reason("hello", Self.hello(current, #","user":"  ""#)) == "invalid_params")
        #expect(try client.reason("hello", Self.hello(current, #","role":"boss""#)) == "invalid_params")
        #expect(try client.reason("hello", Self.hello(current, #","clientId":"me""#)) == "invalid_params")
        try client.result("hello", Self.hello(current))
        try client.makeTrip()
        let item = try client.result("trip.get", #"{"trip":"t"}"#)["items"]?.elements.first { _ in true }
        #expect(item?["modifiedBy"]?.string == "account")
    }

    @Test func `a connection without a hello in time gets goodbye and is closed`() throws {
        let server = try TestServer(handshakeTime: .milliseconds(30))
        let client = try server.connect()
        try client.send(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
        let lines = try client.linesToEnd()
        #expect(lines.map(\.id) == [1, nil])
        #expect(lines.last?.method == "goodbye")
        #expect(lines.last?.params?["reason"]?.string == "handshake_timeout")
        #expect(lines.last?.json["id"] == nil)
    }

    @Test func `a silent connection is not closed after its hello`() throws {
        let server = try TestServer(handshakeTime: .milliseconds(200))
        let quiet = try server.client("ann")
        // Once this later connection is closed, the deadline of the earlier one has passed too.
        #expect(try server.connect().linesToEnd().count == 1)
        try quiet.drain()
    }
}
