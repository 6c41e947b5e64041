import CommandLineKit
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// A trip on the command line: its slug, name or id, or the beginning of one, in any case.
struct TripName: Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    /// The trip with this name.
    ///
    /// - Throws: `CommandFailure` with the candidates if the name is ambiguous, or with the most similar name
    ///   if there is none.
    func trip(_ client: TripClient) async throws(CommandFailure) -> TripID {
        try await summary(client).header.id
    }

    /// The entry of that trip in the list.
    func summary(_ client: TripClient) async throws(CommandFailure) -> TripSummary {
        let trips = try await asking(await client.trips())
        let found = NameMatcher.matches(text, in: trips) {
            [$0.header.id.description, $0.header.slug, $0.header.name]
        }
        guard let first = found.first else { throw missing(among: trips) }
        guard found.count == 1 else {
            let all = found.map(\.header.slug).sorted()
            let shown = all.prefix(8).joined(separator: ", ") + (all.count > 8 ? ", …" : "")
            throw CommandFailure(
                "\(PlainText.visible(text)) could be any of \(shown)", exitCode: .noInput,
                reason: "ambiguous")
        }
        return first
    }

    /// The trip with a name; without a name all readable trips.
    static func summaries(_ name: TripName?, _ client: TripClient) async throws(CommandFailure)
        -> [TripSummary]
    {
        if let name { return [try await name.summary(client)] }
        return try await asking(await client.trips())
            .filter { $0.state != .corrupt }
    }

    /// The present state of that trip. A complete slug or id needs no list.
    ///
    /// - Parameter includingSourceValues: whether to include the last imported values.
    func snapshot(
        _ client: TripClient, includingSourceValues: Bool = false
    ) async throws(CommandFailure) -> Snapshot {
        do throws(ClientError) {
            return try await client.snapshot(
                of: TripReference(text), includingSourceValues: includingSourceValues)
        } catch {
            guard case .refused(let refusal) = error,
                refusal.known == .tripNotFound || refusal.known == .invalidParams
            else { throw CommandFailure(error) }
        }
        let id = try await trip(client)
        return try await asking(
            await client.snapshot(of: .id(id), includingSourceValues: includingSourceValues))
    }

    private func missing(among trips: [TripSummary]) -> CommandFailure {
        let names = trips.flatMap { [$0.header.slug, $0.header.name] }
        let near = NearestSpelling.word(for: text, among: names).flatMap { name in
            trips.first { $0.header.slug == name || $0.header.name == name }?.header.slug
        }
        let question =
            near.map { "; did you mean \($0)?" }
            ?? (trips.isEmpty ? "; there are no trips" : "; itinerary-client list lists the trips")
        return CommandFailure(
            "there is no trip \(PlainText.visible(text))\(question)", exitCode: .noInput,
            reason: ErrorReason.tripNotFound.rawValue)
    }
}

extension Invocation {
    /// The trip that the first word names.
    var trip: TripName { TripName(words[0]) }
}
