import LocalSystem
import TripModel
import TripProtocol

/// What a draft comes to: a trip, or why it makes none.
struct MadeTrip: Equatable, Sendable {
    let header: TripHeader
    let at: Timestamp
    let trip: Result<Trip, EditFailure>
    /// Its items, and the bytes of each: to encode them takes long, too.
    let items: [Item]
    let encodedItems: [[UInt8]]

    init(_ header: TripHeader, _ items: [Edit], by user: String, at: Timestamp) {
        self.header = header
        self.at = at
        do throws(EditFailure) {
            let made = try Trip.create(header, edits: items, by: Author(name: user, at: at))
            trip = .success(made)
            self.items = made.items
        } catch {
            trip = .failure(error)
            self.items = []
        }
        encodedItems = self.items.map { $0.encoded() }
    }
}

/// Trips are made of what clients send. Nobody else knows of such a trip, so a large one is made on another thread: what it
/// is to be called is looked at again when it is there.
extension Server {
    /// Drafts that are given to another thread at a time, at most.
    private static let draftsElsewhere = 8
    /// Drafts that wait for that, at most: their connections may have gone. Others are made on the loop, which holds up who
    /// sends them; they are short, for long lines are not even read meanwhile.
    private static let draftsWaiting = 32

    func create(_ draft: TripDraft, _ parked: ParkedRequest) {
        let (ticket, principal) = (parked.ticket, parked.principal)
        // Only a request that names the id can be repeated.
        let mark = draft.id == nil ? nil : parked.fingerprint
        let origin = mark.map { TripRegistry.Origin(client: principal.repeater, fingerprint: $0) }
        func refuse(_ error: WireError) { answer(ticket, ServerLine.error(ticket.request, error)) }
        if let id = draft.id, let entry = registry.entries[id] {
            switch entry.state {
            case .closed, .busy: preconditionFailure("a request waits until its trip is open")
            case .served where origin != nil && entry.origin == origin:
                withTrip(.id(id), ticket) { core, id in core.late(.snapshot(id), ticket) }
                return
            case .served: return refuse(WireError(.duplicateID, "there is a trip \(id) already"))
            // Whoever made it learns what became of it.
            case .quarantined(let error, _): return refuse(error)
            }
        }
        guard registry.count < WireLimits.trips else {
            return refuse(
                .limit("trips", max: WireLimits.trips, "the daemon has its \(WireLimits.trips) trips already")
            )
        }
        guard let made = made(draft, parked) else { return }
        let trip: Trip
        do throws(EditFailure) { trip = try made.trip.get() } catch {
            return refuse(WireError(creation: error, of: made.header))
        }
        let header = made.header
        if let slug = draft.slug, registry.isTaken(slug) {
            return refuse(WireError(.slugTaken, "another trip is called \(slug)"))
        }
        let epoch = storage.freshEpoch()
        if draft.isDryRun {
            var state = DurableState(trip: trip, epoch: epoch)
            state.know(zip(made.items, made.encodedItems))
            let view = DurableView(trip: trip, outdated: [])
            let members = state.snapshotMembers { view }
            return answer(ticket, ServerLine.trip(ticket.request).around(members.bytes))
        }
        let record = CommitRecord(
            at: made.at, user: principal.user, client: principal.repeater,
            method: Method.createTrip.rawValue, creation: mark, header: header, upserts: made.items)
        var core = TripCore(creating: trip, epoch: epoch)
        core.leases = LeaseTable(length: configuration.leaseTime)
        let actor = TripActor(core, on: loop, storage: storage)
        registry.add(header.id, .served(actor), slugs: [header.slug], origin: origin)
        carryOut(
            actor.step { core in
                core.create(record, encoded: made.encodedItems, answering: ticket)
                return []
            }, of: header.id)
    }

    /// The trip of a draft; nil where another thread makes it, and its request is taken up again then.
    private func made(_ draft: TripDraft, _ parked: ParkedRequest) -> MadeTrip? {
        // A name that the client has not chosen may have been taken meanwhile: then it is made once more, here.
        if let made = parked.made, draft.slug != nil || !registry.isTaken(made.header.slug) { return made }
        let header = TripHeader(
            id: draft.id ?? .random(),
            slug: draft.slug ?? Slug.make(from: draft.name) { registry.isTaken($0) }, name: draft.name,
            startDate: draft.startDate, timeZone: draft.timeZone, dayCount: draft.dayCount)
        let (user, at) = (parked.principal.user, Timestamp(milliseconds: configuration.wallClock()))
        guard let elsewhere = configuration.elsewhere, draft.items.count >= configuration.longDraft,
            parked.made == nil, waitingDrafts.count < Self.draftsWaiting
        else { return MadeTrip(header, draft.items, by: user, at: at) }
        connections[parked.ticket.connection]?.outbox.hold(parked.ticket.number)
        guard makingElsewhere < Self.draftsElsewhere else {
            waitingDrafts.append(parked)
            return nil
        }
        makingElsewhere += 1
        elsewhere(.one) { [self] in
            var parked = parked
            parked.made = MadeTrip(header, draft.items, by: user, at: at)
            loop.execute { [parked] in self.enter { $0.wasMade(parked) } }
        }
        return nil
    }

    /// The trip of a request has been made. On the loop.
    private func wasMade(_ parked: ParkedRequest) {
        makingElsewhere -= 1
        resume([parked])
        while makingElsewhere < Self.draftsElsewhere, !waitingDrafts.isEmpty {
            resume([waitingDrafts.removeFirst()])
        }
        readLongLines()
    }
}
