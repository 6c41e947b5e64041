import ItineraryUI
import LocalSystem
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// Trips as wholes: which there are, and what the trips menu does with them.
extension EditorSession {
    /// Tells the editor which trips there are.
    ///
    /// - Parameters:
    ///   - said: what was done to one of them, in a sentence.
    ///   - wish: what that answers.
    func listTrips(_ said: String? = nil, answering wish: Errand.Wish = .trips) async {
        do throws(CommandFailure) {
            let trips = try await withDaemon { client throws(ClientError) in try await client.trips() }
            let deleted = deletedTrips.list().map {
                DeletedTrip(
                    key: $0.key, name: $0.name, itemCount: $0.itemCount, deleted: $0.deleted,
                    keptUntil: $0.keptUntil)
            }
            handle(.trips(TripList(trips: trips.map(choice), deleted: deleted), said: said))
        } catch {
            let reason = (said.map { "\($0) " } ?? "") + "There is no list: \(error.message)."
            handle(.failed(wish, reason))
        }
    }

    /// Opens another trip in place of this one, if it can be had.
    func open(_ trip: TripID) async { await open(trip, "It cannot be opened") }

    /// - Parameters:
    ///   - failing: how the sentence begins where it cannot be had.
    ///   - said: what is said of it at first.
    private func open(_ trip: TripID, _ failing: String, saying said: String? = nil) async {
        let next: LiveTrip
        do throws(ClientError) { next = try await openLive(.id(trip)) } catch {
            return handle(.failed(.trip, "\(failing): \(Self.reason(CommandFailure(error)))."))
        }
        await goOn(to: next, saying: said)
    }

    /// Makes an empty trip and opens it.
    func create(_ plan: TripPlan, as id: TripID) async {
        do throws(CommandFailure) { try await make(plan, as: id, []) } catch {
            return handle(.failed(.trip, Self.sentence(of: error, "made")))
        }
        await open(id, "It is made, and cannot be opened")
    }

    /// Changes a trip that is not open here, where nobody has changed the same since it was a plan.
    func change(_ trip: TripID, _ change: TripChange, from plan: TripPlan) async {
        do throws(CommandFailure) {
            if let other = try await changeUnlessChanged(trip, change, from: plan) {
                return handle(.conflict(other))
            }
            await listTrips("Changed.", answering: .deed)
        } catch {
            handle(.failed(.deed, Self.sentence(of: error, "changed")))
        }
    }

    /// Makes a trip with the items of another one, and opens it.
    func copy(_ trip: TripID, _ plan: TripPlan, as id: TripID) async {
        let left: String?
        do throws(CommandFailure) { left = try await makeCopy(of: trip, plan, as: id) } catch {
            return handle(.failed(.trip, Self.sentence(of: error, "copied")))
        }
        await open(
            id, "It is copied, and cannot be opened", saying: left.map { "The copy is made but for \($0)" })
    }

    /// Deletes a trip, of which a copy is kept for a while: as it is when it goes.
    ///
    /// - Parameter name: what it is called where the user agreed to it.
    func delete(_ trip: TripID, named name: String) async {
        do throws(CommandFailure) {
            try await keepAndDelete(trip, named: name)
            let said = "Deleted \(name). It can be restored here until \(deletedTrips.keptUntil)."
            guard deletesOwnTrip else { return await listTrips(said, answering: .deed) }
            await goOn(to: nil, saying: said)
        } catch {
            deletesOwnTrip = false
            handle(.failed(.deed, Self.sentence(of: error, "deleted")))
            // It may have gone while its end was expected.
            showNewest()
        }
    }

    /// Makes a trip again that was deleted, and opens it.
    func restore(_ key: String, as id: TripID) async {
        let left: String?
        do throws(CommandFailure) { left = try await makeAgain(key, as: id) } catch {
            return handle(.failed(.trip, Self.sentence(of: error, "restored")))
        }
        await open(
            id, "It is restored, and cannot be opened",
            saying: left.map {
                "Restored but for \($0) What was kept of it stays in the list of trips."
            })
    }

    /// Another trip takes the place of the one that is open, or none, when what was done to that one has reached the daemon.
    /// What is typed meanwhile is kept for what comes.
    ///
    /// - Parameter said: what is said of it at first.
    func goOn(to next: LiveTrip?, saying said: String? = nil) async {
        await deliver(opensOther: true)
        guard ending == nil else {
            await next?.close(waitingUpTo: .zero)
            return
        }
        live?.enter { $0.stopObserving() }
        if let wakeTimer { loop.cancel(wakeTimer) }
        wakeTimer = nil
        live = next
        shown = nil
        previewed = nil
        deletesOwnTrip = false
        isTripGone = false
        face.beginNext()
        resize()
        awaitPause()
        guard next != nil else {
            lobbySentence = said
            return handle(.lobby(.deleted))
        }
        observeLive()
        showNewest()
        if let said { handle(.announced(said)) }
    }

    // MARK: Parts

    private var deletedTrips: DeletedTrips { DeletedTrips(.current, today: Today.date) }

    /// What is said of something that is not known to be done.
    ///
    /// - Parameter verb: what was to be done, as `copied`.
    private static func sentence(of failure: CommandFailure, _ verb: String) -> String {
        if failure.mayBeDone {
            return "It may or may not be \(verb): \(failure.message). To ask again does nothing twice."
        }
        return "It is not \(verb): \(reason(failure))."
    }

    /// Why something failed; whoever chose a trip by its name is not told an id.
    private static func reason(_ failure: CommandFailure) -> String {
        failure.refusal?.known == .tripNotFound ? "the trip has been deleted" : failure.message
    }

    /// - Returns: what could not be put there, in words with their end; nil where nothing is missing.
    private func makeCopy(
        of trip: TripID, _ plan: TripPlan, as id: TripID
    ) async throws(CommandFailure) -> String? {
        let original = try await withDaemon { client throws(ClientError) in
            try await client.snapshot(of: .id(trip))
        }.trip
        // Its days first, as the items go by them; then those of the copy, which the items follow.
        var first = TripPlan(original.header)
        first.name = plan.name
        let schedule = try NamedSchedule("\(original.header.slug).json", TripFile.text(of: original))
        let (items, left) = try Self.items(of: schedule, first, id)
        try await make(first, as: id, items)
        let change = TripChange(
            startDate: plan.startDate == first.startDate ? nil : plan.startDate,
            timeZone: plan.timeZone == first.timeZone ? nil : plan.timeZone,
            dayCount: plan.dayCount == first.dayCount ? nil : plan.dayCount)
        if change != TripChange() { try await apply([.trip(change)], to: id) }
        return left
    }

    /// - Returns: as `makeCopy`.
    private func makeAgain(_ key: String, as id: TripID) async throws(CommandFailure) -> String? {
        let schedule = try deletedTrips.schedule(key)
        guard case .trip(let file) = schedule.file else {
            throw CommandFailure("its copy cannot be read", exitCode: CommandFailure.badData)
        }
        let plan = TripPlan(file.header)
        let (items, left) = try Self.items(of: schedule, plan, id)
        do throws(CommandFailure) {
            try await make(plan, as: id, items, slug: file.header.slug)
        } catch {
            guard error.refusal?.known == .slugTaken else { throw error }
            try await make(plan, as: id, items)
        }
        if left == nil { deletedTrips.forget(key) }
        return left
    }

    /// Makes a trip with all its items, as one request where they fit: then there is none of it, or all.
    private func make(
        _ plan: TripPlan, as id: TripID, _ items: [Edit], slug: String? = nil
    ) async throws(CommandFailure) {
        var draft = TripDraft(
            id: id, name: plan.name, startDate: plan.startDate, timeZone: plan.timeZone,
            dayCount: plan.dayCount, slug: slug, items: items)
        let areAdded = items.allSatisfy { if case .add = $0 { true } else { false } }
        let fits =
            areAdded && Request.createTrip(draft).line(id: .number(1)).count <= WireLimits.lineBytes
        if !fits { draft.items = [] }
        let sent = draft
        let made: Snapshot
        do throws(CommandFailure) {
            made = try await repeating { client, _ throws(ClientError) in try await client.create(sent) }
        } catch {
            // Nobody else knows the id: it was made when it was asked for before.
            guard error.refusal?.known == .duplicateID else { throw error }
            made = try await withDaemon { client throws(ClientError) in
                try await client.snapshot(of: .id(id))
            }
        }
        if fits || made.trip.itemCount > 0 { return }
        do throws(CommandFailure) { try await apply(items, to: id) } catch {
            // Where nobody knows, it may be whole; to ask again finds out.
            if !error.mayBeDone {
                try? await withDaemon(as: .editor) { client throws(ClientError) in
                    try await client.delete(.id(id))
                }
            }
            throw error
        }
    }

    /// The items of a schedule, for a trip that is to be made of it; and what could not be put there, in words.
    static func items(
        of schedule: NamedSchedule, _ plan: TripPlan, _ id: TripID
    ) throws(CommandFailure) -> (items: [Edit], left: String?) {
        let header = TripHeader(
            id: id, slug: "new", name: plan.name, startDate: plan.startDate, timeZone: plan.timeZone,
            dayCount: plan.dayCount)
        let empty: Trip
        do throws(EditFailure) {
            empty = try Trip.create(header, by: Author(name: "", at: Timestamp(milliseconds: 0)))
        } catch {
            throw CommandFailure("its copy cannot be read", exitCode: CommandFailure.badData)
        }
        do throws(ImportPlan.Refusal) {
            let plan = try schedule.plan(into: empty)
            return (plan.edits, words(for: plan.report.skipped, of: schedule))
        } catch {
            throw CommandFailure("\(error)", exitCode: CommandFailure.refused)
        }
    }

    /// `1 item: Hotel (it must not be empty).`, `3 items: Hotel (…), Dinner (…) and 1 more.`
    private static func words(for skipped: [SkippedEntry], of schedule: NamedSchedule) -> String? {
        guard !skipped.isEmpty else { return nil }
        var titles: [String: String] = [:]
        if case .trip(let file) = schedule.file {
            for entry in file.entries.entries {
                let names = [ItemField.title, .fromCity, .toCity].compactMap { field in
                    if case .text(let text)? = entry[field] { text } else { String?.none }
                }
                titles[entry.id] = names.joined(separator: " → ")
            }
        }
        let named = skipped.prefix(2).map { entry in
            let known = entry.id.flatMap { titles[$0] } ?? ""
            let title = known.isEmpty ? "what is in line \(entry.line) of its copy" : known
            return "\(title) (\(entry.reason))"
        }
        let more = skipped.count - named.count
        return "\(PlainText.counted(skipped.count, "item")): \(named.joined(separator: ", "))"
            + (more > 0 ? " and \(more) more." : ".")
    }

    /// Changes a trip as it is, looking first whether somebody else has changed the same since it was a plan.
    ///
    /// - Returns: what it is now, where somebody has.
    private func changeUnlessChanged(
        _ trip: TripID, _ change: TripChange, from plan: TripPlan
    ) async throws(CommandFailure) -> TripPlan? {
        var attempts = Self.attemptsToMeet
        while true {
            let now = try await withDaemon { client throws(ClientError) in
                try await client.snapshot(of: .id(trip))
            }.trip
            let other = TripPlan(now.header)
            if other.hasOther(than: plan, where: change) { return other }
            do throws(CommandFailure) {
                try await apply([.trip(change)], to: trip, ifVersion: now.version)
                return nil
            } catch {
                attempts -= 1
                guard error.refusal?.known == .versionConflict, attempts > 0 else { throw error }
            }
        }
    }

    /// Keeps a copy of a trip and deletes that very version; where it has changed in between, once more.
    private func keepAndDelete(_ trip: TripID, named name: String) async throws(CommandFailure) {
        var attempts = Self.attemptsToMeet
        while true {
            let last = try await withDaemon { client throws(ClientError) in
                try await client.snapshot(of: .id(trip))
            }
            guard last.trip.header.name == name else {
                throw CommandFailure(
                    "\(name) is called \(last.trip.header.name) now", exitCode: CommandFailure.conflict)
            }
            try deletedTrips.keep(last.trip)
            if live != nil, shown?.trip.header.id == trip { deletesOwnTrip = true }
            do throws(CommandFailure) {
                try await repeating { client, isRepeat throws(ClientError) in
                    do throws(ClientError) {
                        try await client.delete(.id(trip), ifVersion: last.trip.version)
                    } catch {
                        // The request before it has done it.
                        guard isRepeat, case .refused(let refusal) = error, refusal.known == .tripNotFound
                        else { throw error }
                    }
                }
                return
            } catch {
                attempts -= 1
                guard error.refusal?.known == .versionConflict, attempts > 0 else { throw error }
            }
        }
    }

    /// How often a trip may change between a look at it and what is done to it then.
    private static let attemptsToMeet = 10

    private func apply(
        _ edits: [Edit], to trip: TripID, ifVersion version: Int? = nil
    ) async throws(CommandFailure) {
        errandSequence += 1
        let options = ChangeOptions(seq: errandSequence, ifVersion: version)
        _ = try await repeating { client, _ throws(ClientError) in
            try await client.apply(edits, in: .id(trip), options)
        }
    }

    /// Asks for a change that can be asked for again without being made twice: where its answer is lost, it is found out
    /// over a new connection what became of it, for as long as an answer may take.
    ///
    /// - Throws: `CommandFailure`; `mayBeDone` where nobody knows.
    private func repeating<Value: Sendable>(
        _ body: (TripClient, _ isRepeat: Bool) async throws(ClientError) -> Value
    ) async throws(CommandFailure) -> Value {
        let clock = ContinuousClock()
        var deadline: ContinuousClock.Instant?
        while true {
            do throws(CommandFailure) {
                let isRepeat = deadline != nil
                return try await withDaemon(as: .editor) { client throws(ClientError) in
                    try await body(client, isRepeat)
                }
            } catch {
                let wasSent = deadline != nil || error.mayBeDone
                guard wasSent, error.mayBeDone || error.isUnreachable, !Task.isCancelled else { throw error }
                let end = deadline ?? clock.now + caller.timeout
                deadline = end
                guard clock.now < end else { throw error.leftOpen }
                try? await Task.sleep(for: Self.pauseToAskAgain)
            }
        }
    }

    private static let pauseToAskAgain = Duration.milliseconds(100)

    /// Asks the daemon something on a connection of its own.
    func withDaemon<Value: Sendable>(
        as role: Hello.Role = .viewer, _ body: (TripClient) async throws(ClientError) -> Value
    ) async throws(CommandFailure) -> Value {
        let client: TripClient
        do throws(ClientError) {
            client = try await caller.withoutStarting.connect(
                clientID: errandClient, role: role, on: loop
            ).client
        } catch {
            throw CommandFailure(error)
        }
        do throws(ClientError) {
            let value = try await body(client)
            await client.close()
            return value
        } catch {
            await client.close()
            let failure = CommandFailure(error)
            // Nothing comes of a question that nobody has answered.
            throw role == .editor && error.leavesOutcomeOpen ? failure.saying(error.reason).leftOpen : failure
        }
    }

    private func choice(_ trip: TripSummary) -> TripChoice {
        TripChoice(
            id: trip.header.id, slug: trip.header.slug, plan: TripPlan(trip.header),
            itemCount: trip.itemCount)
    }
}
