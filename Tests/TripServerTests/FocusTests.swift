import JSONLine
import Testing

@testable import TripServer

/// Where people's cursors are.
@Suite struct FocusTests {
    private static func focus(_ client: LineClient, _ number: Int?) throws {
        let item = number.map { #","item":"\#(id($0))""# } ?? ""
        try client.result("session.focus", #"{"trip":"t"\#(item)}"#)
    }

    /// Waits until a client is told of a presence in which the users have these focuses.
    private static func wait(_ client: LineClient, for wanted: [Int?]) throws {
        while true {
            let users = try client.next("trip.presence").params?["users"]?.elements.map(\.self) ?? []
            let focuses = users.map { $0["focus"]?.string }
            if focuses == wanted.map({ $0.map { id($0) } }) { return }
        }
    }

    @Test func `a focus is presence, a viewer's too, and the newest counts`() throws {
        let server = try TestServer()
        let (ann, val) = (try server.client("ann"), try server.client("val", role: "viewer"))
        try ann.makeTrip()
        try ann.subscribe()
        try val.subscribe()
        try Self.focus(val, 4)
        try Self.wait(ann, for: [nil, 4])
        // Many at once are told as the last of them.
        for number in [5, 6, 5, 6, 5] { try Self.focus(val, number) }
        try Self.wait(ann, for: [nil, 5])
        try Self.focus(val, nil)
        try Self.wait(ann, for: [nil, nil])
        #expect(try ann.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 1)
        #expect(ann.takeNotes("trip.snapshot").isEmpty)
        #expect(try ann.reason("session.focus", #"{"trip":"no"}"#) == "trip_not_found")
        #expect(try ann.reason("session.focus", #"{"trip":"t","item":7}"#) == "invalid_params")
    }

    @Test func `presence is encoded once for all who are told the same`() throws {
        var driver = try CoreTests.Driver()
        for connection in 1...3 { _ = driver.subscribe(connection) }
        let line = driver.core.encodedPresence()
        #expect(driver.core.encodedPresence() === line)
        // Whatever it tells makes it another one.
        var last = line
        let changes: [(inout CoreTests.Driver) -> Void] = [
            { $0.core.leave(3, now: $0.now) }, { _ = $0.begin(1, by: 1) },
            { driver in
                let (item, ticket) = (CoreTests.Driver.item(2), driver.ticket(2))
                _ = driver.core.focus(on: item, by: 2, ticket, now: driver.now)
            },
        ]
        for change in changes {
            change(&driver)
            let next = driver.core.encodedPresence()
            #expect(next !== last && next.bytes != last.bytes)
            #expect(driver.core.encodedPresence() === next)
            last = next
        }
    }

    @Test func `a focus is gone with the subscription and with the connection`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        // Nobody sees who does not subscribe.
        try Self.focus(bob, 4)
        try ann.subscribe()
        let users = try bob.subscribe()["presence"]?.elements.map { $0["focus"]?.string }
        #expect(users == [nil, nil])
        try Self.focus(bob, 4)
        try Self.wait(ann, for: [nil, 4])
        // Also in the answer to a subscription.
        let again = try ann.subscribe()["presence"]?.elements.map { $0["focus"]?.string }
        #expect(again == [nil, id(4)])
        try bob.result("trip.unsubscribe", #"{"trip":"t"}"#)
        try bob.subscribe()
        try Self.wait(ann, for: [nil, nil])
        #expect(try server.ask { $0.connections.count } == 2)
    }
}
