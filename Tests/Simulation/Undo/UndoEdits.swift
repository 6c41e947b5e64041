import TestSupport
import TripModel

/// Random changes of a small trip, most of them valid: every edit, and every field of every kind.
///
/// A game's order follows from its start. If it returns to a day that another change has re-spaced since, an item may
/// be on its other side. Therefore a history of several people has either changes of the schedule or re-spacing.
struct UndoEdits {
    private var random: SplitMix64
    private var lastID: UInt64 = 0
    private let hasGames: Bool
    private let changesSchedule: Bool
    private let respaces: Bool
    private let hasGivenOrders: Bool

    /// - Parameter isAlone: whether one person undoes everything, in order.
    init(seed: UInt64, isAlone: Bool) {
        var random = SplitMix64(seed: seed)
        let (hasGames, changesSchedule, givesOrders) = (
            random.chance(50), random.chance(50), random.chance(50)
        )
        self.hasGames = hasGames
        self.changesSchedule = hasGames && changesSchedule
        respaces = isAlone || !self.changesSchedule
        hasGivenOrders = givesOrders && respaces
        self.random = random
    }

    mutating func trip() throws -> Trip {
        guard let start = CalendarDate("2026-06-11") else { preconditionFailure("a date") }
        let header = TripHeader(
            id: TripID(high: 0, low: 9), slug: "t", name: "T", startDate: start, timeZone: "UTC", dayCount: 3)
        var edits = (0..<2 + random.below(5)).map { _ in
            Edit.add(newID(), .custom(CustomItem(title: "c")), to: .end(day: 1 + random.below(2)))
        }
        if hasGames { for _ in 0...random.below(2) { edits.append(.add(newID(), game(), to: nil)) } }
        return try Trip.create(header, edits: edits, by: Author(name: "u", at: Timestamp(milliseconds: 0)))
    }

    /// The next change, or a burst of single additions.
    mutating func next(for trip: Trip) -> [[Edit]] {
        switch random.below(20) {
        case 0..<3 where respaces: burst(in: trip)
        case 3..<6: [(0..<2 + random.below(5)).map { _ in edit(for: trip) }]
        case 6 where random.chance(50): [[.trip(tripChange(for: trip))]]
        case 7: [replacement(in: trip)]
        default: [[edit(for: trip)]]
        }
    }

    /// Enough additions to one gap that the day must be re-spaced.
    private mutating func burst(in trip: Trip) -> [[Edit]] {
        let anchor = random.pick(trip.shownIDs)
        let day = anchor.flatMap { trip[$0]?.position.day } ?? 1
        let placement: Placement =
            if let anchor { random.chance(50) ? .after(anchor, day: day) : .before(anchor, day: day) } else {
                .end(day: day)
            }
        let adds = (0..<36 + random.below(5)).map { _ in
            Edit.add(newID(), .custom(CustomItem(title: "b")), to: placement)
        }
        if random.chance(15) { return adds.map { [$0] } }
        // Other edits before, between and after the additions.
        var edits = adds
        for _ in 0..<random.below(4) {
            let edit = random.chance(30) ? Edit.trip(tripChange(for: trip)) : edit(for: trip)
            edits.insert(edit, at: random.pick([0, random.below(edits.count), edits.count]) ?? 0)
        }
        return [edits]
    }

    /// An item is removed and one of any kind added with its id.
    private mutating func replacement(in trip: Trip) -> [Edit] {
        let id = item(of: trip)
        if trip[id]?.isGame == true, !changesSchedule { return [update(id, in: trip)] }
        let isGame = changesSchedule && random.chance(30)
        let content: ItemContent =
            isGame
            ? game()
            : random.chance(50)
                ? .custom(CustomItem(title: "r"))
                : .travel(Travel(fromCity: "Rome", toCity: "Oslo", afterGame: .open, beforeGame: .open))
        return [.remove(id), .add(id, content, to: isGame ? nil : placement(in: trip, at: item(of: trip)))]
    }

    private mutating func edit(for trip: Trip) -> Edit {
        switch random.below(12) {
        case 0..<2:
            let anchor = item(of: trip)
            return .add(newID(), .custom(CustomItem(title: "c")), to: placement(in: trip, at: anchor))
        case 2 where changesSchedule: return .add(newID(), game(), to: nil)
        case 3..<5:
            let id = item(of: trip)
            if trip[id]?.isGame == true, !changesSchedule { return update(id, in: trip) }
            return .remove(id)
        case 5: return update(item(of: trip), in: trip)
        case 6 where random.chance(60): return .trip(tripChange(for: trip))
        default: return .move(item(of: trip), to: placement(in: trip, at: item(of: trip)))
        }
    }

    private mutating func update(_ id: ItemID, in trip: Trip) -> Edit {
        if changesSchedule, trip[id]?.isGame == true, random.chance(70) {
            return .update(id, [.startsAt(start())])
        }
        guard let kind = trip[id]?.content.kind else { return .update(id, [.note("n")]) }
        let fields = kind.fields.filter { field in
            switch field {
            case .startsAt, .gameID: false
            case .timeZone: (kind != .game || changesSchedule) && random.chance(12)
            default: random.chance(12)
            }
        }
        let games = trip.items.filter(\.isGame).map(\.id)
        let changes = fields.map { random.fieldChange($0, games: games) }
        return .update(id, changes.isEmpty ? [.note("n\(random.below(99))")] : changes)
    }

    private mutating func zone() -> String { ["UTC", "Asia/Tokyo", "America/Lima"][random.below(3)] }

    private mutating func placement(in trip: Trip, at anchor: ItemID) -> Placement {
        let position = trip[anchor]?.position ?? Position(day: 1, sortOrder: 1)
        let day = position.day
        let anyDay = 1 + random.below(trip.header.dayCount)
        switch random.below(hasGivenOrders ? 10 : 8) {
        case 0..<2: return .after(anchor, day: day)
        case 2..<4: return .before(anchor, day: day)
        case 4: return .between(anchor, item(of: trip), day: day)
        case 5: return .start(day: anyDay)
        case 6, 7: return .end(day: anyDay)
        default:
            let orders = [1, 2, 1.5, -1, 1e15, -1e15, 820, position.sortOrder, position.sortOrder + 1e-10]
            return .order(min(max(random.pick(orders) ?? 1, -1e15), 1e15), day: anyDay)
        }
    }

    private mutating func tripChange(for trip: Trip) -> TripChange {
        switch random.below(changesSchedule ? 7 : 5) {
        case 0: TripChange(name: "T\(random.below(9))")
        case 1: TripChange(dayCount: 1 + random.below(4))
        case 2, 3: TripChange(todo: todoChange(in: trip))
        case 4: TripChange(acceptance: acceptance(in: trip))
        case 5: TripChange(startDate: trip.header.startDate.adding(days: random.below(3) - 1))
        default: TripChange(timeZone: zone())
        }
    }

    private mutating func acceptance(in trip: Trip) -> TripChange.Acceptance {
        let keys = trip.problems.map(\.key) + trip.header.acceptedProblems.sorted()
        return TripChange.Acceptance(of: random.pick(keys) ?? "none", random.chance(70))
    }

    private mutating func todoChange(in trip: Trip) -> TodoChange {
        // Few ids, so that entries are removed and added again.
        let id = TodoID(high: 1, low: UInt64(random.below(6)))
        switch random.below(3) {
        case 0: return TodoChange(id, isRemoval: true)
        case 1: return TodoChange(id, text: "x\(random.below(9))", isDone: random.chance(50))
        default: return TodoChange(id, text: "x")
        }
    }

    private mutating func game() -> ItemContent {
        .game(Game(gameID: "g\(newID().description)", title: "g", city: "Rome", startsAt: start()))
    }

    private mutating func start() -> OffsetDateTime {
        let time = ["10:00", "12:00", "12:00", "12:01"][random.below(4)]
        guard let start = OffsetDateTime("2026-06-1\(1 + random.below(3))T\(time):00Z") else {
            preconditionFailure("a moment")
        }
        return start
    }

    private mutating func item(of trip: Trip) -> ItemID { random.pick(trip.shownIDs) ?? newID() }

    /// Ids are in random order, so that no check depends on it.
    private mutating func newID() -> ItemID {
        lastID += 1
        return ItemID(high: random.next() >> 16, low: lastID)
    }
}
