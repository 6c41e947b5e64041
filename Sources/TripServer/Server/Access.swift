import TripModel
import TripProtocol

/// The access of connections to trips.
extension Server {
    /// The access to a trip; nil if the trip is invisible.
    func access(_ rights: Rights, to trip: TripID) -> Access? {
        rights.access(inTripCalled: rights.isUniform ? [] : directory.names(of: trip))
    }

    /// The access to a deleted trip; nil if the trip is invisible. A rule about a slug applies to the trip that has
    /// the slug now.
    func access(_ rights: Rights, to deleted: TrashedTrip) -> Access? {
        let slug = TripReference.slug(deleted.header.slug)
        return rights.access(
            inTripCalled: [.id(deleted.header.id)] + (directory.id(of: slug) == nil ? [slug] : []))
    }

    /// The connections that have the trip open by a rule about single trips, each with its present access.
    func readers(of trip: TripID) -> [(connection: Connection, access: Access)] {
        connections.values.sorted { $0.id < $1.id }.compactMap { connection in
            guard connection.trips.contains(trip), !connection.isEnding,
                let rights = connection.session.principal?.rights, !rights.isUniform,
                let access = access(rights, to: trip)
            else { return nil }
            return (connection, access)
        }
    }

    /// Disconnects the connections that have less access to a trip after its rename, which ends their drags.
    func renamed(_ trip: TripID, _ readers: [(connection: Connection, access: Access)]) {
        for (connection, before) in readers {
            let now = connection.session.principal.flatMap { access($0.rights, to: trip) }
            if let now, now >= before { continue }
            if now == nil {
                // The client must not even see the change that makes the trip invisible to it.
                connection.outbox.slots.close(trip)
                connection.outbox.replaceLate(of: trip) { id in
                    ServerLine.error(id, .noTrip(.id(trip)))
                }
            }
            end(connection, .accessChanged)
        }
    }
}
