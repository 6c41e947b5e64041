import JSONLine
import LocalSystem
import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripServer

/// Several accounts of one machine at one daemon.
@Suite struct AccountTests {
    private static let (own, ann, bob) = (SharedServer.own, SharedServer.ann, SharedServer.bob)

    @Test func `an account has its own verified name, whatever its client claims`() throws {
        let shared = try SharedServer("user bob editor")
        let owner = try shared.client(Self.own, saying: "Olga")
        try owner.makeTrip()
        try owner.subscribe()
        let bob = try shared.connect(Self.bob)
        #expect(try bob.reason("session.restrict", #"{"user":"ann"}"#) == "invalid_request")
        let welcome = try bob.hello("ann")
        #expect(welcome["user"]?.string == "bob")
        #expect(welcome["verified"]?.bool == true)
        #expect(welcome["access"]?.string == "editor")
        try bob.subscribe()
        while true {
            let users = try owner.next("trip.presence").params?["users"]?.elements.map {
                $0["user"]?.string ?? ""
            }
            if users == ["Olga", "bob"] { break }
        }
        #expect(try bob.move(4, to: end(5)).version == 2)
        let history = try owner.result("trip.history", #"{"trip":"t"}"#)
        #expect(
            history["entries"]?.elements.map { $0["user"]?.string }.contains("bob") == true, "\(history.text)"
        )
        #expect(history["entries"]?.elements.map { $0["user"]?.string }.contains("ann") == false)
        // The daemon's own account can choose its user name.
        let other = try shared.connect(Self.own)
        let said = try other.hello("bob")
        #expect(said["user"]?.string == "bob" && said["verified"]?.bool == false)
        #expect(said["access"]?.string == "owner")
    }

    @Test(arguments: [nil, "", "a\u{1B}b", String(repeating: "x", count: 65), "\u{202E}bob"])
    func `an account without a valid user name is shown by its number`(name: String?) {
        #expect(Opener.name(of: Account(userID: 7, name: name)) == "uid 7")
        #expect(Opener.name(of: Account(userID: 7, name: "J\u{F6}rg")) == "J\u{F6}rg")
    }

    @Test(arguments: ["", "user ann owner", "user bob editor\ngroup friends editor"])
    func `an account without a rule gets access_denied and nothing else`(access: String) throws {
        let shared = try SharedServer(access)
        let stranger = try shared.connect(access.hasPrefix("user bob") ? 1003 : Self.bob)
        let line = try stranger.line()
        #expect(line.id == nil && line.reason == "access_denied")
        #expect(try stranger.linesToEnd().isEmpty)
        let owner = try shared.client(Self.own)
        #expect(try owner.result("trip.list")["trips"]?.count == 0)
        #expect(try shared.server.ask { $0.connections.count + $0.admission.arriving } == 1)
    }

    @Test(arguments: TripProtocol.Method.allCases, Access.allCases)
    func `every method is checked against the account's access`(method: TripProtocol.Method, access: Access)
        throws
    {
        let shared = try SharedServer("user bob \(access.rawValue)")
        let owner = try shared.client(Self.own)
        try owner.makeTrip()
        let bob = try shared.client(Self.bob)
        let line = try bob.call(method.rawValue, AccessTests.params(method))
        let isAllowed = access >= method.traits.needs
        switch method.traits.scope {
        // A viewer never has one.
        case .drag, .batch:
            #expect(line.reason == (method.traits.scope == .drag ? "drag_not_found" : "batch_not_found"))
        default:
            if method.traits.moment == .beforeHello {
                #expect(line.reason == "invalid_request")
            } else {
                #expect((line.reason == "read_only") == !isAllowed, "\(line)")
            }
        }
        if method != .shutdown || !isAllowed {
            let isGone = try owner.call("trip.get", #"{"trip":"t"}"#).reason == "trip_not_found"
            #expect(isGone == (method == .deleteTrip && isAllowed))
        }
    }

    @Test func `hello can lower the access, but not raise it`() throws {
        let shared = try SharedServer("user bob editor\nuser ann viewer")
        #expect(try shared.connect(Self.bob).hello("x", role: "viewer")["access"]?.string == "viewer")
        #expect(try shared.connect(Self.ann).hello("x", role: "editor")["access"]?.string == "viewer")
        let bob = try shared.connect(Self.bob)
        try bob.result("session.restrict", #"{"user":"bob","role":"viewer"}"#)
        #expect(try bob.hello("x")["access"]?.string == "viewer")
    }

    /// Requests that name the trip, by every method that does.
    private static func requests(on trip: String) -> [(TripProtocol.Method, String)] {
        TripProtocol.Method.allCases.filter { $0.traits.scope == .trip }.map { method in
            (method, AccessTests.params(method).replacing(#""trip":"t""#, with: #""trip":"\#(trip)""#))
        }
    }

    @Test func `an invisible trip is reported as missing by every method and every name`() throws {
        let shared = try SharedServer("user bob owner in t")
        let owner = try shared.client(Self.own)
        try owner.makeTrip()
        try owner.makeTrip("secret", id: 77)
        let bob = try shared.client(Self.bob)
        for name in ["secret", id(77), "none"] {
            for (method, params) in Self.requests(on: name) {
                #expect(try bob.reason(method.rawValue, params) == "trip_not_found", "\(method)")
            }
        }
        let trips = try bob.result("trip.list")["trips"]
        #expect(trips?.elements.map { $0["slug"]?.string } == ["t"])
        #expect(try owner.result("trip.list")["trips"]?.count == 2)
        // Changes of trips without access are not counted.
        #expect(try bob.result("daemon.stats")["versions"]?.int == 1)
        #expect(try owner.result("daemon.stats")["versions"]?.int == 2)
        // Without access to all trips bob cannot create one, and cannot stop the daemon.
        #expect(try bob.reason("trip.create", AccessTests.params(.createTrip)) == "read_only")
        #expect(try bob.reason("daemon.shutdown") == "read_only")
        // In t everything is allowed, whether it is open or closed.
        #expect(try bob.move(4, to: end(5)).version == 2)
        let drag = try bob.beginDrag(5)
        #expect(try bob.call("drag.drop", #"{"drag":"\#(drag)","to":\#(end(5))}"#).result != nil)
        let batch = try bob.result("batch.open", #"{"trip":"t"}"#)["batch"]?.string ?? ""
        let operation = #"{"op":"remove","item":"\#(id(6))"}"#
        try bob.result("batch.add", #"{"batch":"\#(batch)","ops":[\#(operation)]}"#)
        try bob.result("batch.commit", #"{"batch":"\#(batch)"}"#)
        try bob.result("trip.delete", #"{"trip":"t"}"#)
        #expect(try bob.result("trip.list")["trips"]?.count == 0)
    }

    @Test func `a draft with the id of an invisible trip opens no journal`() throws {
        let directory = try TemporaryDirectory()
        let first = try TestServer(in: directory)
        try first.client("owner").makeTrip("secret", id: 77)
        first.stopInOrder()
        try FileManagerFree.remove(directory.path + "/s")
        let shared = try SharedServer("user bob owner in t\nuser ann viewer in t", in: directory)
        for account in [Self.bob, Self.ann] {
            let client = try shared.client(account)
            let draft =
                #"{"id":"\#(id(77))","name":"x","startDate":"2026-06-11","timeZone":"UTC","dayCount":2}"#
            #expect(try client.reason("trip.create", draft) == "read_only")
        }
        #expect(try shared.server.ask { $0.directory.openCount } == 0)
    }

    @Test func `a rule about one trip applies only to that trip`() throws {
        let shared = try SharedServer("group family editor\nuser bob viewer in \(id(77))")
        let owner = try shared.client(Self.own)
        try owner.makeTrip()
        try owner.makeTrip("look", id: 77)
        try owner.subscribe("look")
        let bob = try shared.client(Self.bob)
        for (method, params) in Self.requests(on: "look") where method.traits.needs > .viewer {
            #expect(try bob.reason(method.rawValue, params) == "read_only", "\(method)")
        }
        let batch = try bob.result("batch.open", #"{"trip":"t"}"#)["batch"]?.string ?? ""
        #expect(!batch.isEmpty)
        #expect(try bob.move(4, to: end(5)).version == 2)
        let rows = try bob.result("trip.list")["trips"]?.elements.map {
            "\($0["slug"]?.string ?? "") \($0["access"]?.string ?? "as hello said")"
        }
        #expect(rows == ["look viewer", "t as hello said"])
        #expect(try owner.result("trip.list")["trips"]?.elements.allSatisfy { $0["access"] == nil } == true)
        let users = try bob.subscribe("look")["presence"]?.elements.map { $0["role"]?.string }
        #expect(users == ["editor", "viewer"])
        #expect(try owner.result("trip.get", #"{"trip":"look"}"#)["version"]?.int == 1)
    }

    @Test func `a rule about a slug no longer applies after a rename`() throws {
        let shared = try SharedServer("user bob editor in t\nuser ann editor in \(id(7))")
        let owner = try shared.client(Self.own)
        try owner.makeTrip("t", id: 7)
        let (bob, ann) = (try shared.client(Self.bob), try shared.client(Self.ann))
        for client in [bob, ann] { try client.subscribe() }
        try owner.result("trip.update", #"{"trip":"t","slug":"u"}"#)
        let lines = try bob.linesToEnd()
        #expect(lines.last?.params?["reason"]?.string == "access_changed")
        #expect(
            !lines.contains { $0.params?["version"]?.int == 2 },
            "what it is called now is none of bob's business")
        #expect(try shared.client(Self.bob).reason("trip.get", #"{"trip":"u"}"#) == "trip_not_found")
        #expect(try ann.result("trip.get", #"{"trip":"u"}"#)["version"]?.int == 2)
    }

    @Test func `a rename that makes a user a viewer ends their drag`() throws {
        let shared = try SharedServer("user bob editor in t\nuser bob viewer in u")
        let owner = try shared.client(Self.own)
        try owner.makeTrip("t", id: 7)
        let bob = try shared.client(Self.bob)
        try bob.subscribe()
        _ = try bob.beginDrag(4)
        try owner.result("trip.update", #"{"trip":"t","slug":"u"}"#)
        #expect(try bob.linesToEnd().last?.params?["reason"]?.string == "access_changed")
        let move = #"{"trip":"u","item":"\#(id(4))","to":\#(end(5))}"#
        #expect(try owner.result("item.move", move)["version"]?.int == 3)
        let again = try shared.client(Self.bob)
        try again.subscribe("u")
        // A reload that gives more access disconnects nobody.
        try owner.result("trip.update", #"{"trip":"u","slug":"t"}"#)
        try again.drain()
        #expect(try again.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 4)
    }

    @Test func `new rules apply at once to the affected connections only`() throws {
        let shared = try SharedServer("user bob editor\nuser ann viewer\ngroup friends viewer")
        let owner = try shared.client(Self.own)
        try owner.makeTrip()
        let (bob, ann) = (try shared.client(Self.bob), try shared.client(Self.ann))
        for client in [bob, ann] { try client.subscribe() }
        _ = try bob.beginDrag(4)
        try shared.adopt("user ann viewer\ngroup friends viewer")
        #expect(try bob.linesToEnd().last?.params?["reason"]?.string == "access_changed")
        try ann.drain()
        // Bob's item is released, and bob still has access as a member of the group.
        #expect(try owner.move(4, to: end(5)).version == 2)
        let again = try shared.client(Self.bob)
        #expect(try again.reason("drag.begin", #"{"trip":"t","item":"\#(id(4))"}"#) == "read_only")
        // Bob is no longer in the group: the rules are the same, the groups differ.
        shared.put(Self.bob, into: [])
        try shared.adopt("user ann viewer\ngroup friends viewer")
        #expect(try again.linesToEnd().last?.params?["reason"]?.string == "access_changed")
        #expect(try shared.connect(Self.bob).line().reason == "access_denied")
        try ann.drain()
        try owner.drain()
    }

    @Test func `an account cannot read another account's cached answers`() throws {
        let directory = try TemporaryDirectory()
        let (client, person) = (id(501), id(502))
        let rules = "user ann editor\nuser bob editor"
        func hello(_ shared: SharedServer, _ user: UInt32) throws -> LineClient {
            let connection = try shared.connect(user)
            let welcome = try connection.result(
                "hello",
                #"{"protocol":{"major":1,"minor":1},"client":{"name":"n","version":"1"},"clientId":"\#(client)","person":"\#(person)"}"#
            )
            #expect(welcome["clientId"]?.string == client)
            return connection
        }
        func move(_ client: LineClient, _ number: Int, seq: Int) throws -> Line {
            try client.move(number, to: end(5), #","seq":\#(seq)"#)
        }
        do {
            let shared = try SharedServer(rules, in: directory)
            let owner = try shared.client(Self.own)
            try owner.makeTrip()
            try owner.subscribe()
            let ann = try hello(shared, Self.ann)
            #expect(try move(ann, 4, seq: 1).version == 2)
            // Everybody gets the id as it was sent.
            #expect(try owner.next("trip.snapshot").params?["cause"]?["clientId"]?.string == client)
            for account in [Self.bob, Self.own] {
                let other = try hello(shared, account)
                #expect(try other.reason("trip.undo", #"{"trip":"t"}"#) == "nothing_to_undo")
            }
            // The same number for another change counts as new, and does not disturb ann's next number.
            let bob = try hello(shared, Self.bob)
            #expect(try move(bob, 5, seq: 1).version == 3)
            #expect(try move(bob, 6, seq: 2).version == 4)
            #expect(try move(ann, 4, seq: 1).version == 2)
            shared.server.stopInOrder()
        }
        // The journal keeps it so.
        let shared = try SharedServer(rules, in: try directory.copy())
        let ann = try hello(shared, Self.ann)
        #expect(try move(ann, 4, seq: 1).version == 2)
        #expect(try ann.result("trip.undo", #"{"trip":"t"}"#)["version"]?.int == 5)
        #expect(try hello(shared, Self.own).reason("trip.undo", #"{"trip":"t"}"#) == "nothing_to_undo")
    }
}
