import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `watch TRIP`: each change as a line, until interrupted.
enum WatchCommand {
    static let command = Command(
        name: "watch", summary: "print each change as it happens", forms: ["TRIP [--json]"],
        words: [.trip],
        examples: [
            .init("watch japan", "one sentence per change"),
            .init("watch japan --json", "the daemon's notifications, as JSON lines"),
        ],
        exits: [.unavailable: "the connection was lost", .interrupted: "interrupted"], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let (client, _) = try await asking { () async throws(ClientError) in
            try await invocation.caller.connect(role: .viewer)
        }
        let id = try await invocation.trip.trip(client)
        ReaderLeaves.endProcess()
        let (news, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let asJSON = invocation.isJSON
        let lines = WatchedLines(asJSON: asJSON, whenNewer: continuation)
        await client.hearLines { lines.hear($0) }
        let answer = try await asking { () async throws(ClientError) in
            try await client.perform(.subscribe(Subscribe(trip: .id(id), mode: .delta)))
        }
        guard let snapshot = answer["snapshot"], var told = snapshot["version"]?.int else {
            throw CommandFailure("the daemon sent no trip", exitCode: CommandFailure.otherProtocol)
        }
        if asJSON {
            StandardStream.output.write(lines.presence(answer, of: id))
        } else {
            let items = PlainText.counted(snapshot["items"]?.count ?? 0, "item")
            StandardStream.output.print("version \(told), \(items)")
            let people = Set(answer["presence"]?.elements.compactMap { $0["user"]?.string } ?? [])
            invocation.tell("here: \(people.sorted().map(PlainText.visible).joined(separator: ", "))")
        }
        for await version in news where !asJSON {
            told = try await tell(from: told, to: version, of: .id(id), client)
        }
        if lines.isDeleted { return asJSON ? () : StandardStream.output.print("the trip is deleted") }
        let ending = await client.ending ?? .closed(nil)
        throw CommandFailure(ending)
    }

    /// Prints the changes after one version up to another, in the daemon's own words.
    private static func tell(
        from told: Int, to version: Int, of trip: TripReference, _ client: TripClient
    ) async throws(CommandFailure) -> Int {
        guard version > told else { return told }
        let entries: [JSONNode]
        do throws(ClientError) {
            entries = try await History.entries(
                of: trip, before: version + 1, limit: min(version - told, 500), client)
        } catch {
            // The end of the connection or of the trip is told where it is noticed.
            return version
        }
        for entry in entries.reversed() {
            StandardStream.output.print("version \(entry["version"]?.int ?? 0)  \(History.said(entry))")
        }
        return version
    }
}

/// What the daemon says of a trip that is watched, on the client's loop.
private final class WatchedLines: Sendable {
    private let asJSON: Bool
    private let newer: AsyncStream<Int>.Continuation
    private let deleted = Guarded(false)

    init(asJSON: Bool, whenNewer: AsyncStream<Int>.Continuation) {
        self.asJSON = asJSON
        newer = whenNewer
    }

    var isDeleted: Bool { deleted.withLock { $0 } }

    func hear(_ line: [UInt8]?) {
        guard let line else { return newer.finish() }
        if asJSON { StandardStream.output.write(line + [UInt8(ascii: "\n")]) }
        guard let root = try? JSONDocument(parsing: line).root else { return }
        switch root["method"]?.string {
        case "trip.delta"?, "trip.snapshot"?:
            if let version = root["params"]?["version"]?.int { newer.yield(version) }
        case "trip.deleted"?:
            deleted.withLock { $0 = true }
            newer.finish()
        default: break
        }
    }

    /// Who is there at the beginning, as the daemon tells it later.
    func presence(_ answer: JSONNode, of trip: TripID) -> [UInt8] {
        ServerLine.presence(trip, encoded: answer["presence"]?.rawBytes ?? Array("[]".utf8)[...])
    }
}
