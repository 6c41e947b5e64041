import TestSupport
import TripModel

/// Random changes of every kind from a seed, most of them accepted.
struct UndoWorkload {
    private var random: SplitMix64
    private static let ids = (1...40).map { ItemID(high: 0, low: UInt64($0)) }
    private static let cities = ["Rome", "Lima", "Oslo", "São Paulo"]

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func chance(_ percent: Int) -> Bool { random.chance(percent) }
    mutating func below(_ bound: Int) -> Int { random.below(bound) }

    mutating func batch(for trip: Trip) -> [Edit] {
        switch random.below(20) {
        case 0: exchange(in: trip)
        case 1: replacement(in: trip)
        case 2: crowding(in: trip)
        case 3: [.trip(tripChange(for: trip))]
        case 4: [.trip(TripChange(dayCount: 1 + random.below(3)))]
        case 5: [.trip(TripChange(dayCount: 3 + random.below(5)))]
        case ..<10: (0...(1 + random.below(6))).map { _ in edit(for: trip) }
        default: [edit(for: trip)]
        }
    }

    /// Two games exchange their gameIDs.
    private mutating func exchange(in trip: Trip) -> [Edit] {
        let games = trip.items.filter(\.isGame)
        guard let one = random.pick(games), let other = random.pick(games), one.id != other.id,
            case .game(let first) = one.content, case .game(let second) = other.content
        else { return [edit(for: trip)] }
        return [
            .update(one.id, [.gameID("between")]), .update(other.id, [.gameID(first.gameID)]),
            .update(one.id, [.gameID(second.gameID)]),
        ]
    }

    /// Another item gets a game's gameID, and maybe its time.
    private mutating func replacement(in trip: Trip) -> [Edit] {
        guard let old = random.pick(trip.items.filter(\.isGame)), case .game(var game) = old.content,
            let free = Self.ids.first(where: { trip[$0] == nil })
        else { return [edit(for: trip)] }
        if random.chance(50) { game.startsAt = start() }
        return [.remove(old.id), .add(free, .game(game), to: nil)]
    }

    /// An item moves to a place without space, so that a day is re-spaced.
    private mutating func crowding(in trip: Trip) -> [Edit] {
        let movable = trip.items.filter { !$0.isGame }
        guard let anchor = random.pick(movable), let next = random.pick(movable), next.id != anchor.id else {
            return [edit(for: trip)]
        }
        let near = min(max(anchor.position.sortOrder + 5e-11, -1e15), 1e15)
        var edits: [Edit] = [.move(next.id, to: .order(near, day: anchor.position.day))]
        for _ in 0...random.below(3) {
            if let moved = random.pick(movable), moved.id != anchor.id, moved.id != next.id {
                edits.append(.move(moved.id, to: .after(anchor.id, day: anchor.position.day)))
            }
        }
        if random.chance(30) {
            edits.append(.update(next.id, [.note("n\(random.below(99))"), .clear(.url)]))
        }
        return edits
    }

    private mutating func tripChange(for trip: Trip) -> TripChange {
        var change = TripChange()
        if random.chance(30) { change.name = ["Zoë", "Zoe\u{308}", "T"][random.below(3)] }
        if random.chance(40) { change.startDate = trip.header.startDate.adding(days: random.below(5) - 2) }
        if random.chance(40) { change.timeZone = ["UTC", "Asia/Tokyo", "America/Lima"][random.below(3)] }
        if random.chance(40) { change.dayCount = 1 + random.below(7) }
        return change
    }

    private mutating func item(of trip: Trip) -> ItemID {
        random.pick(trip.shownIDs) ?? Self.ids[random.below(Self.ids.count)]
    }

    private mutating func placement(in trip: Trip) -> Placement {
        let anchor = item(of: trip)
        let day = trip[anchor]?.position.day ?? 1
        let anyDay = 1 + random.below(trip.header.dayCount)
        return switch random.below(10) {
        case ..<2: .after(anchor, day: day)
        case ..<4: .before(anchor, day: day)
        case 4: .between(anchor, item(of: trip), day: day)
        case 5: .start(day: anyDay)
        case ..<8: .end(day: anyDay)
        default: .order([1, 1 + 1e-11, 1 - 1e-11, 1e15, -1, 0, 820, 700.0003][random.below(8)], day: anyDay)
        }
    }

    private mutating func start() -> OffsetDateTime {
        let time = ["10:00", "10:00", "12:00", "12:01", "23:30"][random.below(5)]
        guard let start = OffsetDateTime("2026-06-1\(random.below(8))T\(time):00Z") else {
            preconditionFailure("a moment")
        }
        return start
    }

    private mutating func side(_ games: [ItemID]) -> TravelSide? {
        random.chance(20) ? .open : random.pick(games).map(TravelSide.game)
    }

    private mutating func content(in trip: Trip) -> ItemContent {
        let number = random.below(20)
        let city = Self.cities[random.below(4)]
        switch random.below(10) {
        case ..<3: return .game(Game(gameID: "g\(number)", title: "g", city: city, startsAt: start()))
        case ..<6:
            let games = trip.items.filter(\.isGame).map(\.id)
            return .travel(
                Travel(
                    fromCity: city, toCity: Self.cities[random.below(4)],
                    afterGame: random.chance(30) ? side(games) : nil,
                    beforeGame: random.chance(20) ? side(games) : nil))
        default: return .custom(CustomItem(title: "c\(number)"))
        }
    }

    private mutating func edit(for trip: Trip) -> Edit {
        let isSmall = trip.itemCount < 18
        switch random.below(12) {
        case ..<(isSmall ? 5 : 2):
            let content = content(in: trip)
            let id = Self.ids[random.below(Self.ids.count)]
            return .add(id, content, to: content.isGame || random.chance(40) ? nil : placement(in: trip))
        case ..<8: return .move(item(of: trip), to: placement(in: trip))
        case ..<10: return update(item(of: trip), in: trip)
        default: return .remove(item(of: trip))
        }
    }

    private mutating func update(_ id: ItemID, in trip: Trip) -> Edit {
        switch trip[id]?.content {
        case .game:
            return .update(
                id,
                [
                    [.startsAt(start())], [.gameID("g\(random.below(20))")], [.timeZone("Asia/Tokyo")],
                    [.city(Self.cities[random.below(4)]), .clear(.timeZone)],
                ][random.below(4)])
        case .travel:
            return .update(id, [.fromCity(Self.cities[random.below(4)]), .clear(.afterGame)])
        case .custom, nil:
            return .update(id, [.title(["é", "e\u{301}", "t\(random.below(9))"][random.below(3)])])
        }
    }
}
