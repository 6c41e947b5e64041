import LocalSystem
import TripModel
import TripProtocol

/// The sole use of a client id in one trip by this process, as long as the claim exists. Two live trips with one id would
/// number their changes independently, and the daemon would take a change of one for a repeat of the other's.
final class ClientIDClaim: Sendable {
    private struct Key: Hashable {
        let client: ClientID
        let trip: TripID
        let address: DaemonAddress
    }

    private static let claimed = Guarded<Set<Key>>([])

    private let key: Key

    /// - Throws: `ClientError.inUse` if the id is claimed already.
    init(of client: ClientID, in trip: TripID, at address: DaemonAddress) throws(ClientError) {
        let key = Key(client: client, trip: trip, address: address)
        guard Self.claimed.withLock({ $0.insert(key).inserted }) else {
            throw .inUse(
                "another live trip of this process uses the client id \(client) in this trip; share that one")
        }
        self.key = key
    }

    deinit { Self.claimed.withLock { [key] in _ = $0.remove(key) } }
}
