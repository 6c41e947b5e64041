import JSONLine
import LocalSystem
import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripServer

/// Access given by the account, by `session.restrict` and by `hello`.
@Suite struct AccessTests {
    private static func hello(_ more: String = "") -> String {
        #"{"protocol":{"major":1,"minor":1},"client":{"name":"n","version":"1"}\#(more)}"#
    }

    /// `user`, `role`, `access` and `verified` of the answer to hello, after these restrictions.
    private static func greeting(_ server: TestServer, _ restrictions: [String], _ more: String = "") throws
        -> String
    {
        let client = try server.connect()
        for restriction in restrictions { try client.result("session.restrict", restriction) }
        let welcome = try client.result("hello", hello(more))
        let words = ["user", "role", "access"].map { welcome.member(named: $0)?.string ?? "?" }
        return (words + [welcome["verified"]?.bool == true ? "verified" : "said"]).joined(separator: " ")
    }

    @Test func `hello reports the user, the access, and whether the name is verified`() throws {
        let server = try TestServer()
        #expect(try Self.greeting(server, []) == "account editor owner verified")
        #expect(try Self.greeting(server, [], #","user":"ann""#) == "ann editor owner said")
        #expect(try Self.greeting(server, [], #","role":"viewer""#) == "account viewer viewer verified")
        let named = #"{"user":"bob"}"#
        #expect(try Self.greeting(server, [named], #","user":"ann""#) == "bob editor editor verified")
        #expect(try Self.greeting(server, ["{}"], #","user":"ann""#) == "ann editor editor said")
        let viewing = #"{"role":"viewer"}"#
        #expect(
            try Self.greeting(server, [viewing], #","role":"editor""#) == "account viewer viewer verified")
        #expect(
            try Self.greeting(server, [viewing, #"{"role":"editor","user":null}"#])
                == "account viewer viewer verified")
        #expect(
            try Self.greeting(server, [#"{"role":"editor"}"#], #","role":"viewer""#)
                == "account viewer viewer verified")
    }

    @Test func `a restriction only lowers the access, and precedes hello`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.result("session.restrict", #"{"user":"bob"}"#)
        try client.result("session.restrict", #"{"user":"bob","role":"viewer"}"#)
        #expect(try client.reason("session.restrict", #"{"user":"eve"}"#) == "invalid_request")
        for (params, reason) in [
            (#"{"user":" "}"#, "invalid_params"), (#"{"role":"owner"}"#, "invalid_params"),
            (#"{"user":7}"#, "invalid_params"), (#"{"user":"a\u0007"}"#, "text_not_allowed"),
        ] {
            #expect(try client.reason("session.restrict", params) == reason, "\(params)")
        }
        let welcome = try client.result("hello", Self.hello(#","user":"ann","role":"editor""#))
        #expect(welcome["user"]?.string == "bob")
        #expect(try client.reason("session.restrict", "{}") == "invalid_request")
        #expect(try client.reason("trip.create", Self.draft) == "read_only")
    }

    private static let draft =
        #"{"name":"x","slug":"s","startDate":"2026-06-11","timeZone":"UTC","dayCount":2}"#

    /// A connection with the same client and person, optionally restricted to a user.
    private static func sameClient(_ server: TestServer, restriction: String?) throws -> LineClient {
        let client = try server.connect()
        if let restriction { try client.result("session.restrict", restriction) }
        try client.result("hello", hello(#","clientId":"\#(id(900))","person":"\#(id(901))""#))
        return client
    }

    @Test func `users of different restrictions share no undo history and no retries, even after a restart`()
        throws
    {
        let directory = try TemporaryDirectory()
        let server = try TestServer(in: directory)
        let users = [nil, #"{"user":"ann"}"#, #"{"user":"bob"}"#, "{}", #"{"role":"editor","user":"eve"}"#]
        try server.client("owner").makeTrip()
        func change(_ server: TestServer, _ number: Int, seq: Int) throws -> Line {
            try Self.sameClient(server, restriction: users[number]).call(
                "item.update",
                #"{"trip":"t","item":"\#(id(2 + number))","set":{"note":"n"},"seq":\#(seq)}"#)
        }
        // The highest sequence number: no later request with the same ids is possible.
        let top = (1 << 53) - 1
        for number in users.indices {
            #expect(try change(server, number, seq: top).version == 2 + number)
        }
        server.stopInOrder()
        try FileManagerFree.remove(directory.path + "/s")
        let next = try TestServer(in: directory)
        for number in users.indices {
            let repeated = try change(next, number, seq: top)
            #expect(repeated.version == 2 + number)
        }
        // Each has one change to undo.
        for number in users.indices {
            let client = try Self.sameClient(next, restriction: users[number])
            #expect(try client.call("trip.undo", #"{"trip":"t"}"#).result != nil)
            #expect(try client.reason("trip.undo", #"{"trip":"t"}"#) == "nothing_to_undo")
        }
        let items = try next.client("owner").result("trip.get", #"{"trip":"t"}"#)["items"]
        #expect(items?.count == 6)
        #expect(items?.elements.contains { $0["note"] != nil } == false)
    }

    @Test func `only an owner may stop the daemon or delete a trip`() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.result("session.restrict", "{}")
        try client.result("hello", Self.hello())
        try client.result("trip.create", Self.draft)
        #expect(try client.reason("daemon.shutdown") == "read_only")
        // Deleting cannot be undone, so it needs an owner too.
        #expect(try client.reason("trip.delete", #"{"trip":"s"}"#) == "read_only")
        #expect(try client.reason("trip.delete", #"{"trip":"s","dryRun":true}"#) == "read_only")
        try server.client("ann").result("trip.delete", #"{"trip":"s"}"#)
    }

    /// Valid parameters for each method, so that only access decides.
    static func params(_ method: TripProtocol.Method) -> String {
        switch method {
        case .createTrip: draft
        case .addItem: #"{"trip":"t","item":\#(custom(50, "x"))}"#
        case .moveItem: LineClient.moving(4, to: end(5))
        case .updateItem: #"{"trip":"t","item":"\#(id(4))","set":{"title":"y"}}"#
        case .accept: #"{"trip":"t","problem":"none","accepted":false}"#
        case .todo: #"{"trip":"t","todo":{"text":"Visa"}}"#
        case .apply: #"{"trip":"t","ops":[{"op":"remove","item":"\#(id(4))"}]}"#
        case .hover, .cancelDrag: #"{"drag":"none"}"#
        case .drop: #"{"drag":"none","to":\#(end(5))}"#
        case .addToBatch: #"{"batch":"none","ops":[{"op":"remove","item":"\#(id(4))"}]}"#
        case .commitBatch, .dropBatch: #"{"batch":"none"}"#
        default: #"{"trip":"t","item":"\#(id(4))"}"#
        }
    }

    @Test(arguments: TripProtocol.Method.allCases)
    func `a viewer is refused exactly the methods that the traits table forbids`(method: TripProtocol.Method)
        throws
    {
        let server = try TestServer()
        let (ann, viewer) = (try server.client("ann"), try server.client("val", role: "viewer"))
        try ann.makeTrip()
        let traits = method.traits
        let line = try viewer.call(method.rawValue, Self.params(method))
        switch (traits.moment, traits.scope) {
        case (.beforeHello, _): #expect(line.reason == "invalid_request")
        case (_, .drag): #expect(line.reason == "drag_not_found")
        case (_, .batch): #expect(line.reason == "batch_not_found")
        default: #expect(line.reason == (traits.needs > .viewer ? "read_only" : nil), "\(line)")
        }
        #expect(try ann.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 1)
        let early = try server.connect().call(method.rawValue, "[]")
        #expect(early.reason == (traits.moment == .afterHello ? "not_initialized" : "invalid_params"))
    }

    @Test func `a missing trip or item is reported before denied access`() throws {
        let server = try TestServer()
        let (ann, viewer) = (try server.client("ann"), try server.client("val", role: "viewer"))
        try ann.makeTrip()
        let none = #""trip":"t","item":"\#(id(99))""#
        #expect(try viewer.reason("drag.begin", "{\(none)}") == "item_not_found")
        #expect(try viewer.reason("item.remove", "{\(none)}") == "item_not_found")
        #expect(try viewer.reason("trip.undo", #"{"trip":"no"}"#) == "trip_not_found")
        #expect(try viewer.reason("batch.open", #"{"trip":"no"}"#) == "trip_not_found")
    }

    @Test func `a request refers to a trip exactly if the traits table says so`() throws {
        for method in TripProtocol.Method.allCases {
            let text = #"{"jsonrpc":"2.0","id":1,"method":"hello","params":\#(Self.params(method))}"#
            guard let params = try JSONDocument(parsing: Array(text.utf8)).root["params"],
                let request = try? Request(method, params: params)
            else { continue }
            // A new trip and a drag may have a `trip` member too.
            if method == .createTrip || method == .drop { continue }
            #expect((request.trip != nil) == (method.traits.scope == .trip), "\(method)")
        }
    }
}
