import JSONLine
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

extension RemovedItems {
    /// The number of changes to search for removals.
    private static let historyLength = 1000
    private static let historyPage = 500

    /// The items that a user removed and nobody restored, within the known history. Removals by a prune or by
    /// an undo do not count, nor does the redo of a prune.
    static func of(_ trip: TripID, _ client: TripClient) async throws(ClientError) -> RemovedItems {
        let pruned = PrunedItems().versions(of: trip)
        var removed: Set<ItemID> = []
        var seen: Set<ItemID> = []
        // Items that a redo has removed: what was redone is further back, before its undo.
        var redone: Set<ItemID> = []
        var before: Int?
        for _ in 0..<(historyLength / historyPage) {
            let entries = try await History.entries(
                of: .id(trip), before: before, limit: historyPage, client)
            for entry in entries {
                // After an undo, the same import must be possible again.
                let summary = entry["summary"]?.string ?? ""
                let isUndo = summary.hasPrefix("undid: ")
                let isRedo = summary.hasPrefix("redid: ")
                let version = entry["version"]?.int
                for operation in entry["ops"]?.elements.map({ $0 }) ?? [] {
                    guard let id = operation["item"]?.string.flatMap(ItemID.init) else { continue }
                    if isRedo, operation["op"]?.string == "remove", !seen.contains(id) { redone.insert(id) }
                    if redone.contains(id), isRedo || isUndo { continue }
                    guard seen.insert(id).inserted, !isUndo, operation["op"]?.string == "remove",
                        pruned[id] != version
                    else { continue }
                    removed.insert(id)
                }
            }
            guard entries.count == historyPage, let oldest = entries.last?["version"]?.int else { break }
            before = oldest
        }
        removed.formUnion(redone.subtracting(seen))
        guard !removed.isEmpty else { return RemovedItems() }
        do throws(ClientError) {
            return RemovedItems(removed, try await client.removedItems(from: .id(trip)).items.map(\.item))
        } catch {
            // A daemon of version 1.1 has no such list; then only the ids are known.
            guard case .refused(let refusal) = error, refusal.known == .methodNotFound else { throw error }
            return RemovedItems(removed)
        }
    }
}
