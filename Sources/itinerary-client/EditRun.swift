import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// Edits of one trip, worded against the trip as it is, and made as one change.
struct EditRun {
    let invocation: Invocation
    let client: SteadyClient
    let snapshot: Snapshot

    var trip: Trip { snapshot.trip }

    /// Connects and fetches the trip that the first word names.
    init(_ invocation: Invocation) async throws(CommandFailure) {
        self.invocation = invocation
        client = try await SteadyClient(invocation.caller)
        snapshot = try await invocation.trip.snapshot(client.client)
    }

    /// Makes the edits, and prints the ids of the items that they are about, a line each.
    func make(_ edits: [Edit]) async throws(CommandFailure) {
        let made = try await change(edits)
        guard !invocation.isJSON else { return Answer.print(made.answer) }
        var printed: Set<ItemID> = []
        for edit in edits {
            if let id = edit.item, printed.insert(id).inserted { StandardStream.output.print("\(id)") }
        }
        for item in made.items where printed.contains(item.id) {
            invocation.confirm("day \(item.position.day)  \(PlainText.visible(item.content.title))")
        }
    }

    /// Makes the edits; refusals are told in the words of somebody who sees neither the request nor its fields.
    func change(_ edits: [Edit], ifVersion: Int? = nil) async throws(CommandFailure) -> SteadyClient.Made {
        do throws(CommandFailure) {
            return try await client.change(.id(trip.header.id), edits, ifVersion: ifVersion)
        } catch {
            let index = error.refusal?.operation ?? 0
            guard let refusal = error.refusal, edits.indices.contains(index),
                let sentence = RefusalText.sentence(refusal, of: edits[index], in: trip)
            else { throw error }
            throw error.saying(sentence)
        }
    }
}

extension RemoteError {
    /// The operation of a change that is refused, from 0; nil where it does not say.
    var operation: Int? {
        guard let data, let root = try? JSONDocument(parsing: data).root else { return nil }
        return root["opIndex"]?.int
    }
}
