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
            handle(.failed("It cannot be opened: \(error.message)."))
        }
    }

    /// Makes an empty trip and opens it.
    func create(_ plan: TripPlan) async {
        do throws(CommandFailure) {
            let made = try await make(plan)
            end(.openTrip(made.header.id))
        } catch {
            handle(.failed("It is not made: \(error.message)."))
        }
    }

    /// Changes a trip that is not open here.
    func change(_ trip: TripID, _ change: TripChange) async {
        do throws(CommandFailure) {
            try await apply([.trip(change)], to: trip)
            await listTrips("Changed.")
        } catch {
            await listTrips("Not changed: \(error.message).")
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
            try await fill(made, from: try Self.schedule(of: original))
            let change = TripChange(
                startDate: plan.startDate == first.startDate ? nil : plan.startDate,
                timeZone: plan.timeZone == first.timeZone ? nil : plan.timeZone,
                dayCount: plan.dayCount == first.dayCount ? nil : plan.dayCount)
            if change != TripChange() { try await apply([.trip(change)], to: made.header.id) }
            end(.openTrip(made.header.id))
        } catch {
            handle(.failed("It is not copied: \(error.message)."))
        }
    }

    /// Deletes a trip, of which a copy is kept for a while.
    func delete(_ trip: TripID) async {
        do throws(CommandFailure) {
            let last = try await withDaemon { client throws(ClientError) in
                try await client.snapshot(of: .id(trip))
            }.trip
            try deletedTrips.keep(last)
            if live != nil, shown?.trip.header.id == trip { deletesOwnTrip = true }
            try await withDaemon(as: .editor) { client throws(ClientError) in
                try await client.delete(.id(trip))
            }
            let said =
                "Deleted \(last.header.name). It can be restored here until \(deletedTrips.keptUntil)."
            if deletesOwnTrip { end(.lobby(.deleted, said)) } else { await listTrips(said) }
        } catch {
            deletesOwnTrip = false
            await listTrips("Not deleted: \(error.message).")
        }
    }

    /// Makes a trip again that was deleted, and opens it.
    func restore(_ key: String) async {
        do throws(CommandFailure) {
            let schedule = try deletedTrips.schedule(key)
            guard case .trip(let file) = schedule.file else {
                throw CommandFailure("its copy cannot be read", exitCode: CommandFailure.badData)
            }
            let made = try await make(TripPlan(file.header), slug: file.header.slug)
            try await fill(made, from: schedule)
            deletedTrips.forget(key)
            end(.openTrip(made.header.id))
        } catch {
            handle(.failed("It is not restored: \(error.message)."))
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
    private func fill(_ trip: Trip, from schedule: NamedSchedule) async throws(CommandFailure) {
        do throws(CommandFailure) {
            let plan: ImportPlan
            do throws(ImportPlan.Refusal) { plan = try schedule.plan(into: trip) } catch {
                throw CommandFailure("\(error)", exitCode: CommandFailure.refused)
            }
            if !plan.edits.isEmpty { try await apply(plan.edits, to: trip.header.id) }
        } catch {
            try? await withDaemon(as: .editor) { client throws(ClientError) in
                try await client.delete(.id(trip.header.id))
            }
            throw error
        }
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
        do throws(ClientError) {
            let (client, _) = try await caller.withoutStarting.connect(role: role, on: loop)
            do throws(ClientError) {
                let value = try await body(client)
                await client.close()
                return value
            } catch {
                await client.close()
                throw error
            }
        } catch {
            throw CommandFailure(error)
        }
    }

    private func choice(_ trip: TripSummary) -> TripChoice {
        TripChoice(
            id: trip.header.id, slug: trip.header.slug, plan: TripPlan(trip.header),
            itemCount: trip.itemCount)
    }
}
