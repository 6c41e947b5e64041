import JSONLine
import Testing
import TripModel

@testable import TripProtocol

/// Answers encoded by the daemon and decoded by a client.
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

    @Test func `every item, moved or not, and every header is decoded as it was encoded`() throws {
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
            let moved = item.moved(
                to: Position(day: 3, sortOrder: 1.5), version: item.version + 1,
                by: Author(name: random.text(), at: Timestamp(milliseconds: 7)))
            for item in [item, moved] {
                var json = JSONWriter()
                json.encode(item, withSaid: false)
                #expect(item.encoded() == json.take())
            }
        }
        let header = try Self.trip().header
        #expect(try TripHeader(Self.encoded { $0.encode(header) }) == header)
    }

    @Test func `every snapshot is decoded as it was encoded, with its problems`() throws {
        let trip = try Self.trip()
        #expect(trip.problems.count == 2)
        let snapshot = Snapshot(trip: trip, epoch: "e-1", problems: trip.problems)
        let line = ServerLine.answer(.number(7)).around(Self.members(of: snapshot))
        guard case .reply(.number(7)?, .success(let node)) = try IncomingMessage(line: line) else {
            Issue.record("a reply")
            return
        }
        #expect(try Snapshot(result: node) == snapshot)
        #expect(node.members.map(\.key) == ["trip", "epoch", "version", "items", "problems"])
        let problem = try #require(node["problems"]?.elements.first { _ in true })
        #expect(problem.members.map(\.key) == ["kind", "key", "items", "day", "message"])
    }

    @Test func `every notification is decoded as it was encoded`() throws {
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
                connectionID: 3, user: "\"", role: .editor, dragging: ItemID(high: 0, low: 4), over: nil,
                focus: .item(ItemID(high: 0, low: 5))),
            PresentUser(
                connectionID: 4, user: "Cy", role: .editor, dragging: nil, over: nil, focus: .day(2)),
        ]
        let members = Self.members(of: snapshot)
        var all: [(TripProtocol.TripNotification, [UInt8])] = [
            (
                .snapshot(snapshot, previous: 0, skipped: 0, cause: nil),
                ServerLine.snapshot(previous: 0, skipped: 0, cause: nil).around(members)
            ),
            (
                .snapshot(snapshot, previous: 7, skipped: 3, cause: cause),
                ServerLine.snapshot(previous: 7, skipped: 3, reason: .behind, cause: cause).around(members)
            ),
            (.presence(id, users), ServerLine.presence(id, users)),
            (.presence(id, []), ServerLine.presence(id, [])),
            (.tripDeleted(id), ServerLine.tripDeleted(id)),
        ]
        for end in [DragEnd.expired, .itemRemoved, .tripDeleted] {
            let (drag, item) = (DragID("d"), ItemID(high: 0, low: 1))
            all.append(
                (
                    .dragEnded(drag, item: item, reason: end),
                    ServerLine.dragEnded(drag, item: item, reason: end)
                ))
        }
        for reason in [
            GoodbyeReason.shuttingDown, .slowConsumer, .badLines, .handshakeTimeout, .accessChanged,
        ] {
            all.append((.goodbye(reason), ServerLine.goodbye(reason)))
        }
        for (notification, line) in all {
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

    @Test func `every delta is decoded as it was encoded, alone, merged and in a subscription`() throws {
        let trip = try Self.trip()
        let deltas = [
            TripDelta(trip: trip.header.id, epoch: "e", from: 1, version: 2),
            TripDelta(
                trip: trip.header.id, epoch: "e", from: 1, version: 9,
                cause: Cause(user: "Ann", clientID: ClientID(high: 3, low: 4), method: "item.move"),
                header: trip.header, upserts: Array(trip.items), removed: [ItemID(high: 9, low: 9)],
                problems: trip.problems),
        ]
        for delta in deltas {
            // Removed items have no bytes and are not listed among the others.
            let encoded = EncodedDelta(
                identity: EncodedDelta.identity(delta.trip, epoch: delta.epoch), from: delta.from,
                version: delta.version, cause: delta.cause?.encoded(), header: delta.header,
                upserts: [[]] + delta.upserts.map { $0.encoded() },
                removed: delta.removed, problems: delta.problems.map(Problem.encoded))
            #expect(ServerLine.delta(members: encoded.members()) == encoded.line())
            guard case .delta(let back) = try IncomingMessage(line: encoded.line()) else {
                Issue.record("a delta")
                continue
            }
            #expect(back == delta)
            let users = [PresentUser(connectionID: 1, user: "A", role: .viewer, dragging: nil, over: nil)]
            let line = ServerLine.subscriptionWithDelta(.string("s"), users).around(encoded.members())
            let subscription = try Subscription(result: Self.result(of: line))
            #expect(subscription.start == .delta(delta))
            #expect(subscription.users == users)
        }
    }

    @Test func `every first state of a subscription is decoded as it was encoded`() throws {
        let trip = try Self.trip()
        let snapshot = Snapshot(trip: trip, epoch: "e", problems: trip.problems)
        let upToDate = try Subscription(
            result: Self.result(of: ServerLine.subscriptionUpToDate(.number(1), [])))
        #expect(upToDate.start == .upToDate)
        for reason in [nil, SnapshotReason.behind, .ahead, .epochChanged] {
            let line = ServerLine.subscriptionWithSnapshot(.number(1), because: reason, [])
            let result = try Self.result(of: line.around(Self.members(of: snapshot)))
            #expect(try Subscription(result: result).start == .snapshot(snapshot))
            #expect(result["reason"]?.string == reason?.rawValue)
        }
    }

    @Test func `every answer to a change is decoded as it was encoded`() throws {
        let trip = try Self.trip()
        let items = Array(trip.items)
        let bytes = items.map { $0.encoded() }
        func read(_ body: EncodedChange.Body, isNoop: Bool = false) throws -> ChangeResult {
            let change = EncodedChange(version: 5, isNoop: isNoop, body: body, respacedDays: [2])
            let line = ServerLine.reply(.number(1), encoded: change.result())
            let result = try ChangeResult(result: Self.result(of: line))
            #expect(result.version == 5 && result.isNoop == isNoop && !result.isRepeated)
            return result
        }
        #expect(try read(.nothing).items == [])
        #expect(try read(.item(bytes[0]), isNoop: true).items == [items[0]])
        #expect(try read(.item(nil)).items == [])
        #expect(try read(.items(bytes)).items == items)
        let back = try read(.reversed(summary: "moved “c”", bytes))
        #expect(back.summary == "moved “c”" && back.items == items)
        let header = try read(.trip(trip.header, moved: bytes))
        #expect(header.header == trip.header && header.moved == items)
        let again = try ChangeResult(
            result: JSONDocument(parsing: EncodedChange.repeated(version: 3)).root)
        #expect(again.isRepeated && again.version == 3)
    }

    @Test func `the list, a drag and a batch are decoded as they were encoded`() throws {
        let header = try Self.trip().header
        let rows = [nil, Access.viewer].map {
            TripSummary(header: header, version: 3, itemCount: 4, subscribers: 5, state: .usable, access: $0)
        }
        for rows in [[], rows] {
            let line = ServerLine.tripList(.number(1)).around(TripSummary.encoded(rows))
            #expect(try TripSummary.list(result: Self.result(of: line)) == rows)
        }
        let start = DragStart(drag: DragID("k-1"), leaseMilliseconds: 15_000, version: 7)
        for report in [nil, try Self.trip().gaps(for: ItemID(high: 0, low: 3))] {
            let result = try Self.result(
                of: ServerLine.answer(.number(1)).around(start.encodedMembers(with: report)))
            #expect(try DragStart(result: result) == start)
            #expect(result["gaps"]?.count == report?.gaps.count)
        }
        let batch = BatchID("b-1")
        #expect(try BatchID(result: Self.result(of: ServerLine.batch(.number(1), batch))) == batch)
    }

    private static func result(of line: [UInt8]) throws -> JSONNode {
        guard case .reply(_, .success(let result)) = try IncomingMessage(line: line) else {
            throw WireError(.internalError, "no reply")
        }
        return result
    }

    private static func members(of snapshot: Snapshot) -> [UInt8] {
        snapshot.trip.snapshotMembers(
            epoch: snapshot.epoch, problems: Problem.encoded(snapshot.problems))
    }

    @Test func `enums have their protocol names`() {
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

    @Test func `welcome is decoded as it was encoded`() throws {
        let welcome = Welcome(
            version: .current, serverProcess: 7, clientID: ClientID(high: 1, low: 1), connectionID: 3,
            user: "Vic", access: .viewer, isVerified: true, durability: .relaxed)
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

    @Test(arguments: [
        ("ops[0].todo", "ops[0].todo: it is gone", "it is gone"),
        ("set.cost", "set.cost: no amount", "cost: no amount"),
        ("slug", "another trip has it", "another trip has it"),
    ])
    func `the sentence of a refusal names no path of the request`(
        field: String, message: String, sentence: String
    ) {
        let error = RemoteError(
            code: -32011, reason: "r", message: message, data: Array(#"{"field":"\#(field)"}"#.utf8))
        #expect(error.sentence == sentence)
    }

    @Test func `an error has the data of its refusal`() {
        func error(_ data: String) -> RemoteError {
            RemoteError(code: -32011, reason: "r", message: "m", data: Array(data.utf8))
        }
        let whole = error(
            #"{"reason":"r","opIndex":3,"field":"set.time","by":"bob","validDays":[2,4],"max":200,"dropped":true}"#
        )
        #expect(
            whole.opIndex == 3 && whole.field == "set.time" && whole.by == "bob" && whole.validDays == 2...4)
        #expect(whole.max == 200 && whole.dropped)
        for other in [
            error("{}"), error(#"{"opIndex":"3","validDays":[4,2],"dropped":1}"#), error("no JSON"),
        ] {
            #expect(other.opIndex == nil && other.field == nil && other.by == nil && other.validDays == nil)
            #expect(other.max == nil && !other.dropped)
        }
    }
}
