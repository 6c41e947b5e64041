import TripModel
import TripProtocol

/// What several connections of one client share: its numbers, and what became of them.
final class Person {
    struct Change {
        let number: Int
        let request: Request
        /// An earlier connection may have brought it to the daemon.
        var isRepeat = false
    }

    struct Made {
        let number: Int
        let request: Request
        let version: Int
        /// Nil where it was only told that it was made.
        let answer: [UInt8]?
    }

    static let trip = TripID(high: 0x4000, low: 0x8000_0000_0000_0003)
    static let name = "p"

    let clientID = ClientID(high: 0x4000, low: 0x8000_0000_0000_3000)
    let draft: TripDraft
    private let world: ClientWorld
    private(set) var lastNumber = 0
    /// What was answered, by rising numbers.
    private(set) var made: [Made] = []
    /// What a failing disk has taken back, and so was never made, by rising numbers.
    private(set) var takenBack: [Change] = []
    /// What a lost connection has left unanswered.
    private(set) var unanswered: [Change] = []
    /// Numbers that are on their way, or may have been made.
    private var possible: Set<Int> = []
    private var powerCuts = 0
    /// The highest number that a power cut may have taken back, or not.
    private var floor = 0

    init(_ draft: TripDraft, world: ClientWorld) {
        self.draft = draft
        self.world = world
    }

    /// The highest number that may have been made.
    var highest: Int { max(floor, made.last?.number ?? 0, possible.max() ?? 0) }

    var isMade: Bool { world.madeTrips.contains(Self.trip) }

    // MARK: Asking

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

    /// A change that was taken back, to be made after all; nil where higher numbers stand in the way.
    func nextTakenBack() -> Change? {
        let highest = highest
        takenBack.removeAll { $0.number <= highest }
        guard !takenBack.isEmpty else { return nil }
        let change = takenBack.removeFirst()
        possible.insert(change.number)
        return change
    }

    func takeUnanswered() -> [Change] {
        defer { unanswered = [] }
        return unanswered.sorted { $0.number < $1.number }
    }

    // MARK: Answers

    func wasMade(_ change: Change, as version: Int, _ answer: [UInt8]?) {
        possible.remove(change.number)
        let made = Made(number: change.number, request: change.request, version: version, answer: answer)
        self.made.append(made)
        if self.made.count > 1, self.made[self.made.count - 2].number > change.number {
            self.made.sort { $0.number < $1.number }
        }
        if self.made.count > 600 { self.made.removeFirst(200) }
    }

    /// It was not made, and will not be.
    func wasRefused(_ change: Change, takenBack isTakenBack: Bool) {
        possible.remove(change.number)
        guard isTakenBack else { return }
        let index = takenBack.firstIndex { $0.number > change.number } ?? takenBack.count
        takenBack.insert(change, at: index)
    }

    /// Its answer will not come.
    func wasLost(_ change: Change) {
        var change = change
        change.isRepeat = true
        unanswered.append(change)
    }

    /// Nobody will ask again what became of it.
    func isUnknown(_ change: Change) { world.oracle.lostSight(of: Self.name, in: Self.trip) }

    /// A power cut may have taken back what was made.
    func lookForPowerCuts() {
        guard powerCuts != world.powerCuts else { return }
        powerCuts = world.powerCuts
        floor = highest
        made = []
        takenBack = []
    }

    // MARK: The trip

    static func item(_ number: Int) -> ItemID {
        ItemID(high: 0x4000, low: 0x8000_0000_0000_4000 + UInt64(number))
    }

    /// Its trip as it begins: two small items, and what makes it heavy.
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
