import TripModel
import TripProtocol

/// The state shared by several connections of one client: its sequence numbers and their outcomes.
final class Person {
    struct Change {
        let number: Int
        let request: Request
        /// Whether an earlier connection may have delivered it.
        var isRepeat = false
    }

    struct Made {
        let number: Int
        let request: Request
        let version: Int
        /// Nil if only the success is known.
        let answer: [UInt8]?
    }

    static let trip = TripID(high: 0x4000, low: 0x8000_0000_0000_0003)
    static let name = "p"

    let clientID = ClientID(high: 0x4000, low: 0x8000_0000_0000_3000)
    let draft: TripDraft
    private let world: ClientWorld
    private(set) var lastNumber = 0
    /// Confirmed changes, in ascending order.
    private(set) var made: [Made] = []
    /// Changes rolled back after a disk failure, in ascending order.
    private(set) var rolledBack: [Change] = []
    /// Changes left unanswered by lost connections.
    private(set) var unanswered: [Change] = []
    /// Numbers of changes that are in transit or may have been applied.
    private var possible: Set<Int> = []
    private var powerCuts = 0
    /// The highest number whose change a power cut may have lost.
    private var floor = 0

    init(_ draft: TripDraft, world: ClientWorld) {
        self.draft = draft
        self.world = world
    }

    /// The highest number whose change may have been applied.
    var highest: Int { max(floor, made.last?.number ?? 0, possible.max() ?? 0) }

    var isMade: Bool { world.madeTrips.contains(Self.trip) }

    // MARK: Requests

    /// A new change of an item of its trip.
    func next() -> Change {
        lastNumber += 1
        let change = Change(number: lastNumber, request: request(lastNumber))
        possible.insert(lastNumber)
        return change
    }

    private func request(_ number: Int) -> Request {
        .change(
            ChangeRequest(
                method: .updateItem, trip: .id(Self.trip),
                edits: [.update(Self.item(1 + number % 2), [.durationMinutes(number)])],
                options: ChangeOptions(seq: number)))
    }

    /// A rolled-back change to retry; nil if a higher number has been used since.
    func nextRolledBack() -> Change? {
        let highest = highest
        rolledBack.removeAll { $0.number <= highest }
        guard !rolledBack.isEmpty else { return nil }
        let change = rolledBack.removeFirst()
        possible.insert(change.number)
        return change
    }

    func takeUnanswered() -> [Change] {
        defer { unanswered = [] }
        return unanswered.sorted { $0.number < $1.number }
    }

    // MARK: Answers

    func didPrepare(_ change: Change, as version: Int, _ answer: [UInt8]?) {
        possible.remove(change.number)
        let made = Made(number: change.number, request: change.request, version: version, answer: answer)
        self.made.append(made)
        if self.made.count > 1, self.made[self.made.count - 2].number > change.number {
            self.made.sort { $0.number < $1.number }
        }
        if self.made.count > 600 { self.made.removeFirst(200) }
    }

    /// Records a change that was not and will not be applied.
    func wasRefused(_ change: Change, rolledBack isRolledBack: Bool) {
        possible.remove(change.number)
        guard isRolledBack else { return }
        let index = rolledBack.firstIndex { $0.number > change.number } ?? rolledBack.count
        rolledBack.insert(change, at: index)
    }

    /// Records that the answer to a change will not come.
    func wasLost(_ change: Change) {
        var change = change
        change.isRepeat = true
        unanswered.append(change)
    }

    /// Gives up on the outcome of a change.
    func isUnknown(_ change: Change) { world.oracle.lostSight(of: Self.name, in: Self.trip) }

    /// Accounts for changes that a power cut may have lost.
    func lookForPowerCuts() {
        guard powerCuts != world.powerCuts else { return }
        powerCuts = world.powerCuts
        floor = highest
        made = []
        rolledBack = []
    }

    // MARK: The trip

    static func item(_ number: Int) -> ItemID {
        ItemID(high: 0x4000, low: 0x8000_0000_0000_4000 + UInt64(number))
    }

    /// The initial trip: two small items, and many more or long notes if it is to be heavy.
    static func draft(_ weight: Scenario.Weight) -> TripDraft {
        guard let start = CalendarDate(year: 2026, month: 6, day: 11) else { preconditionFailure("a date") }
        var items: [Edit] = (1...2).map {
            .add(item($0), .custom(CustomItem(title: "small \($0)")), to: .end(day: 1))
        }
        let (count, bytes) =
            switch weight {
            case .light: (0, 0)
            case .notes: (110, 9000)
            case .items: (9000, 0)
            }
        let note = bytes == 0 ? nil : String(repeating: "n", count: bytes)
        for number in 0..<count {
            var content = CustomItem(title: "h")
            content.note = note
            items.append(.add(item(100 + number), .custom(content), to: .end(day: 5)))
        }
        return TripDraft(
            id: trip, name: "Person's", startDate: start, timeZone: "UTC", dayCount: 5, items: items)
    }
}
