import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// A command's edits of one trip, applied as one change.
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

    /// Applies the edits, prints the ids of the edited items, one per line, and reports the problems that they cause.
    func make(_ edits: [Edit]) async throws(CommandFailure) {
        let made = try await change(edits)
        guard !invocation.isJSON else { return Answer.print(made.answer) }
        reportProblems(of: edits)
        var printed: Set<ItemID> = []
        for edit in edits {
            if let id = edit.item, printed.insert(id).inserted { StandardStream.output.print("\(id)") }
        }
        for item in made.items where printed.contains(item.id) {
            invocation.confirm("day \(item.position.day)  \(PlainText.visible(item.content.title))")
        }
    }

    /// Reports the problems that edits cause, and travel whose named event is now outside the trip.
    func reportProblems(of edits: [Edit]) {
        var after = trip
        guard (try? after.apply(edits, by: Author(name: "", at: Timestamp(milliseconds: 0)))) != nil else {
            return
        }
        let before = Set(trip.problems.map(\.key))
        var lines = after.problems.filter { !$0.kind.isHint && !before.contains($0.key) }.map {
            "day \($0.day): \($0.message)"
        }
        for item in after.items {
            for side in [ItemField.afterGame, .beforeGame] {
                guard case .side(.game(let id))? = item.content[side], let game = after[id],
                    !after.header.days.contains(game.position.day),
                    trip[id].map({ trip.header.days.contains($0.position.day) }) == true
                else { continue }
                lines.append(
                    "\(item.content.title): \(game.content.title) (\(side.name)) is outside the trip; "
                        + "the events of the city count instead")
            }
        }
        for line in lines.prefix(8) { invocation.note(PlainText.visible(line)) }
        if lines.count > 8 {
            invocation.note("and \(lines.count - 8) more; itinerary-client check lists them")
        }
    }

    /// Applies the edits. Refusals are reworded for users who see neither the request nor its fields.
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
    /// The 0-based index of the refused operation; nil if the error does not contain it.
    var operation: Int? {
        guard let data, let root = try? JSONDocument(parsing: data).root else { return nil }
        return root["opIndex"]?.int
    }
}
