import JSONLine
import TestSupport
import Testing
import TripJournal
import TripModel
import TripProtocol

@testable import TripServer

/// Journals with right checksums that no daemon has written. Each is refused when it is opened, or harmless:
/// no later request traps on one.
@Suite struct ForeignFileTests {
    private static let trip =
        #""trip":{"id":"\#(id(9))","slug":"t","name":"T","startDate":"2026-06-11","timeZone":"UTC","#
        + #""dayCount":3}"#
    private static let by = #""modifiedAt":"2026-01-01T00:00:00.000Z","modifiedBy":"ann""#

    private static func item(
        _ number: Int, day: Int = 1, order: String = "1.0", title: String = "c"
    ) -> String {
        #"{"id":"\#(id(number))","day":\#(day),"sortOrder":\#(order),"version":1,\#(by),"kind":"custom","#
            + #""title":"\#(title)"}"#
    }

    private static func game(_ number: Int, day: Int = 1, order: String = "820.0") -> String {
        #"{"id":"\#(id(number))","day":\#(day),"sortOrder":\#(order),"version":1,\#(by),"kind":"game","#
            + #""gameId":"g\#(number)","title":"g","startsAt":"2026-06-11T12:00:00Z"}"#
    }

    private static func opened(
        snapshot rows: [String]? = nil, version: Int = 5, records: [(version: Int, payload: String)] = []
    ) -> OpenedJournal {
        let parts = rows.map { [Array("[\($0.joined(separator: ","))]".utf8)] }
        return OpenedJournal(
            header: JournalHeader(tripID: TripID(id(9)) ?? .random(), epoch: "e"),
            snapshot: parts.map { JournalSnapshot(version: version, parts: $0) },
            records: records.map { JournalRecord(version: $0.version, payload: Array($0.payload.utf8)) },
            checkpoint: JournalCheckpoint(version: 0, checksum: 0), end: 0, repair: nil)
    }

    /// A snapshot of the trip at version 5 with an item and further rows.
    private static func state(_ rows: String...) -> OpenedJournal {
        opened(snapshot: [#"{\#(trip),"version":5}"#, #"{"item":\#(item(1))}"#] + rows)
    }

    private static func creation(_ items: String..., version: Int = 1) -> OpenedJournal {
        let payload = #"{"at":"2026-01-01T00:00:00.000Z","user":"ann","clientId":"\#(id(700))","#
        return opened(records: [
            (
                version,
                payload + #""method":"trip.create",\#(trip),"upserts":[\#(items.joined(separator: ","))]}"#
            )
        ])
    }

    private static func change(
        _ number: Int, before: String, after: String, edited: Bool = true, displaced: Bool = false
    ) -> String {
        #"{"change":"\#(id(number))","edited":\#(edited),"displaced":\#(displaced),"moved":true,"#
            + #""before":\#(before),"after":\#(after)}"#
    }

    private static func place(_ number: Int) -> String {
        #"{"place":"\#(id(number))","day":1,"sortOrder":1,"dayAfter":1,"sortOrderAfter":2}"#
    }

    /// A file and its defect.
    struct Foreign: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let journal: OpenedJournal
    }

    static let refused: [Foreign] = [
        .init(
            testDescription: "a game at the end of all orders", journal: creation(game(1, order: "1e15"))),
        .init(testDescription: "a game before its minutes", journal: creation(game(1, order: "99.5"))),
        .init(
            testDescription: "a game on a day beyond the calendar",
            journal: creation(game(1, day: 9_007_199_254_740_991))),
        .init(
            testDescription: "a version after which there are few", journal: creation(version: 1 << 52)),
        .init(
            testDescription: "an item of megabytes",
            journal: creation(item(1, title: String(repeating: "a", count: 3 << 20)))),
        .init(
            testDescription: "an item that one commit changes twice",
            journal: state(
                #"{"commit":5}"#, change(1, before: item(1, order: "2.0"), after: item(1)),
                change(1, before: item(1, order: "3.0"), after: item(1)))),
        .init(
            testDescription: "a place that one commit changes twice",
            journal: state(#"{"commit":5}"#, place(1), place(1))),
        .init(
            testDescription: "a commit that occurs twice", journal: state(#"{"commit":5}"#, #"{"commit":5}"#)
        ),
        .init(
            testDescription: "a change with another item",
            journal: state(#"{"commit":5}"#, change(1, before: item(2), after: item(1)))),
        .init(
            testDescription: "a game that becomes a custom item without an edit",
            journal: state(
                #"{"commit":5}"#,
                change(1, before: game(1), after: item(1), edited: false, displaced: true))),
        .init(
            testDescription: "changes of versions that are to come",
            journal: state(#"{"commit":100}"#, change(1, before: item(1), after: item(1)))),
        .init(
            testDescription: "an editor's last version that is to come",
            journal: state(#"{"stack":"\#(id(700))","version":6,"undo":[],"redo":[]}"#)),
        .init(
            testDescription: "an edit that is to come",
            journal: state(#"{"editor":"\#(id(700))","version":6,"item":"\#(id(1))"}"#)),
        .init(
            testDescription: "numbers made as versions that are to come",
            journal: state(#"{"made":[1,1,1000,1000],"clientId":"\#(id(700))"}"#)),
        .init(
            testDescription: "an answer of a version that is to come",
            journal: state(#"{"answer":1,"clientId":"\#(id(700))","request":"0","version":6,"result":{}}"#)),
        .init(
            testDescription: "an answer of two lines",
            journal: state(
                #"{"answer":1,"clientId":"\#(id(700))","request":"0","version":5,"result":{"a":1,"#
                    + "\n" + #""b":2}}"#)),
    ]

    @Test(arguments: refused)
    func `a journal with an inconsistent or impossible state is refused when it is opened`(
        _ foreign: Foreign
    ) {
        #expect(throws: ReplayFailure.self) { _ = try TripReplay(foreign.journal) }
    }

    @Test func `the same journals without the defect are accepted`() throws {
        _ = try TripReplay(Self.creation(Self.game(1), Self.item(2)))
        _ = try TripReplay(
            Self.state(
                #"{"commit":5}"#, Self.change(1, before: Self.item(1, order: "2.0"), after: Self.item(1)),
                #"{"stack":"\#(id(700))","version":5,"undo":[5,5],"redo":[]}"#,
                #"{"editor":"\#(id(700))","version":5,"item":"\#(id(1))"}"#,
                #"{"respaced":"\#(id(1))","version":5}"#,
                #"{"answer":1,"clientId":"\#(id(700))","request":"0","version":5,"result":{}}"#))
    }

    @Test func `a cached answer of megabytes is shortened`() throws {
        let long = String(repeating: "a", count: 15 << 20)
        let replay = try TripReplay(
            Self.state(
                #"{"answer":1,"clientId":"\#(id(700))","request":"0","version":5,"result":"\#(long)"}"#))
        let client = try #require(ClientID(id(700)))
        let short = Array(#"{"version":5,"repeated":true}"#.utf8)
        #expect(
            replay.retries.verdict(client: client, seq: 1, fingerprint: 0)
                == .again(result: short, version: 5))
        _ = try replay.snapshot.encoded()
    }

    @Test func `a state that does not fit into a journal is not compacted, and the daemon continues`() throws
    {
        let long = String(repeating: "u", count: 15 << 20)
        let replay = try TripReplay(
            Self.state(
                #"{"commit":5}"#,
                #"{"history":5,"origin":5,"method":"edit","at":"2026-01-01T00:00:00.000Z","user":"\#(long)"}"#
            ))
        _ = try replay.snapshot.encoded()
        var parts = SnapshotParts()
        parts.add { $0.member("user", String(repeating: "u", count: JournalFormat.maximumPayload)) }
        let large = parts
        #expect(throws: RecordFailure.self) {
            var parts = large
            _ = try parts.finish()
        }
    }

    @Test func `items that were on two days are not restored as one group`() throws {
        func change(_ number: Int, before: String, after: String, between: String) -> String {
            #"{"change":"\#(id(number))","edited":true,"moved":true,"before":\#(before),"after":\#(after),"#
                + #""between":\#(between)}"#
        }
        let replay = try TripReplay(
            Self.state(
                #"{"item":\#(Self.item(2, order: "5.0"))}"#, #"{"commit":5}"#,
                change(1, before: Self.item(1, order: "2.0"), after: Self.item(1), between: "{}"),
                change(
                    2, before: Self.item(2, day: 99, order: "3.0"), after: Self.item(2, order: "5.0"),
                    between: #"{"above":"\#(id(1))"}"#),
                #"{"stack":"\#(id(700))","version":5,"undo":[5,5],"redo":[]}"#))
        let client = try #require(ClientID(id(700)))
        let entry = try #require(replay.edits.stacks[client]?.next(.undo))
        var trip = replay.trip
        let commit = try trip.apply(
            reversing: entry.commit,
            by: Author(name: "u", at: Timestamp(milliseconds: 0)))
        #expect(!commit.changes.isEmpty)
        #expect(trip.items.allSatisfy { trip.header.days.contains($0.position.day) })
    }
}
