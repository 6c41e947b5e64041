import Testing
import TripModel
import TripProtocol

@testable import TripServer

/// A trip's core, driven by events without any I/O.
@Suite struct CoreTests {
    /// A core, what is done to it, and what that should come to.
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
                of: Self.item(number), as: Self.drag(number), tellingGaps: true, by: principal(connection),
                ticket(connection), now: now)
        }

        // What it should come to, by the numbers of the requests, which are counted from 1.

        subscript(_ request: Int) -> Ticket { tickets[request - 1] }

        static func drag(_ number: Int) -> DragID { DragID("d\(number)") }

        func began(_ request: Int, isDragging: Bool = false) -> Effect {
            .subscribe(self[request], Subscribe(trip: .slug("t")), isDragging: isDragging)
        }

        func answer(_ request: Int) -> Effect {
            .answer(self[request], ServerLine.emptyReply(.number(request)))
        }

        /// The answer to a move or a drop of an item, which is where that has put it.
        func moved(_ request: Int, _ number: Int, version: Int) -> Effect {
            let item = core.trip[Self.item(number)]?.encoded()
            let change = EncodedChange(version: version, isNoop: false, body: .item(item), respacedDays: [])
            return .answer(self[request], ServerLine.reply(.number(request), encoded: change.result()))
        }

        /// The answer to the beginning of a drag of a trip as it is now.
        func granted(_ request: Int, _ number: Int) -> Effect {
            let begun = BegunDrag(
                drag: Self.drag(number), item: Self.item(number), leaseMilliseconds: 15_000, tellsGaps: true)
            return .answerLate(self[request], .dragStart(core.id, begun))
        }

        func refusal(_ request: Int, _ error: WireError) -> Effect {
            .answer(self[request], ServerLine.error(.number(request), error))
        }

        /// A drag of the second connection that ended by itself.
        static func ended(_ number: Int, _ reason: DragEnd) -> Effect {
            .notify(2, ServerLine.dragEnded(drag(number), item: item(number), reason: reason))
        }
    }

    /// What a disk without room says.
    static let full = WireError(.storageFull, "no")

    @Test func `nothing is answered before it is stored, and then in order`() throws {
        var driver = try Driver()
        #expect(driver.subscribe(2) == [driver.began(1)])
        #expect(driver.move(1, to: .end(day: 2)).told == [])
        #expect(
            driver.move(2, to: .end(day: 9)).told == [],
            "a refusal computed against what is not stored waits")
        #expect(driver.move(3, to: .end(day: 3)).told == [])
        let ticket = driver.ticket(1)
        #expect(driver.core.gaps(of: Driver.item(1), ticket).told == [])
        let gaps = try #require(driver.core.trip.gaps(for: Driver.item(1)))
        #expect(driver.core.storageRequests.count == 2)
        #expect(driver.core.durable.version == 1)
        #expect(driver.core.trip.version == 3)
        #expect(
            driver.core.stored(upTo: 2, now: .zero)
                == [
                    driver.moved(2, 1, version: 2),
                    driver.refusal(
                        3, WireError(PlaceRefusal.dayOutOfRange(day: 9, dayCount: 5), in: driver.core.trip)),
                    .offer([2]),
                ])
        #expect(driver.core.durable.version == 2)
        #expect(
            driver.core.stored(upTo: 3, now: .zero)
                == [
                    driver.moved(4, 3, version: 3),
                    .answer(ticket, ServerLine.gaps(.number(5), version: 3, gaps)), .offer([2]),
                ])
        #expect(driver.core.durableTrip == driver.core.trip)
        #expect(driver.core.stored(upTo: 3, now: .zero) == [])
        // With nothing on its way an answer leaves at once.
        let next = driver.ticket(1)
        #expect(
            driver.core.gaps(of: Driver.item(1), next)
                == [.answer(next, ServerLine.gaps(.number(6), version: 3, gaps))])
    }

    @Test func `a repeat of what is durable waits for nothing, and does not fail with what is in flight`()
        throws
    {
        var driver = try Driver()
        #expect(driver.move(1, to: .end(day: 2), seq: 1).told == [])
        #expect(!driver.core.stored(upTo: 2, now: .zero).isEmpty)
        #expect(driver.move(2, to: .end(day: 2), by: 2).told == [])
        #expect(driver.move(1, to: .end(day: 2), seq: 1) == [driver.moved(3, 1, version: 2)])
        #expect(driver.move(3, to: .end(day: 2), seq: 2).told == [])
        #expect(driver.move(3, to: .end(day: 2), seq: 2).told == [], "the first is not durable yet")
        #expect(
            driver.core.failed(.storageFull, "no", now: .zero)
                == [2, 4, 5].map { driver.refusal($0, Self.full) })
    }

    @Test func `an unsubscription is answered also where what it waited for has failed`() throws {
        var driver = try Driver()
        _ = driver.subscribe(2)
        #expect(driver.move(1, to: .end(day: 2)).told == [])
        let ticket = driver.ticket(2)
        #expect(driver.core.unsubscribe(2, ticket, now: .zero).told == [])
        #expect(
            driver.core.failed(.storageFull, "no", now: .zero)
                == [driver.refusal(2, Self.full), .unsubscribe(2), driver.answer(3)])
    }

    @Test(arguments: [true, false])
    func `after a failure for good nothing is changed, after a passing one the next change is tried`(
        _ isForGood: Bool
    ) throws {
        var driver = try Driver()
        #expect(driver.move(1, to: .end(day: 2)).told == [])
        #expect(
            driver.core.failed(.storageFailed, "no", isForGood: isForGood, now: .zero)
                == [driver.refusal(1, WireError(.storageFailed, "no"))])
        driver.core.storageRequests = []
        let next = driver.move(1, to: .end(day: 2)).told
        #expect((driver.core.storageError != nil) == isForGood)
        #expect(next == (driver.core.storageError.map { [driver.refusal(2, $0)] } ?? []))
        #expect(driver.core.storageRequests.count == (isForGood ? 0 : 1))
    }

    @Test(arguments: [ErrorReason.storageFull, .outcomeUnknown])
    func `a failure rolls back: the trip is what is durable, and retries are forgotten`(_ reason: ErrorReason)
        throws
    {
        var driver = try Driver()
        _ = driver.subscribe(2)
        #expect(driver.move(1, to: .end(day: 2), seq: 1).told == [])
        #expect(!driver.core.stored(upTo: 2, now: .zero).isEmpty)
        let durable = driver.core.durableTrip
        #expect(driver.move(2, to: .end(day: 2), seq: 2).told == [])
        #expect(driver.move(3, to: .end(day: 2), seq: 3).told == [])
        let second = driver.subscribe(3)
        #expect(second == [])
        #expect(driver.begin(4, by: 2).told == [.dragBegan(2, Driver.drag(4))])
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
        #expect(driver.core.releases.isEmpty)
        #expect(driver.core.leases.isEmpty, "the drag was never told of")
        #expect(driver.core.subscribers.keys.sorted() == [2, 3])
        let again = driver.move(2, to: .end(day: 2), seq: 2).told
        switch reason {
        case .storageFull:
            #expect(again == [])
            #expect(
                driver.core.stored(upTo: 3, now: .zero)
                    == [driver.moved(7, 2, version: 3), .offer([2, 3])])
        default: #expect(try again == [driver.refusal(7, #require(driver.core.storageError))])
        }
        // What was acknowledged before is kept.
        #expect(driver.move(1, to: .end(day: 2), seq: 1) == [driver.moved(8, 1, version: 2)])
    }

    @Test func `a creation is told when it is stored, or comes to nothing`() throws {
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
            #expect(core.late(.snapshot(core.id), get).isEmpty)
            if isStored {
                let snapshot = LateAnswer.snapshot(core.id)
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

    @Test func `a holder removes what it drags: the drag ends with that, and goes on where it fails`() throws
    {
        for isStored in [true, false] {
            var driver = try Driver()
            _ = driver.subscribe(2)
            _ = driver.begin(4, by: 2)
            let removal = driver.core.change(
                ChangeCommand(
                    method: .removeItem, edits: [.remove(Driver.item(4))], options: ChangeOptions(),
                    principal: driver.principal(2), ticket: driver.ticket(2), fingerprint: 1, takenSlugs: [],
                    at: Timestamp(milliseconds: 1)))
            #expect(removal.told == [])
            if isStored {
                let removed = EncodedChange(version: 2, isNoop: false, body: .nothing, respacedDays: [])
                #expect(
                    driver.core.stored(upTo: 2, now: .zero)
                        == [
                            .answer(driver[3], ServerLine.reply(.number(3), encoded: removed.result())),
                            Driver.ended(4, .itemRemoved), .dragOver(2, Driver.drag(4), expired: false),
                            .open(2), .offer([2]),
                        ])
                #expect(driver.core.leases.isEmpty)
            } else {
                #expect(
                    driver.core.failed(.storageFull, "no", now: .zero) == [driver.refusal(3, Self.full)])
                #expect(driver.core.users.map(\.dragging) == [Driver.item(4)])
            }
        }
    }

    @Test
    func
        `a holder removes what it drags and goes, or takes another: a failure gives back no more than it took`()
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
            #expect(driver.core.leases.byItem.keys.map { $0 } == (goes ? [] : [Driver.item(4)]))
        }
    }

    @Test func `a drop that fails ends its drag, and presence tells it`() throws {
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
                    driver.refusal(3, Self.full), .dragOver(2, Driver.drag(4), expired: false), .open(2),
                ])
        #expect(driver.core.presenceEffects(now: .seconds(3)) == [.offerPresence([2])])
    }

    @Test func `a deletion ends drags, tells subscribers and removes the trip once it is stored`() throws {
        var driver = try Driver()
        _ = driver.subscribe(1)
        _ = driver.subscribe(2)
        _ = driver.begin(4, by: 2)
        let ticket = driver.ticket(1)
        #expect(driver.core.delete(ifVersion: nil, isDryRun: false, ticket).told == [])
        #expect(driver.move(1, to: .end(day: 2)).told == [])
        let (id, gone) = (driver.core.id, ServerLine.tripDeleted(driver.core.id))
        #expect(
            driver.core.stored(upTo: 2, now: .zero) == [
                Driver.ended(4, .tripDeleted), .dragOver(2, Driver.drag(4), expired: false),
                driver.answer(4), .notify(1, gone), .unsubscribe(1), .notify(2, gone), .unsubscribe(2),
                .removed, driver.refusal(5, WireError(.tripNotFound, "there is no trip \(id)")),
            ])
    }

    @Test func `a lease runs out by tick, a hover renews it, and presence says who drags`() throws {
        var driver = try Driver()
        _ = driver.subscribe(2)
        _ = driver.core.tick(now: .zero)
        #expect(
            driver.begin(4, by: 2)
                == [
                    .dragBegan(2, Driver.drag(4)), driver.granted(2, 4), .shut(2),
                ])
        #expect(driver.core.users.map(\.dragging) == [Driver.item(4)])
        driver.now = .seconds(10)
        let ticket = driver.ticket(2)
        _ = driver.core.hover(DragID("d4"), over: .end(day: 3), by: 2, ticket, now: driver.now)
        #expect(driver.core.users.map(\.over) == [.end(day: 3)])
        _ = driver.core.tick(now: .seconds(10))
        #expect(driver.core.nextDeadline == .seconds(25))
        #expect(driver.core.tick(now: .seconds(25) - .milliseconds(1)) == [])
        #expect(
            driver.core.tick(now: .seconds(25))
                == [
                    .dragOver(2, Driver.drag(4), expired: true), Driver.ended(4, .expired), .open(2),
                    .offerPresence([2]),
                ])
        #expect(driver.core.users.map(\.dragging) == [nil])
        #expect(driver.core.leases.isEmpty)
        let late = driver.ticket(2)
        #expect(driver.core.hover(DragID("d4"), over: nil, by: 2, late, now: .seconds(26)) == nil)
    }

    @Test func `a drag that waits for the disk is not announced before its answer`() throws {
        var driver = try Driver()
        _ = driver.subscribe(2)
        #expect(driver.move(1, to: .end(day: 2)).told == [])
        #expect(driver.begin(4, by: 2).told == [.dragBegan(2, Driver.drag(4))])
        #expect(driver.core.users.map(\.dragging) == [nil])
        #expect(
            driver.core.stored(upTo: 2, now: .zero)
                == [
                    driver.moved(2, 1, version: 2), driver.granted(3, 4), .shut(2),
                    .offer([2]),
                ])
        #expect(driver.core.users.map(\.dragging) == [Driver.item(4)])
    }

    @Test func `a drag whose answer never came is over, and one that has expired is so at once`() throws {
        var driver = try Driver()
        _ = driver.move(1, to: .end(day: 2))
        #expect(driver.begin(4, by: 2).told == [.dragBegan(2, Driver.drag(4))])
        #expect(
            driver.core.failed(.storageFull, "no", now: .zero)
                == [
                    driver.refusal(1, Self.full), driver.refusal(2, Self.full),
                    .dragOver(2, Driver.drag(4), expired: false),
                ])
        #expect(driver.core.leases.isEmpty)
        _ = driver.begin(4, by: 2)
        _ = driver.move(1, to: .end(day: 2))
        // What is told waits for the disk, what becomes of a drop does not.
        #expect(driver.core.tick(now: .seconds(16)).first == .dragOver(2, Driver.drag(4), expired: true))
        #expect(
            driver.core.stored(upTo: 2, now: .seconds(16))
                == [driver.moved(4, 1, version: 2), Driver.ended(4, .expired), .open(2), .offer([])])
    }

    @Test func `a trip that is deleted in a rehearsal is not`() throws {
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

    @Test func `the answer to a drop comes before what it withheld`() throws {
        var driver = try Driver()
        _ = driver.subscribe(2)
        _ = driver.begin(4, by: 2)
        let drop = Drop(drag: DragID("d4"), placement: .end(day: 3))
        let ticket = driver.ticket(2)
        let effects = driver.core.drop(
            drop, fingerprint: 0, by: driver.principal(2), ticket, now: .zero, at: Timestamp(milliseconds: 2))
        #expect(effects?.told == [])
        #expect(
            driver.core.stored(upTo: 2, now: .zero)
                == [
                    driver.moved(3, 4, version: 2), .dragOver(2, Driver.drag(4), expired: false), .open(2),
                    .offer([2]),
                ])
    }

    @Test func `presence is told at once, then at most ten times a second`() throws {
        var pace = PresencePace()
        var told: [Duration] = []
        for milliseconds in 0..<1000 {
            let now = Duration.milliseconds(milliseconds)
            pace.changed(at: now)
            if pace.noteToldIfDue(at: now) { told.append(now) }
        }
        #expect(told == (0..<10).map { .milliseconds(100 * $0) })
        #expect(pace.deadline == .milliseconds(1000))
        #expect(pace.noteToldIfDue(at: .milliseconds(1000)) == true)
        #expect(pace.deadline == nil, "nothing is due where nothing has changed")
        pace.changed(at: .seconds(9))
        #expect(pace.noteToldIfDue(at: .seconds(9)) == true)
    }
}

extension TripCore {
    /// The trip as the disk has it.
    var durableTrip: Trip { Self.durableView(of: trip, releases).trip }
}

extension [Effect] {
    /// What is done besides counting the bytes of answers that wait.
    var told: [Effect] {
        filter { effect in
            if case .owe = effect { false } else { true }
        }
    }

    /// Whether a request is refused for this reason.
    func refuse(_ reason: ErrorReason) -> Bool {
        contains { effect in
            guard case .answer(_, let line) = effect,
                case .reply(_, .failure(let error))? = try? IncomingMessage(line: line)
            else { return false }
            return error.known == reason
        }
    }
}
