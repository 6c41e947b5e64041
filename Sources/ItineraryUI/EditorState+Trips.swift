import TripModel

/// Trips as wholes: which there are, making them, and what becomes of them.
extension EditorState {
    // MARK: The menu

    /// Asks which trips there are.
    ///
    /// - Parameter trip: the one that is to be deleted, after a question that says what it is by now.
    mutating func askForTrips(deleting trip: TripID? = nil) {
        emit(.listTrips)
        begin(.awaiting(Errand(.trips(deleting: trip), "Asking for the trips…")))
        if options.isByLines, trip == nil { say("Asking for the trips.") }
    }

    /// Asks for something to be done; what is typed until then is for what comes of it.
    private mutating func run(_ errand: Errand, _ effect: EditorEffect) {
        emit(effect)
        begin(.awaiting(errand))
        if !options.isByLines { say(errand.label) }
    }

    /// Shows the trips that there are, where they are waited for.
    mutating func offer(_ trips: TripList, _ said: String?) {
        known.remember(trips)
        guard case .awaiting(let errand) = mode else { return }
        var deleting: TripID?
        switch errand.answer {
        case .trips(let trip): deleting = trip
        // A list that was asked for before tells nothing of the deed.
        case .deed where said != nil: break
        case .deed, .trip, .history, .importPreview: return
        }
        status.clear()
        if let deleting {
            askToDelete(deleting, trips)
        } else if case .missing(let name)? = known.lobby {
            ask(Question(purpose: .makeTrip(name), text: "There is no trip \(name). Make it?"))
        } else if known.areNone {
            beginNewTrip(named: "")
        } else {
            begin(.choosing(tripMenu(trips)))
        }
        if let failure = errand.failure {
            if !options.isByLines { comeBack(to: .chooser(tripMenu(trips)), saying: failure) }
        } else if let said {
            say(said)
        }
    }

    /// The list of trips: to open one, to make one, to have one back.
    func tripMenu(_ trips: TripList) -> Chooser {
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
        return Chooser("Open the trip:", .trips(trips), choices)
    }

    private static let newTripLine = "A new trip"

    /// Does what the chosen line of the menu stands for.
    mutating func accept(_ list: TripList, at index: Int) {
        returnToList()
        if index < list.trips.count {
            let trip = list.trips[index]
            if trip.id == board?.outline.trip.header.id { return say("This is the trip.") }
            run(Errand(.trip, "Opening \(trip.plan.name)…"), .openTrip(trip.id))
        } else if index == list.trips.count {
            beginNewTrip(named: "")
        } else {
            let trip = list.deleted[index - list.trips.count - 1]
            let id = known.restoredID(ofKey: trip.key, orElse: newTripID())
            run(Errand(.trip, "Restoring \(trip.name)…"), .restoreTrip(trip.key, as: id))
            if options.isByLines { say("Restoring \(trip.name).") }
        }
    }

    /// Does something to the selected trip of the menu.
    mutating func handle(_ action: Action, of chooser: Chooser) {
        guard case .trips(let list) = chooser.purpose else { return }
        if options.isViewer { return refuse(Self.viewerSentence) }
        if action == .newTrip { return beginNewTrip(named: "") }
        guard let (index, _) = chooser.current, index < list.trips.count else {
            return refuse(
                chooser.current.map { "\($0.choice.text) is no trip." } ?? "Nothing in the list matches.")
        }
        let trip = list.trips[index]
        switch action {
        case .editTrip: begin(.planning(TripForm(.change(trip.id), trip.plan)))
        case .copyTrip:
            var plan = trip.plan
            plan.name = "\(plan.name) (copy)"
            begin(.planning(TripForm(.copy(trip.id), plan)))
        case .deleteTrip: askForTrips(deleting: trip.id)
        default: break
        }
    }

    /// Asks whether a trip is to be deleted, as it is by now.
    private mutating func askToDelete(_ id: TripID, _ list: TripList) {
        guard let trip = list.trips.first(where: { $0.id == id }) else {
            begin(.choosing(tripMenu(list)))
            return refuse("That trip has been deleted already.")
        }
        let items = trip.itemCount == 0 ? "" : " and its \(counted(trip.itemCount, "item"))"
        ask(
            Question(
                purpose: .deleteTrip(id, named: trip.plan.name),
                text: "Delete \(trip.plan.name)\(items)? It can be restored here for 30 days."))
    }

    mutating func delete(_ id: TripID, named name: String) {
        run(Errand(.deed, "Deleting \(name)…"), .deleteTrip(id, named: name))
        if options.isByLines { say("Deleting \(name).") }
    }

    /// Back to the list of trips as it was told last, or to the trip that is open.
    mutating func returnToTrips() {
        returnToList()
        guard let list = known.list, board == nil || !list.trips.isEmpty, !known.areNone else { return }
        known.forgetMissing()
        begin(.choosing(tripMenu(list)))
    }

    // MARK: Without a trip

    /// There is no trip to show.
    mutating func enter(_ lobby: Lobby) {
        known.enter(lobby)
        board = nil
        returnToList()
        askForTrips()
    }

    /// Without a trip there is nothing behind the list of trips.
    mutating func leaveLobby() {
        guard known.lobby != nil, board == nil, mode.isBrowsing else { return }
        emit(.quit)
    }

    // MARK: Writing

    mutating func beginNewTrip(named name: String) {
        let plan = TripPlan(
            name: name, startDate: options.today(), timeZone: options.timeZone, dayCount: Self.usualDays)
        begin(.planning(TripForm(.new, plan)))
    }

    /// Writes the name, days and zone of the trip that is open.
    mutating func editOpenTrip() {
        guard let header = board?.outline.trip.header else { return }
        begin(.planning(TripForm(.change(header.id), TripPlan(header))))
    }

    private static let usualDays = 7

    mutating func plan(_ old: TripForm, _ action: Action) {
        var form = old
        switch action {
        case .up: form.go(to: form.index - 1)
        case .down: form.go(to: form.index + 1)
        case .cancel: return leave(form)
        case .accept: return accept(form)
        case .lineBreak: return refuse("Only a note has several lines.")
        default: form.current.line.perform(action)
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
            form.go(to: error.field)
            begin(.planning(form))
            return refuse(error.reason)
        }
        if let field = form.takeConflict() {
            begin(.planning(form))
            return refuse(sentence(ofConflict: field))
        }
        switch form.purpose {
        case .new:
            let id = newTripID(&form, for: plan)
            run(Errand(.trip, "Making \(plan.name)…", form: form), .createTrip(plan, as: id))
            if options.isByLines { say("Making \(plan.name).") }
        case .copy(let original):
            let id = newTripID(&form, for: plan)
            run(
                Errand(.trip, "Copying \(form.original.name)…", form: form),
                .copyTrip(original, plan, as: id))
            if options.isByLines { say("Making \(plan.name).") }
        case .change(let id):
            let change = plan.change(from: form.original)
            if change == TripChange() {
                leave(form)
                return say("Nothing is changed.")
            }
            if id == board?.outline.trip.header.id { return changeOpenTrip(change) }
            run(
                Errand(.deed, "Changing \(form.original.name)…", form: form),
                .changeTrip(id, change, from: form.original))
        }
    }

    /// What somebody else has written, and what is to be written over it.
    func sentence(ofConflict field: TripForm.Field) -> String {
        let theirs = field.theirs.map { "\($0.text) now (\($0.user))" } ?? "another one now"
        return "\(field.field.label) is \(theirs). Enter again writes \(field.line.text)."
    }
}
