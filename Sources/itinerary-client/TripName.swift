import CommandLineKit
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// How the command line names a trip: by its slug, its name, its id, or the beginning of one, in any case.
struct TripName: Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    /// The one trip that is meant.
    ///
    /// - Throws: `CommandFailure` naming those that may be meant, or the one that is spelt most like it.
    func trip(_ client: TripClient) async throws(CommandFailure) -> TripID {
        try await summary(client).header.id
    }

    /// The one trip that is meant, as a list shows it.
    func summary(_ client: TripClient) async throws(CommandFailure) -> TripSummary {
        let trips = try await asking { () async throws(ClientError) in try await client.trips() }
        let found = matches(in: trips)
        guard let first = found.first else { throw missing(among: trips) }
        guard found.count == 1 else {
            let all = found.map(\.header.slug).sorted()
            let shown = all.prefix(8).joined(separator: ", ") + (all.count > 8 ? ", …" : "")
            throw CommandFailure(
                "\(PlainText.visible(text)) could be any of \(shown)", exitCode: CommandFailure.noInput,
                reason: "ambiguous")
        }
        return first
    }

    /// The trip of a name; without a name all trips that can be read.
    static func summaries(_ name: TripName?, _ client: TripClient) async throws(CommandFailure)
        -> [TripSummary]
    {
        if let name { return [try await name.summary(client)] }
        return try await asking { () async throws(ClientError) in try await client.trips() }
            .filter { $0.state != "corrupt" }
    }

    /// The trip as it is now. A slug or an id that is spelt in full is asked for at once.
    func snapshot(_ client: TripClient) async throws(CommandFailure) -> Snapshot {
        do throws(ClientError) {
            return try await client.snapshot(of: TripReference(text))
        } catch {
            guard case .refused(let refusal) = error,
                refusal.known == .tripNotFound || refusal.known == .invalidParams
            else { throw CommandFailure(error) }
        }
        let id = try await trip(client)
        return try await asking { () async throws(ClientError) in try await client.snapshot(of: .id(id)) }
    }

    /// Those that are called so in full or, where none is, those whose slug, name or id begins so.
    private func matches(in trips: [TripSummary]) -> [TripSummary] {
        let wanted = text.lowercased()
        guard !wanted.isEmpty else { return [] }
        let ways: [(TripHeader) -> Bool] = [
            { $0.id.description == text || $0.slug == text },
            { $0.name == text },
            { $0.id.description == wanted || $0.slug == wanted },
            { $0.name.lowercased() == wanted },
            { header in
                [header.slug, header.name.lowercased(), header.id.description].contains {
                    $0.hasPrefix(wanted)
                }
            },
        ]
        for way in ways {
            let found = trips.filter { way($0.header) }
            if !found.isEmpty { return found }
        }
        return []
    }

    private func missing(among trips: [TripSummary]) -> CommandFailure {
        let names = trips.flatMap { [$0.header.slug, $0.header.name] }
        let near = NearestSpelling.word(for: text, among: names).flatMap { name in
            trips.first { $0.header.slug == name || $0.header.name == name }?.header.slug
        }
        let question = near.map { "; did you mean \($0)?" } ?? ""
        return CommandFailure(
            "there is no trip \(PlainText.visible(text))\(question)", exitCode: CommandFailure.noInput,
            reason: ErrorReason.tripNotFound.rawValue)
    }
}

extension Invocation {
    /// The trip that the first word names.
    var trip: TripName { TripName(words[0]) }
}
