import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripJournal
@testable import TripServer

/// The change that an undo reverts, and the effect of a refused undo.
@Suite struct UndoEntryTests {
    private static let ann = UndoBench.ann
    private static let bob = UndoBench.bob

    private static func id(_ number: UInt64) -> ItemID { ItemID(high: 0, low: number) }

    private func bench() throws -> UndoBench {
        try UndoBench(
            items: (1...4).map { .add(Self.id($0), .custom(CustomItem(title: "c\($0)")), to: .end(day: 1)) })
    }

    private func title(_ number: UInt64, in bench: UndoBench) -> String? {
        bench.trip[Self.id(number)]?.content.title
    }

    @Test func `a conflict discards the entry and reports it, and the next undo targets the one below`()
        throws
    {
        var bench = try bench()
        bench.change([.update(Self.id(1), [.title("one")])])
        bench.change([.update(Self.id(2), [.title("two")])])
        bench.change([.update(Self.id(2), [.title("deux")])], by: Self.bob)
        for _ in 0..<2 {
            let tried = bench.undo(options: ChangeOptions(isDryRun: true))
            #expect(tried.reason == "undo_conflict" && tried.fields["dropped"] == nil)
            // With a wrong expected version nothing is undone, and no entry is given up.
            let other = bench.undo(options: ChangeOptions(ifVersion: 1))
            #expect(other.reason == "version_conflict" && other.fields["dropped"] == nil)
        }
        let refused = bench.undo()
        #expect(refused.reason == "undo_conflict" && refused.fields["dropped"] == "true")
        #expect(title(2, in: bench) == "deux")
        #expect(bench.undo().isDone)
        #expect(title(1, in: bench) == "c1")
        #expect(bench.undo().reason == "nothing_to_undo")
        #expect(bench.redo().isDone)
        #expect(title(1, in: bench) == "one" && title(2, in: bench) == "deux")
        // The record of the undo names its target, so that a restart finds the same.
        try bench.restart()
        #expect(bench.undo().isDone)
        #expect(title(1, in: bench) == "c1")
    }

    @Test func `an edit by another user is a conflict, even after one's own later edit was undone`() throws {
        var bench = try bench()
        bench.change([.update(Self.id(1), [.title("mine")])])
        bench.change([.update(Self.id(1), [.title("theirs")])], by: Self.bob)
        bench.change([.update(Self.id(1), [.title("mine again")])])
        #expect(bench.undo().isDone)
        #expect(title(1, in: bench) == "theirs")
        let refused = bench.undo()
        #expect(refused.reason == "undo_conflict" && refused.fields["dropped"] == "true")
        #expect(title(1, in: bench) == "theirs")
    }

    @Test(arguments: [nil, 1, 9])
    func `an undo of fields leaves other people's fields and moves, also after a restart`(
        compacted: Int?
    ) throws {
        var bench = try bench()
        bench.change([.update(Self.id(1), [.title("mine"), .icon("★")])])
        bench.change([.update(Self.id(1), [.note("theirs")])], by: Self.bob)
        bench.change([.move(Self.id(1), to: .end(day: 2))], by: Self.bob)
        if let compacted { try bench.restart(compacting: min(compacted, bench.records.count)) }
        #expect(bench.undo().isDone)
        let item = try #require(bench.trip[Self.id(1)])
        #expect(item.content == .custom(CustomItem(title: "c1", note: "theirs")) && item.position.day == 2)
        #expect(bench.redo().isDone)
        #expect(
            bench.trip[Self.id(1)]?.content == .custom(CustomItem(title: "mine", icon: "★", note: "theirs")))
        bench.change([.update(Self.id(1), [.icon("☆")])], by: Self.bob)
        #expect(bench.undo().reason == "undo_conflict")
        #expect(title(1, in: bench) == "mine")
    }

    @Test func `an undo of a move is refused after a move by somebody else, and not after an edit`() throws {
        var bench = try bench()
        bench.change([.move(Self.id(1), to: .end(day: 2))])
        bench.change([.update(Self.id(1), [.note("theirs")])], by: Self.bob)
        #expect(bench.undo().isDone)
        #expect(bench.trip.shownIDs == (1...4).map(Self.id))
        #expect(bench.trip[Self.id(1)]?.content[.note] == .text("theirs"))
        #expect(bench.redo().isDone)
        bench.change([.move(Self.id(1), to: .end(day: 1))], by: Self.bob)
        #expect(bench.undo().reason == "undo_conflict")
        #expect(bench.trip.shownIDs == [2, 3, 4, 1].map(Self.id))
    }

    @Test func `travel does not return to a place that a change of the schedule has made invalid`() throws {
        func game(_ start: String) throws -> Game {
            Game(gameID: "g", title: "g", city: "Rome", startsAt: try #require(OffsetDateTime(start)))
        }
        var bench = try UndoBench(
            items: [
                .add(Self.id(1), .game(try game("2026-06-11T12:00:00Z")), to: nil),
                .add(Self.id(2), .travel(Travel(fromCity: "Rome", toCity: "Oslo")), to: .end(day: 1)),
            ])
        bench.change([.move(Self.id(2), to: .end(day: 3))])
        let later = try #require(OffsetDateTime("2026-06-12T12:00:00Z"))
        bench.change([.update(Self.id(1), [.startsAt(later)])], by: Self.bob)
        let refused = bench.undo()
        #expect(refused.reason == "undo_conflict" && refused.fields["dropped"] == "true")
        #expect(bench.trip[Self.id(2)]?.position.day == 3 && bench.trip.problems.isEmpty)
    }

    @Test func `an undo of a field is refused if the item is gone, and possible when it has returned`() throws
    {
        var bench = try bench()
        bench.change([.update(Self.id(1), [.title("mine")])])
        bench.change([.remove(Self.id(1))], by: Self.bob)
        #expect(bench.undo(options: ChangeOptions(isDryRun: true)).reason == "undo_conflict")
        #expect(bench.undo(by: Self.bob).isDone)
        #expect(bench.undo().isDone)
        #expect(title(1, in: bench) == "c1")
    }

    @Test func `an undo of a field is refused if its item was replaced by one of another kind`() throws {
        var bench = try bench()
        bench.change([.update(Self.id(1), [.note("mine")])])
        // The undo of the replacement is refused, because Bob has moved the new item. Then the note is next.
        bench.change([
            .remove(Self.id(1)),
            .add(
                Self.id(1),
                .travel(Travel(fromCity: "Rome", toCity: "Oslo", afterGame: .open, beforeGame: .open)),
                to: .end(day: 1)),
        ])
        bench.change([.move(Self.id(1), to: .end(day: 2))], by: Self.bob)
        bench.change([.update(Self.id(1), [.mode("train")])], by: Self.bob)
        #expect(bench.undo().reason == "undo_conflict")
        #expect(bench.undo().reason == "undo_conflict")
        #expect(bench.trip[Self.id(1)]?.content[.mode] == .text("train"))
    }

    @Test func `an undo of a field of the trip leaves other fields that others have changed`() throws {
        var bench = try bench()
        bench.change([.trip(TripChange(name: "Mine"))])
        bench.change([.trip(TripChange(dayCount: 9))], by: Self.bob)
        #expect(bench.undo().isDone)
        #expect(bench.trip.header.name == "T" && bench.trip.header.dayCount == 9)
        #expect(bench.redo().isDone)
        bench.change([.trip(TripChange(name: "Theirs"))], by: Self.bob)
        #expect(bench.undo().reason == "undo_conflict")
        #expect(bench.trip.header.name == "Theirs")
    }

    @Test func `undo belongs to the person for all clients, and otherwise to the client`() throws {
        var bench = try bench()
        bench.change([.update(Self.id(1), [.title("one")])], by: UndoBench.annElsewhere)
        let nobody = Principal(
            connection: 9, user: "ann", client: UndoBench.annElsewhere.client, access: .editor)
        #expect(bench.undo(by: nobody).reason == "nothing_to_undo")
        #expect(bench.undo(by: Self.bob).reason == "nothing_to_undo")
        for compacted in [nil, 1, bench.records.count] {
            try bench.restart(compacting: compacted)
            #expect(bench.undo(by: Self.ann).isDone)
            #expect(title(1, in: bench) == "c1")
            #expect(bench.redo(by: UndoBench.annElsewhere).isDone)
            #expect(title(1, in: bench) == "one")
        }
        // A change from one window does not conflict with the other window's undo.
        bench.change([.update(Self.id(1), [.title("uno")])], by: Self.ann)
        #expect(bench.undo(by: UndoBench.annElsewhere).isDone && bench.undo(by: Self.ann).isDone)
        #expect(title(1, in: bench) == "c1")
    }

    @Test func `a failed write restores the stacks, including discarded entries`() throws {
        var bench = try bench()
        bench.change([.update(Self.id(1), [.title("one")])])
        bench.change([.update(Self.id(2), [.title("two")])])
        bench.isHeld = true
        bench.change([.update(Self.id(2), [.title("deux")])], by: Self.bob)
        bench.change([.update(Self.id(3), [.title("three")])])
        // It depends on undurable changes: the second is given up in favour of the first.
        bench.undo()
        bench.undo()
        bench.undo()
        #expect(bench.core.next(.undo, of: Self.ann.editor) == nil)
        bench.fail()
        #expect(title(1, in: bench) == "one" && title(2, in: bench) == "two" && title(3, in: bench) == "c3")
        #expect(bench.undo().isDone)
        #expect(title(2, in: bench) == "c2")
        #expect(bench.undo().isDone)
        #expect(title(1, in: bench) == "c1")
        #expect(bench.redo().isDone && bench.redo().isDone)
        #expect(title(1, in: bench) == "one" && title(2, in: bench) == "two")
        let replay = try bench.replayed()
        #expect(replay.trip == bench.trip)
        // Bob's stack is empty as before his change, and after a restart there is no stack.
        func undoable(_ log: EditLog) -> [ClientID: [Int]] {
            log.stacks.mapValues { $0.undo.entries.map(\.commit.version) }.filter { !$0.value.isEmpty }
        }
        #expect(undoable(replay.edits) == undoable(bench.core.edits))
    }

    @Test func `an undo without effect is a noop, and its entry is gone`() throws {
        var bench = try bench()
        bench.change([.update(Self.id(1), [.title("one")])])
        bench.change([.trip(TripChange(name: "N"))])
        bench.change([.trip(TripChange(name: "T"))])
        // After Bob's conflict an older change is undone, which restores the state.
        bench.change([.update(Self.id(2), [.title("x")]), .move(Self.id(3), to: .end(day: 2))])
        bench.change([.update(Self.id(2), [.title("y")])], by: Self.bob)
        #expect(bench.undo().reason == "undo_conflict")
        #expect(bench.undo(options: ChangeOptions(ifVersion: 1)).reason == "version_conflict")
        #expect(bench.undo().isDone)
        #expect(bench.trip.header.name == "N")
        #expect(bench.undo().isDone && bench.undo().isDone)
        #expect(bench.shown.header.name == "T" && title(1, in: bench) == "c1")
        #expect(bench.undo().reason == "nothing_to_undo")
    }

    @Test func `a journal of an older daemon is read, and undo works as far as recorded`() throws {
        var bench = try UndoBench()
        var workload = UndoWorkload(seed: 7)
        let client = Principal(connection: 1, user: "ann", client: Self.ann.client, access: .editor)
        for _ in 0..<80 { bench.change(workload.batch(for: bench.trip), by: client) }
        bench.change([.update(bench.trip.shownIDs[0], [.durationMinutes(7)])], by: client)
        let live = bench
        bench.forgetAdditions()
        try bench.restart()
        #expect(bench.trip == live.trip && bench.history == live.history)
        var (old, new) = (bench, live)
        for _ in 0..<10 {
            #expect(old.undo(by: client).fields == new.undo(by: client).fields)
            #expect(old.shown == new.shown)
        }
        #expect(old.trip.version > bench.trip.version)
    }

    @Test func `items between games of one minute are restored there, whatever was added in that minute`()
        throws
    {
        func game(_ name: String) throws -> ItemContent {
            .game(
                Game(
                    gameID: name, title: name, startsAt: try #require(OffsetDateTime("2026-06-11T12:00:00Z")))
            )
        }
        for comes in [true, false] {
            var bench = try UndoBench(
                items: [
                    .add(Self.id(1), try game("b"), to: nil), .add(Self.id(2), try game("c"), to: nil),
                    .add(Self.id(3), .custom(CustomItem(title: "x")), to: .after(Self.id(1), day: 1)),
                ])
            bench.change([.remove(Self.id(3))])
            if comes {
                bench.change([.add(Self.id(4), try game("a"), to: nil)], by: Self.bob)
            } else {
                bench.change([.remove(Self.id(1))], by: Self.bob)
            }
            #expect(bench.undo().isDone)
            let titles = bench.trip.items.map(\.content.title)
            #expect(titles == (comes ? ["a", "b", "x", "c"] : ["x", "c"]))
        }
    }
}
