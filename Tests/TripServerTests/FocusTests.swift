import JSONLine
import TestSupport
import Testing

@testable import TripServer

/// Positions of the users' cursors.
@Suite struct FocusTests {
    private static func focus(_ client: LineClient, _ number: Int?) throws {
        let item = number.map { #","item":"\#(id($0))""# } ?? ""
        try client.result("session.focus", #"{"trip":"t"\#(item)}"#)
    }

    /// Waits until a client gets a presence in which the users have these focuses.
    private static func wait(_ client: LineClient, for wanted: [Int?]) throws {
        while true {
            let users = try client.next("trip.presence").params?["users"]?.elements.map(\.self) ?? []
            let focuses = users.map { $0["focus"]?.string }
            if focuses == wanted.map({ $0.map { id($0) } }) { return }
        }
    }

    @Test func `a focus is part of presence, also for viewers, and the newest one is sent`() throws {
        let server = try TestServer()
        let (ann, val) = (try server.client("ann"), try server.client("val", role: "viewer"))
        try ann.makeTrip()
        try ann.subscribe()
        try val.subscribe()
        try Self.focus(val, 4)
        try Self.wait(ann, for: [nil, 4])
        // Only the last of several changes in succession is sent.
        for number in [5, 6, 5, 6, 5] { try Self.focus(val, number) }
        try Self.wait(ann, for: [nil, 5])
        try Self.focus(val, nil)
        try Self.wait(ann, for: [nil, nil])
        #expect(try ann.result("trip.get", #"{"trip":"t"}"#)["version"]?.int == 1)
        #expect(ann.takeNotes("trip.snapshot").isEmpty)
        #expect(try ann.reason("session.focus", #"{"trip":"no"}"#) == "trip_not_found")
        #expect(try ann.reason("session.focus", #"{"trip":"t","item":7}"#) == "invalid_params")
    }

    @Test func `a focus on the heading of a day is part of presence in place of an item`() throws {
        let server = try TestServer()
        let (ann, val) = (try server.client("ann"), try server.client("val", role: "viewer"))
        try ann.makeTrip()
        try ann.subscribe()
        try val.subscribe()
        try Self.focus(val, 4)
        try Self.wait(ann, for: [nil, 4])
        try val.result("session.focus", #"{"trip":"t","day":2}"#)
        try Self.wait(ann, for: [nil, nil])
        let users = try ann.subscribe()["presence"]?.elements.map { $0["focusDay"]?.int }
        #expect(users == [nil, 2])
        try Self.focus(val, 4)
        try Self.wait(ann, for: [nil, 4])
        #expect(try ann.subscribe()["presence"]?.elements.map { $0["focusDay"]?.int } == [nil, nil])
        let both = #"{"trip":"t","item":"\#(id(4))","day":2}"#
        #expect(try val.reason("session.focus", both) == "invalid_params")
        #expect(try val.reason("session.focus", #"{"trip":"t","day":"2"}"#) == "invalid_params")
    }

    @Test func `presence is encoded once for all subscribers`() throws {
        var driver = try CoreTests.Driver()
        for connection in 1...3 { _ = driver.subscribe(connection) }
        let line = driver.core.room.presence(in: driver.core.id)
        #expect(driver.core.room.presence(in: driver.core.id) === line)
        // Any other member makes it a different focus.
        var last = line
        let changes: [(inout CoreTests.Driver) -> Void] = [
            { $0.core.leave(3, now: $0.now) }, { _ = $0.begin(1, by: 1) },
            { driver in
                let (item, ticket) = (CoreTests.Driver.item(2), driver.ticket(2))
                _ = driver.core.focus(on: .item(item), by: 2, ticket, now: driver.now)
            },
        ]
        for change in changes {
            change(&driver)
            let next = driver.core.room.presence(in: driver.core.id)
            #expect(next !== last && next.bytes != last.bytes)
            #expect(driver.core.room.presence(in: driver.core.id) === next)
            last = next
        }
    }

    @Test func `a focus ends with the subscription and with the connection`() throws {
        let server = try TestServer()
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        // Without a subscription a user's focus is not shown.
        try Self.focus(bob, 4)
        try ann.subscribe()
        let users = try bob.subscribe()["presence"]?.elements.map { $0["focus"]?.string }
        #expect(users == [nil, nil])
        try Self.focus(bob, 4)
        try Self.wait(ann, for: [nil, 4])
        // The answer to a subscription contains it too.
        let again = try ann.subscribe()["presence"]?.elements.map { $0["focus"]?.string }
        #expect(again == [nil, id(4)])
        try bob.result("trip.unsubscribe", #"{"trip":"t"}"#)
        try bob.subscribe()
        try Self.wait(ann, for: [nil, nil])
        #expect(try server.ask { $0.connections.count } == 2)
    }
}
