import TripModel

/// Trips as wholes: which there are, making them, and what becomes of them.
extension EditorState {
    // MARK: The menu

    /// Asks which trips there are; keys pressed until they come are for the list of them.
    mutating func askForTrips() {
        emit(.listTrips)
        awaitTrips("Asking for the trips…")
        if options.isByLines { say("Asking for the trips.") }
    }

    private mutating func awaitTrips(_ label: String) {
        mode = .choosing(Chooser(awaiting: .trips(TripList(trips: [])), label))
    }

    /// Waits for another trip in the place of this one.
    private mutating func awaitOther(_ label: String) {
        awaitTrips(label)
        opensTrip = true
    }

    /// Shows the trips that there are, where they are waited for.
    mutating func offer(_ trips: TripList, _ said: String?) {
        tripList = trips
        opensTrip = false
        sentForm = nil
        guard case .choosing(let awaited) = mode, awaited.isAwaited, awaited.isOfTrips else { return }
        message = nil
        if case .missing(let name)? = lobby {
            mode = .confirming(
                Question(purpose: .makeTrip(name), text: "There is no trip \(name). Make it?"))
        } else if lobby != nil, trips.trips.isEmpty, trips.deleted.isEmpty {
            beginNewTrip(named: "")
        } else {
            mode = .choosing(tripMenu(trips, after: awaited))
        }
        if let said { say(said) }
    }

    /// The list of trips: to open one, to make one, to have one back.
    func tripMenu(_ trips: TripList, after awaited: Chooser? = nil) -> Chooser {
        let names = Dictionary(trips.trips.map { ($0.plan.name, 1) }, uniquingKeysWith: +)
        var choices = trips.trips.map { trip in
            let items = trip.itemCount == 1 ? "1 item" : "\(trip.itemCount) items"
            var parts = ["\(trip.plan.dates), \(items)"]
            if trip.id == board?.outline.trip.header.id { parts.insert("open", at: 0) }
            // What tells it from another one of the name.
            if names[trip.plan.name, default: 0] > 1 { parts.insert(trip.slug, at: 0) }
            return Chooser.Choice(text: trip.plan.name, detail: parts.joined(separator: " · "))
        }
        choices.append(Chooser.Choice(text: Self.newTripLine, detail: ""))
        choices += trips.deleted.map { trip in
            Chooser.Choice(
                text: "Restore \(trip.name)",
                detail:
                    "deleted, kept until \(DateText.text(of: trip.keptUntil))"
            )
        }
        guard let awaited else { return Chooser("Open the trip:", .trips(trips), choices) }
        return Chooser("Open the trip:", .trips(trips), choices, after: awaited)
    }

    private static let newTripLine = "A new trip"

    /// Does what the chosen line of the menu stands for.
    mutating func take(_ list: TripList, at index: Int) {
        mode = .browsing
        if index < list.trips.count {
            let trip = list.trips[index]
            if trip.id == board?.outline.trip.header.id { return say("This is the trip.") }
            emit(.openTrip(trip.id))
            awaitOther("Opening \(trip.plan.name)…")
            if !options.isByLines { say("Opening \(trip.plan.name).") }
        } else if index == list.trips.count {
            beginNewTrip(named: "")
        } else {
            let trip = list.deleted[index - list.trips.count - 1]
            emit(.restoreTrip(trip.key))
            awaitOther("Restoring \(trip.name)…")
            say("Restoring \(trip.name).")
        }
    }

    /// Does something to the selected trip of the menu.
    mutating func handle(_ action: Action, of chooser: Chooser) {
        guard case .trips(let list) = chooser.purpose, !chooser.isAwaited else {
            return refuse("The list has not come yet; Esc leaves without.")
        }
        if options.isViewer { return refuse(Self.viewerSentence) }
        if action == .newTrip { return beginNewTrip(named: "") }
        guard let (index, choice) = chooser.current, index < list.trips.count else {
            return refuse(
                chooser.current.map { "\($0.choice.text) is no trip." } ?? "Nothing in the list matches.")
        }
        let trip = list.trips[index]
        switch action {
        case .editTrip: mode = .planning(TripForm(.change(trip.id), trip.plan))
        case .copyTrip:
            var plan = trip.plan
            plan.name = "\(plan.name) (copy)"
            mode = .planning(TripForm(.copy(trip.id), plan))
        case .deleteTrip:
            let items = trip.itemCount == 1 ? " and its 1 item" : " and its \(trip.itemCount) items"
            mode = .confirming(
                Question(
                    purpose: .deleteTrip(trip.id),
                    text:
                        "Delete \(choice.text)\(trip.itemCount == 0 ? "" : items)? It can be restored here for 30 days."
                ))
        default: break
        }
    }

    mutating func delete(_ id: TripID) {
        guard let trip = tripList?.trips.first(where: { $0.id == id }) else { return returnToTrips() }
        let name = trip.plan.name
        emit(.deleteTrip(trip))
        let label = "Deleting \(name)…"
        if id == board?.outline.trip.header.id { awaitOther(label) } else { awaitTrips(label) }
        say("Deleting \(name).")
    }

    /// Back to the list of trips as it was told last, or to the trip that is open.
    mutating func returnToTrips() {
        mode = .browsing
        guard let tripList, board == nil || !tripList.trips.isEmpty else { return }
        if lobby != nil, tripList.trips.isEmpty, tripList.deleted.isEmpty { return }
        if lobby != nil { lobby = .unnamed }
        mode = .choosing(tripMenu(tripList))
    }

    /// The trip has been deleted. What was being written is shown once more, and its keys wait.
    mutating func loseTrip() {
        isTripGone = true
        if options.isByLines { return emit(.leaveLostTrip) }
        let written: String? =
            switch mode {
            case .prompting(let prompt) where !prompt.isSearch: prompt.line.trimmed
            case .filling(let form) where form.current.isChanged: form.current.line.trimmed
            case .planning(let form): form.current.line.trimmed
            default: nil
            }
        marks = []
        mode = .acknowledging(
            "The trip has been deleted." + (written.map { " You were writing “\($0)”." } ?? ""))
        refuse(focusSentence)
    }

    // MARK: Without a trip

    /// There is no trip to show.
    mutating func enter(_ lobby: Lobby) {
        self.lobby = lobby
        board = nil
        opensTrip = false
        askForTrips()
    }

    /// Without a trip there is nothing behind the list of trips.
    mutating func leaveLobby() {
        guard lobby != nil, board == nil, case .browsing = mode else { return }
        emit(.quit)
    }

    // MARK: Writing

    mutating func beginNewTrip(named name: String) {
        let plan = TripPlan(
            name: name, startDate: options.today(), timeZone: options.timeZone, dayCount: Self.usualDays)
        mode = .planning(TripForm(.new, plan))
    }

    /// Writes the name, days and zone of the trip that is open.
    mutating func editOpenTrip() {
        guard let header = board?.outline.trip.header else { return }
        mode = .planning(TripForm(.change(header.id), TripPlan(header)))
    }

    private static let usualDays = 7

    mutating func plan(_ old: TripForm, _ action: Action) {
        var form = old
        switch action {
        case .up: form.go(to: form.index - 1)
        case .down: form.go(to: form.index + 1)
        case .cancel: return leave(form)
        case .accept: return accept(form)
        default: form.current.line.perform(action)
        }
        mode = .planning(form)
    }

    private mutating func leave(_ form: TripForm) {
        let isOpen =
            if case .change(let id) = form.purpose { id == board?.outline.trip.header.id } else { false }
        if isOpen || lobby == nil && tripList == nil { mode = .browsing } else { returnToTrips() }
    }

    private mutating func accept(_ old: TripForm) {
        var form = old
        let plan: TripPlan
        do throws(TripForm.Objection) { plan = try form.plan(today: options.today()) } catch {
            form.go(to: error.field)
            mode = .planning(form)
            return refuse(error.reason)
        }
        if let field = form.takeConflict(), let theirs = field.theirs {
            mode = .planning(form)
            return refuse(
                "\(field.field.label) is \(theirs.text) now (\(theirs.user)). Enter again writes \(field.line.text)."
            )
        }
        switch form.purpose {
        case .new:
            sentForm = form
            emit(.createTrip(plan))
            awaitOther("Making \(plan.name)…")
            say("Making \(plan.name).")
        case .copy(let id):
            sentForm = form
            emit(.copyTrip(id, plan))
            awaitOther("Copying \(form.original.name)…")
            say("Making \(plan.name).")
        case .change(let id):
            let change = plan.change(from: form.original)
            if change == TripChange() {
                leave(form)
                return say("Nothing is changed.")
            }
            if id == board?.outline.trip.header.id { return changeOpenTrip(change) }
            sentForm = form
            emit(.changeTrip(id, change))
            awaitTrips("Changing \(form.original.name)…")
        }
    }
}
