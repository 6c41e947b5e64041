import Testing
import TripModel
import TripProtocol

@testable import TripJournal
@testable import TripServer

/// A trip read from a snapshot and its later records, compared with a trip read from the whole history.
@Suite struct TripSnapshotTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a snapshot and the records after it give the same state as the whole history`(_ seed: UInt64) throws
    {
        var history = try RandomHistory(seed: seed)
        for _ in 0..<150 { history.step() }
        let whole = try TripReplay(history.opened())
        for kept in [1, 2, history.records.count / 3, history.records.count - 1, history.records.count] {
            let snapshot = try TripReplay(history.opened(Array(history.records[..<kept]))).snapshot
            // Through the bytes of the file.
            let image = JournalImage(
                JournalHeader(tripID: history.core.id, epoch: "e"), snapshot: try snapshot.encoded(),
                records: Array(history.records[kept...]))
            let contents = try #require(JournalScanner.scan(image.bytes).contents)
            let replay = try TripReplay(OpenedJournal(contents, in: image.bytes))
            expectEqual(replay, whole, of: history.client)
            #expect(replay.origin == whole.origin)
            #expect(
                try replay.snapshot.encoded() == whole.snapshot.encoded(), "seed \(seed), \(kept) records")
        }
        #expect(whole.edits.stacks.values.contains { $0.undo.count > 0 })
    }

    /// The parts of a commit that a snapshot stores.
    private struct Stored: Equatable {
        let version: Int
        let changes: [ItemChange]
        let shifts: [Shift]
        let header: HeaderChange?

        init(_ commit: Commit) {
            (version, changes, header) = (commit.version, commit.changes, commit.header)
            shifts = commit.shifts.map { Shift(id: $0.id, before: $0.before, after: $0.after) }
        }
    }

    private func expectEqual(_ one: TripReplay, _ other: TripReplay, of client: ClientID) {
        #expect(one.trip == other.trip)
        #expect(one.trip.shownIDs == other.trip.shownIDs)
        #expect(one.trip.problems == other.trip.problems)
        #expect(one.retries.clients.keys == other.retries.clients.keys)
        for (client, known) in one.retries.clients {
            #expect(known.answers.map(\.seq) == other.retries.clients[client]?.answers.map(\.seq))
            #expect(known.answers.map(\.result) == other.retries.clients[client]?.answers.map(\.result))
            #expect(known.applied == other.retries.clients[client]?.applied)
        }
        #expect(one.edits.lines.map(\.summary) == other.edits.lines.map(\.summary))
        #expect(one.edits.lines.map { Stored($0.commit) } == other.edits.lines.map { Stored($0.commit) })
        var (one, other) = (one.edits, other.edits)
        for kind in [EditLog.Kind.undo, .redo] {
            while true {
                let (left, right) = (one.stacks[client]?.next(kind), other.stacks[client]?.next(kind))
                #expect(left.map { Stored($0.commit) } == right.map { Stored($0.commit) })
                #expect(left.map { Stored($0.origin) } == right.map { Stored($0.origin) })
                guard let left else { break }
                #expect(
                    one.isChangedByOthers(left, than: client) == other.isChangedByOthers(left, than: client))
                one.discard(kind, of: client)
                other.discard(kind, of: client)
            }
        }
    }

    @Test func `an inconsistent snapshot is refused with its version`() throws {
        var history = try RandomHistory(seed: 3)
        for _ in 0..<120 { history.step() }
        let good = try TripReplay(history.opened()).snapshot.encoded()
        let text = String(decoding: good.parts.joined(), as: UTF8.self)
        let spoilt = [
            text.replacing("\"commit\":", with: "\"compost\":"),
            text.replacing("\"trip\":", with: "\"tripe\":"),
            text.replacing("\"version\":", with: "\"versions\":"),
            text.replacing("\"edited\":", with: "\"edit\":"),
            text.replacing("\"result\":", with: "\"results\":"),
            String(text.dropLast(20)),
        ]
        try #require(spoilt.allSatisfy { $0 != text }, "all of it is there to be spoilt")
        for text in spoilt {
            let journal = OpenedJournal(
                header: JournalHeader(tripID: history.core.id, epoch: "e"),
                snapshot: JournalSnapshot(version: good.version, parts: [Array(text.utf8)]), records: [],
                checkpoint: JournalCheckpoint(version: good.version, checksum: 0), end: 0, repair: nil)
            do throws(ReplayFailure) {
                _ = try TripReplay(journal)
                Issue.record("refused: \(text.prefix(200))")
            } catch {
                #expect(error.version == good.version)
            }
        }
        #expect(TripSnapshot.header(inPart: good.parts[0])?.slug == "t")
    }

    @Test func `a large state consists of several parts of bounded size`() throws {
        var parts = SnapshotParts()
        for number in 0..<4000 {
            parts.add { $0.member("note", String(repeating: "x", count: 200) + "\(number)") }
        }
        parts.add { $0.member("note", String(repeating: "y", count: 2 * JournalFormat.usualPart)) }
        let finished = try parts.finish()
        #expect(finished.count == 5)
        #expect(finished.dropLast().allSatisfy { $0.count <= JournalFormat.usualPart })
    }
}
