import Testing

/// What becomes of a drag whose item is removed, while the disk does not have that yet.
@Suite struct DragAndRemovalTests {
    private static let removal = #"{"trip":"t","item":"\#(id(4))"}"#

    /// Has a subscriber remove the item in its hand, which the disk does not have yet, and ask something of the drag
    /// behind that.
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
    func `a drag that its holder has let go of does not come back when the removal of its item fails`(
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

    @Test func `a drag that is hovered on goes on when the removal of its item fails`() throws {
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
    func `whoever names a drag behind the removal of its item is told so, and that it has ended, once`(
        _ method: String
    ) throws {
        let server = try TestServer.held()
        let (held, ann) = (try #require(server.held), try server.client("ann"))
        let (removal, asked) = try Self.remove(thenAsk: method, by: ann, of: server)
        held.letGo()
        #expect(try ann.reply(to: removal).version == 2)
        #expect(try ann.reply(to: asked).reason == "drag_not_found")
        try ann.settle()
        #expect(ann.notes.count { $0.method == "drag.ended" } == 1)
        #expect(try ann.next("trip.snapshot").version == 2)
    }

    @Test(arguments: [true, false])
    func `whoever has lifted another item behind the removal of the first has one in hand, whichever it is`(
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
        if isStored { held.letGo() } else { held.fail(.storageFull) }
        #expect((try ann.reply(to: removal).result != nil) == isStored)
        let drag = try ann.reply(to: second).result?["drag"]?.string
        #expect((drag != nil) == isStored)
        ann.takeNotes()
        let told = try #require(try bob.move(6, to: end(5)).version)
        try ann.settle()
        #expect(ann.takeNotes("trip.snapshot").isEmpty)
        #expect(try bob.move(4, to: end(5)).reason == (isStored ? "item_not_found" : "item_held"))
        try ann.result("drag.cancel", #"{"drag":"\#(drag ?? first)"}"#)
        #expect(try ann.next("trip.snapshot").version == told)
    }
}
