import JSONLine
import Testing
import TripModel

@testable import TripProtocol

/// What the daemon writes, read back as a client does.
@Suite struct ReplyTests {
    private static func encoded(_ body: (inout JSONWriter) -> Void) throws -> JSONNode {
        var json = JSONWriter()
        body(&json)
        return try JSONDocument(parsing: json.take()).root
    }

    private static func trip() throws -> Trip {
        let header = TripHeader(
            id: TripID(high: 1, low: 2), slug: "s", name: "Zoë \"s\" trip",
            startDate: try #require(CalendarDate("2026-06-11")),
            timeZone: "America/New_York", dayCount: 5)
        let author = Author(name: "Ann", at: Timestamp(milliseconds: 1_780_000_000_123))
        func game(_ number: UInt64, _ city: String) throws -> Edit {
            let start = try #require(OffsetDateTime("2026-06-12T13:00:00-04:00"))
            return .add(
                ItemID(high: 0, low: number),
                .game(Game(gameID: "g\(number)", title: "G", city: city, startsAt: start)), to: nil)
        }
        return try Trip.create(
            header,
            edits: [
                game(1, "Rome"), game(2, "Lima"),
                .add(
                    ItemID(high: 0, low: 3),
                    .custom(CustomItem(title: "c", cost: Cost(amount: 0.1, currency: "EUR"))),
                    to: .order(-2.5, day: 5)),
            ], by: author)
    }

    @Test func `every item and header comes back as it was`() throws {
        var random = RandomRequests(seed: 3)
        for _ in 0..<2000 {
            let item = Item(
                id: random.id(),
                position: Position(
                    day: 1 + random.random.below(366), sortOrder: Double(random.random.below(1000)) / 7),
                content: try random.content(), version: random.random.below(1 << 40),
                modifiedAt: Timestamp(milliseconds: Int64(random.random.below(1 << 41))),
                modifiedBy: random.text())
            #expect(try Item(Self.encoded { $0.encode(item) }) == item)
        }
        let header = try Self.trip().header
        #expect(try TripHeader(Self.encoded { $0.encode(header) }) == header)
    }

    @Test func `every snapshot comes back as it was, problems too`() throws {
        let trip = try Self.trip()
        #expect(trip.problems.count == 2)
        let snapshot = Snapshot(trip: trip, epoch: "e-1", problems: trip.problems)
        let node = try Self.encoded { json in
            json.beginObject()
            json.encodeMembers(of: snapshot)
            json.endObject()
        }
        #expect(try Snapshot(result: node) == snapshot)
        #expect(node.members.map(\.key) == ["trip", "epoch", "version", "items", "problems"])
        let problem = try #require(node["problems"]?.elements.first { _ in true })
        #expect(problem.members.map(\.key) == ["kind", "items", "day", "message"])
    }

    @Test func `every notification comes back as it was`() throws {
        let trip = try Self.trip()
        let id = trip.header.id
        let snapshot = Snapshot(trip: trip, epoch: "e", problems: trip.problems)
        let cause = Cause(user: "Ann", clientID: ClientID(high: 3, low: 4), method: "item.move")
        let users = [
            PresentUser(
                connectionID: 1, user: "Ann", role: .editor, dragging: ItemID(high: 0, low: 3),
                over: .end(day: 2)),
            PresentUser(connectionID: 2, user: "Bob", role: .viewer, dragging: nil, over: nil),
            PresentUser(
                connectionID: 3, user: "\"", role: .editor, dragging: ItemID(high: 0, low: 4), over: nil),
        ]
        var all: [TripProtocol.Notification] = [
            .snapshot(snapshot, previous: 0, skipped: 0, cause: nil),
            .snapshot(snapshot, previous: 7, skipped: 3, cause: cause),
            .presence(id, users), .presence(id, []), .tripDeleted(id),
        ]
        for end in [DragEnd.expired, .itemRemoved, .tripDeleted] {
            all.append(.dragEnded(DragID("d"), item: ItemID(high: 0, low: 1), reason: end))
        }
        for reason in [
            GoodbyeReason.shuttingDown, .slowConsumer, .badLines, .handshakeTimeout, .accessChanged,
        ] {
            all.append(.goodbye(reason))
        }
        for notification in all {
            let line = notification.line()
            #expect(line.firstIndex(of: UInt8(ascii: "\n")) == line.count - 1)
            let root = try JSONDocument(parsing: line).root
            #expect(root["id"] == nil)
            #expect(root["jsonrpc"]?.string == "2.0")
            guard case .notification(let back) = try IncomingMessage(line: line) else {
                Issue.record("a notification")
                continue
            }
            #expect(back == notification)
        }
    }

    @Test func `words of the wire`() {
        #expect(
            [DragEnd.expired, .itemRemoved, .tripDeleted].map(\.rawValue) == [
                "expired", "item_removed", "trip_deleted",
            ])
        #expect(
            [GoodbyeReason.shuttingDown, .slowConsumer, .badLines, .handshakeTimeout, .accessChanged].map(
                \.rawValue)
                == ["shutting_down", "slow_consumer", "bad_lines", "handshake_timeout", "access_changed"])
        let methods = [
            "ping", "hello", "trip.create", "trip.list", "trip.get", "trip.update", "trip.delete",
            "trip.subscribe",
            "trip.unsubscribe", "trip.sync", "trip.apply", "item.add", "item.move", "item.update",
            "item.remove",
            "item.gaps", "drag.begin", "drag.hover", "drag.drop", "drag.cancel", "batch.open",
            "batch.add", "batch.commit", "batch.drop", "session.focus", "session.restrict", "daemon.stats",
            "daemon.shutdown",
        ]
        for method in methods { #expect(Method(rawValue: method) != nil, "\(method)") }
    }

    @Test func `welcome comes back as it was`() throws {
        let welcome = Welcome(
            version: .current, serverProcess: 7, clientID: ClientID(high: 1, low: 1), connectionID: 3,
            user: "Vic", access: .viewer, isVerified: true, durability: "relaxed")
        let line = ServerLine.welcome(.number(1), welcome, capabilities: ["snapshot", "delta"])
        guard case .reply(.number(1)?, .success(let result)) = try IncomingMessage(line: line) else {
            Issue.record("a reply")
            return
        }
        #expect(try Welcome(result: result) == welcome)
        #expect(result["capabilities"]?.elements.map(\.string) == ["snapshot", "delta"])
    }

    @Test func `a notification of a newer minor version is unknown, not an error`() throws {
        for text in [
            #"{"jsonrpc":"2.0","method":"trip.confetti","params":{}}"#,
            #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"tired"}}"#,
        ] {
            guard case .unknown = try IncomingMessage(line: Array(text.utf8)) else {
                Issue.record("unknown: \(text)")
                continue
            }
        }
        #expect(throws: WireError.self) {
            try IncomingMessage(line: Array(#"{"jsonrpc":"2.0","id":1}"#.utf8))
        }
        #expect(throws: WireError.self) { try IncomingMessage(line: Array("garbage".utf8)) }
    }
}
