import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// The result of a draft: a trip with everything that its creation sends and stores, or an error.
final class PreparedTrip: Equatable, Sendable {
    let header: TripHeader
    let core: Result<TripCore, EditFailure>
    /// The answer to a dry run.
    let members: SharedBytes?

    /// Builds a trip, which takes long if the draft has many items.
    ///
    /// - Parameters:
    ///   - creation: the fingerprint of the request; nil if it cannot be repeated.
    ///   - encoder: encodes its first record.
    init(
        _ header: TripHeader, _ draft: TripDraft, _ parked: ParkedRequest, at: Timestamp, creation: UInt64?,
        epoch: String, _ encoder: JournalEncoder
    ) {
        self.header = header
        let principal = parked.principal
        do throws(EditFailure) {
            let trip = try Trip.create(header, edits: draft.items, by: Author(name: principal.user, at: at))
            var core = TripCore(creating: trip, epoch: epoch)
            let record = CommitRecord(
                at: at, user: principal.user, client: principal.repeater, method: Method.createTrip.rawValue,
                creation: creation, header: header, upserts: trip.items)
            core.create(record, answering: parked.ticket)
            members = draft.isDryRun ? core.snapshotMembers() : nil
            core.storageRequests = core.storageRequests.map { $0.encoded(by: encoder) }
            self.core = .success(core)
        } catch {
            (core, members) = (.failure(error), nil)
        }
    }

    static func == (left: PreparedTrip, right: PreparedTrip) -> Bool { left === right }
}

/// The creation of trips. Nobody else knows a new trip, so a worker may build a large one; its names are
/// checked again afterwards.
extension Server {
    /// The maximum number of drafts that workers build at a time.
    private static let maximumDraftsOnWorkers = 8
    /// The maximum number of drafts that wait for a worker. Others are built on the loop, which is fast:
    /// drafts in long lines are not parsed in this situation.
    private static let draftsWaiting = 32

    func create(_ draft: TripDraft, _ parked: ParkedRequest) {
        let (ticket, principal) = (parked.ticket, parked.principal)
        // Only a request that names the id can be retried.
        let fingerprint = draft.id == nil ? nil : parked.fingerprint
        let origin = fingerprint.map { TripRegistry.Origin(client: principal.repeater, fingerprint: $0) }
        func refuse(_ error: WireError) { answer(ticket, ServerLine.error(ticket.request, error)) }
        if let id = draft.id, let entry = registry.entries[id] {
            switch entry.state {
            case .closed, .busy: preconditionFailure("a request waits until its trip is open")
            case .served where origin != nil && entry.origin == origin:
                withTrip(.id(id), ticket) { core, id in core.late(.state(id, .snapshot), ticket) }
                return
            case .served: return refuse(WireError(.duplicateID, "there is a trip \(id) already"))
            // A retry gets the error of the damaged trip.
            case .quarantined(let error, _): return refuse(error)
            }
        }
        if let id = draft.id, registry.uncertain.contains(id) { return refuse(Self.uncertain(id)) }
        guard registry.count < WireLimits.trips else {
            return refuse(
                .limit(
                    "trips", max: WireLimits.trips,
                    "the daemon has \(WireLimits.trips) trips, the maximum")
            )
        }
        guard let prepared = prepared(draft, parked) else { return }
        var core: TripCore
        do throws(EditFailure) { core = try prepared.core.get() } catch {
            return refuse(WireError(creation: error, of: prepared.header))
        }
        let header = prepared.header
        if let slug = draft.slug, registry.isTaken(slug) {
            return refuse(WireError(.slugTaken, "another trip has the slug \(slug)"))
        }
        if let members = prepared.members {
            return answer(ticket, ServerLine.answer(ticket.request).around(members.bytes))
        }
        core.leases = LeaseTable(length: configuration.leaseTime)
        let actor = TripActor(core, on: loop, storage: storage, noteStep: configuration.noteStep)
        registry.add(header.id, .served(actor), slugs: [header.slug], origin: origin)
        carryOut(actor.step { _ in [] }, of: header.id)
    }

    /// The error of a request that would make a trip of an id that may be on disk already.
    static func uncertain(_ id: TripID) -> WireError {
        WireError(
            .outcomeUnknown,
            "an earlier request may have stored the trip \(id); that is known after a restart of the daemon")
    }

    /// The trip of a draft; nil if a worker builds it, after which the request is resumed.
    private func prepared(_ draft: TripDraft, _ parked: ParkedRequest) -> PreparedTrip? {
        // If another trip has taken the generated slug, the trip is built again on the loop.
        if let prepared = parked.prepared, draft.slug != nil || !registry.isTaken(prepared.header.slug) {
            return prepared
        }
        var random = configuration.random
        let header = TripHeader(
            id: draft.id ?? .random(using: &random),
            slug: draft.slug ?? Slug.make(from: draft.name) { registry.isTaken($0) }, name: draft.name,
            startDate: draft.startDate, timeZone: draft.timeZone, dayCount: draft.dayCount)
        let (at, epoch) = (Timestamp(milliseconds: configuration.wallClock()), storage.freshEpoch())
        let encoder = storage.encoder(ofNew: header.id, epoch: epoch)
        let prepare: @Sendable () -> PreparedTrip = {
            PreparedTrip(
                header, draft, parked, at: at, creation: draft.id == nil ? nil : parked.fingerprint,
                epoch: epoch,
                encoder)
        }
        guard let runOnWorker = configuration.runOnWorker, draft.items.count >= configuration.longDraft,
            parked.prepared == nil, waitingDrafts.count < Self.draftsWaiting
        else { return prepare() }
        connections[parked.ticket.connection]?.outbox.setBarrier(parked.ticket.number)
        guard draftsOnWorkers < Self.maximumDraftsOnWorkers else {
            waitingDrafts.append(parked)
            return nil
        }
        draftsOnWorkers += 1
        runOnWorker(.one) { [self] in
            var parked = parked
            parked.prepared = prepare()
            loop.execute { [parked] in self.enter { $0.didPrepare(parked) } }
        }
        return nil
    }

    /// A worker has built the trip of a request. On the loop.
    private func didPrepare(_ parked: ParkedRequest) {
        draftsOnWorkers -= 1
        resume([parked])
        while draftsOnWorkers < Self.maximumDraftsOnWorkers, !waitingDrafts.isEmpty {
            resume([waitingDrafts.removeFirst()])
        }
        parseLongLines()
    }
}
