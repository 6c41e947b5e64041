import TripModel
import TripProtocol

extension RawClient {
    func act(isResting: Bool) throws {
        guard wire != nil else {
            if isResting || random.chance(60) { open() }
            return
        }
        if isGuest, try lurk(isResting: isResting) { return }
        guard isWelcome else {
            // It has not said hello, or waits for the answer.
            if isResting, asked.isEmpty { try close(orderly: true) }
            return
        }
        if isResting { return try finish() }
        guard asked.count < 6 else { return }
        guard isMade else {
            if asked.isEmpty { try close(orderly: true) }
            return
        }
        if drag != nil { return drive() }
        switch random.below(100) {
        case ..<3: try close(orderly: random.chance(50))
        case ..<10: if !isSubscribed, !isSubscribing { subscribe() }
        case ..<12: if isSubscribed { ask(.unsubscribe(.id(trip)), .unsubscribe) }
        case ..<16: ask(.sync(.id(trip)), .sync)
        case ..<19: ask(.getTrip(.id(trip)), .state)
        case ..<21: ask(.ping, .other)
        case ..<22: ask(.history(HistoryRequest(trip: .id(trip), limit: 20)), .other)
        case ..<25: tryUpdate()
        case ..<38: beginDrag()
        default: if !isViewer || random.chance(5) { makeChange() }
        }
    }

    /// Actions of guests only; false if the client should act like the others.
    private func lurk(isResting: Bool) throws -> Bool {
        if isPaused {
            if random.chance(isResting ? 60 : 30) { try close(orderly: random.chance(70)) }
            return true
        }
        if isResting { return false }
        if !isReading {
            switch random.below(100) {
            case ..<25: comeBack()
            case ..<35: try close(orderly: random.chance(50))
            default: break
            }
            return true
        }
        guard isWelcome else { return false }
        switch random.below(100) {
        case ..<15: isReading = false
        case ..<30: shut()
        default: return false
        }
        return true
    }

    private var isSubscribing: Bool {
        asked.contains { if case .subscribe = $0.kind { true } else { false } }
    }

    private func finish() throws {
        guard asked.isEmpty else { return }
        if let drag {
            ask(.cancelDrag(drag.drag), .cancel)
        } else if makesTrip && !isMade || !unanswered.isEmpty {
            // Changes are repeated only on a new connection.
            try close(orderly: true)
        } else if !isSubscribed {
            subscribe()
        }
    }

    private func drive() {
        guard let drag, dropNumber == nil, !isCancelling else { return }
        switch random.below(10) {
        case ..<3: ask(.hover(drag.drag, over: random.chance(50) ? place() : nil), .other)
        case ..<4: ask(.sync(.id(trip)), .sync)
        case ..<5:
            if let item = anyItem() { change { .change(self.moving(item, $0)) } }
        case ..<6: ask(.cancelDrag(drag.drag), .cancel)
        default:
            let to = place()
            change { options in
                .drop(Drop(drag: drag.drag, placement: to, trip: .id(self.trip), options: options))
            }
            dropNumber = lastNumber
        }
    }

    private var isCancelling: Bool {
        asked.contains { if case .cancel = $0.kind { true } else { false } }
    }

    private func beginDrag() {
        guard let item = anyItem(),
            !asked.contains(where: { if case .begin = $0.kind { true } else { false } })
        else { return }
        ask(.beginDrag(.id(trip), item, includesGaps: random.below(2) == 0), .begin(item))
    }

    // MARK: Changes

    private func makeChange() {
        let count = held?.items.count ?? 0
        switch random.below(100) {
        case ..<(count < 12 ? 25 : 3): change { .change(self.adding($0)) }
        case ..<50: if let item = anyItem() { change { .change(self.moving(item, $0)) } }
        case ..<65: if let item = anyItem() { change { .change(self.renaming(item, $0)) } }
        case ..<80:
            if let item = anyItem() { change { .change(self.request(.removeItem, [.remove(item)], $0)) } }
        case ..<86:
            let edits = [adding(ChangeOptions()).edits[0]] + (anyItem().map { [.remove($0)] } ?? [])
            change { .change(self.request(.apply, edits, $0)) }
        case ..<89:
            let days = 3 + random.below(4)
            change { .change(self.request(.updateTrip, [.trip(TripChange(dayCount: days))], $0)) }
        case ..<92: openBatch()
        case ..<96: change { .undo(.id(self.trip), $0) }
        default: change { .redo(.id(self.trip), $0) }
        }
    }

    /// A dry run that sets any fields of any kind.
    private func tryUpdate() {
        guard let held, let item = anyItem() else { return }
        let games = held.items.filter(\.isGame).compactMap { ItemID($0.id) }
        let fields = ItemField.allCases.filter { _ in random.chance(10) }
        let edit = Edit.update(item, fields.map { random.fieldChange($0, games: games) })
        let options = ChangeOptions(isDryRun: true)
        let isAlone = random.chance(50)
        ask(.change(request(isAlone ? .updateItem : .apply, [edit], options)), .trial)
    }

    private func request(_ method: Method, _ edits: [Edit], _ options: ChangeOptions) -> ChangeRequest {
        ChangeRequest(method: method, trip: .id(trip), edits: edits, options: options)
    }

    private func adding(_ options: ChangeOptions) -> ChangeRequest {
        let content = ItemContent.custom(CustomItem(title: "\(name)-\(lastNumber)"))
        return request(.addItem, [.add(world.nextItem(), content, to: place())], options)
    }

    private func moving(_ item: ItemID, _ options: ChangeOptions) -> ChangeRequest {
        request(.moveItem, [.move(item, to: place())], options)
    }

    private func renaming(_ item: ItemID, _ options: ChangeOptions) -> ChangeRequest {
        let isCustom = held?.items.first { $0.id == item.description }.map { !$0.isGame } ?? true
        let set: FieldChange =
            isCustom && random.chance(70)
            ? lastNumber.isMultiple(of: 2)
                ? .note("\(name)-\(lastNumber)") : .time(ClockTime(minute: lastNumber % 1440))
            : .durationMinutes(random.below(200))
        return request(.updateItem, [.update(item, [set])], options)
    }

    func anyItem() -> ItemID? {
        guard let held, !held.items.isEmpty else { return nil }
        return ItemID(held.items[random.below(held.items.count)].id)
    }

    func place() -> Placement {
        let day = 1 + random.below(5)
        if let held, random.chance(60), !held.items.isEmpty {
            let anchor = held.items[random.below(held.items.count)]
            if let id = ItemID(anchor.id) {
                return random.chance(50) ? .after(id, day: anchor.day) : .before(id, day: anchor.day)
            }
        }
        return random.chance(50) ? .start(day: day) : .end(day: day)
    }

    /// The initial trip.
    static func draft(of trip: TripID) -> TripDraft {
        func item(_ number: UInt64) -> ItemID { ItemID(high: 0x4000, low: 0x8000_0000_0000_0000 + number) }
        func game(_ number: UInt64, _ city: String, _ startsAt: String) -> Edit {
            guard let moment = OffsetDateTime(startsAt) else {
                preconditionFailure("\(startsAt) is a moment")
            }
            return .add(
                item(number),
                .game(Game(gameID: "g\(number)", title: "Game \(number)", city: city, startsAt: moment)),
                to: nil)
        }
        guard let start = CalendarDate(year: 2026, month: 6, day: 11) else { preconditionFailure("a date") }
        return TripDraft(
            id: trip, name: "Simulated", startDate: start, timeZone: "UTC", dayCount: 5,
            items: [
                game(1, "Chicago", "2026-06-11T18:00:00Z"), game(2, "Detroit", "2026-06-13T12:00:00Z"),
                .add(
                    item(3), .travel(Travel(fromCity: "Chicago", toCity: "Detroit")), to: .end(day: 2)),
                .add(item(4), .custom(CustomItem(title: "A")), to: .end(day: 4)),
                .add(item(5), .custom(CustomItem(title: "B")), to: .end(day: 4)),
            ])
    }
}
