import LocalSystem
import TripModel
import TripProtocol

/// The exclusive use of a client id in one trip by this process while this object exists. Two live trips with one id
/// would number their changes independently, and the daemon would mistake a change of one for a retry of the other's.
final class ClientIDReservation: Sendable {
    private struct Key: Hashable {
        let client: ClientID
        let trip: TripID
        let address: DaemonAddress
    }

    private static let reserved = Guarded<Set<Key>>([])

    private let key: Key

    /// - Throws: `ClientError.inUse` if the id is in use.
    init(of client: ClientID, in trip: TripID, at address: DaemonAddress) throws(ClientError) {
        let key = Key(client: client, trip: trip, address: address)
        guard Self.reserved.withLock({ $0.insert(key).inserted }) else {
            throw .inUse(
                "another live trip of this process uses the client id \(client) in this trip; share that one")
        }
        self.key = key
    }

    deinit { Self.reserved.withLock { [key] in _ = $0.remove(key) } }
}
