import ItineraryUI
import LocalSystem
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// The operations of the trip menu.
extension EditorSession {
    /// Sends the list of trips to the editor.
    ///
    /// - Parameters:
    ///   - said: a sentence about a finished operation.
    ///   - kind: the request that this answers.
    func listTrips(_ said: String? = nil, answering kind: PendingOperation.Kind = .trips) async {
        do throws(CommandFailure) {
            let trips = try await withDaemon { client throws(ClientError) in try await client.trips() }
            let deleted = try await trash().map { trip in
                DeletedTrip(
                    id: trip.header.id, name: trip.header.name, itemCount: trip.itemCount,
                    deleted: trip.deletedAt.date, keptUntil: trip.keptUntil.date)
            }
            handle(.trips(TripList(trips: trips.map(choice), deleted: deleted), said: said))
        } catch {
            let reason = (said.map { "\($0) " } ?? "") + "The trips could not be loaded: \(error.message)."
            handle(.failed(kind, reason))
        }
    }

    /// Opens another trip in place of this one, if possible.
    func open(_ trip: TripID) async { await open(trip, "It cannot be opened") }

    /// Opens another trip, or reports why it cannot be opened.
    ///
    /// - Parameters:
    ///   - failing: the beginning of the error sentence.
    ///   - said: the first message.
    private func open(_ trip: TripID, _ failing: String, saying said: String? = nil) async {
        let next: LiveTrip
        do throws(ClientError) { next = try await openLive(.id(trip)) } catch {
            return handle(.failed(.trip, "\(failing): \(Self.reason(CommandFailure(error)))."))
        }
        await goOn(to: next, saying: said)
    }

    /// Creates an empty trip and opens it.
    func create(_ plan: TripPlan, as id: TripID) async {
        do throws(CommandFailure) { try await make(plan, as: id, []) } catch {
            return handle(.failed(.trip, Self.sentence(of: error, "created")))
        }
        await open(id, "It was created, but cannot be opened")
    }

    /// Changes a trip that is not open here, unless another client has changed the same fields since the form
    /// was opened.
    func change(_ trip: TripID, _ change: TripChange, from plan: TripPlan) async {
        do throws(CommandFailure) {
            if let other = try await changeUnlessChanged(trip, change, from: plan) {
                return handle(.conflict(other))
            }
            await listTrips("Changed.", answering: .tripChange)
        } catch {
            handle(.failed(.tripChange, Self.sentence(of: error, "changed")))
        }
    }

    /// Creates a copy of a trip and opens it.
    func copy(_ trip: TripID, _ plan: TripPlan, as id: TripID) async {
        let left: String?
        do throws(CommandFailure) { left = try await makeCopy(of: trip, plan, as: id) } catch {
            return handle(.failed(.trip, Self.sentence(of: error, "copied")))
        }
        await open(
            id, "It was copied, but cannot be opened", saying: left.map { "The copy was made without \($0)" })
    }

    /// Deletes a trip, which can be restored for some time.
    ///
    /// - Parameters:
    ///   - name: its name when the user confirmed.
    ///   - itemCount: the number of its items at that time.
    func delete(_ trip: TripID, named name: String, itemCount: Int) async {
        do throws(CommandFailure) {
            try await deleteIfSame(trip, named: name, itemCount: itemCount)
            let kept = try? await trash().first { $0.header.id == trip }
            let said =
                "Deleted \(name)."
                + (kept.map { " It can be restored here until \($0.keptUntil.date)." } ?? "")
            guard deletesOwnTrip else { return await listTrips(said, answering: .tripChange) }
            await goOn(to: nil, saying: said)
        } catch {
            deletesOwnTrip = false
            handle(.failed(.tripChange, Self.sentence(of: error, "deleted")))
            // The trip may have been deleted by another client during the request.
            showNewest()
        }
    }

    /// Restores a deleted trip, and opens it.
    func restore(_ id: TripID) async {
        do throws(CommandFailure) {
            try await repeating { client, isRepeat throws(ClientError) in
                do throws(ClientError) { _ = try await client.restore(.id(id)) } catch {
                    // An earlier attempt has restored it.
                    guard isRepeat, case .refused(let refusal) = error, refusal.known == .duplicateID
                    else { throw error }
                }
            }
        } catch {
            return handle(.failed(.trip, Self.sentence(of: error, "restored")))
        }
        await open(id, "It was restored, but cannot be opened")
    }

    /// Replaces the open trip by another, or by none, after its changes have reached the daemon. Typed input
    /// is kept for the new one.
    ///
    /// - Parameter said: the first message.
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

    /// The deleted trips; empty if the daemon does not support them.
    private func trash() async throws(CommandFailure) -> [TrashedTrip] {
        do throws(CommandFailure) {
            return try await withDaemon { client throws(ClientError) in try await client.trash() }
        } catch {
            guard error.refusal?.known == .methodNotFound else { throw error }
            return []
        }
    }

    /// The sentence about an operation that failed or has an unknown outcome.
    ///
    /// - Parameter verb: the operation as a participle, such as `copied`.
    private static func sentence(of failure: CommandFailure, _ verb: String) -> String {
        if failure.mayBeDone {
            return "It may or may not be \(verb): \(failure.message). Trying again is safe."
        }
        return "It was not \(verb): \(reason(failure))."
    }

    /// The reason of a failure, without an id if the user chose a trip by name.
    private static func reason(_ failure: CommandFailure) -> String {
        failure.refusal?.known == .tripNotFound ? "the trip has been deleted" : failure.message
    }

    /// Creates a copy of a trip.
    ///
    /// - Returns: a description of items that could not be copied; nil if there are none.
    private func makeCopy(
        of trip: TripID, _ plan: TripPlan, as id: TripID
    ) async throws(CommandFailure) -> String? {
        var original = try await withDaemon { client throws(ClientError) in
            try await client.snapshot(of: .id(trip), includingSourceValues: true)
        }.trip
        original.moveSaidDays(by: plan.startDate.daysSince1970 - original.header.startDate.daysSince1970)
        // The items are added on the original's days first; then the copy's days are set, which moves them.
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

    /// Creates a trip with all its items, in one request if they fit, and so atomically.
    private func make(
        _ plan: TripPlan, as id: TripID, _ items: [Edit]
    ) async throws(CommandFailure) {
        var draft = TripDraft(
            id: id, name: plan.name, startDate: plan.startDate, timeZone: plan.timeZone,
            dayCount: plan.dayCount, items: items)
        let areAdded = items.allSatisfy { if case .add = $0 { true } else { false } }
        let fits =
            areAdded && Request.createTrip(draft).line(id: .number(1)).count <= WireLimits.lineBytes
        if !fits { draft.items = [] }
        let sent = draft
        let made: Snapshot
        do throws(CommandFailure) {
            made = try await repeating { client, _ throws(ClientError) in try await client.create(sent) }
        } catch {
            // No other client uses the id, so an earlier attempt has created it.
            guard error.refusal?.known == .duplicateID else { throw error }
            made = try await withDaemon { client throws(ClientError) in
                try await client.snapshot(of: .id(id))
            }
        }
        if fits || made.trip.itemCount > 0 { return }
        do throws(CommandFailure) { try await apply(items, to: id) } catch {
            // If the outcome is unknown, the trip may be complete; a repeated request finds out.
            if !error.mayBeDone {
                try? await withDaemon(as: .editor) { client throws(ClientError) in
                    try await client.delete(.id(id))
                }
            }
            throw error
        }
    }

    /// The items of a schedule for a new trip, and a description of items that the trip refuses.
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
            throw CommandFailure("its copy cannot be read", exitCode: .badData)
        }
        do throws(ImportPlan.Refusal) {
            let plan = try schedule.plan(into: empty)
            return (plan.edits, words(for: plan.report.skipped, of: schedule))
        } catch {
            throw CommandFailure("\(error)", exitCode: .refused)
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
            let title = known.isEmpty ? "the entry in line \(entry.line) of its copy" : known
            return "\(title) (\(entry.reason))"
        }
        let more = skipped.count - named.count
        return "\(counted(skipped.count, "item")): \(named.joined(separator: ", "))"
            + (more > 0 ? " and \(more) more." : ".")
    }

    /// Changes a trip, unless another client has changed the same fields since the form was opened.
    ///
    /// - Returns: the present header, if another client has.
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

    /// Deletes a trip that has this name and number of items; tries again if it has changed in between.
    private func deleteIfSame(
        _ trip: TripID, named name: String, itemCount: Int
    ) async throws(CommandFailure) {
        var attempts = Self.attemptsToMeet
        while true {
            let last = try await withDaemon { client throws(ClientError) in
                try await client.snapshot(of: .id(trip), includingSourceValues: true)
            }
            guard last.trip.header.name == name else {
                throw CommandFailure(
                    "\(name) is called \(last.trip.header.name) now", exitCode: .conflict)
            }
            guard last.trip.itemCount == itemCount else {
                let count = counted(last.trip.itemCount, "item")
                throw CommandFailure("\(name) has \(count) now", exitCode: .conflict)
            }
            if live != nil, shown?.trip.header.id == trip { deletesOwnTrip = true }
            do throws(CommandFailure) {
                try await repeating { client, isRepeat throws(ClientError) in
                    do throws(ClientError) {
                        try await client.delete(.id(trip), ifVersion: last.trip.version)
                    } catch {
                        // An earlier attempt has deleted it.
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

    /// The number of attempts if a trip changes between a check and the request.
    private static let attemptsToMeet = 10

    private func apply(
        _ edits: [Edit], to trip: TripID, ifVersion version: Int? = nil
    ) async throws(CommandFailure) {
        operationSequence += 1
        let options = ChangeOptions(seq: operationSequence, ifVersion: version)
        _ = try await repeating { client, _ throws(ClientError) in
            try await client.apply(edits, in: .id(trip), options: options)
        }
    }

    /// Sends a change that may be repeated without being applied twice. If its answer is lost, it is repeated
    /// on a new connection, within the time limit for an answer.
    ///
    /// - Throws: `CommandFailure`, with `mayBeDone` if the outcome is unknown.
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

    /// Sends requests on a connection of their own.
    func withDaemon<Value: Sendable>(
        as role: Hello.Role = .viewer, _ body: (TripClient) async throws(ClientError) -> Value
    ) async throws(CommandFailure) -> Value {
        let client: TripClient
        do throws(ClientError) {
            client = try await caller.withoutStarting.connect(
                clientID: operationClient, role: role, on: loop
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
            // An unanswered request of a viewer has no effect.
            throw role == .editor && error.leavesOutcomeOpen ? failure.saying(error.reason).leftOpen : failure
        }
    }

    private func choice(_ trip: TripSummary) -> TripChoice {
        TripChoice(
            id: trip.header.id, slug: trip.header.slug, plan: TripPlan(trip.header),
            itemCount: trip.itemCount)
    }
}
