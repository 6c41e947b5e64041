import CommandLineKit
import JSONLine
import LocalSystem
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// `restore`: the deleted trips of which this account has a copy, and `restore TRIP` makes one again.
enum RestoreCommand {
    static let command = Command(
        name: "restore", summary: "list deleted trips, or make one again", forms: ["[TRIP]"],
        words: [WordRow("TRIP", .text, isRequired: false)],
        examples: [
            .init("restore", "the trips that can be restored, and until when"),
            .init("restore japan", "make a deleted trip again"),
        ],
        details: [
            "A trip that was deleted with itinerary-client, in the editor or by a command, can be",
            "restored for \(DeletedTrips.days) days from the account that deleted it. It has its items, not its",
            "history. Prints the slug of the trip.",
        ],
        exits: [.noInput: "no deleted trip has this name"], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let kept = DeletedTrips(.current, today: Today.date)
        let copies = kept.list()
        guard let name = invocation.words.first else { return list(copies, invocation) }
        let copy = try copy(named: name, in: copies)
        let schedule = try kept.schedule(copy.key)
        guard case .trip(let file) = schedule.file else {
            throw CommandFailure("the copy cannot be read", exitCode: CommandFailure.badData)
        }
        let client = try await SteadyClient(invocation.caller)
        let again = try TripCopy(schedule, file.header, slug: file.header.slug)
        let trip: Trip
        do throws(CommandFailure) { trip = try await again.make(client) } catch {
            guard error.refusal?.known == .slugTaken else { throw error }
            trip = try await TripCopy(schedule, file.header).make(client)
        }
        if let left = again.left {
            invocation.tell("restored without \(left) The copy is kept.")
        } else {
            kept.forget(copy.key)
        }
        if invocation.isJSON {
            let answer = try await asking { () async throws(ClientError) in
                try await client.client.perform(.getTrip(.id(trip.header.id)))
            }
            return Answer.print(answer)
        }
        StandardStream.output.print(trip.header.slug)
    }

    private static func list(_ copies: [DeletedCopy], _ invocation: Invocation) {
        if invocation.isJSON {
            return Answer.print { json in
                json.key("deleted")
                json.beginArray()
                for copy in copies {
                    json.beginObject()
                    json.member("name", copy.name)
                    json.member("itemCount", copy.itemCount)
                    json.member("deleted", copy.deleted.description)
                    json.member("keptUntil", copy.keptUntil.description)
                    json.endObject()
                }
                json.endArray()
            }
        }
        if copies.isEmpty { return invocation.tell("there are no deleted trips to restore") }
        for copy in copies {
            StandardStream.output.print(
                "\(PlainText.visible(copy.name))  \(PlainText.counted(copy.itemCount, "item")), "
                    + "deleted \(copy.deleted), kept until \(copy.keptUntil)")
        }
    }

    /// The newest copy of the name, or of the only name that begins so.
    private static func copy(
        named name: String, in copies: [DeletedCopy]
    ) throws(CommandFailure) -> DeletedCopy {
        let wanted = name.lowercased()
        let same = copies.first { $0.name.lowercased() == wanted || $0.slug == wanted }
        if let same { return same }
        let beginning = copies.filter { $0.name.lowercased().hasPrefix(wanted) }
        let names = Set(beginning.map(\.name))
        guard let first = beginning.first else {
            let question = NearestSpelling.question(for: name, among: copies.map(\.name))
            throw CommandFailure(
                "no deleted trip is called \(PlainText.visible(name))\(PlainText.visible(question)); "
                    + "itinerary-client restore lists them", exitCode: CommandFailure.noInput,
                reason: ErrorReason.tripNotFound.rawValue)
        }
        guard names.count == 1 else {
            throw CommandFailure(
                "\(PlainText.visible(name)) could be any of "
                    + names.sorted().map(PlainText.visible).joined(separator: ", "),
                exitCode: CommandFailure.noInput, reason: "ambiguous")
        }
        return first
    }
}

extension DeletedTrips {
    /// How often a trip may change between the copy and its deletion.
    private static let attempts = 10

    /// Keeps a copy of a trip and deletes that very version.
    func delete(_ trip: TripID, _ client: SteadyClient) async throws(CommandFailure) -> TripHeader {
        var attempt = 1
        while true {
            let last = try await client.snapshot(of: .id(trip)).trip
            let key = try keep(last)
            do throws(CommandFailure) {
                _ = try await client.once { _ in
                    .deleteTrip(.id(trip), ifVersion: last.version, isDryRun: false)
                }
                return last.header
            } catch {
                // A trip that is still there needs no copy.
                if error.refusal != nil { forget(key) }
                guard error.refusal?.known == .versionConflict, attempt < Self.attempts else { throw error }
                attempt += 1
            }
        }
    }
}
