import JSONLine
import Testing
import TripModel
import TripProtocol

@testable import TripServer

/// A trip's core, driven by events without any I/O.
@Suite struct CoreTests {
    /// A core and words for what is done to it.
    struct Driver {
        var core: TripCore
        var now = Duration.zero
        private var next = 0

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
            next += 1
            return Ticket(connection: connection, number: next, request: .number(next))
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
                of: Self.item(number), as: DragID("d\(number)"), tellingGaps: true, by: principal(connection),
                ticket(connection), now: now)
        }
    }

    /// The kinds of effects, with the request's number where there is one.
    static func words(_ effects: [Effect]) -> [String] {
        effects.compactMap { effect in
            switch effect {
            case .owe: nil
            case .answer(let ticket, let line):
                (try? JSONDocument(parsing: line).root["error"]?["data"]?["reason"]?.string).map {
                    "refuse \(ticket.number) \($0)"
                }
                    ?? "answer \(ticket.number)"
            case .answerLate(let ticket, _): "late \(ticket.number)"
            case .notify(let connection, let line):
                "notify \(connection) \((try? JSONDocument(parsing: line).root["method"]?.string) ?? "")"
            case .subscribe(let ticket, _, let isDragging):
                "subscribe \(ticket.number)\(isDragging ? " dragging" : "")"
            case .unsubscribe(let connection): "unsubscribe \(connection)"
            case .tellBefore(let ticket): "tell before \(ticket.number)"
            case .shut(let connection): "shut \(connection)"
            case .open(let connection): "open \(connection)"
            case .dragBegan(let connection, _): "began \(connection)"
            case .dragOver(let connection, _, let expired): "over \(connection)\(expired ? " expired" : "")"
            case .offer(let connections): "offer \(connections.sorted())"
            case .offerPresence(let connections): "presence \(connections.sorted())"
            case .resume: "resume"
            case .removed: "removed"
            }
        }
    }

    @Test func `nothing is answered before it is stored, and then in order`() throws {
        var driver = try Driver()
        #expect(Self.words(driver.subscribe(2)) == ["subscribe 1"])
        #expect(Self.words(driver.move(1, to: .end(day: 2))).isEmpty)
        #expect(
            Self.words(driver.move(2, to: .end(day: 9))).isEmpty,
            "a refusal computed against what is not stored waits")
        #expect(Self.words(driver.move(3, to: .end(day: 3))).isEmpty)
        let ticket = driver.ticket(1)
        #expect(Self.words(driver.core.gaps(of: Driver.item(1), ticket)).isEmpty)
        #expect(driver.core.storageRequests.count == 2)
        #expect(driver.core.durable.version == 1)
        #expect(driver.core.trip.version == 3)
        #expect(
            Self.words(driver.core.stored(upTo: 2, now: .zero))
                == ["answer 2", "refuse 3 day_out_of_range", "offer [2]"])
        #expect(driver.core.durable.version == 2)
        #expect(Self.words(driver.core.stored(upTo: 3, now: .zero)) == ["answer 4", "answer 5", "offer [2]"])
        #expect(driver.core.durableTrip == driver.core.trip)
        #expect(Self.words(driver.core.stored(upTo: 3, now: .zero)).isEmpty)
        // With nothing on its way an answer leaves at once.
        let next = driver.ticket(1)
        #expect(Self.words(driver.core.gaps(of: Driver.item(1), next)) == ["answer 6"])
    }

    @Test func `a repeat of what is durable waits for nothing, and does not fail with what is in flight`()
        throws
    {
        var driver = try Driver()
        #expect(Self.words(driver.move(1, to: .end(day: 2), seq: 1)).isEmpty)
        #expect(!driver.core.stored(upTo: 2, now: .zero).isEmpty)
        #expect(Self.words(driver.move(2, to: .end(day: 2), by: 2)).isEmpty)
        #expect(Self.words(driver.move(1, to: .end(day: 2), seq: 1)) == ["answer 3"])
        #expect(Self.words(driver.move(3, to: .end(day: 2), seq: 2)).isEmpty)
        #expect(Self.words(driver.move(3, to: .end(day: 2), seq: 2)).isEmpty, "the first is not durable yet")
        #expect(
            Self.words(driver.core.failed(.storageFull, "no", now: .zero))
                == [2, 4, 5].map { "refuse \($0) storage_full" })
    }

    @Test func `an unsubscription is answered also where what it waited for has failed`() throws {
        var driver = try Driver()
        _ = driver.subscribe(2)
        #expect(Self.words(driver.move(1, to: .end(day: 2))).isEmpty)
        let ticket = driver.ticket(2)
        #expect(Self.words(driver.core.unsubscribe(2, ticket, now: .zero)).isEmpty)
        #expect(
            Self.words(driver.core.failed(.storageFull, "no", now: .zero))
                == ["refuse 2 storage_full", "unsubscribe 2", "answer 3"])
    }

    @Test(arguments: [true, false])
    func `after a failure for good nothing is changed, after a passing one the next change is tried`(
        _ isForGood: Bool
    ) throws {
        var driver = try Driver()
        #expect(Self.words(driver.move(1, to: .end(day: 2))).isEmpty)
        #expect(
            Self.words(driver.core.failed(.storageFailed, "no", isForGood: isForGood, now: .zero))
                == ["refuse 1 storage_failed"])
        driver.core.storageRequests = []
        #expect(
            Self.words(driver.move(1, to: .end(day: 2))) == (isForGood ? ["refuse 2 storage_failed"] : []))
        #expect(driver.core.storageRequests.count == (isForGood ? 0 : 1))
    }

    @Test(arguments: [ErrorReason.storageFull, .outcomeUnknown])
    func `a failure rolls back: the trip is what is durable, and retries are forgotten`(_ reason: ErrorReason)
        throws
    {
        var driver = try Driver()
        _ = driver.subscribe(2)
        #expect(Self.words(driver.move(1, to: .end(day: 2), seq: 1)).isEmpty)
        #expect(!driver.core.stored(upTo: 2, now: .zero).isEmpty)
        let durable = driver.core.durableTrip
        #expect(Self.words(driver.move(2, to: .end(day: 2), seq: 2)).isEmpty)
        #expect(Self.words(driver.move(3, to: .end(day: 2), seq: 3)).isEmpty)
        let second = driver.subscribe(3)
        #expect(second.isEmpty)
        #expect(Self.words(driver.begin(4, by: 2)) == ["began 2"])
        let failed = driver.core.failed(reason, "no", now: .zero)
        #expect(
            Self.words(failed).filter { $0.hasPrefix("refuse") }
                == [3, 4, 6].map { "refuse \($0) \(reason.rawValue)" })
        #expect(!Self.words(failed).contains { $0.hasPrefix("offer") || $0.hasPrefix("answer") })
        #expect(
            Self.words(failed).filter { $0.hasPrefix("subscribe") }.count == 1,
            "a subscription begins with what is durable all the same")
        #expect(driver.core.trip == durable)
        #expect(driver.core.trip == driver.core.durableTrip)
        #expect(driver.core.releases.isEmpty)
        #expect(driver.core.leases.isEmpty, "the drag was never told of")
        #expect(driver.core.subscribers.keys.sorted() == [2, 3])
        let again = Self.words(driver.move(2, to: .end(day: 2), seq: 2))
        switch reason {
        case .storageFull:
            #expect(again.isEmpty)
            #expect(Self.words(driver.core.stored(upTo: 3, now: .zero)) == ["answer 7", "offer [2, 3]"])
        default: #expect(again == ["refuse 7 storage_failed"])
        }
        // What was acknowledged before is kept.
        let repeated = Self.words(driver.move(1, to: .end(day: 2), seq: 1))
        #expect(repeated == ["answer 8"])
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
                #expect(Self.words(core.stored(upTo: 1, now: .zero)) == ["late 1", "late 2"])
                #expect(core.isCreated)
            } else {
                let failed = Self.words(core.failed(.storageFull, "no", now: .zero))
                #expect(failed == ["refuse 1 storage_full", "removed", "refuse 2 storage_full"])
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
            #expect(Self.words(removal).isEmpty)
            if isStored {
                #expect(
                    Self.words(driver.core.stored(upTo: 2, now: .zero))
                        == ["answer 3", "notify 2 drag.ended", "over 2", "open 2", "offer [2]"])
                #expect(driver.core.leases.isEmpty)
            } else {
                #expect(
                    Self.words(driver.core.failed(.storageFull, "no", now: .zero)) == [
                        "refuse 3 storage_full"
                    ])
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
            Self.words(driver.core.failed(.storageFull, "no", now: .seconds(2)))
                == ["refuse 3 storage_full", "over 2", "open 2"])
        #expect(Self.words(driver.core.presenceEffects(now: .seconds(3))) == ["presence [2]"])
    }

    @Test func `a deletion ends drags, tells subscribers and removes the trip once it is stored`() throws {
        var driver = try Driver()
        _ = driver.subscribe(1)
        _ = driver.subscribe(2)
        _ = driver.begin(4, by: 2)
        let ticket = driver.ticket(1)
        #expect(
            Self.words(driver.core.delete(ifVersion: nil, isDryRun: false, ticket))
                .isEmpty)
        #expect(Self.words(driver.move(1, to: .end(day: 2))).isEmpty)
        #expect(
            Self.words(driver.core.stored(upTo: 2, now: .zero)) == [
                "notify 2 drag.ended", "over 2", "answer 4", "notify 1 trip.deleted", "unsubscribe 1",
                "notify 2 trip.deleted",
                "unsubscribe 2", "removed", "refuse 5 trip_not_found",
            ])
    }

    @Test func `a lease runs out by tick, a hover renews it, and presence says who drags`() throws {
        var driver = try Driver()
        _ = driver.subscribe(2)
        _ = driver.core.tick(now: .zero)
        #expect(Self.words(driver.begin(4, by: 2)) == ["began 2", "tell before 2", "answer 2", "shut 2"])
        #expect(driver.core.users.map(\.dragging) == [Driver.item(4)])
        driver.now = .seconds(10)
        let ticket = driver.ticket(2)
        _ = driver.core.hover(DragID("d4"), over: .end(day: 3), by: 2, ticket, now: driver.now)
        #expect(driver.core.users.map(\.over) == [.end(day: 3)])
        _ = driver.core.tick(now: .seconds(10))
        #expect(driver.core.nextDeadline == .seconds(25))
        #expect(Self.words(driver.core.tick(now: .seconds(25) - .milliseconds(1))).isEmpty)
        #expect(
            Self.words(driver.core.tick(now: .seconds(25)))
                == ["over 2 expired", "notify 2 drag.ended", "open 2", "presence [2]"])
        #expect(driver.core.users.map(\.dragging) == [nil])
        #expect(driver.core.leases.isEmpty)
        let late = driver.ticket(2)
        #expect(driver.core.hover(DragID("d4"), over: nil, by: 2, late, now: .seconds(26)) == nil)
    }

    @Test func `a drag that waits for the disk is not announced before its answer`() throws {
        var driver = try Driver()
        _ = driver.subscribe(2)
        #expect(Self.words(driver.move(1, to: .end(day: 2))).isEmpty)
        #expect(Self.words(driver.begin(4, by: 2)) == ["began 2"])
        #expect(driver.core.users.map(\.dragging) == [nil])
        #expect(
            Self.words(driver.core.stored(upTo: 2, now: .zero))
                == ["answer 2", "tell before 3", "answer 3", "shut 2", "offer [2]"])
        #expect(driver.core.users.map(\.dragging) == [Driver.item(4)])
    }

    @Test func `a drag whose answer never came is over, and one that has expired is so at once`() throws {
        var driver = try Driver()
        _ = driver.move(1, to: .end(day: 2))
        #expect(Self.words(driver.begin(4, by: 2)) == ["began 2"])
        #expect(
            Self.words(driver.core.failed(.storageFull, "no", now: .zero))
                == ["refuse 1 storage_full", "refuse 2 storage_full", "over 2"])
        #expect(driver.core.leases.isEmpty)
        _ = driver.begin(4, by: 2)
        _ = driver.move(1, to: .end(day: 2))
        // What is told waits for the disk, what becomes of a drop does not.
        #expect(Self.words(driver.core.tick(now: .seconds(16))).prefix(1) == ["over 2 expired"])
        #expect(
            Self.words(driver.core.stored(upTo: 2, now: .seconds(16)))
                == ["answer 4", "notify 2 drag.ended", "open 2", "offer []"])
    }

    @Test func `a trip that is deleted in a rehearsal is not`() throws {
        var driver = try Driver()
        func delete(_ driver: inout Driver, _ version: Int?, isDryRun: Bool) -> [String] {
            let ticket = driver.ticket(1)
            return Self.words(
                driver.core.delete(ifVersion: version, isDryRun: isDryRun, ticket))
        }
        #expect(delete(&driver, nil, isDryRun: true) == ["answer 1"])
        #expect(delete(&driver, 7, isDryRun: true) == ["refuse 2 version_conflict"])
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
        #expect(effects.map(Self.words) == [])
        #expect(
            Self.words(driver.core.stored(upTo: 2, now: .zero)) == [
                "answer 3", "over 2", "open 2", "offer [2]",
            ])
    }

    @Test func `presence is told at once, then at most ten times a second`() throws {
        var pace = PresencePace()
        var told: [Duration] = []
        for milliseconds in 0..<1000 {
            let now = Duration.milliseconds(milliseconds)
            pace.changed(at: now)
            if pace.takeDue(at: now) { told.append(now) }
        }
        #expect(told == (0..<10).map { .milliseconds(100 * $0) })
        #expect(pace.deadline == .milliseconds(1000))
        #expect(pace.takeDue(at: .milliseconds(1000)) == true)
        #expect(pace.deadline == nil, "nothing is due where nothing has changed")
        pace.changed(at: .seconds(9))
        #expect(pace.takeDue(at: .seconds(9)) == true)
    }
}
