import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripServer

/// Properties of undo and redo, over random changes of every kind. A failure names the seed and the step.
@Suite struct UndoPropertyTests {
    @Test(arguments: 0..<16 as Range<UInt64>)
    func `a change and its undo leave the trip unchanged, and redo gives the same result`(
        _ seed: UInt64
    ) throws {
        var workload = UndoWorkload(seed: seed)
        var bench = try UndoBench()
        var tried = 0
        for step in 0..<140 {
            let byAnn = workload.chance(70)
            let before = bench.shown
            let batch = workload.batch(for: bench.trip)
            let answer = bench.change(batch, by: byAnn ? UndoBench.ann : UndoBench.bob)
            guard answer.isDone, !answer.isNoop, byAnn else { continue }
            let place = Comment("seed \(seed), step \(step): \(batch)")
            let after = bench.shown
            tried += 1
            if workload.chance(20) { try bench.restart() }
            let undone = bench.undo(by: workload.chance(50) ? UndoBench.ann : UndoBench.annElsewhere)
            try #require(undone.isDone, place)
            try #require(bench.shown == before, place)
            try #require(!undone.isNoop, place)
            if workload.chance(20) { try bench.restart(compacting: 1 + workload.below(bench.records.count)) }
            let redone = bench.redo(by: workload.chance(50) ? UndoBench.ann : UndoBench.annElsewhere)
            try #require(redone.isDone && !redone.isNoop, place)
            try #require(bench.shown == after, place)
            if workload.chance(30) {
                try #require(bench.undo().isDone, place)
                try #require(bench.shown == before, place)
            }
        }
        #expect(tried > 30, "seed \(seed)")
    }

    @Test(arguments: 100..<110 as Range<UInt64>)
    func
        `after any changes by others, an undo restores its items or has a reason, and the next undo follows`(
            _ seed: UInt64
        ) throws
    {
        var workload = UndoWorkload(seed: seed)
        var bench = try UndoBench()
        var verdicts: [String: Int] = [:]
        for step in 0..<200 {
            if workload.chance(75) {
                bench.change(
                    workload.batch(for: bench.trip), by: workload.chance(60) ? UndoBench.ann : UndoBench.bob)
                continue
            }
            let place = Comment("seed \(seed), step \(step)")
            guard let entry = bench.core.next(.undo, of: UndoBench.ann.editor) else { continue }
            let depth = bench.core.edits.stacks[UndoBench.ann.editor]?.undo.count ?? 0
            let before = bench.shown
            let held = bench.trip
            // A dry run changes nothing and gives no entry up.
            let tried = bench.undo(options: ChangeOptions(isDryRun: true))
            #expect(bench.shown == before, place)
            #expect(tried.fields["dropped"] == nil, place)
            #expect(bench.core.next(.undo, of: UndoBench.ann.editor)?.commit === entry.commit, place)
            let answer = bench.undo()
            #expect(answer.isDone == tried.isDone, place)
            #expect(bench.core.edits.stacks[UndoBench.ann.editor]?.undo.count == depth - 1, place)
            verdicts[answer.reason ?? "done", default: 0] += 1
            guard answer.isDone else {
                #expect(answer.reason == "undo_conflict" && answer.fields["dropped"] == "true", place)
                #expect(bench.shown == before, place)
                continue
            }
            for change in entry.commit.changes where change.isEdit {
                // Of a changed item only the changed fields return.
                let former = change.after.flatMap { after in
                    change.before.flatMap { FieldChange.between(after.content, and: $0.content) }
                }
                let old = former.flatMap { held[change.id]?.content.with($0) } ?? change.before?.content
                #expect(bench.trip[change.id]?.content == old, place)
            }
            if workload.chance(30), !answer.isNoop {
                try #require(bench.redo().isDone, place)
                try #require(bench.shown == before, place)
            }
        }
        #expect(verdicts["done", default: 0] > 3 && verdicts["undo_conflict", default: 0] > 0, "\(verdicts)")
    }

    @Test(arguments: 200..<206 as Range<UInt64>)
    func `the replayed state equals the one that was sent, byte for byte, with history and stacks`(
        _ seed: UInt64
    ) throws {
        var workload = UndoWorkload(seed: seed)
        var bench = try UndoBench()
        for step in 0..<120 {
            switch workload.below(10) {
            case 0: bench.undo(by: workload.chance(50) ? UndoBench.ann : UndoBench.bob)
            case 1: bench.redo(by: workload.chance(50) ? UndoBench.ann : UndoBench.bob)
            default:
                bench.change(
                    workload.batch(for: bench.trip), by: workload.chance(60) ? UndoBench.ann : UndoBench.bob)
            }
            guard step % 10 == 9 else { continue }
            let place = Comment("seed \(seed), step \(step)")
            for replay in [
                try bench.replayed(), try bench.replayed(compacting: 1 + workload.below(bench.records.count)),
            ] {
                var again = bench
                again.core = TripCore(
                    durable: replay.trip, epoch: "e", retries: replay.retries, edits: replay.edits)
                #expect(again.history == bench.history, place)
                #expect(replay.trip == bench.trip, place)
                #expect(replay.trip.shownIDs == bench.trip.shownIDs, place)
                #expect(replay.trip.problems == bench.trip.problems, place)
                for who in [UndoBench.ann, UndoBench.bob] {
                    var live = bench
                    for kind in [EditLog.Kind.undo, .redo] {
                        let received = kind == .undo ? live.undo(by: who) : live.redo(by: who)
                        let toldAgain = kind == .undo ? again.undo(by: who) : again.redo(by: who)
                        // A given up entry stays so until a restart, and is given up again after it.
                        guard received.reason == nil, toldAgain.reason == nil else { break }
                        #expect(received.fields == toldAgain.fields, place)
                        #expect(live.shown == again.shown, place)
                    }
                    again.core = TripCore(
                        durable: replay.trip, epoch: "e", retries: replay.retries, edits: replay.edits)
                }
            }
        }
    }
}
