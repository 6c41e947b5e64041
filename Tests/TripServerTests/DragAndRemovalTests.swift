import TestSupport
import Testing

/// A drag whose item is removed while the removal is not durable.
@Suite struct DragAndRemovalTests {
    private static let removal = #"{"trip":"t","item":"\#(id(4))"}"#

    /// A subscriber removes the item that it drags, which is not durable yet, and sends a request about the
    /// drag behind it.
    private static func remove(
        thenAsk method: String, by client: LineClient, of server: TestServer
    ) throws -> (removal: Int, asked: Int) {
        try client.makeTrip()
        try client.subscribe()
        let drag = try client.beginDrag(4)
        server.held?.hold()
        let removal = try client.post("item.remove", Self.removal)
        let to = method == "drag.drop" ? #","to":\#(end(5))"# : ""
        let asked = try client.post(method, #"{"drag":"\#(drag)"\#(to)}"#)
        try server.awaitOwed(2)
        return (removal, asked)
    }

    @Test(arguments: ["drag.cancel", "drag.drop"])
    func `a drag that its holder has ended is not restored when the removal of its item fails`(
        _ method: String
    ) throws {
        let server = try TestServer.held()
        let (held, ann) = (try #require(server.held), try server.client("ann"))
        let (removal, asked) = try Self.remove(thenAsk: method, by: ann, of: server)
        held.fail(.storageFull)
        #expect(try ann.reply(to: removal).reason == "storage_full")
        #expect(try ann.reply(to: asked).reason == "storage_full")
        _ = try ann.beginDrag(5)
    }

    @Test func `a drag continues when the removal of its item fails`() throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let ann = try server.client("ann")
        try ann.makeTrip()
        let drag = try ann.beginDrag(4)
        let hover = #"{"drag":"\#(drag)","over":\#(end(5))}"#
        held.hold()
        let removal = try ann.post("item.remove", Self.removal)
        let asked = try ann.post("drag.hover", hover)
        try server.awaitOwed(2)
        held.fail(.storageFull)
        #expect(try ann.reply(to: removal).reason == "storage_full")
        #expect(try ann.reply(to: asked).reason == "storage_full")
        try ann.result("drag.hover", hover)
        try ann.result("drag.drop", #"{"drag":"\#(drag)","to":\#(end(5))}"#)
    }

    @Test(arguments: ["drag.cancel", "drag.hover", "drag.drop"])
    func `the first request for a drag after the removal of its item reports its end`(
        _ method: String
    ) throws {
        let server = try TestServer.held()
        let (held, ann) = (try #require(server.held), try server.client("ann"))
        let (removal, asked) = try Self.remove(thenAsk: method, by: ann, of: server)
        held.resume()
        #expect(try ann.reply(to: removal).version == 2)
        #expect(try ann.reply(to: asked).reason == "drag_not_found")
        try ann.drain()
        #expect(ann.notes.count { $0.method == "drag.ended" } == 1)
        #expect(try ann.next("trip.snapshot").version == 2)
    }

    @Test(arguments: [true, false])
    func `after a removal the holder may drag another item, and has one drag in any case`(
        _ isStored: Bool
    ) throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let (ann, bob) = (try server.client("ann"), try server.client("bob"))
        try ann.makeTrip()
        try ann.subscribe()
        let first = try ann.beginDrag(4)
        held.hold()
        let removal = try ann.post("item.remove", Self.removal)
        let second = try ann.post("drag.begin", #"{"trip":"t","item":"\#(id(5))"}"#)
        try server.awaitOwed(2)
        if isStored { held.resume() } else { held.fail(.storageFull) }
        #expect((try ann.reply(to: removal).result != nil) == isStored)
        let drag = try ann.reply(to: second).result?["drag"]?.string
        #expect((drag != nil) == isStored)
        ann.takeNotes()
        let received = try #require(try bob.move(6, to: end(5)).version)
        try ann.drain()
        #expect(ann.takeNotes("trip.snapshot").isEmpty)
        #expect(try bob.move(4, to: end(5)).reason == (isStored ? "item_not_found" : "item_held"))
        try ann.result("drag.cancel", #"{"drag":"\#(drag ?? first)"}"#)
        #expect(try ann.next("trip.snapshot").version == received)
    }
}
