import Testing
import TripModel
import TripProtocol

@testable import TripJournal
@testable import TripServer

/// The journal's record of a commit, and the trip that results from reading it.
@Suite struct ReplayTests {
    private static let author = Principal(
        connection: 1, user: "Zoë \"Z\"", client: ClientID(high: 7, low: 8), access: .editor)

    @Test func `a record decodes to what was encoded`() throws {
        var core = try CoreTests.Driver().core
        let item = try #require(core.trip.items.first)
        var record = CommitRecord(
            at: Timestamp(milliseconds: 1_780_000_000_123), user: "Zoë \"Z\"",
            client: ClientID(high: 7, low: 8),
            method: "item.move")
        record.retry = .init(seq: -4, fingerprint: .max, result: Array(#"{"version":2,"item":null}"#.utf8))
        record.header = core.trip.header
        record.upserts = core.trip.items
        record.moved = [(id: ItemID(high: 6, low: 6), position: Position(day: -3, sortOrder: -1e15 / 3))]
        record.placed = [(id: item.id, position: Position(day: 3, sortOrder: 0.1 + 0.2))]
        record.removed = [item.id, ItemID(high: 5, low: 5)]
        let payload = record.payload(encoded: record.upserts.map { $0.encoded() })
        #expect(!payload.contains(UInt8(ascii: "\n")))
        let back = try CommitRecord(payload: payload)
        #expect(back.at == record.at)
        #expect(back.user == record.user)
        #expect(back.client == record.client)
        #expect(back.method == record.method)
        #expect(back.creation == nil)
        #expect(back.retry?.seq == -4)
        #expect(back.retry?.fingerprint == .max)
        #expect(back.retry?.result == record.retry?.result)
        #expect(back.header == record.header)
        #expect(back.upserts == record.upserts)
        #expect(back.moved.map(\.id) == record.moved.map(\.id))
        #expect(back.moved.map(\.position) == record.moved.map(\.position))
        #expect(back.placed.map(\.id) == [item.id])
        #expect(back.placed.map(\.position) == record.placed.map(\.position))
        #expect(back.removed == record.removed)
        record.retry = nil
        record.creation = 0xABC
        record.upserts = []
        #expect(try CommitRecord(payload: record.payload(encoded: [])).creation == 0xABC)
        core.trip = core.durableTrip
    }

    @Test(arguments: [
        "{}", "[]", "", "garbage", #"{"at":"x","user":"u","clientId":"c","method":"m"}"#,
        #"{"at":"2026-06-11T19:00:00.000Z","user":"u","clientId":"00000000-0000-4000-8000-000000000001","method":"m","upserts":[{}]}"#,
        #"{"at":"2026-06-11T19:00:00.000Z","user":"u","clientId":"00000000-0000-4000-8000-000000000001","method":"m","placed":[{}]}"#,
        #"{"at":"2026-06-11T19:00:00.000Z","user":"u","clientId":"00000000-0000-4000-8000-000000000001","method":"m","moved":[{"id":"00000000-0000-4000-8000-000000000001","day":1}]}"#,
        #"{"at":"2026-06-11T19:00:00.000Z","user":"u","clientId":"00000000-0000-4000-8000-000000000001","method":"m","removed":[1]}"#,
        #"{"at":"2026-06-11T19:00:00.000Z","user":"u","clientId":"00000000-0000-4000-8000-000000000001","method":"trip.apply","seq":1,"request":"ff"}"#,
        #"{"at":"2026-06-11T19:00:00.000Z","user":"u","clientId":"00000000-0000-4000-8000-000000000001","method":"m","seq":1}"#,
    ])
    func `a payload that is not a record is refused`(_ text: String) {
        #expect(throws: RecordFailure.self) { try CommitRecord(payload: Array(text.utf8)) }
    }

    /// A record of moves with all members that the reader of moves knows.
    private static let moves: [UInt8] = {
        var record = CommitRecord(
            at: Timestamp(milliseconds: 1_780_000_000_123), user: "Zoe", client: ClientID(high: 7, low: 8),
            method: "item.move")
        record.person = PersonID(high: 3, low: 9)
        record.retry = .init(seq: -40, fingerprint: 0xABC)
        record.moved = [(id: ItemID(high: 6, low: 6), position: Position(day: 12, sortOrder: -1e14 / 3))]
        return record.payload(encoded: [])
    }()

    /// Whether the reader of moves reads a payload. If it does, the general reader must read the same.
    private static func isReadAsMoves(_ payload: [UInt8]) -> Bool {
        guard let moves = payload.withUnsafeBufferPointer({ CommitRecord(ofMoves: $0) }) else { return false }
        let general = try? CommitRecord(payload: payload)
        #expect(
            general?.payload(encoded: []) == moves.payload(encoded: []),
            "\(String(decoding: payload, as: UTF8.self))")
        return true
    }

    @Test func `a record of moves in the daemon's form is read without a JSON document`() throws {
        #expect(Self.isReadAsMoves(Self.moves))
        var record = try CommitRecord(payload: Self.moves)
        record.retry = nil
        record.undoes = 5
        record.moved += [(id: ItemID(high: 1, low: 2), position: Position(day: 0, sortOrder: 0.1 + 0.2))]
        record.placed = record.moved
        #expect(Self.isReadAsMoves(record.payload(encoded: [])))
        record.user = "Zoë \"Z\""
        #expect(!Self.isReadAsMoves(record.payload(encoded: [])))
        record.user = "Zoe"
        record.removed = [ItemID(high: 1, low: 2)]
        #expect(!Self.isReadAsMoves(record.payload(encoded: [])))
    }

    @Test(arguments: Array(#"0123456789abcdef-+.eE"\,:{}[] u"#.utf8) + [0, 10, 0x7F, 0x80, 0xC3, 0xFF])
    func `a changed byte is read the same or left to the general reader`(_ byte: UInt8) {
        var count = 0
        for index in Self.moves.indices {
            var payload = Self.moves
            payload[index] = byte
            if Self.isReadAsMoves(payload) { count += 1 }
            payload = Self.moves
            payload.insert(byte, at: index)
            if Self.isReadAsMoves(payload) { count += 1 }
            _ = Self.isReadAsMoves(Array(Self.moves[..<index]))
        }
        #expect(
            count > 0 || byte < 0x20 || byte > 0x7F || byte == UInt8(ascii: "\\"),
            "some strings take the byte")
    }

    /// Random histories of the core, with every payload read back.
    @Test(arguments: 1...30 as ClosedRange<UInt64>, [true, false])
    func `replaying a random history gives the same trip and the same answers`(
        _ seed: UInt64, isBrief: Bool
    ) throws {
        var history = try RandomHistory(seed: seed, isBrief: isBrief)
        for _ in 0..<120 { history.step() }
        let records = try history.records.map { try CommitRecord(payload: $0.payload) }
        let isAnyBrief = records.contains { !$0.moved.isEmpty || $0.retry.map { $0.result == nil } ?? false }
        #expect(isBrief || !isAnyBrief, "records of format 1 are whole")
        let replay = try TripReplay(history.opened())
        #expect(replay.trip == history.core.trip, "seed \(seed)")
        #expect(replay.trip.shownIDs == history.core.trip.shownIDs)
        #expect(replay.trip.problems == history.core.trip.problems)
        #expect(replay.origin == TripDirectory.Origin(client: history.client, fingerprint: 99))
        for (seq, mark) in history.sequences {
            #expect(
                replay.retries.verdict(client: history.client, seq: seq, fingerprint: mark)
                    == history.core.retries.verdict(client: history.client, seq: seq, fingerprint: mark))
        }
        #expect(history.core.trip.version > 10, "the history is no empty one")
    }

    @Test func `records omit derivable data`() throws {
        var history = try RandomHistory(seed: 1)
        for _ in 0..<400 { history.step() }
        let free = history.core.trip.items.filter { if case .custom = $0.content { true } else { false } }
        let away = free.filter { $0.position.day != 1 }.prefix(2).map(\.id)
        try #require(away.count == 2)
        history.moveTogether(away, toDay: 1)
        let records = try history.records.map { try CommitRecord(payload: $0.payload) }
        #expect(records.last?.moved.map(\.id) == away, "several moves as one change")
        #expect(records.last?.upserts.isEmpty == true)
        #expect(records.contains { $0.moved.count == 1 && $0.upserts.isEmpty })
        #expect(records.contains { $0.retry != nil && $0.retry?.result == nil && !$0.removed.isEmpty })
        #expect(records.contains { $0.retry != nil && $0.retry?.result == nil && !$0.upserts.isEmpty })
        #expect(records.contains { $0.retry?.result != nil }, "what does not follow is there")
    }

    @Test func `an inconsistent history is refused with its version`() throws {
        var history = try RandomHistory(seed: 1)
        for _ in 0..<60 { history.step() }
        var records = history.records
        records.remove(at: 1)
        // A missing commit breaks the journal's own chain; here only contradictions are found.
        let header = JournalHeader(tripID: TripID(high: 4, low: 4), epoch: "e")
        let foreign = OpenedJournal(
            header: header, records: records, checkpoint: JournalCheckpoint(version: 0, checksum: 0), end: 0,
            repair: nil)
        #expect(throws: ReplayFailure.self) { try TripReplay(foreign) }
        var bad = history.records
        bad.append(JournalRecord(version: 5000, payload: Array("{}".utf8)))
        do throws(ReplayFailure) {
            _ = try TripReplay(history.opened(bad))
            Issue.record("refused")
        } catch {
            #expect(error.version == 5000)
        }
    }

    private static let trip = TripID(high: 0x4000, low: 0x8000_0000_0000_0001)

    /// The records of a trip's creation and of changes with these additional members.
    private static func records(_ changes: [String]) -> [JournalRecord] {
        let header =
            #""trip":{"id":"\#(trip)","slug":"t","name":"T","startDate":"2026-06-11","timeZone":"UTC","dayCount":4}"#
        return ([header] + changes).enumerated().map { index, more in
            let text =
                #"{"at":"2026-06-11T19:00:00.000Z","user":"u","clientId":"00000000-0000-4000-8000-000000000001","#
                + #""method":"trip.update",\#(more)}"#
            return JournalRecord(version: index + 1, payload: Array(text.utf8))
        }
    }

    private static func opened(_ records: [JournalRecord]) -> OpenedJournal {
        OpenedJournal(
            header: JournalHeader(tripID: trip, epoch: "e"), records: records,
            checkpoint: JournalCheckpoint(version: records.count, checksum: 0), end: 0, repair: nil)
    }

    @Test func `a record that changes the trip's id is refused`() throws {
        let other = TripID(high: 0x4000, low: 0x8000_0000_0000_0002)
        let header =
            #""trip":{"id":"\#(other)","slug":"t","name":"T","startDate":"2026-06-11","timeZone":"UTC","dayCount":4}"#
        do throws(ReplayFailure) {
            _ = try TripReplay(Self.opened(Self.records([header])))
            Issue.record("refused")
        } catch {
            #expect(error.version == 2)
            #expect(error.message == "the record is of trip \(other)")
        }
    }

    /// If the daemon has dropped the client in between: the resulting snapshot can be read.
    @Test func `descending sequence numbers restart the client's table`() throws {
        let journal = Self.opened(
            Self.records(
                [7, 9, 9, 3, 4].map { #""seq":\#($0),"request":"ff","result":{"version":\#($0)}"# }))
        let replay = try TripReplay(journal)
        let client = ClientID("00000000-0000-4000-8000-000000000001")
        #expect(replay.retries.clients.values.map { $0.answers.map(\.seq) } == [[3, 4]])
        #expect(replay.retries.clients.keys.map { $0 } == [try #require(client)])
        let again = try TripSnapshot(replay.snapshot.encoded())
        #expect(again.retries.clients.values.map { $0.answers.map(\.seq) } == [[3, 4]])
    }
}
