import JSONLine
import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// Changes of a live trip that do not fit into one line.
@Suite struct LiveTripLongChangeTests {
    private static func adding(_ count: Int) -> [Edit] {
        (0..<count).map {
            .add(ItemID(high: 9, low: UInt64($0)), .custom(CustomItem(title: "x\($0)")), to: .end(day: 2))
        }
    }

    private func open(_ bench: inout CoreBench, _ name: String = "b-1") throws {
        try bench.answer(bench.next("batch.open")) { json in
            json.beginObject()
            json.member("batch", name)
            json.endObject()
        }
    }

    /// Accepts the next piece; returns the number of its operations.
    private func takePiece(_ bench: inout CoreBench) throws -> Int {
        let piece = try bench.next("batch.add")
        try bench.answer(piece) { json in
            json.beginObject()
            json.endObject()
        }
        return piece.params["ops"]?.count ?? 0
    }

    @Test func `300 edits are one change: uploaded in pieces, shown at once, before all later changes`()
        throws
    {
        var bench = try CoreBench()
        try bench.begin()
        let before = bench.items.count
        let edits = Self.adding(300)
        let intent = try bench.want(.edit(edits))
        let next = try bench.want(.edit([.move(bench.items[0], to: .end(day: 3))]))
        #expect(bench.shown?.trip.itemCount == before + 300)
        #expect(bench.asked.map(\.method) == ["batch.open"])
        try open(&bench)
        #expect(bench.asked.map(\.method) == ["batch.add", "batch.add", "batch.add"])
        let sizes = try [takePiece(&bench), takePiece(&bench)]
        #expect(bench.asked.map(\.method) == ["batch.add"], "a piece may yet be refused")
        #expect(try sizes + [takePiece(&bench)] == [128, 128, 44])
        let commit = try bench.next("batch.commit")
        #expect((commit.seq, commit.params["batch"]?.string) == (1, "b-1"))
        let move = try bench.next("item.move")
        #expect(move.seq == 2)
        let delta = try bench.make(edits, by: "Ann")
        try bench.accept(commit)
        try bench.send(delta.line())
        #expect(bench.version(of: intent) == 2)
        let last = try bench.make([.move(bench.items[0], to: .end(day: 3))], by: "Ann")
        try bench.accept(move)
        try bench.send(last.line())
        #expect(bench.version(of: next) == 3)
        #expect(bench.core.pending.isEmpty)
        #expect(bench.shown?.trip == bench.daemon.trip)
    }

    @Test func `an upload cut before its commit starts again; after it, the commit is sent again`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let intent = try bench.want(.edit(Self.adding(200)))
        try open(&bench)
        _ = try takePiece(&bench)
        try bench.lose()
        try bench.reconnect()
        try bench.subscribeUpToDate()
        try open(&bench, "b-2")
        _ = try (takePiece(&bench), takePiece(&bench))
        let commit = try bench.next("batch.commit")
        try bench.lose()
        #expect(bench.results[intent] == nil)
        try bench.reconnect()
        let delta = try bench.make(Self.adding(200), by: "Ann")
        try bench.subscribe(with: delta)
        try open(&bench, "b-3")
        _ = try (takePiece(&bench), takePiece(&bench))
        let again = try bench.next("batch.commit")
        #expect((commit.seq, again.seq) == (1, 1))
        try bench.answer(again) { json in
            json.beginObject()
            json.member("version", 2)
            json.member("repeated", true)
            json.endObject()
        }
        #expect(bench.version(of: intent) == 2)
        #expect(bench.shown?.trip == bench.daemon.trip)
    }

    @Test func `a refused piece fails the change, and later changes continue`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let intent = try bench.want(.edit(Self.adding(200)))
        try bench.want(.edit([.move(bench.items[0], to: .end(day: 3))]))
        try open(&bench)
        try bench.refuse(bench.next("batch.add"), .limitExceeded)
        guard case .refused? = bench.failure(of: intent) else {
            Issue.record("\(String(describing: bench.failure(of: intent)))")
            return
        }
        _ = try takePiece(&bench)
        #expect(bench.asked.map(\.method) == ["batch.drop", "item.move"])
        #expect(bench.shown?.trip.itemCount == bench.items.count)
    }

    @Test func `a refusal after a commit with a lost answer leaves the outcome unknown`() throws {
        var bench = try CoreBench()
        try bench.begin()
        let intent = try bench.want(.edit(Self.adding(200)))
        try open(&bench)
        _ = try (takePiece(&bench), takePiece(&bench))
        _ = try bench.next("batch.commit")
        try bench.lose()
        try bench.reconnect()
        try bench.subscribeUpToDate()
        try bench.refuse(bench.next("batch.open"), .limitExceeded)
        guard case .outcomeUnknown? = bench.failure(of: intent) else {
            Issue.record("\(String(describing: bench.failure(of: intent)))")
            return
        }
    }

    @Test func `a daemon of 1.0 gets no upload, and later changes continue`() throws {
        var bench = try CoreBench(minor: 0)
        try bench.begin()
        let intent = try bench.want(.edit(Self.adding(200)))
        try bench.want(.edit([.move(bench.items[0], to: .end(day: 3))]))
        guard case .notMade? = bench.failure(of: intent) else {
            Issue.record("\(String(describing: bench.failure(of: intent)))")
            return
        }
        #expect(bench.asked.map(\.method) == ["item.move"])
    }

    @Test func `a long change made while offline is refused by a daemon of 1.0`() throws {
        var bench = try CoreBench(minor: 0)
        try bench.begin()
        try bench.lose()
        let intent = try bench.want(.edit(Self.adding(200)))
        try bench.want(.edit([.move(bench.items[0], to: .end(day: 3))]))
        #expect(bench.results[intent] == nil)
        try bench.reconnect()
        try bench.subscribeUpToDate()
        guard case .notMade? = bench.failure(of: intent) else {
            Issue.record("\(String(describing: bench.failure(of: intent)))")
            return
        }
        #expect(bench.asked.map(\.method) == ["item.move"])
    }

    @Test func `a drag begins only after an earlier upload is applied`() throws {
        var bench = try CoreBench()
        try bench.begin()
        try bench.want(.edit(Self.adding(200)))
        try bench.want(.beginDrag(bench.items[0]))
        try open(&bench)
        #expect(bench.asked.map(\.method) == ["batch.add", "batch.add"])
        _ = try (takePiece(&bench), takePiece(&bench))
        #expect(bench.asked.map(\.method) == ["batch.commit", "drag.begin"])
    }

    @Test func `a long change is one version and one undo at a real daemon`() async throws {
        let trips = try ServedTrips()
        let (client, _) = try await TripClient.connect(
            to: trips.socket, saying: Hello(clientName: "test", clientVersion: "1", user: "Zoe"))
        _ = try await client.create(SampleTrip.draft("t", items: 1))
        await client.close()
        let live = try await LiveTrip.open(
            .slug("t"), at: DaemonAddress(path: trips.socket), options: LiveTrip.Options(user: "Ann"))
        let made = try await live.apply(Self.adding(300))
        #expect((made.version, made.items.count) == (2, 300))
        #expect(live.state.trip.itemCount == 301)
        let undone = try await live.undo()
        #expect(undone.version == 3)
        for await state in live.states where state.version == 3 {
            #expect(state.trip.itemCount == 1)
            break
        }
        await live.close()
    }
}
