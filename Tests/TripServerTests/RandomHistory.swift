import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripJournal
@testable import TripServer

/// Random edits of a core whose journal is an array.
struct RandomHistory {
    var core: TripCore
    private(set) var records: [JournalRecord] = []
    private(set) var sequences: [(seq: Int, mark: UInt64)] = []
    /// Whether each change is durable at once; otherwise `store` makes changes durable.
    var storesAtOnce = true
    let client = ClientID(high: 0, low: 1)
    private var random: SplitMix64
    private var seq = 0

    /// - Parameter isBrief: Whether records omit derivable members, as from format 2.
    init(seed: UInt64, isBrief: Bool = true) throws {
        random = SplitMix64(seed: seed)
        let header = TripHeader(
            id: TripID(high: 0, low: 9), slug: "t", name: "T",
            startDate: try #require(CalendarDate("2026-06-11")),
            timeZone: "UTC", dayCount: 4)
        let trip = try Trip.create(header, by: Author(name: "u", at: Timestamp(milliseconds: 0)))
        core = TripCore(creating: trip, epoch: "e")
        core.recordFormat = isBrief ? JournalFormat.current : 1
        var record = CommitRecord(
            at: Timestamp(milliseconds: 0), user: "u", client: client, method: "trip.create", header: header)
        record.creation = 99
        core.create(record, answering: nil)
        takeRecords()
    }

    func opened(_ records: [JournalRecord]? = nil) -> OpenedJournal {
        OpenedJournal(
            header: JournalHeader(tripID: core.id, epoch: "e"), records: records ?? self.records,
            checkpoint: JournalCheckpoint(version: 0, checksum: 0), end: 0, repair: nil)
    }

    private mutating func takeRecords() {
        for request in core.storageRequests {
            switch request {
            case .create(let version, let payload), .append(let version, let payload):
                records.append(JournalRecord(version: version, payload: payload))
            case .createEncoded, .appendEncoded: preconditionFailure("no worker changes this trip")
            case .delete: break
            }
        }
        core.storageRequests = []
        if storesAtOnce { store() }
    }

    /// All changes so far are durable.
    mutating func store() { _ = core.stored(upTo: core.trip.version, now: .zero) }

    private mutating func item() -> ItemID { ItemID(high: 0, low: UInt64(1 + random.below(25))) }

    private mutating func placement() -> Placement {
        let day = 1 + random.below(4)
        return switch random.below(6) {
        case 5: .between(item(), item(), day: day)
        case 0: .after(item(), day: day)
        case 1: .before(item(), day: day)
        case 2: .start(day: day)
        case 3: .end(day: day)
        // Equal or nearly equal orders, so that re-spacing occurs.
        default: .order([1, 1 + 1e-11, 1 - 1e-11, 1e15, -1][random.below(5)], day: day)
        }
    }

    private mutating func content() -> ItemContent {
        let number = random.below(20)
        let city = ["Rome", "Lima", "Oslo"][random.below(3)]
        let date = "2026-06-1\(1 + random.below(6))T1\(random.below(3)):00:00Z"
        if random.chance(30), let start = OffsetDateTime(date) {
            return .game(Game(gameID: "g\(number)", title: "g", city: city, startsAt: start))
        }
        if random.chance(30) { return .travel(Travel(fromCity: city, toCity: "Lima", note: "n\n")) }
        return .custom(
            CustomItem(
                title: "c\(number)", cost: Cost(amount: 0.1, currency: "EUR"),
                time: ClockTime(minute: number * 60)))
    }

    private mutating func edit() -> Edit {
        switch random.below(12) {
        case ..<4: .add(item(), content(), to: random.chance(60) ? placement() : nil)
        case ..<8: .move(item(), to: placement())
        case 8: .update(item(), [.title("t\(random.below(9))")])
        case 9: .update(item(), [.note("n\(random.below(9))"), .url("https://a/\(random.below(9))")])
        case 10: .remove(item())
        default:
            .trip(
                random.chance(50)
                    ? TripChange(dayCount: 2 + random.below(4))
                    : TripChange(
                        name: "n\(random.below(9))", startDate: CalendarDate("2026-06-1\(random.below(3))")))
        }
    }

    /// The request for one edit.
    private mutating func method(of edit: Edit) -> Method {
        switch edit {
        case .add: .addItem
        case .move: random.chance(50) ? .moveItem : .drop
        case .update: .updateItem
        case .remove: .removeItem
        case .trip: .updateTrip
        }
    }

    /// One change, which may be refused.
    mutating func step() {
        let count = random.chance(75) ? 1 : 2 + random.below(4)
        change((0..<count).map { _ in edit() })
    }

    /// Moves several items to the end of a day, as one change.
    mutating func moveTogether(_ items: [ItemID], toDay day: Int) {
        change(items.map { .move($0, to: .end(day: day)) })
    }

    private mutating func change(_ edits: [Edit]) {
        seq += 1
        let hasSequence = random.chance(40)
        if hasSequence { sequences.append((seq, UInt64(seq))) }
        let method = edits.count == 1 && random.chance(70) ? method(of: edits[0]) : .apply
        let principal = Principal(connection: 1, user: "u", client: client, access: .editor)
        _ = core.change(
            ChangeCommand(
                method: method, edits: edits, options: ChangeOptions(seq: hasSequence ? seq : nil),
                principal: principal,
                ticket: Ticket(connection: 1, number: seq, request: .number(seq)), fingerprint: UInt64(seq),
                takenSlugs: [], at: Timestamp(milliseconds: Int64(seq))))
        takeRecords()
    }
}
