import JSONLine
import TripClient
import TripModel
import TripProtocol

/// The items that people removed from a trip: an import leaves them away.
enum RemovedItems {
    /// How many changes are looked through for removals.
    private static let historyLength = 1000
    private static let historyPage = 500

    /// The items that somebody removed and that nobody brought back, as far as the history goes. What an import removed,
    /// as the file had it no longer, or an undo, is nobody's wish.
    static func of(_ trip: TripID, _ client: TripClient) async throws(ClientError) -> Set<ItemID> {
        let pruned = PrunedItems().versions(of: trip)
        var removed: Set<ItemID> = []
        var seen: Set<ItemID> = []
        var before: Int?
        for _ in 0..<(historyLength / historyPage) {
            let entries = try await History.entries(
                of: .id(trip), before: before, limit: historyPage, client)
            for entry in entries {
                // Whoever takes back an import wants to be able to make it again.
                let isUndo = entry["summary"]?.string?.hasPrefix("undid: ") == true
                let version = entry["version"]?.int
                for operation in entry["ops"]?.elements.map({ $0 }) ?? [] {
                    guard let id = operation["item"]?.string.flatMap(ItemID.init), seen.insert(id).inserted,
                        !isUndo, operation["op"]?.string == "remove", pruned[id] != version
                    else { continue }
                    removed.insert(id)
                }
            }
            guard entries.count == historyPage, let oldest = entries.last?["version"]?.int else { break }
            before = oldest
        }
        return removed
    }
}
