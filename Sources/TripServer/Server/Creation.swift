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
        _ header: TripHeader, _ draft: TripDraft, _ call: Call, at: Timestamp, creation: UInt64?,
        epoch: String, _ encoder: JournalEncoder
    ) {
        self.header = header
        let principal = call.principal
        do throws(EditFailure) {
            let trip = try Trip.create(header, edits: draft.items, by: Author(name: principal.user, at: at))
            var core = TripCore(creating: trip, epoch: epoch)
            let record = CommitRecord(
                at: at, user: principal.user, client: principal.repeater, method: Method.createTrip.rawValue,
                creation: creation, header: header, upserts: trip.items)
            core.create(record, answering: call.ticket)
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
    func create(_ draft: TripDraft, _ call: Call, at place: Place) {
        // Only a request that names the id can be retried.
        let fingerprint = draft.id == nil ? nil : call.fingerprint
        let origin = fingerprint.map {
            TripDirectory.Origin(client: call.principal.repeater, fingerprint: $0)
        }
        switch place {
        case .open(let actor) where origin != nil && directory.entries[actor.id]?.origin == origin:
            return answer(call, with: .snapshot, at: place)
        case .open(let actor):
            return refuse(call, WireError(.duplicateID, "there is a trip \(actor.id) already"))
        // A retry gets the error of the damaged trip.
        case .damaged(let error): return refuse(call, error)
        case .nowhere: break
        }
        if let id = draft.id, directory.uncertain.contains(id) { return refuse(call, Self.uncertain(id)) }
        guard directory.count < WireLimits.trips else {
            return refuse(
                call,
                .limit(
                    "trips", max: WireLimits.trips,
                    "the daemon has \(WireLimits.trips) trips, the maximum")
            )
        }
        guard let prepared = prepared(draft, call) else { return }
        var core: TripCore
        do throws(EditFailure) { core = try prepared.core.get() } catch {
            return refuse(call, WireError(creation: error, of: prepared.header))
        }
        let header = prepared.header
        if let slug = draft.slug, directory.isTaken(slug) {
            return refuse(call, WireError(.slugTaken, "another trip has the slug \(slug)"))
        }
        if let members = prepared.members {
            return answer(call.ticket, ServerLine.answer(call.ticket.request).around(members.bytes))
        }
        core.room.leases = LeaseTable(length: configuration.leaseTime)
        let actor = TripActor(core, on: loop, storage: storage, noteStep: configuration.noteStep)
        directory.add(header.id, .served(actor), slugs: [header.slug], origin: origin)
        carryOut(actor.step { _ in [] }, of: header.id)
    }

    /// The error of a request that would make a trip of an id that may be on disk already.
    static func uncertain(_ id: TripID) -> WireError {
        WireError(
            .outcomeUnknown,
            "an earlier request may have stored the trip \(id); that is known after a restart of the daemon")
    }

    /// The trip of a draft; nil if a worker builds it, after which the request is resumed.
    private func prepared(_ draft: TripDraft, _ call: Call) -> PreparedTrip? {
        // If another trip has taken the generated slug, the trip is built again on the loop.
        if let prepared = call.prepared, draft.slug != nil || !directory.isTaken(prepared.header.slug) {
            return prepared
        }
        var random = configuration.random
        let header = TripHeader(
            id: draft.id ?? .random(using: &random),
            slug: draft.slug ?? Slug.make(from: draft.name) { directory.isTaken($0) }, name: draft.name,
            startDate: draft.startDate, timeZone: draft.timeZone, dayCount: draft.dayCount)
        let (at, epoch) = (Timestamp(milliseconds: configuration.wallClock()), storage.freshEpoch())
        let encoder = storage.encoder(ofNew: header.id, epoch: epoch)
        let prepare: @Sendable () -> PreparedTrip = {
            PreparedTrip(
                header, draft, call, at: at, creation: draft.id == nil ? nil : call.fingerprint,
                epoch: epoch,
                encoder)
        }
        guard let runOnWorker = configuration.runOnWorker, draft.items.count >= configuration.longDraft,
            call.prepared == nil
        else { return prepare() }
        let step = offload.take(draft: call)
        if step == .refused { return prepare() }
        hold(behind: call)
        guard step == .taken else { return nil }
        runOnWorker(.one) { [self] in
            var call = call
            call.prepared = prepare()
            loop.execute { [call] in self.enter { $0.didPrepare(call) } }
        }
        return nil
    }

    /// A worker has built the trip of a request. On the loop.
    private func didPrepare(_ call: Call) {
        offload.endDraft()
        submit(again: [call])
        while let next = offload.nextDraft() { submit(again: [next]) }
        parseLongLines()
    }
}
