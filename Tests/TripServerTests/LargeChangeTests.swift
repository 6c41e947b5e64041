import Testing
import TripModel
import TripProtocol

@testable import TripServer

/// Changes whose outcome is far larger than their request.
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

    @Test func `a small request that moves megabytes is carried out, with a number as without`() throws {
        let server = try TestServer()
        let client = try server.client("ann")
        try Self.fill(client, count: 1300)
        let before = try client.result("trip.get", #"{"trip":"t"}"#).text
        let shrink = #"{"trip":"t","dayCount":2,"seq":1"#
        #expect(try client.result("trip.update", shrink + #","dryRun":true}"#)["moved"]?.count == 1300)
        #expect(try client.result("trip.get", #"{"trip":"t"}"#).text == before)
        let moved = try client.result("trip.update", shrink + "}")
        #expect(moved["moved"]?.count == 1300)
        // The answer holds all that moved, more than is kept for a repeat; that it was made is known all the same.
        let again = try client.result("trip.update", shrink + "}")
        #expect(again["repeated"]?.bool == true && again["version"]?.int == moved["version"]?.int)
        // What lost its day is only put back, not written whole: so that can always be done.
        let undo = try client.result("trip.undo", #"{"trip":"t","seq":2}"#)
        #expect(undo["items"]?.count == 1300)
        try client.result("trip.update", #"{"trip":"t","dayCount":2}"#)
        try client.result("trip.update", #"{"trip":"t","dayCount":5}"#)
        try client.result("trip.update", #"{"trip":"t","dayCount":1}"#)
        #expect(try client.result("trip.undo", #"{"trip":"t"}"#)["items"]?.count == 1300)
        #expect(
            try client.result("trip.get", #"{"trip":"t"}"#)["items"]?.elements.map { $0["day"]?.int }
                == [Int?](repeating: 2, count: 1300))
        let whole = try client.result("trip.get", #"{"trip":"t"}"#).text
        let next = try TestServer(in: try server.directory.copy())
        #expect(try next.client("bob").result("trip.get", #"{"trip":"t"}"#).text == whole)
    }

    private static func game(_ number: Int, startsAt: String) -> String {
        #"{"id":"\#(id(number))","kind":"game","gameId":"g\#(number)","title":"x","startsAt":"\#(startsAt)"}"#
    }

    @Test func `the text of a moment has a bound, so that few games make no large change`() throws {
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

    /// A trip from before that bound: its items are kept, and no change of them is larger than a record.
    @Test func `games with moments of a megabyte each can be removed, and nothing stops the daemon`() throws {
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
            return effects.told
        }
        let ids = items.prefix(18).map(\.id)
        #expect(change(ids.map { .update($0, [.title("y")]) }).refuse(.limitExceeded))
        // Their undo would write more than the journal takes.
        #expect(change(items.map { .remove($0.id) }).refuse(.limitExceeded))
        #expect(driver.core.trip.itemCount == 70)
        #expect(change([.trip(TripChange(timeZone: "Asia/Tokyo"))]) == [])
        #expect(change(ids.map { .remove($0) }) == [])
        #expect(driver.core.trip.itemCount == 52)
        let undone = driver.core.reverse(.undo, command(.undo, []))
        #expect(!undone.refuse(.limitExceeded))
        #expect(driver.core.trip.itemCount == 70)
    }

    /// Few words ask for much where they need not bring it: a batch of many lines, and taking back.
    @Test(arguments: [true, false])
    func `what one record cannot hold is refused, tried or done, and nothing stops the daemon`(
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
        #expect(driver.core.change(remove).told == [], "it waits for the disk")
        _ = driver.core.stored(upTo: 2, now: .zero)
        #expect(driver.core.trip.itemCount == 0 && driver.core.storageRequests.count == 1)
        let undo = driver.core.reverse(.undo, command(.undo, [], isDryRun: isDryRun))
        #expect(!undo.refuse(.limitExceeded))
        #expect(driver.core.trip.itemCount == (isDryRun ? 0 : 1100))
    }

    @Test func `a batch that touches 128 large items, and one behind it`() throws {
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

    @Test func `a batch that re-spaces a day of large notes names the day, not its items`() throws {
        let server = try TestServer()
        let client = try server.client("ann")
        // Escaped twice as long: what an answer with all of them would hold is over the journal's record.
        let note = String(repeating: #"\""#, count: 16_000)
        try client.makeTrip("t", items: "")
        for first in stride(from: 0, to: 560, by: 28) {
            let ops = (first..<first + 28).map {
                #"{"op":"add","item":{"id":"\#(id(1000 + $0))","kind":"custom","title":"x","note":"\#(note)"},"to":\#(end(5))}"#
            }
            try client.result("trip.apply", #"{"trip":"t","ops":[\#(ops.joined(separator: ","))]}"#)
        }
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
