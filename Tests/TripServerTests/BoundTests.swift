import JSONLine
import LocalSystem
import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripJournal
@testable import TripMaintenance
@testable import TripServer

/// The kept history of a trip is limited in bytes, and a dropped answer never causes a second application.
@Suite struct BoundTests {
    private static func client(_ number: Int) -> ClientID { ClientID(high: 9, low: UInt64(number)) }

    private static func answer(_ seq: Int, version: Int, bytes: Int) -> RetryTable.Answer {
        .init(seq: seq, fingerprint: 7, version: version, .result([UInt8](repeating: 0x20, count: bytes)))
    }

    // MARK: Answers

    @Test func `the oldest answers are evicted beyond the size limit, and their changes stay known`() {
        var table = RetryTable()
        let bytes = 100_000
        for version in 1...400 {
            table.cache(
                Self.answer(version / 4 + 1, version: version, bytes: bytes), of: Self.client(version % 4))
            #expect(table.byteCount - table.lastByteCount <= RetryTable.maximumBytes)
            func size(_ answers: some Sequence<RetryTable.Answer>) -> Int {
                answers.reduce(0) { $0 + $1.result.count + 64 }
            }
            #expect(table.byteCount == size(table.clients.values.flatMap(\.answers)))
            #expect(table.lastByteCount == size(table.clients.values.compactMap(\.answers.last)))
        }
        #expect(table.byteCount > RetryTable.maximumBytes / 2, "no more goes than must")
        for number in 0..<4 {
            let kept = table.clients[Self.client(number)]?.answers ?? []
            #expect(kept.count > 10)
            let first = kept.first?.seq ?? 0
            let version = (first - 2) * 4 + number
            #expect(
                table.verdict(client: Self.client(number), seq: first - 1, fingerprint: 7)
                    == .applied(version: version))
            #expect(table.verdict(client: Self.client(number), seq: first, fingerprint: 8) == .reused)
            #expect(table.verdict(client: Self.client(number), seq: 102, fingerprint: 7) == .new)
        }
    }

    @Test func `an answer that is too long is shortened, and the oldest answers are evicted for long ones`() {
        var table = RetryTable()
        let (most, count) = (RetryTable.maximumAnswerBytes, 10)
        table.cache(Self.answer(1, version: 1, bytes: 10), of: Self.client(1))
        table.cache(Self.answer(2, version: 2, bytes: 10), of: Self.client(1))
        for seq in 5..<5 + count {
            table.cache(Self.answer(seq, version: seq - 2, bytes: most), of: Self.client(2))
        }
        #expect(table.byteCount - table.lastByteCount <= RetryTable.maximumBytes)
        #expect(table.verdict(client: Self.client(1), seq: 1, fingerprint: 7) == .applied(version: 1))
        #expect(table.verdict(client: Self.client(1), seq: 2, fingerprint: 8) == .reused, "its last one")
        #expect(table.verdict(client: Self.client(2), seq: 4 + count, fingerprint: 8) == .reused)
        table.cache(Self.answer(1, version: 99, bytes: most + 1), of: Self.client(3))
        #expect(
            table.verdict(client: Self.client(3), seq: 1, fingerprint: 7)
                == .again(result: EncodedChange.repeated(version: 99), version: 99))
    }

    @Test func `the answers of inactive clients are evicted first, then their numbers`() {
        var table = RetryTable()
        let count = RetryTable.maximumClients + RetryTable.maximumKnownClients + 100
        for number in 1...count {
            table.cache(Self.answer(3, version: number, bytes: 1), of: Self.client(number))
            if number % 64 == 0 {
                #expect(table.clients.values.count { !$0.answers.isEmpty } <= RetryTable.maximumClients)
            }
        }
        func verdict(_ number: Int) -> RetryTable.Verdict {
            table.verdict(client: Self.client(number), seq: 3, fingerprint: 8)
        }
        #expect(verdict(count) == .reused)
        #expect(verdict(count - RetryTable.maximumClients / 8 * 7 + 1) == .reused)
        for silent in [RetryTable.maximumClients, RetryTable.maximumKnownClients / 2 - 1] {
            #expect(verdict(count - silent) == .applied(version: count - silent))
        }
        #expect(verdict(1) == .new)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `the last answer of a client survives other clients' changes`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var table = RetryTable()
        var lastSeq: [Int: Int] = [:]
        for version in 1...400 {
            // Some clients are active, and most make one change.
            let client = random.chance(3) ? 100 + random.below(40) : random.below(3)
            let bytes = random.below(10) < 3 ? RetryTable.maximumAnswerBytes : random.below(200_000)
            lastSeq[client, default: 0] += 1
            table.cache(
                Self.answer(lastSeq[client, default: 0], version: version, bytes: bytes),
                of: Self.client(client))
            for (client, seq) in lastSeq {
                #expect(table.verdict(client: Self.client(client), seq: seq, fingerprint: 8) == .reused)
            }
            #expect(table.byteCount - table.lastByteCount <= RetryTable.maximumBytes)
        }
    }

    @Test func `the size of all clients' last answers is bounded, and inactive clients lose theirs first`() {
        var table = RetryTable()
        let count = RetryTable.maximumLastBytes / RetryTable.maximumAnswerBytes * 2
        for number in 1...count {
            table.cache(
                Self.answer(1, version: number, bytes: RetryTable.maximumAnswerBytes),
                of: Self.client(number))
            #expect(table.lastByteCount <= RetryTable.maximumLastBytes)
            #expect(table.byteCount == table.lastByteCount)
        }
        let kept = (1...count).filter {
            table.verdict(client: Self.client($0), seq: 1, fingerprint: 8) == .reused
        }
        #expect(kept == Array((count - kept.count + 1)...count))
        #expect(kept.count > RetryTable.maximumLastBytes / RetryTable.maximumAnswerBytes * 3 / 4)
    }

    @Test func `a client's last answer survives large answers of others, a restart and a compaction`()
        throws
    {
        let directory = try TemporaryDirectory()
        let change = #"{"trip":"t","item":"\#(id(4))","set":{"title":"x"},"seq":1}"#
        func ann(_ server: TestServer) throws -> String {
            try server.client("ann", client: id(900)).result("item.update", change).text
        }
        let server = try TestServer(in: directory)
        let bob = try server.client("bob", client: id(901))
        try bob.makeTrip("t", id: 91)
        let answer = try ann(server)
        let note = String(repeating: "n", count: 16_000)
        for round in 0..<12 {
            let ops = (0..<58).map {
                #"{"op":"add","item":{"id":"\#(id(1000 + 58 * round + $0))","kind":"custom","title":"x","note":"\#(note)"}}"#
            }
            try bob.result(
                "trip.apply", #"{"trip":"t","seq":\#(round + 1),"ops":[\#(ops.joined(separator: ","))]}"#)
        }
        #expect(try ann(server) == answer)
        server.stopInOrder()
        try FileManagerFree.remove(directory.path + "/s")
        let next = try TestServer(in: directory)
        #expect(try ann(next) == answer)
        next.stopInOrder()
        let reading = try DataDirectory(directory.path).read(try #require(TripID(id(91))))
        let replay = try TripReplay(OpenedJournal(try #require(reading.scan.contents), in: reading.bytes))
        let compacted = try TripSnapshot(replay.snapshot.encoded())
        let kept = compacted.retries.clients[try #require(ClientID(id(900)))]?.answers
        #expect(kept?.map { String(decoding: $0.result, as: UTF8.self) } == [answer])
    }

    // MARK: Undo and history

    private static func trip() throws -> Trip {
        let header = TripHeader(
            id: TripID(high: 0, low: 9), slug: "t", name: "T",
            startDate: try #require(CalendarDate("2026-06-11")), timeZone: "UTC", dayCount: 2)
        let edits = (1...5).map {
            Edit.add(ItemID(high: 0, low: $0), .custom(CustomItem(title: "c")), to: .end(day: 1))
        }
        return try Trip.create(header, edits: edits, by: Author(name: "u", at: Timestamp(milliseconds: 0)))
    }

    /// Changes notes in a trip, by several clients in turn.
    private static func history(
        _ count: Int, clients: Int, note bytes: Int, in log: inout EditLog, check: (EditLog) -> Void
    ) throws -> Trip {
        var trip = try trip()
        let author = Author(name: "u", at: Timestamp(milliseconds: 0))
        for number in 1...count {
            let note = String(number) + String(repeating: "n", count: bytes)
            let commit = try trip.apply(
                [.update(ItemID(high: 0, low: UInt64(1 + number % 5)), [.note(note)])], by: author,
                guardedBy: EditGuard())
            log.record(commit, by: client(number % clients))
            check(log)
        }
        return trip
    }

    /// The number of changes that a client can undo in succession.
    private static func depth(of client: ClientID, in log: EditLog) -> Int {
        var log = log
        var depth = 0
        while log.stacks[client]?.next(.undo) != nil {
            log.discard(.undo, of: client)
            depth += 1
        }
        return depth
    }

    @Test func `100 changes of the largest note can be undone, and a client's memory is bounded`() throws {
        var log = EditLog()
        let limit = EditLog.maximumStackBytes
        _ = try Self.history(600, clients: 1, note: 16_000, in: &log) { log in
            #expect((log.stacks[Self.client(0)]?.size ?? 0) <= limit)
            #expect(log.lineBytes <= EditLog.maximumLineBytes)
        }
        #expect(Self.depth(of: Self.client(0), in: log) >= 100)
        #expect(log.lines.count > 100)
        #expect(log.lines.last?.version == 601)
        #expect(log.lineBytes == log.lines.reduce(0) { $0 + $1.size })
    }

    @Test func `the number of small changes is bounded`() throws {
        var log = EditLog()
        _ = try Self.history(2500, clients: 1, note: 1, in: &log) { _ in }
        #expect(Self.depth(of: Self.client(0), in: log) >= EditLog.depth)
        #expect(Self.depth(of: Self.client(0), in: log) <= 2 * EditLog.depth)
        #expect(log.lines.count >= EditLog.maximumLines)
        #expect(log.lines.count < EditLog.maximumLines + EditLog.lineBlock)
    }

    @Test func `the memory of all clients is bounded, and the least recently active is evicted first`() throws
    {
        var log = EditLog()
        _ = try Self.history(3500, clients: 10, note: 16_000, in: &log) { log in
            #expect(
                (0..<10).reduce(0) { $0 + (log.stacks[Self.client($1)]?.size ?? 0) } <= EditLog.maximumBytes)
        }
        #expect(log.stacks[Self.client(0)]?.next(.undo) != nil, "it was the last")
    }

    @Test func `a change beyond every limit can still be undone, and redo entries are evicted first`()
        throws
    {
        var log = EditLog()
        var trip = try Self.trip()
        let author = Author(name: "u", at: Timestamp(milliseconds: 0))
        let note = String(repeating: "n", count: 16_000)
        func record(_ commit: Commit, _ kind: EditLog.Kind, undoes: Int? = nil) {
            log.record(commit, kind, undoes: undoes, by: Self.client(1))
        }
        func change(_ edits: [Edit]) throws {
            record(try trip.apply(edits, by: author, guardedBy: EditGuard()), .edit)
        }
        for first in stride(from: 100, to: 5_200, by: 1_700) {
            try change(
                (first..<first + 1_700).map {
                    .add(
                        ItemID(high: 0, low: UInt64($0)), .custom(CustomItem(title: "x", note: note)), to: nil
                    )
                })
        }
        #expect(Self.depth(of: Self.client(1), in: log) == 2)
        try change((100..<5_200).map { .remove(ItemID(high: 0, low: $0)) })
        #expect((log.stacks[Self.client(1)]?.size ?? 0) > EditLog.maximumStackBytes)
        #expect(Self.depth(of: Self.client(1), in: log) == 1)
        let entry = try #require(log.stacks[Self.client(1)]?.next(.undo))
        record(
            try trip.apply(reversing: entry.commit, by: author), .undo, undoes: entry.commit.version)
        #expect(Self.depth(of: Self.client(1), in: log) == 0)
        #expect(log.stacks[Self.client(1)]?.next(.redo) != nil)
        #expect(trip.itemCount == 5_105)
    }

    @Test func `a commit holds only the places of items that were re-spaced`() throws {
        var trip = try Self.trip()
        let author = Author(name: "u", at: Timestamp(milliseconds: 0))
        func id(_ number: UInt64) -> ItemID { ItemID(high: 0, low: number) }
        _ = try trip.apply(
            [.move(id(2), to: .order(1, day: 2)), .move(id(3), to: .order(1 + 1e-11, day: 2))], by: author)
        let before = trip
        let spaced = try trip.apply([.move(id(4), to: .after(id(2), day: 2))], by: author)
        #expect(spaced.changes.map(\.id) == [id(4)])
        #expect(!spaced.shifts.isEmpty && spaced.shifts.allSatisfy { $0.before == before[$0.id]?.position })
        var copy = trip
        copy.rollBack([spaced])
        #expect(copy == before)
        _ = try trip.apply(reversing: spaced, exactly: true, by: author)
        #expect(trip.items.map(\.position) == before.items.map(\.position))
    }
}
