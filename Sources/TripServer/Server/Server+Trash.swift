import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// Deleted trips. They exist only on disk, which is read for each request.
extension Server {
    /// Answers `trip.trash` with the visible deleted trips.
    func listTrash(_ parked: ParkedRequest) {
        let (ticket, rights) = (parked.ticket, parked.principal.rights)
        readTrash(for: parked) { server, trips in
            let seen = trips.filter { trip in
                server.registry[trip.header.id] == nil && server.access(rights, to: trip) != nil
            }
            server.answer(ticket, ServerLine.trash(ticket.request, seen))
        }
    }

    /// Restores a deleted trip, and sends its snapshot as the answer.
    func restore(_ trip: TripReference, _ parked: ParkedRequest) {
        if case .id(let id) = trip, registry[id] != nil {
            let isKnown = access(parked.principal.rights, to: id) != nil
            let error =
                isKnown
                ? WireError(.duplicateID, "there is a trip \(id) already") : Self.noDeletedTrip(trip)
            return answer(parked.ticket, ServerLine.error(parked.ticket.request, error))
        }
        readTrash(for: parked) { server, trips in
            let deleted = trips.first { deleted in
                server.registry[deleted.header.id] == nil
                    && (trip == .id(deleted.header.id) || trip == .slug(deleted.header.slug))
            }
            do throws(WireError) { try server.restore(deleted, trip, parked) } catch {
                server.answer(parked.ticket, ServerLine.error(parked.ticket.request, error))
            }
        }
    }

    private func restore(
        _ deleted: TrashedTrip?, _ trip: TripReference, _ parked: ParkedRequest
    ) throws(WireError) {
        guard let deleted, let access = access(parked.principal.rights, to: deleted) else {
            throw Self.noDeletedTrip(trip)
        }
        guard access >= parked.request.method.traits.needs else { throw .notAllowed(access) }
        guard registry.count < WireLimits.trips else {
            throw .limit(
                "trips", max: WireLimits.trips, "the daemon has \(WireLimits.trips) trips, the maximum")
        }
        let (id, slug) = (deleted.header.id, deleted.header.slug)
        guard !registry.uncertain.contains(id) else { throw Self.uncertain(id) }
        let free =
            registry.isTaken(slug) ? Slug.make(from: deleted.header.name) { registry.isTaken($0) } : slug
        // The trip is registered, so that requests for it wait for the rename.
        registry.add(
            id, .busy(.init(known: CatalogueEntry(slugs: [free]), isConfirmed: false)), slugs: [free])
        let get = ParkedRequest(
            request: .getTrip(.id(id)), fingerprint: 0, ticket: parked.ticket,
            principal: parked.principal, byteCount: parked.byteCount)
        parkedRequests[id, default: []].append(get)
        storage.restore(deleted, as: free)
    }

    private static func noDeletedTrip(_ trip: TripReference) -> WireError {
        WireError(.tripNotFound, "there is no deleted trip \(trip.text)")
    }

    /// The journal of a deleted trip has been restored, or the restore has failed. On the loop.
    func restored(_ id: TripID, as slug: String, _ result: Result<Void, JournalStoreError>) {
        switch result {
        case .success:
            registry.endBusy(id)
            becameFree(id)
        case .failure(let error):
            let wire = WireError(error.reason, "trip \(id) could not be restored: \(error)")
            configuration.log(.warning(wire.message))
            // If the disk may have stored it, its slug stays reserved until a restart.
            let isUncertain = wire.reason == .outcomeUnknown
            registry.remove(id, keepingSlugs: isUncertain)
            if !isUncertain { storage.name(id, []) }
            refuse(removeParked(id), wire)
        }
        continueSurvey()
    }

    /// Reads the deleted trips. Later requests of the connection wait.
    private func readTrash(
        for parked: ParkedRequest, _ body: @escaping @Sendable (isolated Server, [TrashedTrip]) -> Void
    ) {
        let ticket = parked.ticket
        connections[ticket.connection]?.outbox.setBarrier(ticket.number)
        readingTrash += 1
        storage.readTrash { server, result in
            server.readingTrash -= 1
            switch result {
            case .success(let trips): body(server, trips)
            case .failure(let error):
                let error = WireError(.storageFailed, "the deleted trips cannot be read: \(error)")
                server.answer(ticket, ServerLine.error(ticket.request, error))
            }
            server.finishIfDrained()
        }
    }
}
