import JSONLine
import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripServer

/// The updates for a delta client, however far it is behind.
@Suite struct DeltaTests {
    /// Sends a reader the next update as the server would, and checks its size.
    private static func catchUp(
        _ reader: inout DeltaReader, with durable: inout TripCore, _ pace: DurableState.Pace
    ) throws {
        let from = reader.version
        guard from < durable.durable.version else { return }
        let size = durable.snapshotMembers().bytes.count
        switch durable.update(since: from, .delta, pace) {
        case .none: Issue.record("there is news")
        case .snapshot:
            try reader.take(snapshot: snapshot(&durable))
        case .deltas(let pieces):
            let bytes = pieces.reduce(0) { $0 + $1.bytes.count }
            let lines = pieces.flatMap(Self.lines)
            #expect(lines.count == 1 || bytes <= DeltaLines.maximumBytes)
            if lines.count > 1, pace != .keepsUp {
                #expect(
                    pace == .lags && lines.count <= DurableState.Pace.few && bytes <= Connection.writeWindow)
            }
            for line in lines {
                try reader.apply(delta: try #require(Line(line).params))
            }
            // Only a single step's delta may be larger than the state that it leads to.
            if lines.count == 1, reader.version > from + 1 { #expect(bytes <= size + 64) }
        }
    }

    fileprivate static func lines(_ piece: SharedBytes) -> [[UInt8]] {
        piece.bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
    }

    private static func snapshot(_ durable: inout TripCore) throws -> JSONNode {
        try JSONDocument(parsing: Array("{".utf8) + durable.snapshotMembers().bytes + Array("}".utf8)).root
    }

    /// Starts again with the reader's state, as after a lost connection.
    private static func resume(_ reader: inout DeltaReader, with durable: inout TripCore) throws {
        let since = Since(epoch: reader.epoch, version: reader.version)
        switch durable.resumption(for: Subscribe(trip: .slug("t"), mode: .delta, since: since)) {
        case .upToDate: #expect(reader.version == durable.durable.version)
        case .delta(let members):
            #expect(members.bytes.count <= durable.snapshotMembers().bytes.count)
            try reader.apply(
                delta: try JSONDocument(parsing: Array("{".utf8) + members.bytes + Array("}".utf8)).root)
        case .snapshot(let reason):
            #expect(reason == .behind)
            try reader.take(snapshot: snapshot(&durable))
        }
    }

    /// Few ids, so that items are removed and return, and changes of all fields of a trip.
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `delta and snapshot readers converge, whatever happens and however they lag`(_ seed: UInt64)
        throws
    {
        var history = try RandomHistory(seed: seed)
        var random = SplitMix64(seed: seed ^ 0xDE17A)
        history.core.room.readDeltas([1])
        history.storesAtOnce = false
        var readers = [DeltaReader](repeating: DeltaReader(), count: 6)
        for index in readers.indices {
            try readers[index].take(snapshot: Self.snapshot(&history.core))
        }
        // From a reader that is updated after every step to a reader that rarely reads.
        let diligence = [100, 70, 40, 20, 7, 2]
        for _ in 0..<150 {
            for _ in 0..<(random.chance(80) ? 1 + random.below(3) : random.below(30)) { history.step() }
            if random.chance(10) { history.core.room.readDeltas(random.chance(30) ? [] : [1]) }
            history.store()
            for index in readers.indices where random.chance(diligence[index]) {
                if random.chance(15) {
                    try Self.resume(&readers[index], with: &history.core)
                } else {
                    try Self.catchUp(
                        &readers[index], with: &history.core,
                        random.chance(20) ? .wantsOne : index == 0 ? .keepsUp : .lags)
                }
                let whole = String(decoding: history.core.snapshotMembers().bytes, as: UTF8.self)
                #expect(readers[index].shown == whole, "seed \(seed), reader \(index)")
            }
        }
        let counts = readers.map(\.counts)
        #expect(counts[0].steps > 20 && counts[0].merged > 0, "\(counts)")
        #expect(counts[3].merged + counts[3].snapshots > 5, "\(counts)")
    }

    /// A trip of this many items, and changes of them.
    private struct Filled {
        var core: TripCore
        private var number = 0

        init(items: Int, note: String? = nil) throws {
            let header = TripHeader(
                id: TripID(high: 0, low: 9), slug: "t", name: "T",
                startDate: try #require(CalendarDate("2026-06-11")), timeZone: "UTC", dayCount: 3)
            let edits = (1...items).map {
                Edit.add(Self.item($0), .custom(CustomItem(title: "c", note: note)), to: .end(day: 1))
            }
            let author = Author(name: "u", at: Timestamp(milliseconds: 0))
            core = TripCore(durable: try Trip.create(header, edits: edits, by: author), epoch: "e")
            core.room.readDeltas([1])
        }

        static func item(_ number: Int) -> ItemID { ItemID(high: 0, low: UInt64(number)) }

        mutating func change(_ edits: [Edit], isStored: Bool = true) {
            number += 1
            let client = ClientID(high: 0, low: 1)
            _ = core.change(
                ChangeCommand(
                    method: .apply, edits: edits, options: ChangeOptions(),
                    principal: Principal(connection: 1, user: "u", client: client, access: .editor),
                    ticket: Ticket(connection: 1, number: number, request: nil), fingerprint: 0,
                    takenSlugs: [], at: Timestamp(milliseconds: 1)))
            if isStored { _ = core.stored(upTo: core.trip.version, now: .zero) }
        }

        /// The versions of a reader that starts at `from`; nil for a snapshot.
        mutating func received(from: Int, _ pace: DurableState.Pace = .lags) throws -> [Int]? {
            switch core.update(since: from, .delta, pace) {
            case .snapshot: nil
            case .none: []
            case .deltas(let pieces):
                try pieces.flatMap(DeltaTests.lines).map { try Line($0).version ?? 0 }
            }
        }
    }

    @Test func `a few deltas are sent separately, more are merged, and after a drag all are merged`() throws {
        var trip = try Filled(items: 50)
        for number in 1...20 { trip.change([.update(Filled.item(number), [.title("t\(number)")])]) }
        #expect(try trip.received(from: 20) == [21])
        #expect(try trip.received(from: 13) == Array(14...21))
        #expect(try trip.received(from: 12) == [21])
        #expect(try trip.received(from: 19, .wantsOne) == [21])
        #expect(try trip.received(from: 1) == [21])
        #expect(try trip.received(from: 1, .keepsUp) == Array(2...21))
        #expect(try trip.received(from: 0) == nil, "nothing leads on from there")
    }

    @Test func `a delta that was never sent separately can still be merged`() throws {
        var trip = try Filled(items: 50)
        trip.change([.update(Filled.item(1), [.title("a")])])
        trip.core.room.readDeltas([])
        trip.change([.update(Filled.item(2), [.title("b")])])
        trip.core.room.readDeltas([1])
        trip.change([.update(Filled.item(3), [.title("d")])])
        #expect(try trip.received(from: 3) == [4])
        #expect(try trip.received(from: 2) == [4])
        #expect(try trip.received(from: 1) == [4])
        #expect(try trip.received(from: 1, .keepsUp) == [4])
    }

    @Test func `a snapshot is sent if a delta would be larger`() throws {
        var trip = try Filled(items: 40)
        // Removed items are named one by one, and few items remain.
        for number in 1...39 { trip.change([.remove(Filled.item(number))]) }
        #expect(try trip.received(from: 1) == nil)
        #expect(try trip.received(from: 39) == [40], "the last step alone is what it is")
        let since = Subscribe(trip: .slug("t"), mode: .delta, since: Since(epoch: "e", version: 1))
        guard case .snapshot(.behind) = trip.core.resumption(for: since) else {
            Issue.record("a subscription too")
            return
        }
        for number in 1...39 {
            trip.change([.add(Filled.item(number), .custom(CustomItem(title: "c")), to: nil)])
        }
        #expect(try trip.received(from: 60) == [79], "half of the items are less than all")
        trip.change((1...40).map { .update(Filled.item($0), [.note("n")]) })
        trip.change([.update(Filled.item(1), [.title("z")])])
        #expect(
            try trip.received(from: 78, .wantsOne) == nil,
            "every item, and more around them than a snapshot has")
    }

    @Test func `a lagging reader gets at most one window of lines, and the log caches four windows`()
        throws
    {
        var trip = try Filled(items: 60, note: String(repeating: "n", count: 16_000))
        // Five items of 16 kB a step: three steps are within 256 KiB, four are not; twelve are within a mebibyte.
        for number in 0..<20 {
            trip.change((1...5).map { .update(Filled.item($0), [.title("t\(number)")]) })
        }
        #expect(try trip.received(from: 18) == [19, 20, 21])
        #expect(try trip.received(from: 17) == [21])
        #expect(try trip.received(from: 9, .keepsUp) == Array(10...21))
        #expect(try trip.received(from: 8, .keepsUp) == [21])
        trip.core.durable.dropLines()
        #expect(try trip.received(from: 18) == [21])
    }

    @Test func `the lines of the last versions are cached, within a limit of bytes`() {
        var (lines, groups) = (DeltaLines(), [[Int]]())
        var random = SplitMix64(seed: 5)
        for _ in 2...3000 {
            let group = (0...random.below(3)).map { _ in
                [1, 400, 100_000, DeltaLines.maximumBytes, DeltaLines.maximumBytes + 1][
                    random.below(random.chance(90) ? 2 : 5)]
            }
            var encoded: [[UInt8]?] = group.map { [UInt8](repeating: 0, count: $0) }
            let isCached = !random.chance(1) && group.reduce(0, +) <= DeltaLines.maximumBytes
            if !isCached, group.reduce(0, +) <= DeltaLines.maximumBytes {
                encoded[random.below(group.count)] = nil
            }
            lines.append(encoded)
            groups = isCached ? groups + [group] : []
            let cached = groups.suffix(lines.pieces.count)
            #expect(lines.pieces.map(\.count) == cached.map(\.count))
            #expect(lines.pieces.map(\.lines.bytes.count) == cached.map { $0.reduce(0, +) })
            #expect(lines.byteCount == cached.joined().reduce(0, +))
            #expect(lines.byteCount <= DeltaLines.maximumBytes && cached.count <= 1024)
            if let next = groups.dropLast(cached.count).last {
                #expect(
                    cached.count == 1024 || lines.byteCount + next.reduce(0, +) > DeltaLines.maximumBytes)
            }
            let count = cached.reduce(0) { $0 + $1.count }
            #expect(lines.last(count + 1, of: .max) == nil && lines.last(0, of: .max) == nil)
            #expect(lines.last(count, of: .max)?.count == (count == 0 ? nil : cached.count))
            if let last = cached.last, last.count > 1 {
                #expect(lines.last(1, of: .max) == nil, "nobody has seen a part of a piece")
            }
        }
    }

    @Test func `no encoded item is smaller than the minimum used to compare delta sizes`() {
        let shortest = Item(
            id: Filled.item(1), position: Position(day: 1, sortOrder: 1),
            content: .custom(CustomItem(title: "c")), version: 1, modifiedAt: Timestamp(milliseconds: 0),
            modifiedBy: "u")
        #expect(shortest.encoded().count >= DurableState.leastItemBytes)
        #expect(shortest.encoded().count < DurableState.leastItemBytes + 20, "and it is not far below")
    }

    @Test func `when memory is returned no lines of past commits are kept, and subscribers get later ones`()
        throws
    {
        let server = try TestServer()
        let (reader, mover) = (try server.client("ann"), try server.client("bob"))
        let item = #"{"item":{"id":"\#(id(100))","kind":"custom","title":"x"}}"#
        try mover.makeTrip("t", items: item)
        var holder = DeltaReader()
        try holder.take(snapshot: try #require(try reader.subscribe("t", #","mode":"delta""#)["snapshot"]))
        func rename(_ title: String) throws {
            try mover.result("item.update", #"{"trip":"t","item":"\#(id(100))","set":{"title":"\#(title)"}}"#)
            try holder.apply(delta: try #require(reader.next("trip.delta").params))
        }
        func hasLine() throws -> Bool? {
            try server.ask { server in
                server.directory.find(.slug("t")).flatMap { server.servedTrip($0.id) }?
                    .read { $0.durable.lastLines != nil }
            }
        }
        try rename("y")
        #expect(try hasLine() == true)
        try server.ask { $0.returnMemory() }
        #expect(try hasLine() == false)
        try rename("z")
        let whole = try mover.result("trip.get", #"{"trip":"t"}"#).text
        #expect("{" + holder.shown + "}" == whole)
    }

    /// A delta client that stops reading, beside a reading one and a snapshot client.
    @Test func `a reader that has stopped gets merged deltas, and converges with the others`() throws {
        let server = try TestServer()
        let (stopped, reader, mover) = (
            try server.client("ann"), try server.client("bob"), try server.client("carl")
        )
        let note = String(repeating: "n", count: 4000)
        let items = (0..<400).map {
            #"{"item":{"id":"\#(id(100 + $0))","kind":"custom","title":"x","note":"\#(note)"}}"#
        }
        // Two lines of the longest allowed request.
        try mover.makeTrip("t", items: items.prefix(200).joined(separator: ","))
        try mover.result(
            "trip.apply",
            #"{"trip":"t","ops":[\#(items[200..<300].map { #"{"op":"add","# + $0.dropFirst() }.joined(separator: ","))]}"#
        )
        var holders = [DeltaReader(), DeltaReader()]
        for (index, client) in [stopped, reader].enumerated() {
            try holders[index].take(
                snapshot: try #require(try client.subscribe("t", #","mode":"delta""#)["snapshot"]))
        }
        // Far more bytes than a socket and its buffer accept, for a tenth of the items.
        let count = 250
        for number in 0..<count {
            try mover.result(
                "item.update",
                #"{"trip":"t","item":"\#(id(100 + number % 30))","set":{"title":"\#(number)"}}"#)
            let delta = try reader.next("trip.delta")
            #expect(delta.version == 3 + number)
            try holders[1].apply(delta: try #require(delta.params))
        }
        var lines = 0
        while holders[0].version < 2 + count {
            try holders[0].apply(delta: try #require(stopped.next("trip.delta").params))
            lines += 1
        }
        // The first of them were already sent; with one queue entry for each line the rest would still be kept.
        #expect(lines < 200, "\(lines) lines")
        let whole = try mover.result("trip.get", #"{"trip":"t"}"#).text
        for holder in holders { #expect("{" + holder.shown + "}" == whole) }
    }
}

extension Room {
    /// Makes these connections the readers of deltas.
    fileprivate mutating func readDeltas(_ readers: [ConnectionID]) {
        for connection in connections { leave(connection) }
        for connection in readers {
            let reader = Principal(
                connection: connection, user: "r", client: ClientID(high: 0, low: 1), access: .viewer)
            enter(reader, readingDeltas: true, at: .zero)
        }
    }
}
