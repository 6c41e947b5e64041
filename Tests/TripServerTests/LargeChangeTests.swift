import JSONLine
import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripServer

/// Changes whose effect is far larger than their request.
@Suite struct LargeChangeTests {
    private static let note = String(repeating: "n", count: 16_000)

    /// The trip `t` with notes of 16 kB on day 5.
    private static func fill(_ client: LineClient, count: Int) throws {
        try client.makeTrip("t", items: "")
        for first in stride(from: 0, to: count, by: 60) {
            let ops = (first..<min(first + 60, count)).map {
                #"{"op":"add","item":{"id":"\#(id(1000 + $0))","kind":"custom","title":"x","note":"\#(note)"},"to":\#(end(5))}"#
            }
            try client.result("trip.apply", #"{"trip":"t","ops":[\#(ops.joined(separator: ","))]}"#)
        }
    }

    @Test func `a small request that moves megabytes is executed, with and without a seq`() throws {
        let server = try TestServer()
        let client = try server.client("ann")
        try Self.fill(client, count: 1300)
        let before = try client.result("trip.get", #"{"trip":"t"}"#).text
        let shrink = #"{"trip":"t","dayCount":2,"seq":1"#
        #expect(try client.result("trip.update", shrink + #","dryRun":true}"#)["brief"]?.bool == true)
        #expect(try client.result("trip.get", #"{"trip":"t"}"#).text == before)
        let moved = try client.result("trip.update", shrink + "}")
        #expect(moved["brief"]?.bool == true)
        #expect(try client.result("trip.update", shrink + "}").text == moved.text)
        // An item that lost its day is only moved back, not written whole, so the undo always fits.
        let undo = try client.result("trip.undo", #"{"trip":"t","seq":2}"#)
        #expect(undo["brief"]?.bool == true)
        try client.result("trip.update", #"{"trip":"t","dayCount":2}"#)
        try client.result("trip.update", #"{"trip":"t","dayCount":5}"#)
        try client.result("trip.update", #"{"trip":"t","dayCount":1}"#)
        #expect(try client.result("trip.undo", #"{"trip":"t"}"#)["brief"]?.bool == true)
        #expect(
            try client.result("trip.get", #"{"trip":"t"}"#)["items"]?.elements.map { $0["day"]?.int }
                == [Int?](repeating: 2, count: 1300))
        let whole = try client.result("trip.get", #"{"trip":"t"}"#).text
        let next = try TestServer(in: try server.directory.copy())
        #expect(try next.client("bob").result("trip.get", #"{"trip":"t"}"#).text == whole)
    }

    @Test(arguments: [1000, 1100])
    func `an answer to a change contains all its items, or none if they exceed changeBytes`(count: Int) throws
    {
        let client = try TestServer().connected()
        try Self.fill(client, count: count)
        func expect(_ answer: JSONNode, _ items: StaticString) {
            let isBrief = answer["brief"]?.bool == true
            #expect(isBrief == (count == 1100))
            #expect(answer[items]?.count == (isBrief ? 0 : count))
            #expect(answer.text.utf8.count < WireLimits.changeBytes)
        }
        expect(try client.result("trip.update", #"{"trip":"t","dayCount":4}"#), "moved")
        expect(try client.result("trip.undo", #"{"trip":"t"}"#), "items")
        expect(try client.result("trip.redo", #"{"trip":"t"}"#), "items")
        let batch = try client.result("batch.open", #"{"trip":"t"}"#)["batch"]?.string ?? ""
        for first in stride(from: 0, to: count, by: 100) {
            let ops = (first..<first + 100).map {
                #"{"op":"move","item":"\#(id(1000 + $0))","to":\#(end(1))}"#
            }
            try client.result("batch.add", #"{"batch":"\#(batch)","ops":[\#(ops.joined(separator: ","))]}"#)
        }
        expect(try client.result("batch.commit", #"{"batch":"\#(batch)"}"#), "items")
    }

    @Test
    func `the list of removed items is cut at changeBytes, and contains the time from which it is complete`()
        throws
    {
        let client = try TestServer().connected()
        try Self.fill(client, count: 1100)
        let batch = try client.result("batch.open", #"{"trip":"t"}"#)["batch"]?.string ?? ""
        for first in stride(from: 0, to: 1100, by: 100) {
            let ops = (first..<first + 100).map { #"{"op":"remove","item":"\#(id(1000 + $0))"}"# }
            try client.result("batch.add", #"{"batch":"\#(batch)","ops":[\#(ops.joined(separator: ","))]}"#)
        }
        try client.result("batch.commit", #"{"batch":"\#(batch)"}"#)
        let trash = try client.result("item.trash", #"{"trip":"t"}"#)
        #expect(trash.text.utf8.count < WireLimits.changeBytes)
        let removedAt = try #require(
            trash["items"]?.elements.first { _ in true }?["removedAt"]?.string.flatMap(Timestamp.init))
        #expect((900..<1100).contains(trash["items"]?.count ?? 0))
        #expect(trash["since"]?.string == Timestamp(milliseconds: removedAt.milliseconds + 1).description)
    }

    private static func game(_ number: Int, startsAt: String) -> String {
        #"{"id":"\#(id(number))","kind":"game","gameId":"g\#(number)","title":"x","startsAt":"\#(startsAt)"}"#
    }

    @Test func `the text of a time is bounded, so that few games cannot make a large change`() throws {
        let client = try TestServer().connected()
        try client.makeTrip()
        let longest = "2026-06-12T13:00:00.00000000000000-06:00"
        #expect(longest.utf8.count == 40)
        try client.result("item.add", #"{"trip":"t","item":\#(Self.game(900, startsAt: longest))}"#)
        for digits in [15, 1_000_000] {
            let startsAt = "2026-06-12T13:00:00.\(String(repeating: "0", count: digits))-06:00"
            let add = try client.call(
                "item.add", #"{"trip":"t","item":\#(Self.game(901, startsAt: startsAt))}"#)
            #expect(add.reason == "limit_exceeded" && add.data?["limit"]?.string == "startsAtBytes")
            let set = try client.call(
                "item.update", #"{"trip":"t","item":"\#(id(900))","set":{"startsAt":"\#(startsAt)"}}"#)
            #expect(set.data?["limit"]?.string == "startsAtBytes" && set.data?["max"]?.int == 40)
        }
    }

    /// A trip from before that limit: its items are kept, and no change of them is larger than a record.
    @Test func `games with times of a megabyte each can be removed, and the daemon continues`() throws {
        let digits = String(repeating: "1", count: 1_000_000)
        let startsAt = try #require(OffsetDateTime("2026-06-12T13:00:00.\(digits)Z"))
        let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))
        let items = (1...70).map { number in
            Item(
                id: CoreTests.Driver.item(number), position: Position(day: 2, sortOrder: 880),
                content: .game(Game(gameID: "g\(number)", title: "x", startsAt: startsAt)), version: 1,
                modifiedAt: author.at, modifiedBy: author.name)
        }
        let header = TripHeader(
            id: TripID(high: 0, low: 9), slug: "t", name: "T",
            startDate: try #require(CalendarDate("2026-06-11")),
            timeZone: "UTC", dayCount: 5)
        var driver = try CoreTests.Driver()
        driver.core = TripCore(durable: try Trip(header: header, version: 1, items: items), epoch: "e")
        func command(_ method: Method, _ edits: [Edit]) -> ChangeCommand {
            ChangeCommand(
                method: method, edits: edits, options: ChangeOptions(), principal: driver.principal(1),
                ticket: driver.ticket(1), fingerprint: 0, takenSlugs: [], at: author.at)
        }
        func change(_ edits: [Edit]) -> [Effect] {
            let before = driver.core.storageRequests.count
            let effects = driver.core.change(command(.apply, edits))
            for case .append(_, let payload) in driver.core.storageRequests.dropFirst(before) {
                #expect(payload.count <= WireLimits.changeBytes)
            }
            return effects.received
        }
        let ids = items.prefix(18).map(\.id)
        #expect(change(ids.map { .update($0, [.title("y")]) }).refuse(.limitExceeded))
        // Their undo would be longer than a journal record.
        #expect(change(items.map { .remove($0.id) }).refuse(.limitExceeded))
        #expect(driver.core.trip.itemCount == 70)
        #expect(change([.trip(TripChange(timeZone: "Asia/Tokyo"))]) == [])
        #expect(change(ids.map { .remove($0) }) == [])
        #expect(driver.core.trip.itemCount == 52)
        let undone = driver.core.reverse(.undo, command(.undo, []))
        #expect(!undone.refuse(.limitExceeded))
        #expect(driver.core.trip.itemCount == 70)
    }

    /// Small requests with a large effect: a batch of many lines, and undo.
    @Test(arguments: [true, false])
    func `a change too large for a record is refused, also as a dry run, and the daemon continues`(
        isDryRun: Bool
    ) throws {
        var driver = try CoreTests.Driver()
        let items = (1...1100).map { number in
            Item(
                id: CoreTests.Driver.item(number), position: Position(day: 2, sortOrder: Double(number)),
                content: .custom(CustomItem(title: "x", note: Self.note)), version: 1,
                modifiedAt: Timestamp(milliseconds: 0), modifiedBy: "Ann")
        }
        let header = driver.core.trip.header
        driver.core = TripCore(durable: try Trip(header: header, version: 1, items: items), epoch: "e")
        func command(_ method: Method, _ edits: [Edit], isDryRun: Bool) -> ChangeCommand {
            ChangeCommand(
                method: method, edits: edits, options: ChangeOptions(isDryRun: isDryRun),
                principal: driver.principal(1), ticket: driver.ticket(1), fingerprint: 0, takenSlugs: [],
                at: Timestamp(milliseconds: 1))
        }
        let ids = items.map(\.id)
        let moves = ids.map { Edit.move($0, to: .end(day: 3)) }
        #expect(!driver.core.change(command(.commitBatch, moves, isDryRun: true)).refuse(.limitExceeded))
        let update = command(.commitBatch, ids.map { .update($0, [.title("y")]) }, isDryRun: isDryRun)
        #expect(driver.core.change(update).refuse(.limitExceeded))
        #expect(driver.core.storageRequests.isEmpty)
        let remove = command(.commitBatch, ids.map { .remove($0) }, isDryRun: false)
        #expect(driver.core.change(remove).received == [], "it waits for the disk")
        _ = driver.core.stored(upTo: 2, now: .zero)
        #expect(driver.core.trip.itemCount == 0 && driver.core.storageRequests.count == 1)
        let undo = driver.core.reverse(.undo, command(.undo, [], isDryRun: isDryRun))
        #expect(!undo.refuse(.limitExceeded))
        #expect(driver.core.trip.itemCount == (isDryRun ? 0 : 1100))
    }

    @Test func `a batch that touches 128 large items is applied, and the next one, too`() throws {
        let server = try TestServer()
        let client = try server.client("ann")
        try Self.fill(client, count: 128)
        let ops = (0..<128).map { #"{"op":"update","item":"\#(id(1000 + $0))","set":{"title":"y"}}"# }
        let apply = try client.post(
            "trip.apply", #"{"trip":"t","seq":1,"ops":[\#(ops.joined(separator: ","))]}"#)
        let move = try client.post("item.move", LineClient.moving(1000, to: end(1)))
        #expect(try client.reply(to: apply).result?["items"]?.count == 128)
        #expect(try client.reply(to: move).version == 6)
        let whole = try client.result("trip.get", #"{"trip":"t"}"#).text
        let next = try TestServer(in: try server.directory.copy())
        #expect(try next.client("bob").result("trip.get", #"{"trip":"t"}"#).text == whole)
    }

    @Test func `the answer to a batch that re-spaces a day of large notes names the day, not its items`()
        throws
    {
        let server = try TestServer()
        let client = try server.client("ann")
        // An answer with all of them would exceed a journal record.
        try Self.fill(client, count: 1100)
        let ops = (0..<100).map {
            #"{"op":"add","item":\#(custom(5000 + $0, "y")),"to":\#(after(1000, day: 5))}"#
        }
        let result = try client.result(
            "trip.apply", #"{"trip":"t","seq":1,"ops":[\#(ops.joined(separator: ","))]}"#)
        #expect(result["respaced"]?.text == "[5]")
        #expect(result["items"]?.count == 100)
        let whole = try client.result("trip.get", #"{"trip":"t"}"#).text
        let next = try TestServer(in: try server.directory.copy())
        #expect(try next.client("bob").result("trip.get", #"{"trip":"t"}"#).text == whole)
    }
}
