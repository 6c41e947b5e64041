import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// The methods of version 1.1, through the client for scripts and commands.
@Suite struct LongChangeTests {
    private static func hello(_ user: String) -> Hello {
        Hello(clientName: "test", clientVersion: "1", user: user, clientID: .random())
    }

    @Test func `any number of edits is one change, in a line or as a batch`() async throws {
        let trips = try ServedTrips()
        let (ann, _) = try await TripClient.connect(to: trips.socket, saying: Self.hello("ann"))
        _ = try await ann.create(SampleTrip.draft("t", items: 1))
        func adding(_ count: Int) -> [Edit] {
            (0..<count).map { .add(.random(), .custom(CustomItem(title: "x\($0)")), to: .end(day: 2)) }
        }
        let few = try await ann.apply(adding(3), in: .slug("t"))
        #expect((few.version, few.items.count) == (2, 3))
        let many = try await ann.apply(
            adding(300), in: .slug("t"), options: ChangeOptions(seq: 1, ifVersion: 2))
        #expect((many.version, many.items.count) == (3, 300))
        // A refused one has no effect.
        await #expect(throws: ClientError.self) {
            try await ann.apply(adding(200) + [.remove(.random())], in: .slug("t"))
        }
        #expect(try await ann.snapshot(of: .slug("t")).trip.version == 3)
        let batch = try await ann.openBatch(in: .slug("t"))
        try await ann.drop(batch)
        await #expect(throws: ClientError.self) { try await ann.commit(batch) }
        await ann.close()
    }

    @Test func `pieces contain as many edits as a line allows, by number and by bytes`() {
        let small = (0..<300).map { _ in Edit.remove(.random()) }
        #expect(TripClient.pieces(of: small).map(\.count) == [128, 128, 44])
        #expect(TripClient.pieces(of: small).flatMap(\.self) == small)
        #expect(TripClient.pieces(of: []).isEmpty)
        let note = String(repeating: "\n", count: TripLimits.noteBytes)
        let large = (0..<128).map { _ in Edit.update(.random(), [.note(note)]) }
        let pieces = TripClient.pieces(of: large)
        #expect(pieces.flatMap(\.self) == large)
        #expect(pieces.count > 2)
        for piece in pieces {
            let line = Request.addToBatch(BatchID("some-batch"), piece).line(id: .number(.max))
            #expect(line.count <= WireLimits.lineBytes)
        }
    }

    @Test func `restrictions, history fields and cursors are decoded into types`() async throws {
        let trips = try ServedTrips()
        let (ann, welcome) = try await TripClient.connect(to: trips.socket, saying: Self.hello("ann"))
        #expect((welcome.user, welcome.access, welcome.isVerified) == ("ann", .owner, false))
        let made = try await ann.create(SampleTrip.draft("t", items: 1))
        let (val, limited) = try await TripClient.connect(
            to: trips.socket, saying: Self.hello("eve"), restrictedTo: Restriction(user: "val", role: .viewer)
        )
        #expect((limited.user, limited.access, limited.role) == ("val", .viewer, .viewer))
        #expect(limited.isVerified)
        let item = made.trip.items[0]
        _ = try await ann.change(
            ChangeRequest(
                method: .updateItem, trip: .slug("t"), edits: [.update(item.id, [.title("New")])]))
        let history = try await val.history(HistoryRequest(trip: .slug("t"), since: .version(1)))
        #expect(history.map(\.version) == [2])
        #expect(history.first?.items == [item.id])
        let field = HistoryField(field: "title", before: .text(item.content.title), after: .text("New"))
        #expect(history.first?.operations.first?.fields == [field])
        _ = try await ann.subscribe(Subscribe(trip: .slug("t")))
        _ = try await val.subscribe(Subscribe(trip: .slug("t")))
        try await val.focus(on: .item(item.id), in: .slug("t"))
        var seen: ListRow?
        for try await case .presence(_, let users) in ann.notifications {
            seen = users.first { $0.user == "val" }?.focus
            if seen != nil { break }
        }
        #expect(seen == .item(item.id))
        await val.close()
        await ann.close()
    }
}
