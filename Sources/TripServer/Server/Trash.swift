import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// Deleted trips. They exist only on disk, which is read for each request.
extension Server {
    /// Answers `trip.trash` with the visible deleted trips.
    func listTrash(_ call: Call) {
        let (ticket, rights) = (call.ticket, call.principal.rights)
        readTrash(for: call) { server, trips in
            let seen = trips.filter { trip in
                server.directory[trip.header.id] == nil && server.access(rights, to: trip) != nil
            }
            server.answer(ticket, ServerLine.trash(ticket.request, seen))
        }
    }

    /// Restores a deleted trip, and sends its snapshot as the answer.
    func restore(_ trip: TripReference, _ call: Call) {
        if case .id(let id) = trip, directory[id] != nil {
            let isKnown = access(call.principal.rights, to: id) != nil
            let error =
                isKnown
                ? WireError(.duplicateID, "there is a trip \(id) already") : Self.noDeletedTrip(trip)
            return refuse(call, error)
        }
        readTrash(for: call) { server, trips in
            let deleted = trips.first { deleted in
                server.directory[deleted.header.id] == nil
                    && (trip == .id(deleted.header.id) || trip == .slug(deleted.header.slug))
            }
            do throws(WireError) { try server.restore(deleted, trip, call) } catch {
                server.refuse(call, error)
            }
        }
    }

    private func restore(
        _ deleted: TrashedTrip?, _ trip: TripReference, _ call: Call
    ) throws(WireError) {
        guard let deleted, let access = access(call.principal.rights, to: deleted) else {
            throw Self.noDeletedTrip(trip)
        }
        guard access >= call.request.method.traits.needs else { throw .notAllowed(access) }
        guard directory.count < WireLimits.trips else {
            throw .limit(
                "trips", max: WireLimits.trips, "the daemon has \(WireLimits.trips) trips, the maximum")
        }
        let (id, slug) = (deleted.header.id, deleted.header.slug)
        guard !directory.uncertain.contains(id) else { throw Self.uncertain(id) }
        let free =
            directory.isTaken(slug) ? Slug.make(from: deleted.header.name) { directory.isTaken($0) } : slug
        // The trip is registered, so that requests for it wait for the rename.
        directory.add(
            id, .busy(.init(known: CatalogueEntry(slugs: [free]), isConfirmed: false)), slugs: [free])
        var get = call
        get.request = .getTrip(.id(id))
        directory.wait(get, for: id)
        storage.restore(deleted, as: free)
    }

    private static func noDeletedTrip(_ trip: TripReference) -> WireError {
        WireError(.tripNotFound, "there is no deleted trip \(trip.text)")
    }

    /// The journal of a deleted trip has been restored, or the restore has failed. On the loop.
    func restored(_ id: TripID, as slug: String, _ result: Result<Void, JournalStoreError>) {
        switch result {
        case .success:
            directory.endBusy(id)
            becameFree(id)
        case .failure(let error):
            let wire = WireError(error.reason, "trip \(id) could not be restored: \(error)")
            configuration.log(.warning(wire.message))
            // If the disk may have stored it, its slug stays reserved until a restart.
            let isUncertain = wire.reason == .outcomeUnknown
            directory.remove(id, keepingSlugs: isUncertain)
            if !isUncertain { storage.name(id, []) }
            refuse(all: directory.takeWaiting(for: id), wire)
        }
        continueSurvey()
    }

    /// Reads the deleted trips. Later requests of the connection wait.
    private func readTrash(
        for call: Call, _ body: @escaping @Sendable (isolated Server, [TrashedTrip]) -> Void
    ) {
        hold(behind: call)
        offload.beginReadingTrash()
        storage.readTrash { server, result in
            server.offload.endReadingTrash()
            switch result {
            case .success(let trips): body(server, trips)
            case .failure(let error):
                server.refuse(
                    call, WireError(.storageFailed, "the deleted trips cannot be read: \(error)"))
            }
            server.finishIfDrained()
        }
    }
}
