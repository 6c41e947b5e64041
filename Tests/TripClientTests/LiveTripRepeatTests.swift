import JSONLine
import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// The conclusions from the answer to a repeated change.
@Suite struct LiveTripRepeatTests {
    @Test(arguments: ErrorReason.allCases)
    func `the answer to a repeat is a refusal only if it decides the first request's outcome`(
        reason: ErrorReason
    ) throws {
        var bench = try CoreBench()
        try bench.begin()
        let item = bench.items[0]
        let intent = try bench.want(.edit([.move(item, to: .end(day: 2))]))
        _ = try bench.next("item.move")
        try bench.lose()
        try bench.reconnect()
        try bench.subscribeUpToDate()
        try bench.refuse(bench.next("item.move"), reason)
        switch reason {
        case .storageFailed, .outcomeUnknown:
            #expect(bench.results[intent] == nil, "the next daemon knows")
            #expect(bench.shown?.doubtfulCount == 1)
            try bench.lose()
            try bench.reconnect()
            let delta = try bench.make([.move(item, to: .end(day: 2))], by: "Ann")
            try bench.subscribe(with: delta)
            let again = try bench.next("item.move")
            #expect(again.seq == 1)
            try bench.answer(again) { json in
                json.beginObject()
                json.member("version", 2)
                json.member("repeated", true)
                json.endObject()
            }
            #expect(bench.version(of: intent) == 2)
        case .sequenceTooOld:
            guard case .notMade? = bench.failure(of: intent) else {
                Issue.record("\(String(describing: bench.failure(of: intent)))")
                return
            }
        // The number was not looked up, or belongs to the change as it was sent before.
        case .parseError, .lineTooLong, .invalidRequest, .methodNotFound, .invalidParams, .internalError,
            .notInitialized, .unsupportedProtocol, .tripNotFound, .tripCorrupt, .shuttingDown, .readOnly,
            .accessDenied, .sequenceReuse, .batchNotFound:
            guard case .outcomeUnknown? = bench.failure(of: intent) else {
                Issue.record("\(reason): \(String(describing: bench.failure(of: intent)))")
                return
            }
        default:
            guard case .refused? = bench.failure(of: intent) else {
                Issue.record("\(reason): \(String(describing: bench.failure(of: intent)))")
                return
            }
        }
        #expect(bench.core.pending.isEmpty)
        #expect(bench.shown?.trip == bench.daemon.trip)
    }

    @Test func `after an unknown error reason the outcome stays unknown`() {
        #expect(RemoteError(code: -32012, reason: "too_tired", message: "no").leavesRepeatOpen)
        #expect(!RemoteError(code: -32014, reason: "storage_full", message: "no").leavesRepeatOpen)
    }

    @Test func `a repeat without a cached answer is applied: an edit, a drop, an undo and a redo`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let (item, other) = (bench.items[0], bench.items[1])
        try bench.want(.beginDrag(item))
        try bench.grant()
        let intents = try [
            bench.want(.drop(.end(day: 2))), bench.want(.edit([.move(other, to: .end(day: 3))])),
            bench.want(.undo), bench.want(.redo),
        ]
        var deltas = [try bench.make([.move(item, to: .end(day: 2))], by: "Ann")]
        deltas.append(try bench.make([.move(other, to: .end(day: 3))], by: "Ann"))
        try bench.lose()
        try bench.reconnect()
        try bench.subscribe()
        for (index, method) in ["drag.drop", "item.move", "trip.undo", "trip.redo"].enumerated() {
            try bench.answer(bench.next(method)) { json in
                json.beginObject()
                json.member("version", min(2 + index, 3))
                json.member("repeated", true)
                json.endObject()
            }
            #expect(bench.version(of: intents[index]) == min(2 + index, 3))
        }
        #expect(bench.core.pending.isEmpty)
        #expect(bench.shown?.pendingCount == 0)
        #expect(bench.shown?.trip == bench.daemon.trip)
    }
}
