import Testing

/// What becomes of a drag whose item is removed, while the disk does not have that yet.
@Suite struct DragAndRemovalTests {
    private static let removal = #"{"trip":"t","item":"\#(id(4))"}"#

    @Test(arguments: ["drag.cancel", "drag.hover", "drag.drop"])
    func `a drag that its holder was told is over does not come back when the removal of its item fails`(
        _ method: String
    ) throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let ann = try server.client("ann")
        try ann.makeTrip()
        let drag = try ann.beginDrag(4)
        held.hold()
        let removal = try ann.post("item.remove", Self.removal)
        let to = method == "drag.cancel" ? "" : #","\#(method == "drag.drop" ? "to" : "over")":\#(end(5))"#
        let asked = try ann.post(method, #"{"drag":"\#(drag)"\#(to)}"#)
        try server.awaitHeld()
        held.fail(.storageFull)
        #expect(try ann.reply(to: removal).reason == "storage_full")
        #expect(try ann.reply(to: asked).reason == "storage_full")
        _ = try ann.beginDrag(5)
    }

    @Test func `whoever cancels a drag behind the removal of its item is told that once`() throws {
        let server = try TestServer.held()
        let held = try #require(server.held)
        let ann = try server.client("ann")
        try ann.makeTrip()
        try ann.subscribe()
        let drag = try ann.beginDrag(4)
        held.hold()
        let removal = try ann.post("item.remove", Self.removal)
        let cancel = try ann.post("drag.cancel", #"{"drag":"\#(drag)"}"#)
        try server.awaitHeld()
        held.letGo()
        #expect(try ann.reply(to: removal).version == 2)
        #expect(try ann.reply(to: cancel).version == 2)
        try ann.settle()
        #expect(ann.notes.allSatisfy { $0.method != "drag.ended" })
        #expect(try ann.next("trip.snapshot").version == 2)
    }
}
