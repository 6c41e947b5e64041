import ItineraryUI
import TripModel

/// The daemon and the other users of a session.
extension SessionRun {
    /// The author of the other user's changes.
    private var other: Author { Author(name: otherName, at: Timestamp(milliseconds: 1_780_000_000_000)) }

    mutating func performRemote(_ command: String, _ line: inout ScriptLine) throws(ScriptError) {
        switch command {
        case "other": otherName = line.rest()
        case "trip": try makeTrip(&line)
        case "add": try change(try addition(&line), line)
        case "move":
            let id = try item(&line)
            try change(.move(id, to: try placement(&line)), line)
        case "rename":
            let id = try item(&line)
            try change(.update(id, [.title(try line.word("a title"))]), line)
        case "set":
            let id = try item(&line)
            let name = try line.word("a field")
            guard let field = ItemField(name: name) else { throw line.error("\(name) is no field") }
            let text = try line.word("a value")
            let value: FieldValue
            do throws(FieldObjection) { value = try field.value(written: text) } catch {
                throw line.error("\(text) is no \(name). \(error.reason)")
            }
            try change(.update(id, [FieldChange(field, value)]), line)
        case "retitle": try change(.trip(TripChange(name: try line.word("a name"))), line)
        case "remove":
            let id = try item(&line)
            try change(.remove(id), line)
            if live?.dragged == id {
                send(.dragLost("\(otherName) removed it"))
                load()
            }
        case "burst":
            let count = try line.number("how many changes")
            let id = try item(&line)
            for index in 0..<count {
                try change(.move(id, to: index.isMultiple(of: 2) ? .end(day: 1) : .start(day: 1)), line)
            }
        case "load": load()
        case "announce": send(.announced(line.rest()))
        case "people": try people(&line)
        case "grant": send(.dragGranted)
        case "lose-drag": send(.dragLost(line.rest()))
        case "accept-drop": send(.dropAccepted)
        case "refuse-drop": send(.dropRefused(line.rest()))
        case "trips": send(.trips(try trips(&line)))
        case "fail": send(.failed(line.rest()))
        case "refuse": send(.editRefused(line.rest()))
        case "history": send(.history([try historyLine(&line)]))
        case "lose-trip": send(.ended("the trip was deleted"))
        case "lose": send(.connection(.lost(line.rest())))
        case "connect": send(.connection(.connected))
        default: throw line.error("there is no command \(command)")
        }
    }

    private mutating func makeTrip(_ line: inout ScriptLine) throws(ScriptError) {
        let name = try line.word("a name")
        guard let date = CalendarDate(try line.word("a date")) else { throw line.error("that is no date") }
        let header = TripHeader(
            id: TripID(high: 0, low: 1), slug: "trip", name: name, startDate: date, timeZone: "UTC",
            dayCount: try line.number("days"))
        do throws(EditFailure) { trip = try Trip.create(header, by: other) } catch {
            throw line.error("\(error.rejection)")
        }
    }

    /// Applies another user's change, and sends it to the editor unless it drags an item.
    private mutating func change(_ edit: Edit, _ line: ScriptLine) throws(ScriptError) {
        guard var changed = trip else { throw line.error("there is no trip yet") }
        trip = nil
        do throws(EditFailure) { _ = try changed.apply([edit], by: other) } catch {
            throw line.error("\(error.rejection)")
        }
        note(edit, changed)
        trip = changed
        if editor != nil { load() }
    }

    /// Records another user's change until the editor receives it.
    private mutating func note(_ edit: Edit, _ changed: Trip) {
        let id: ItemID
        switch edit {
        case .add(let item, _, _), .move(let item, _), .update(let item, _), .remove(let item): id = item
        case .trip:
            news.append(RemoteEdit(user: otherName, before: nil, after: nil))
            return
        }
        let before = live?.daemon.trip[id]
        news.append(RemoteEdit(user: otherName, before: before, after: changed[id]))
    }

    /// `add game TITLE CITY TIME`, `add custom TITLE [icon I] [city C] PLACE`, `add travel FROM TO MODE MINUTES PLACE`
    private mutating func addition(_ line: inout ScriptLine) throws(ScriptError) -> Edit {
        let id = newID()
        if line.takes("game") {
            let title = try line.word("a title")
            let city = try line.word("a city")
            let time = try line.word("a time")
            guard let start = OffsetDateTime(time) else { throw line.error("\(time) is no time") }
            return .add(id, .game(Game(gameID: title, title: title, city: city, startsAt: start)), to: nil)
        }
        if line.takes("travel") {
            let travel = Travel(
                fromCity: try line.word("a city"), toCity: try line.word("a city"),
                mode: try line.word("a mode"), durationMinutes: try line.number("minutes"))
            return .add(id, .travel(travel), to: try placement(&line))
        }
        guard line.takes("custom") else { throw line.error("a game, travel or custom is added") }
        var custom = CustomItem(title: try line.word("a title"))
        if line.takes("icon") { custom.icon = try line.word("an icon") }
        if line.takes("city") { custom.city = try line.word("a city") }
        if line.takes("note") { custom.note = try line.word("a note") }
        return .add(id, .custom(custom), to: try placement(&line))
    }

    private func item(_ line: inout ScriptLine) throws(ScriptError) -> ItemID {
        let title = try line.word("an item")
        guard let item = trip?.items.first(where: { $0.content.title == title }) else {
            throw line.error("there is no item \(title)")
        }
        return item.id
    }

    /// `day N start`, `day N end`, `after ITEM`, `before ITEM`
    private func placement(_ line: inout ScriptLine) throws(ScriptError) -> Placement {
        if line.takes("day") {
            let day = try line.number("a day")
            if line.takes("start") { return .start(day: day) }
            guard line.takes("end") else { throw line.error("a day has a start and an end") }
            return .end(day: day)
        }
        let isAfter = line.takes("after")
        guard isAfter || line.takes("before") else {
            throw line.error("a place is `day N start`, `day N end`, `after ITEM` or `before ITEM`")
        }
        let id = try item(&line)
        let day = trip?[id]?.position.day ?? 1
        return isAfter ? .after(id, day: day) : .before(id, day: day)
    }

    /// `people NAME [drags ITEM PLACE]`: one other user; without a name none.
    private mutating func people(_ line: inout ScriptLine) throws(ScriptError) {
        guard !line.isEmpty else {
            send(.people([]))
            return
        }
        let name = try line.word("a name")
        var person = Person(name: name)
        if line.takes("at") { person = Person(name: name, focus: .item(try item(&line))) }
        if line.takes("drags") {
            let id = try item(&line)
            person = Person(name: name, dragging: id, over: try placement(&line))
        }
        send(.people([person]))
    }

    /// `trips NAME DATE DAYS ITEMS … deleted NAME DATE …`
    private mutating func trips(_ line: inout ScriptLine) throws(ScriptError) -> TripList {
        var list = TripList(trips: [])
        while !line.isEmpty {
            let isDeleted = line.takes("deleted")
            let name = try line.word("a name")
            guard let date = CalendarDate(try line.word("a date")) else {
                throw line.error("that is no date")
            }
            if isDeleted {
                list.deleted.append(
                    DeletedTrip(
                        id: TripID(high: 0, low: UInt64(list.deleted.count + 100)), name: name, itemCount: 3,
                        deleted: date,
                        keptUntil: date.adding(days: 30) ?? date))
            } else {
                let days = try line.number("days")
                let plan = TripPlan(name: name, startDate: date, timeZone: "UTC", dayCount: days)
                list.trips.append(
                    TripChoice(
                        id: TripID(high: 0, low: UInt64(list.trips.count + 1)),
                        slug: "trip-\(list.trips.count + 1)", plan: plan,
                        itemCount: try line.number("items")))
            }
        }
        return list
    }

    /// `history NAME SECONDS ITEM WORDS`
    private func historyLine(_ line: inout ScriptLine) throws(ScriptError) -> HistoryLine {
        let user = try line.word("a name")
        let seconds = try line.number("seconds")
        let about = try item(&line)
        return HistoryLine(user: user, seconds: Int64(seconds), summary: line.rest(), items: [about])
    }

    // MARK: The daemon

    mutating func carryOut(_ effect: EditorEffect) {
        switch effect {
        case .wake(let delay): alarm = now + delay
        case .bell: bells += 1
        case .beginDrag: if !isDaemonOff { send(.dragGranted) }
        case .drop, .apply:
            guard !isDaemonOff, let edits = live?.oldest else { return }
            if let reason = apply(edits) {
                send(.editRefused(reason))
            } else {
                send(.editAccepted(nil))
                load()
            }
        default: break
        }
    }

    /// Applies the user's change; returns the reason if it is refused.
    private mutating func apply(_ edits: [Edit]) -> String? {
        guard var changed = trip else { return "there is no trip" }
        do throws(EditFailure) {
            _ = try changed.apply(edits, by: Author(name: "Ann", at: Timestamp(milliseconds: 0)))
        } catch {
            return "\(error.rejection)"
        }
        trip = changed
        return nil
    }
}
