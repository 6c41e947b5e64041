import EditorSessions
import ItineraryUI
import TestSupport
import TripModel

/// A plain editor under test with a daemon that answers at once, and their whole output.
///
/// In a script, `> …` is typed, `< …` is an event, and all other lines are the editor's output. Running a
/// script returns it with the actual output.
struct PlainSession {
    private(set) var editor: PlainEditor
    private(set) var sample: SampleTrip
    private(set) var transcript: [String] = []
    private(set) var now = Duration.zero
    /// Effects to be answered after the reconnect.
    private var unanswered: [EditorEffect] = []
    private var isAnswering = true
    private var isConnected = true
    private var refusal: String?
    private var past: [Trip] = []
    private var future: [Trip] = []
    private var live: PlayedTrip
    private var nextID: UInt64 = 100
    private var people: [Person] = []
    private(set) var hasQuit = false

    init(_ sample: SampleTrip? = nil) throws {
        self.sample = try sample ?? SampleTrip()
        live = PlayedTrip(self.sample.view)
        var options = EditorOptions(generator: SplitMix64(seed: 1))
        options.today = { CalendarDate("2026-06-01") ?? .epoch }
        editor = PlainEditor(userName: "Ann", options: options)
    }

    /// Runs a script from its beginning.
    mutating func run(_ script: String) throws {
        load()
        for line in script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix(">") {
                transcript.append(line)
                type(String(line.dropFirst(line.hasPrefix("> ") ? 2 : 1)))
            } else if line.hasPrefix("< ") {
                transcript.append(line)
                try happen(line.dropFirst(2).split(separator: " ").map(String.init))
            }
        }
    }

    mutating func type(_ line: String) {
        send(.line(line))
        answer()
    }

    mutating func send(_ event: PlainEvent) {
        let output = editor.handle(event, now: now)
        transcript += output.lines
        for effect in output.effects {
            if live.perform(effect) { send(.editor(.shown(live.takeView()))) }
            switch effect {
            case .beginDrag, .drop, .apply, .undo, .redo: unanswered.append(effect)
            case .cancelDrag: unanswered.removeAll { if case .beginDrag = $0 { true } else { false } }
            case .quit: hasQuit = true
            case .openTrip(let id): transcript.append("(opens the trip \(id))")
            case .createTrip(let plan, _): transcript.append("(makes \(Self.words(plan)))")
            case .changeTrip(_, let change, _): transcript.append("(changes the trip: \(change.name ?? ""))")
            case .copyTrip(_, let plan, _): transcript.append("(copies to \(Self.words(plan)))")
            case .deleteTrip(let id, _, _): transcript.append("(deletes the trip \(id))")
            case .restoreTrip(let id): transcript.append("(restores \(id))")
            default: break
            }
        }
    }

    private static func words(_ plan: TripPlan) -> String {
        "\(plan.name), \(plan.startDate), \(plan.dayCount) days, \(plan.timeZone)"
    }

    private mutating func happen(_ happening: Happening) {
        for event in live.happen(happening, awaited: editor.awaited) { send(.editor(event)) }
    }

    private mutating func load(_ news: [RemoteEdit] = []) {
        var view = sample.view
        view.news = news
        happen(.loaded(view))
    }

    // MARK: The daemon

    private mutating func answer() {
        while isAnswering, isConnected, !unanswered.isEmpty { answer(unanswered.removeFirst()) }
    }

    private mutating func answer(_ effect: EditorEffect) {
        let reason = refusal
        refusal = nil
        switch effect {
        case .beginDrag: happen(reason.map(Happening.dragLost) ?? .dragGranted)
        case .drop, .apply:
            if let reason { return happen(.editRefused(reason)) }
            commit(live.oldest ?? [])
            happen(.editAccepted(nil))
            load()
        case .undo, .redo:
            let isUndo = if case .undo = effect { true } else { false }
            guard let trip = isUndo ? past.popLast() : future.popLast() else {
                return happen(.noneLeft("there is nothing to \(isUndo ? "undo" : "redo")"))
            }
            if isUndo { future.append(sample.trip) } else { past.append(sample.trip) }
            sample.trip = trip
            happen(.editAccepted(nil))
            load()
        default: break
        }
    }

    private mutating func commit(_ edits: [Edit]) {
        past.append(sample.trip)
        for edit in edits { _ = try? sample.apply(edit) }
    }

    // MARK: Events

    private mutating func happen(_ words: [String]) throws {
        switch words[0] {
        case "offline":
            isConnected = false
            happen(.connection(.lost(words.dropFirst().joined(separator: " "))))
        case "online":
            isConnected = true
            happen(.connection(.connected))
            load()
            answer()
        case "silent": isAnswering = false
        case "answers":
            isAnswering = true
            answer()
        case "refusal": refusal = words.dropFirst().joined(separator: " ")
        case "lost":
            happen(.dragLost(words.dropFirst().joined(separator: " ")))
            load()
        case "here": meet(words.dropFirst().map { Person(name: $0) })
        case "joins": meet(people + words.dropFirst().map { Person(name: $0) })
        case "pause": now += .milliseconds(Int(words[1]) ?? 0)
        case "time":
            now += .milliseconds(Int(words[1]) ?? 0)
            send(.editor(.timer))
        case "trips":
            let trips = [
                SampleTrip.choice(1, "World Cup with Brazil", days: 5, items: 9),
                SampleTrip.choice(2, "Weekend", days: 2),
            ]
            let gone = DeletedTrip(
                id: TripID(high: 0, low: 99), name: "Old", itemCount: 3,
                deleted: CalendarDate("2026-05-01") ?? .epoch,
                keptUntil: CalendarDate("2026-05-31") ?? .epoch)
            send(
                .editor(
                    .trips(
                        TripList(trips: trips, deleted: [gone]),
                        said: words.count > 1 ? words.dropFirst().joined(separator: " ") : nil)))
        case "history":
            let line = HistoryLine(
                user: "Ben", seconds: 1_780_401_600, summary: "removed “Tea”",
                items: [sample.beach])
            send(.editor(.history([line])))
        case "lobby": send(.editor(.lobby(.unnamed)))
        case "failed": happen(.failed(words.dropFirst().joined(separator: " ")))
        case "import":
            happen(
                .importPreview(
                    ImportPreview(
                        name: "games.csv", result: "1 new, 0 changed", lines: ["a new game"], hasChanges: true
                    )))
        case "edits":
            happen(.importEdits([.add(ItemID(high: 3, low: 3), SampleTrip.custom("New"), to: nil)]))
            answer()
        case "end": send(.end(isCutOff: false))
        case "cut": send(.end(isCutOff: true))
        case "overlong": send(.overlongLine)
        default: try change(by: words[0], Array(words.dropFirst()))
        }
    }

    /// `Ben moves Coffee to 2`, `Ben adds Walk to 2`, `Ben removes Coffee`, `Ben lifts Coffee`, `Ben drops Visa` from the
    /// list of things to do, `Ben makes 1000`
    private mutating func change(by user: String, _ words: [String]) throws {
        let item = sample.trip.items.first { $0.content.title.hasPrefix(words[1]) }
        let day = Int(words.last ?? "") ?? 1
        let before = sample.trip
        let author = Author(name: user, at: Timestamp(milliseconds: 1_780_000_001_000 + Int64(nextID)))
        func edit(_ edit: Edit) throws { _ = try sample.trip.apply([edit], by: author) }
        switch words[0] {
        case "moves": try edit(.move(try unwrapped(item).id, to: .start(day: day)))
        case "renames": try edit(.update(try unwrapped(item).id, [.title("Renamed")]))
        case "removes": try edit(.remove(try unwrapped(item).id))
        case "adds":
            nextID += 1
            try edit(.add(ItemID(high: 1, low: nextID), SampleTrip.custom(words[1]), to: .end(day: day)))
        case "drops":
            let entry = sample.trip.header.todo.first { $0.text == words[1] }
            try edit(.trip(TripChange(todo: TodoChange(try unwrapped(entry).id, isRemoval: true))))
        case "lifts":
            return meet([Person(name: user, dragging: try unwrapped(item).id)])
        default:
            for number in 0..<(Int(words[1]) ?? 0) {
                nextID += 1
                try change(by: user, ["adds", "Item\(number)", "to", "5"])
            }
            return
        }
        let ids = Set(before.items.map(\.id) + sample.trip.items.map(\.id))
        load(
            ids.filter { before[$0]?.version != sample.trip[$0]?.version }.map {
                RemoteEdit(user: user, before: before[$0], after: sample.trip[$0])
            })
    }

    private mutating func meet(_ people: [Person]) {
        self.people = people
        happen(.people(people))
    }

    private struct NoSuchItem: Error {}
    private func unwrapped<Found>(_ item: Found?) throws -> Found {
        guard let item else { throw NoSuchItem() }
        return item
    }
}
