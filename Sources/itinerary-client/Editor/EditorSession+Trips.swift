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
    /// - Parameter said: what was done to one of them, in a sentence.
    func listTrips(_ said: String? = nil) async {
        do throws(CommandFailure) {
            let trips = try await withDaemon { client throws(ClientError) in try await client.trips() }
            let deleted = deletedTrips.list().map {
                DeletedTrip(
                    key: $0.key, name: $0.name, itemCount: $0.itemCount, deleted: $0.deleted,
                    keptUntil: $0.keptUntil)
            }
            handle(.trips(TripList(trips: trips.map(choice), deleted: deleted), said: said))
        } catch {
            handle(.failed(error.message))
        }
    }

    /// Opens another trip in place of this one, if it can be had.
    func open(_ trip: TripID) async {
        do throws(CommandFailure) {
            _ = try await withDaemon { client throws(ClientError) in try await client.snapshot(of: .id(trip))
            }
            end(.openTrip(trip))
        } catch {
            handle(.failed("It cannot be opened: \(Self.reason(error))."))
        }
    }

    /// Makes an empty trip and opens it.
    func create(_ plan: TripPlan) async {
        do throws(CommandFailure) {
            let made = try await make(plan)
            end(.openTrip(made.header.id))
        } catch {
            await tell(error, "made")
        }
    }

    /// Changes a trip that is not open here.
    func change(_ trip: TripID, _ change: TripChange) async {
        do throws(CommandFailure) {
            try await apply([.trip(change)], to: trip)
            await listTrips("Changed.")
        } catch {
            await tell(error, "changed")
        }
    }

    /// Makes a trip with the items of another one, and opens it.
    func copy(_ trip: TripID, _ plan: TripPlan) async {
        do throws(CommandFailure) {
            let original = try await withDaemon { client throws(ClientError) in
                try await client.snapshot(of: .id(trip))
            }.trip
            // Its days first, as the items go by them; then those of the copy, which the items follow.
            var first = TripPlan(original.header)
            first.name = plan.name
            let made = try await make(first)
            let left = try await fill(made, from: try Self.schedule(of: original))
            let change = TripChange(
                startDate: plan.startDate == first.startDate ? nil : plan.startDate,
                timeZone: plan.timeZone == first.timeZone ? nil : plan.timeZone,
                dayCount: plan.dayCount == first.dayCount ? nil : plan.dayCount)
            if change != TripChange() { try await apply([.trip(change)], to: made.header.id) }
            end(.openTrip(made.header.id, said: left.map { "The copy is made but for \($0)" }))
        } catch {
            await tell(error, "copied")
        }
    }

    /// Deletes a trip, of which a copy is kept for a while.
    func delete(_ choice: TripChoice) async {
        let trip = choice.id
        do throws(CommandFailure) {
            if live != nil, shown?.trip.header.id == trip { deletesOwnTrip = true }
            let last = try await keepAndDelete(choice)
            let said =
                "Deleted \(last.header.name). It can be restored here until \(deletedTrips.keptUntil)."
            if deletesOwnTrip { end(.lobby(.deleted, said)) } else { await listTrips(said) }
        } catch {
            if !error.leavesOpen { deletesOwnTrip = false }
            // What is by now is in the list of them.
            await listTrips(
                error.leavesOpen
                    ? "May or may not be deleted: \(error.message)." : "Not deleted: \(Self.reason(error)).")
        }
    }

    /// Deletes a trip as it was kept: what others add in between is kept too before it goes.
    private func keepAndDelete(_ choice: TripChoice) async throws(CommandFailure) -> Trip {
        let trip = choice.id
        var attempts = 0
        while true {
            let last = try await withDaemon { client throws(ClientError) in
                try await client.snapshot(of: .id(trip))
            }.trip
            guard last.header.name == choice.plan.name, last.itemCount == choice.itemCount else {
                throw CommandFailure(
                    "it is \(last.header.name) with \(PlainText.counted(last.itemCount, "item")) by now",
                    exitCode: CommandFailure.conflict)
            }
            try deletedTrips.keep(last)
            attempts += 1
            do throws(CommandFailure) {
                try await withDaemon(as: .editor) { client throws(ClientError) in
                    try await client.delete(.id(trip), ifVersion: last.version)
                }
                return last
            } catch {
                guard error.refusal?.known == .versionConflict, attempts < Self.mostAttempts else {
                    throw error
                }
            }
        }
    }

    /// How often a trip that others change meanwhile is tried to be deleted.
    private static let mostAttempts = 10

    /// Says what became of something that failed. Where nobody knows whether it was done, the list of trips is shown,
    /// which tells; else the editor is where it was before.
    private func tell(_ failure: CommandFailure, _ done: String) async {
        if failure.leavesOpen { return await listTrips("May or may not be \(done): \(failure.message).") }
        handle(.failed("Not \(done): \(Self.reason(failure))."))
    }

    /// Why something failed; whoever chose a trip by its name is not told an id.
    private static func reason(_ failure: CommandFailure) -> String {
        failure.refusal?.known == .tripNotFound ? "the trip has been deleted" : failure.message
    }

    /// Makes a trip again that was deleted, and opens it.
    func restore(_ key: String) async {
        do throws(CommandFailure) {
            let schedule = try deletedTrips.schedule(key)
            guard case .trip(let file) = schedule.file else {
                throw CommandFailure("its copy cannot be read", exitCode: CommandFailure.badData)
            }
            let made = try await make(TripPlan(file.header), slug: file.header.slug)
            let left = try await fill(made, from: schedule)
            if left == nil { deletedTrips.forget(key) }
            end(
                .openTrip(
                    made.header.id,
                    said: left.map {
                        "Restored but for \($0) What was kept of it stays in the list of trips."
                    }))
        } catch {
            await tell(error, "restored")
        }
    }

    // MARK: Parts

    private var deletedTrips: DeletedTrips { DeletedTrips(.current, today: Today.date) }

    /// Makes an empty trip; with a slug of its own where the wanted one is taken.
    private func make(_ plan: TripPlan, slug: String? = nil) async throws(CommandFailure) -> Trip {
        var draft = TripDraft(
            name: plan.name, startDate: plan.startDate, timeZone: plan.timeZone, dayCount: plan.dayCount,
            slug: slug)
        do throws(CommandFailure) {
            let first = draft
            return try await withDaemon(as: .editor) { client throws(ClientError) in
                try await client.create(first)
            }.trip
        } catch {
            guard slug != nil, error.refusal?.known == .slugTaken else { throw error }
        }
        draft.slug = nil
        let other = draft
        return try await withDaemon(as: .editor) { client throws(ClientError) in
            try await client.create(other)
        }.trip
    }

    private static func schedule(of trip: Trip) throws(CommandFailure) -> NamedSchedule {
        try NamedSchedule("\(trip.header.slug).json", TripFile.text(of: trip))
    }

    /// Puts all items of a schedule into a trip that was just made; where that fails, the trip goes again.
    ///
    /// - Returns: what could not be put there, in words with their end; nil where nothing is missing.
    private func fill(_ trip: Trip, from schedule: NamedSchedule) async throws(CommandFailure) -> String? {
        do throws(CommandFailure) {
            let plan: ImportPlan
            do throws(ImportPlan.Refusal) { plan = try schedule.plan(into: trip) } catch {
                throw CommandFailure("\(error)", exitCode: CommandFailure.refused)
            }
            if !plan.edits.isEmpty { try await apply(plan.edits, to: trip.header.id) }
            return Self.words(for: plan.report.skipped, of: schedule)
        } catch {
            try? await withDaemon(as: .editor) { client throws(ClientError) in
                try await client.delete(.id(trip.header.id))
            }
            throw error
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

    private func apply(_ edits: [Edit], to trip: TripID) async throws(CommandFailure) {
        _ = try await withDaemon(as: .editor) { client throws(ClientError) in
            try await client.apply(edits, in: .id(trip))
        }
    }

    /// Asks the daemon something on a connection of its own.
    func withDaemon<Value: Sendable>(
        as role: Hello.Role = .viewer, _ body: (TripClient) async throws(ClientError) -> Value
    ) async throws(CommandFailure) -> Value {
        let client: TripClient
        do throws(ClientError) {
            client = try await caller.withoutStarting.connect(role: role, on: loop).client
        } catch {
            throw CommandFailure(error)
        }
        do throws(ClientError) {
            let value = try await body(client)
            await client.close()
            return value
        } catch {
            await client.close()
            var failure = CommandFailure(error)
            failure.leavesOpen = role == .editor && error.leavesChangeOpen
            throw failure
        }
    }

    private func choice(_ trip: TripSummary) -> TripChoice {
        TripChoice(
            id: trip.header.id, slug: trip.header.slug, plan: TripPlan(trip.header),
            itemCount: trip.itemCount)
    }
}

extension ClientError {
    /// Whether a change that was asked for may have been made all the same.
    fileprivate var leavesChangeOpen: Bool {
        switch self {
        case .refused(let error): error.known == .outcomeUnknown
        case .closed, .unreachable, .mayBeMade, .garbled: true
        case .noDaemon, .notMade, .tripDeleted, .otherUser, .cancelled: false
        }
    }
}
