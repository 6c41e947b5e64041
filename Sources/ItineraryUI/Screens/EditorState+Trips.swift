import TripModel

/// The list of trips, and operations on whole trips.
extension EditorState {
    // MARK: The menu

    /// Requests the list of trips.
    ///
    /// - Parameter trip: a trip to delete, after a question with its present state.
    mutating func askForTrips(deleting trip: TripID? = nil) {
        if trip == nil { known.leaveLine(nil, of: nil) }
        run(PendingOperation(.trips, "Loading the trips…", deleting: trip), .listTrips)
    }

    /// Requests an operation; input until its answer is kept for the resulting screen.
    mutating func run(_ operation: PendingOperation, _ effect: EditorEffect) {
        emit(effect)
        begin(.awaiting(operation))
        say(operation.label)
    }

    /// Shows the list of trips, if it is awaited.
    mutating func offer(_ trips: TripList, _ said: String?) {
        known.remember(trips, at: now)
        if case .choosing(let chooser) = mode { return followTrips(chooser, trips) }
        if case .confirming(let question) = mode { return follow(question, trips) }
        guard case .awaiting(let operation) = mode else { return }
        // A list that was requested earlier does not contain the result of the operation.
        guard operation.kind == .trips || operation.kind == .tripChange && said != nil else { return }
        status.clear()
        if let deleting = operation.deleting {
            askToDelete(deleting, trips)
        } else if isViewer {
            showTrips(trips)
            if case .missing(let name)? = known.lobby { refuse("There is no trip \(name).") }
        } else if case .missing(let name)? = known.lobby {
            ask(Question(purpose: .makeTrip(name), text: "There is no trip \(name). Create it?"))
        } else if known.areNone {
            beginNewTrip(named: "")
        } else {
            showTrips(trips)
        }
        if let failure = operation.failure {
            if options.style.guardsKeys { comeBack(to: .chooser(tripMenu(trips)), saying: failure) }
        } else if let said {
            say(said)
        }
    }

    private mutating func showTrips(_ trips: TripList) {
        begin(.choosing(tripMenu(trips)))
    }

    /// The list of trips, to open, create or restore one.
    func tripMenu(_ trips: TripList) -> Chooser {
        let names = Dictionary(trips.trips.map { ($0.plan.name, 1) }, uniquingKeysWith: +)
        var choices = trips.trips.map { trip in
            let items = counted(trip.itemCount, "item")
            var parts = ["\(trip.plan.dates), \(items)"]
            if trip.id == board?.outline.trip.header.id { parts.insert("open", at: 0) }
            // The slug distinguishes trips of the same name.
            if names[trip.plan.name, default: 0] > 1 { parts.insert(trip.slug, at: 0) }
            return Chooser.Choice(text: trip.plan.name, detail: parts.joined(separator: " · "))
        }
        guard !options.isViewer else { return tripMenu(trips, choices) }
        choices.append(Chooser.Choice(text: Self.newTripLine, detail: ""))
        choices += trips.deleted.map { trip in
            Chooser.Choice(
                text: "Restore \(trip.name)",
                detail:
                    "deleted, kept until \(DateText.text(of: trip.keptUntil))"
            )
        }
        return tripMenu(trips, choices)
    }

    /// The list with the line selected from which the user left it, or the one now in its place.
    private func tripMenu(_ trips: TripList, _ choices: [Chooser.Choice]) -> Chooser {
        var chooser = Chooser("Open the trip:", .trips(trips), choices)
        if let line = known.line {
            chooser.select(choices.indices.first { trips.trip(at: $0) == line.trip } ?? line.index)
        }
        return chooser
    }

    private static let newTripLine = "A new trip"

    /// The maximum age of the visible list of trips.
    private static let refreshInterval = Duration.seconds(2)

    /// The time to request the list of trips again; nil if it is not visible.
    var nextTripsRefresh: Duration? {
        guard options.style.updatesLists else { return nil }
        switch mode {
        case .choosing(let chooser) where chooser.context == .trips: break
        case .confirming(let question): guard case .deleteTrip = question.purpose else { return nil }
        default: return nil
        }
        return known.newest.map { $0 + Self.refreshInterval }
    }

    mutating func refreshTrips() {
        guard let next = nextTripsRefresh, next <= now else { return }
        known.noteAsked(at: now)
        emit(.listTrips)
    }

    private mutating func followTrips(_ old: Chooser, _ list: TripList) {
        guard case .trips(let before) = old.purpose, before != list, options.style.updatesLists else {
            return
        }
        var chooser = tripMenu(list)
        chooser.follow(old)
        begin(.choosing(chooser))
    }

    /// Performs the chosen line of the menu.
    mutating func accept(_ list: TripList, at index: Int) {
        known.leaveLine(index, of: list)
        returnToList()
        if index < list.trips.count {
            let trip = list.trips[index]
            if trip.id == board?.outline.trip.header.id { return say("This trip is open already.") }
            run(PendingOperation(.trip, "Opening \(trip.plan.name)…"), .openTrip(trip.id))
        } else if index == list.trips.count {
            beginNewTrip(named: "")
        } else {
            let trip = list.deleted[index - list.trips.count - 1]
            run(PendingOperation(.trip, "Restoring \(trip.name)…"), .restoreTrip(trip.id))
        }
    }

    /// Performs an operation on the selected trip.
    mutating func handle(_ action: Action, of chooser: Chooser) {
        guard case .trips(let list) = chooser.purpose else { return }
        if options.isViewer { return refuse(Self.viewerSentence) }
        known.leaveLine(chooser.current?.index, of: list)
        if action != .newTrip, let lost = chooser.lostChoice { return refuse(lost) }
        if action == .newTrip { return beginNewTrip(named: chooser.typedText ?? "") }
        guard let (index, _) = chooser.current, index < list.trips.count else {
            return refuse(
                chooser.current.map { "\($0.choice.text) is not a trip." } ?? screen.sentence(of: chooser))
        }
        let trip = list.trips[index]
        switch action {
        case .editTrip: open(TripForm(.change(trip.id), trip.plan))
        case .copyTrip:
            var plan = trip.plan
            plan.name = "\(plan.name) (copy)"
            open(TripForm(.copy(trip.id), plan))
        case .deleteTrip: askForTrips(deleting: trip.id)
        default: break
        }
    }

    /// Asks whether to delete a trip, with its present state.
    private mutating func askToDelete(_ id: TripID, _ list: TripList) {
        guard let trip = list.trips.first(where: { $0.id == id }) else {
            begin(.choosing(tripMenu(list)))
            return refuse("That trip has been deleted already.")
        }
        let items = trip.itemCount == 0 ? "" : " and its \(counted(trip.itemCount, "item"))"
        ask(
            Question(
                purpose: .deleteTrip(id, named: trip.plan.name, itemCount: trip.itemCount),
                text: "Delete \(trip.plan.name)\(items)? It can be restored here for 30 days."))
    }

    /// Returns to the list if a trip has changed since the question about its deletion.
    private mutating func follow(_ question: Question, _ list: TripList) {
        guard case .deleteTrip(let id, let name, let itemCount) = question.purpose else { return }
        let trip = list.trips.first { $0.id == id }
        guard trip?.plan.name != name || trip?.itemCount != itemCount else { return }
        let news = trip.map { trip in
            "It was not deleted: "
                + (trip.itemCount == itemCount
                    ? "\(name) is called \(trip.plan.name) now."
                    : "\(trip.plan.name) has \(counted(trip.itemCount, "item")) now.")
        }
        comeBack(to: .chooser(tripMenu(list)), saying: news ?? "\(name) has been deleted already.")
    }

    mutating func delete(_ id: TripID, named name: String, itemCount: Int) {
        run(
            PendingOperation(.tripChange, "Deleting \(name)…"),
            .deleteTrip(id, named: name, itemCount: itemCount))
    }

    /// Returns to the last list of trips, or to the open trip.
    mutating func returnToTrips() {
        returnToList()
        guard let list = known.list, board == nil || !list.trips.isEmpty, !known.areNone else { return }
        known.forgetMissing()
        begin(.choosing(tripMenu(list)))
    }

    // MARK: Without a trip

    /// Handles that no trip is open.
    mutating func enter(_ lobby: Lobby) {
        known.enter(lobby)
        board = nil
        returnToList()
        askForTrips()
    }

    /// Leaves the list of trips; without an open trip there is nothing behind it.
    mutating func leaveLobby() {
        guard known.lobby != nil, board == nil, mode.isBrowsing else { return }
        noteDrafts(Departure.wanted.reason)
        emit(.quit)
    }

    // MARK: Forms

    mutating func beginNewTrip(named name: String) {
        let plan = TripPlan(
            name: "", startDate: options.today(), timeZone: options.timeZone, dayCount: Self.usualDays)
        open(TripForm(.new, plan), named: name)
    }

    /// Opens the form of a trip, with the fields of its draft if there is one.
    private mutating func open(_ new: TripForm, named name: String = "") {
        var form = new
        if case .planning(let draft)? = drafts.take(.trip(new.purpose)) {
            form = draft
            if case .change = new.purpose { form.follow(new.original, by: "somebody") }
        }
        if !name.isEmpty { form.fields.suggest(name, for: .name) }
        begin(.planning(form))
    }

    /// Opens the form of the open trip.
    mutating func editOpenTrip() {
        guard let header = board?.outline.trip.header else { return }
        open(TripForm(.change(header.id), TripPlan(header)))
    }

    private static let usualDays = 7

    mutating func plan(_ old: TripForm, _ action: Action) {
        var form = old
        switch action {
        case .cancel: return closeKeepingDraft { $0.leave(form) }
        case .accept: return accept(form)
        case .lineBreak: return refuse("Only a note can have several lines.")
        default: form.fields.perform(action)
        }
        begin(.planning(form))
    }

    private mutating func leave(_ form: TripForm) {
        let isOpen =
            if case .change(let id) = form.purpose { id == board?.outline.trip.header.id } else { false }
        if isOpen || known.lobby == nil && known.list == nil { returnToList() } else { returnToTrips() }
    }

    private mutating func accept(_ old: TripForm) {
        var form = old
        let plan: TripPlan
        do throws(TripForm.Objection) { plan = try form.plan(today: options.today()) } catch {
            form.fields.go(to: error.field)
            begin(.planning(form))
            return refuse(error.reason)
        }
        if let field = form.fields.takeConflict() {
            begin(.planning(form))
            return refuse(field.conflictSentence(options))
        }
        switch form.purpose {
        case .new:
            let id = newTripID(&form, for: plan)
            run(PendingOperation(.trip, "Creating \(plan.name)…", form: form), .createTrip(plan, as: id))
        case .copy(let original):
            let id = newTripID(&form, for: plan)
            run(
                PendingOperation(.trip, "Copying \(form.original.name)…", form: form),
                .copyTrip(original, plan, as: id))
        case .change(let id):
            let change = plan.change(from: form.original)
            if change == TripChange() {
                leave(form)
                return say("Nothing was changed.")
            }
            if id == board?.outline.trip.header.id { return changeOpenTrip(change) }
            run(
                PendingOperation(.tripChange, "Changing \(form.original.name)…", form: form),
                .changeTrip(id, change, from: form.original))
        }
    }
}
