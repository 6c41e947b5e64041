import Testing
import TripModel
import TripProtocol

@testable import TripServer

/// A trip's core, driven by events without any I/O.
@Suite struct CoreTests {
    /// A core, the events given to it, and the expected effects.
    struct Driver {
        var core: TripCore
        var now = Duration.zero
        private var tickets: [Ticket] = []

        init() throws {
            let header = TripHeader(
                id: TripID(high: 0, low: 9), slug: "t", name: "T",
                startDate: try #require(CalendarDate("2026-06-11")),
                timeZone: "UTC", dayCount: 5)
            let edits = (1...6).map {
                Edit.add(Self.item($0), .custom(CustomItem(title: "c\($0)")), to: .end(day: 1))
            }
            let author = Author(name: "Ann", at: Timestamp(milliseconds: 0))
            core = TripCore(durable: try Trip.create(header, edits: edits, by: author), epoch: "e")
        }

        static func item(_ number: Int) -> ItemID { ItemID(high: 0, low: UInt64(number)) }

        func principal(_ connection: Int) -> Principal {
            Principal(
                connection: connection, user: "u\(connection)",
                client: ClientID(high: 0, low: UInt64(connection)),
                access: .editor)
        }

        mutating func ticket(_ connection: Int) -> Ticket {
            let number = tickets.count + 1
            tickets.append(Ticket(connection: connection, number: number, request: .number(number)))
            return tickets[number - 1]
        }

        mutating func move(
            _ number: Int, to placement: Placement, by connection: Int = 1, seq: Int? = nil
        ) -> [Effect] {
            core.change(
                ChangeCommand(
                    method: .moveItem, edits: [.move(Self.item(number), to: placement)],
                    options: ChangeOptions(seq: seq), principal: principal(connection),
                    ticket: ticket(connection),
                    fingerprint: UInt64(number), takenSlugs: [], at: Timestamp(milliseconds: 1)))
        }

        mutating func subscribe(_ connection: Int) -> [Effect] {
            core.subscribe(
                Subscribe(trip: .slug("t")), by: principal(connection), ticket(connection), now: now)
        }

        mutating func begin(_ number: Int, by connection: Int) -> [Effect] {
            core.beginDrag(
                of: Self.item(number), as: Self.drag(number), includingGaps: true, by: principal(connection),
                ticket(connection), now: now)
        }

        // Expected effects. Requests are numbered from 1.

        subscript(_ request: Int) -> Ticket { tickets[request - 1] }

        static func drag(_ number: Int) -> DragID { DragID("d\(number)") }

        func began(_ request: Int, isDragging: Bool = false) -> Effect {
            .subscribe(self[request], Subscribe(trip: .slug("t")), isDragging: isDragging)
        }

        func answer(_ request: Int) -> Effect {
            .answer(self[request], ServerLine.emptyReply(.number(request)))
        }

        /// The answer to a move or a drop of an item, with its new place.
        func moved(_ request: Int, _ number: Int, version: Int) -> Effect {
            let item = core.trip[Self.item(number)]?.encoded()
            let change = EncodedChange(version: version, isNoop: false, body: .item(item), respacedDays: [])
            return .answer(self[request], ServerLine.reply(.number(request), encoded: change.result()))
        }

        /// The answer to `drag.begin` for the current trip.
        func granted(_ request: Int, _ number: Int) -> Effect {
            let begun = BegunDrag(
                drag: Self.drag(number), item: Self.item(number), leaseMilliseconds: 15_000,
                includesGaps: true)
            return .answerLate(self[request], .dragStart(core.id, begun))
        }

        func refusal(_ request: Int, _ error: WireError) -> Effect {
            .answer(self[request], ServerLine.error(.number(request), error))
        }

        /// A drag of the second connection that the daemon ended.
        static func ended(_ number: Int, _ reason: DragEnd) -> Effect {
            .notify(2, ServerLine.dragEnded(drag(number), item: item(number), reason: reason))
        }
    }

    /// The error of a full disk.
    static let full = WireError(.storageFull, "no")

    @Test func `the answers to consecutive changes of one connection are joined`() throws {
        var driver = try Driver()
        // The third is refused.
        for day in [2, 3, 9, 4] { _ = driver.move(1, to: .end(day: day)) }
        let effects = driver.core.stored(upTo: driver.core.trip.version, now: .zero)
        let answers = effects.compactMap { effect -> (count: Int, lines: Int)? in
            guard case .answer(_, let bytes, let count) = effect else { return nil }
            return (count, bytes.count { $0 == UInt8(ascii: "\n") })
        }
        #expect(answers.map(\.count) == [2, 2])
        #expect(answers.map(\.lines) == [2, 2])
    }

    @Test func `answers are released in order, and only when the changes are durable`() throws {
        var driver = try Driver()
        #expect(driver.subscribe(2) == [driver.began(1)])
        #expect(driver.move(1, to: .end(day: 2)).received == [])
        #expect(
            driver.move(2, to: .end(day: 9)).received == [],
            "a refusal computed against what is not stored waits")
        #expect(driver.move(3, to: .end(day: 3)).received == [])
        let ticket = driver.ticket(1)
        let gaps = LateAnswer.state(driver.core.id, .gaps(Driver.item(1)))
        #expect(driver.core.late(gaps, ticket).received == [])
        #expect(driver.core.storageRequests.count == 2)
        #expect(driver.core.durable.version == 1)
        #expect(driver.core.trip.version == 3)
        #expect(
            driver.core.stored(upTo: 2, now: .zero)
                == [
                    driver.moved(2, 1, version: 2),
                    driver.refusal(
                        3, WireError(PlaceRefusal.dayOutOfRange(day: 9, dayCount: 5), in: driver.core.trip)),
                    .scheduleUpdate([2]),
                ])
        #expect(driver.core.durable.version == 2)
        #expect(
            driver.core.stored(upTo: 3, now: .zero)
                == [
                    driver.moved(4, 3, version: 3),
                    .answerLate(ticket, gaps), .scheduleUpdate([2]),
                ])
        #expect(driver.core.durableTrip == driver.core.trip)
        #expect(driver.core.stored(upTo: 3, now: .zero) == [])
        // Without pending writes an answer is sent at once.
        let next = driver.ticket(1)
        #expect(driver.core.late(gaps, next) == [.answerLate(next, gaps)])
    }

    @Test func `a retry of a durable change is answered at once, and does not fail with later changes`()
        throws
    {
        var driver = try Driver()
        #expect(driver.move(1, to: .end(day: 2), seq: 1).received == [])
        #expect(!driver.core.stored(upTo: 2, now: .zero).isEmpty)
        #expect(driver.move(2, to: .end(day: 2), by: 2).received == [])
        #expect(driver.move(1, to: .end(day: 2), seq: 1) == [driver.moved(3, 1, version: 2)])
        #expect(driver.move(3, to: .end(day: 2), seq: 2).received == [])
        #expect(driver.move(3, to: .end(day: 2), seq: 2).received == [], "the first is not durable yet")
        #expect(
            driver.core.failed(.storageFull, "no", now: .zero)
                == [2, 4, 5].map { driver.refusal($0, Self.full) })
    }

    @Test func `an unsubscription is answered even if the changes before it fail`() throws {
        var driver = try Driver()
        _ = driver.subscribe(2)
        #expect(driver.move(1, to: .end(day: 2)).received == [])
        let ticket = driver.ticket(2)
        #expect(driver.core.unsubscribe(2, ticket, now: .zero).received == [])
        #expect(
            driver.core.failed(.storageFull, "no", now: .zero)
                == [driver.refusal(2, Self.full), .unsubscribe(2), driver.answer(3)])
    }

    @Test(arguments: [true, false])
    func `after a permanent failure changes are refused, after a temporary one the next is tried`(
        _ isForGood: Bool
    ) throws {
        var driver = try Driver()
        #expect(driver.move(1, to: .end(day: 2)).received == [])
        #expect(
            driver.core.failed(.storageFailed, "no", isForGood: isForGood, now: .zero)
                == [driver.refusal(1, WireError(.storageFailed, "no"))])
        driver.core.storageRequests = []
        let next = driver.move(1, to: .end(day: 2)).received
        #expect((driver.core.storageError != nil) == isForGood)
        #expect(next == (driver.core.storageError.map { [driver.refusal(2, $0)] } ?? []))
        #expect(driver.core.storageRequests.count == (isForGood ? 0 : 1))
    }

    @Test(arguments: [ErrorReason.storageFull, .outcomeUnknown])
    func `a failure rolls the trip back to its durable state, and forgets the retries`(_ reason: ErrorReason)
        throws
    {
        var driver = try Driver()
        _ = driver.subscribe(2)
        #expect(driver.move(1, to: .end(day: 2), seq: 1).received == [])
        #expect(!driver.core.stored(upTo: 2, now: .zero).isEmpty)
        let durable = driver.core.durableTrip
        #expect(driver.move(2, to: .end(day: 2), seq: 2).received == [])
        #expect(driver.move(3, to: .end(day: 2), seq: 3).received == [])
        let second = driver.subscribe(3)
        #expect(second == [])
        #expect(driver.begin(4, by: 2).received == [.dragBegan(2, Driver.drag(4))])
        let error = WireError(reason, "no")
        #expect(
            driver.core.failed(reason, "no", now: .zero)
                == [
                    driver.refusal(3, error), driver.refusal(4, error), driver.began(5),
                    driver.refusal(6, error), .dragOver(2, Driver.drag(4), expired: false),
                ],
            "a subscription begins with what is durable all the same")
        #expect(driver.core.trip == durable)
        #expect(driver.core.trip == driver.core.durableTrip)
        #expect(driver.core.inFlight.isEmpty)
        #expect(driver.core.room.leases.isEmpty, "the drag was never sent")
        #expect(driver.core.room.connections == [2, 3])
        let again = driver.move(2, to: .end(day: 2), seq: 2).received
        switch reason {
        case .storageFull:
            #expect(again == [])
            #expect(
                driver.core.stored(upTo: 3, now: .zero)
                    == [driver.moved(7, 2, version: 3), .scheduleUpdate([2, 3])])
        default: #expect(try again == [driver.refusal(7, #require(driver.core.storageError))])
        }
        // Acknowledged changes are kept.
        #expect(driver.move(1, to: .end(day: 2), seq: 1) == [driver.moved(8, 1, version: 2)])
    }

    @Test func `a creation is answered when it is stored, or fails`() throws {
        let driver = try Driver()
        for isStored in [true, false] {
            var core = TripCore(creating: driver.core.trip, epoch: "e")
            var other = driver
            let record = CommitRecord(
                at: Timestamp(milliseconds: 0), user: "u", client: ClientID(high: 0, low: 1),
                method: "trip.create",
                header: core.trip.header, upserts: core.trip.items)
            core.create(record, answering: other.ticket(1))
            let get = other.ticket(2)
            #expect(core.late(.state(core.id, .snapshot), get).isEmpty)
            if isStored {
                let snapshot = LateAnswer.state(core.id, .snapshot)
                #expect(
                    core.stored(upTo: 1, now: .zero)
                        == [.answerLate(other[1], snapshot), .answerLate(get, snapshot)])
                #expect(core.isCreated)
            } else {
                #expect(
                    core.failed(.storageFull, "no", now: .zero)
                        == [other.refusal(1, Self.full), .removed, other.refusal(2, Self.full)])
            }
        }
    }

    @Test func `a slug stays reserved until its trip is known not to be on disk`() throws {
        var driver = try Driver()
        var core = TripCore(creating: driver.core.trip, epoch: "e")
        let slugs: Set = [core.trip.header.slug]
        let record = CommitRecord(
            at: Timestamp(milliseconds: 0), user: "u", client: ClientID(high: 0, low: 1),
            method: "trip.create", header: core.trip.header, upserts: core.trip.items)
        core.create(record, answering: driver.ticket(1))
        #expect(core.delete(ifVersion: nil, isDryRun: false, driver.ticket(2)).isEmpty)
        #expect(core.possibleSlugs(after: slugs) == slugs, "the creation may be on disk")
        _ = core.failed(.storageFull, "no", now: .zero)
        #expect(core.possibleSlugs(after: slugs) == [])
    }

    @Test func `removing the dragged item ends the drag, which continues if the removal fails`() throws {
        for isStored in [true, false] {
            var driver = try Driver()
            _ = driver.subscribe(2)
            _ = driver.begin(4, by: 2)
            let removal = driver.core.change(
                ChangeCommand(
                    method: .removeItem, edits: [.remove(Driver.item(4))], options: ChangeOptions(),
                    principal: driver.principal(2), ticket: driver.ticket(2), fingerprint: 1, takenSlugs: [],
                    at: Timestamp(milliseconds: 1)))
            #expect(removal.received == [])
            if isStored {
                let removed = EncodedChange(version: 2, isNoop: false, body: .nothing, respacedDays: [])
                #expect(
                    driver.core.stored(upTo: 2, now: .zero)
                        == [
                            .answer(driver[3], ServerLine.reply(.number(3), encoded: removed.result())),
                            Driver.ended(4, .itemRemoved), .dragOver(2, Driver.drag(4), expired: false),
                            .resumeUpdates(2), .scheduleUpdate([2]),
                        ])
                #expect(driver.core.room.leases.isEmpty)
            } else {
                #expect(
                    driver.core.failed(.storageFull, "no", now: .zero) == [driver.refusal(3, Self.full)])
                #expect(driver.core.room.users.map(\.dragging) == [Driver.item(4)])
            }
        }
    }

    @Test
    func
        `if the removal of a dragged item fails, only that drag is restored, even if its holder has left or drags another item`()
        throws
    {
        for goes in [true, false] {
            var driver = try Driver()
            _ = driver.subscribe(2)
            _ = driver.begin(4, by: 2)
            _ = driver.core.change(
                ChangeCommand(
                    method: .removeItem, edits: [.remove(Driver.item(4))], options: ChangeOptions(),
                    principal: driver.principal(2), ticket: driver.ticket(2), fingerprint: 1, takenSlugs: [],
                    at: Timestamp(milliseconds: 1)))
            if goes { driver.core.leave(2, now: .zero) } else { _ = driver.begin(5, by: 2) }
            _ = driver.core.failed(.storageFull, "no", now: .zero)
            #expect(driver.core.room.leases.byItem.keys.map { $0 } == (goes ? [] : [Driver.item(4)]))
        }
    }

    @Test func `a failed drop ends its drag, and presence is updated`() throws {
        var driver = try Driver()
        _ = driver.subscribe(2)
        _ = driver.begin(4, by: 2)
        _ = driver.core.tick(now: .zero)
        let drop = Drop(drag: DragID("d4"), placement: .end(day: 2))
        let ticket = driver.ticket(2)
        _ = driver.core.drop(
            drop, fingerprint: 1, by: driver.principal(2), ticket, now: .zero, at: Timestamp(milliseconds: 1))
        _ = driver.core.presenceEffects(now: .seconds(1))
        #expect(
            driver.core.failed(.storageFull, "no", now: .seconds(2))
                == [
                    driver.refusal(3, Self.full), .dragOver(2, Driver.drag(4), expired: false),
                    .resumeUpdates(2),
                ])
        #expect(driver.core.presenceEffects(now: .seconds(3)) == [.schedulePresenceUpdate([2])])
    }

    @Test func `a stored deletion ends drags, notifies subscribers and removes the trip`() throws {
        var driver = try Driver()
        _ = driver.subscribe(1)
        _ = driver.subscribe(2)
        _ = driver.begin(4, by: 2)
        let ticket = driver.ticket(1)
        #expect(driver.core.delete(ifVersion: nil, isDryRun: false, ticket).received == [])
        #expect(driver.move(1, to: .end(day: 2)).received == [])
        let (id, gone) = (driver.core.id, ServerLine.tripDeleted(driver.core.id))
        #expect(
            driver.core.stored(upTo: 2, now: .zero) == [
                Driver.ended(4, .tripDeleted), .dragOver(2, Driver.drag(4), expired: false),
                driver.answer(4), .notify(1, gone), .unsubscribe(1), .notify(2, gone), .unsubscribe(2),
                .removed, driver.refusal(5, WireError(.tripNotFound, "there is no trip \(id)")),
            ])
    }

    @Test func `a lease expires by tick, a hover renews it, and presence contains the drag`() throws {
        var driver = try Driver()
        _ = driver.subscribe(2)
        _ = driver.core.tick(now: .zero)
        #expect(
            driver.begin(4, by: 2)
                == [
                    .dragBegan(2, Driver.drag(4)), driver.granted(2, 4), .pauseUpdates(2),
                ])
        #expect(driver.core.room.users.map(\.dragging) == [Driver.item(4)])
        driver.now = .seconds(10)
        let ticket = driver.ticket(2)
        _ = driver.core.hover(DragID("d4"), over: .end(day: 3), by: 2, ticket, now: driver.now)
        #expect(driver.core.room.users.map(\.over) == [.end(day: 3)])
        _ = driver.core.tick(now: .seconds(10))
        #expect(driver.core.room.nextDeadline == .seconds(25))
        #expect(driver.core.tick(now: .seconds(25) - .milliseconds(1)) == [])
        #expect(
            driver.core.tick(now: .seconds(25))
                == [
                    .dragOver(2, Driver.drag(4), expired: true), Driver.ended(4, .expired), .resumeUpdates(2),
                    .schedulePresenceUpdate([2]),
                ])
        #expect(driver.core.room.users.map(\.dragging) == [nil])
        #expect(driver.core.room.leases.isEmpty)
        let late = driver.ticket(2)
        #expect(driver.core.hover(DragID("d4"), over: nil, by: 2, late, now: .seconds(26)) == nil)
    }

    @Test func `a drag is not visible to others before its answer`() throws {
        var driver = try Driver()
        _ = driver.subscribe(2)
        #expect(driver.move(1, to: .end(day: 2)).received == [])
        #expect(driver.begin(4, by: 2).received == [.dragBegan(2, Driver.drag(4))])
        #expect(driver.core.room.users.map(\.dragging) == [nil])
        #expect(
            driver.core.stored(upTo: 2, now: .zero)
                == [
                    driver.moved(2, 1, version: 2), driver.granted(3, 4), .pauseUpdates(2),
                    .scheduleUpdate([2]),
                ])
        #expect(driver.core.room.users.map(\.dragging) == [Driver.item(4)])
    }

    @Test func `a drag whose answer failed is over, and an expired one is over at once`() throws {
        var driver = try Driver()
        _ = driver.move(1, to: .end(day: 2))
        #expect(driver.begin(4, by: 2).received == [.dragBegan(2, Driver.drag(4))])
        #expect(
            driver.core.failed(.storageFull, "no", now: .zero)
                == [
                    driver.refusal(1, Self.full), driver.refusal(2, Self.full),
                    .dragOver(2, Driver.drag(4), expired: false),
                ])
        #expect(driver.core.room.leases.isEmpty)
        _ = driver.begin(4, by: 2)
        _ = driver.move(1, to: .end(day: 2))
        // Notifications wait for the disk; the drop's outcome does not.
        #expect(driver.core.tick(now: .seconds(16)).first == .dragOver(2, Driver.drag(4), expired: true))
        #expect(
            driver.core.stored(upTo: 2, now: .seconds(16))
                == [
                    driver.moved(4, 1, version: 2), Driver.ended(4, .expired), .resumeUpdates(2),
                    .scheduleUpdate([]),
                ])
    }

    @Test func `a dry run of a deletion does not delete the trip`() throws {
        var driver = try Driver()
        func delete(_ driver: inout Driver, _ version: Int?, isDryRun: Bool) -> [Effect] {
            let ticket = driver.ticket(1)
            return driver.core.delete(ifVersion: version, isDryRun: isDryRun, ticket)
        }
        #expect(delete(&driver, nil, isDryRun: true) == [driver.answer(1)])
        #expect(
            delete(&driver, 7, isDryRun: true)
                == [driver.refusal(2, .versionConflict(expected: 7, actual: 1))])
        #expect(!driver.core.isDeleted)
        #expect(driver.core.storageRequests.isEmpty)
        #expect(delete(&driver, 1, isDryRun: false) == [])
        #expect(driver.core.isDeleted)
    }

    @Test func `the answer to a drop precedes the deferred updates`() throws {
        var driver = try Driver()
        _ = driver.subscribe(2)
        _ = driver.begin(4, by: 2)
        let drop = Drop(drag: DragID("d4"), placement: .end(day: 3))
        let ticket = driver.ticket(2)
        let effects = driver.core.drop(
            drop, fingerprint: 0, by: driver.principal(2), ticket, now: .zero, at: Timestamp(milliseconds: 2))
        #expect(effects?.received == [])
        #expect(
            driver.core.stored(upTo: 2, now: .zero)
                == [
                    driver.moved(3, 4, version: 2), .dragOver(2, Driver.drag(4), expired: false),
                    .resumeUpdates(2),
                    .scheduleUpdate([2]),
                ])
    }

    @Test func `presence is sent at once, then at most ten times a second`() throws {
        var pace = PresencePace()
        var received: [Duration] = []
        for milliseconds in 0..<1000 {
            let now = Duration.milliseconds(milliseconds)
            pace.changed(at: now)
            if pace.markSentIfDue(at: now) { received.append(now) }
        }
        #expect(received == (0..<10).map { .milliseconds(100 * $0) })
        #expect(pace.deadline == .milliseconds(1000))
        #expect(pace.markSentIfDue(at: .milliseconds(1000)) == true)
        #expect(pace.deadline == nil, "nothing is due without a change")
        pace.changed(at: .seconds(9))
        #expect(pace.markSentIfDue(at: .seconds(9)) == true)
    }
}

extension TripCore {
    /// The durable trip.
    var durableTrip: Trip { Self.durableView(of: trip, inFlight) }
}

extension [Effect] {
    /// The effects without the counting of reserved bytes.
    var received: [Effect] {
        filter { effect in
            if case .reserveBytes = effect { false } else { true }
        }
    }

    /// Whether a request is refused for this reason.
    func refuse(_ reason: ErrorReason) -> Bool {
        contains { effect in
            guard case .answer(_, let line, _) = effect,
                case .reply(_, .failure(let error))? = try? IncomingMessage(line: line)
            else { return false }
            return error.known == reason
        }
    }
}
