import JSONLine
import TripClient
import TripModel
import TripProtocol

/// Sends the changes of tools.
extension AssistantActions {
    /// Applies edits as one change, or does a dry run.
    static func change(
        _ desk: AssistantDesk, _ edits: [Edit], of trip: Trip, _ arguments: JSONNode?, ifVersion: Int? = nil
    ) async throws(CommandFailure) -> [UInt8] {
        let id = TripReference.id(trip.header.id)
        guard arguments?["dryRun"]?.bool == true else {
            return Array(try await desk.client.change(id, edits, ifVersion: ifVersion).answer.rawBytes)
        }
        let options = ChangeOptions(ifVersion: ifVersion, isDryRun: true)
        let request = Request.change(ChangeRequest(method: .apply, trip: id, edits: edits, options: options))
        return Array(try await desk.client.once { _ in request }.rawBytes)
    }

    /// Sends a change by a protocol method, or does a dry run.
    static func change(
        _ desk: AssistantDesk, _ method: String, _ arguments: JSONNode?, _ members: (inout JSONWriter) -> Void
    ) async throws(CommandFailure) -> [UInt8] {
        let isDryRun = arguments?["dryRun"]?.bool == true
        let answer = try await desk.client.once(method) { sequence in
            Answer.params { json in
                members(&json)
                if isDryRun { json.member("dryRun", true) } else { json.member("seq", sequence) }
            }
        }
        return Array(answer.rawBytes)
    }

    /// The people who share a cost that the fields set without naming them.
    static func sharing(
        of item: Item, _ set: JSONNode, in trip: Trip
    ) -> (names: String, note: String)? {
        guard set["for"] == nil, set["cost"] != nil || set["paidBy"] != nil else { return nil }
        var changes: [FieldChange] = []
        if let payer = set["paidBy"] {
            changes.append(FieldChange(.paidBy, payer.string.map(FieldValue.text)))
        }
        if let who = set["who"] { changes.append(FieldChange(.who, who.string.map(FieldValue.text))) }
        if let cost = set["cost"] {
            let amount = cost["amount"]?.double
            let new = amount.map { Cost(amount: $0, currency: cost["currency"]?.string ?? "") }
            changes.append(FieldChange(.cost, new.map(FieldValue.cost)))
        }
        return trip.sharing(of: item.content.with(changes))
    }

    /// An answer with notes on the values that were read.
    static func adding(_ notes: [String], to answer: [UInt8]) -> [UInt8] {
        if notes.isEmpty { return answer }
        return Answer.params { json in
            json.raw(members: Array(answer.dropFirst().dropLast()))
            json.array("notes", notes) { note, json in json.value(note) }
        }
    }
}
