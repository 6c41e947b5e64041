import Foundation
import TripClient
import TripProtocol

/// Changes a trip with several live trips at once, controlled by standard input, and counts the outcomes.
///
///     live-soak SOCKET DIRECT
///
/// The live trips use SOCKET, which may be a faulty proxy; the checks use DIRECT. A line `pause` is answered
/// by `idle` after all changes are answered; `go` continues, `stop` ends. The last line contains the counts.
@main
struct LiveSoak {
    static let trip = TripReference.slug("soak")

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: live-soak SOCKET DIRECT")
            exit(64)
        }
        guard let start = CalendarDate("2026-06-11") else { exit(70) }
        let direct = DaemonAddress(path: arguments[2])
        let first = try await inspect(direct) { client in
            try await client.create(
                TripDraft(
                    name: "soak", startDate: start, timeZone: "UTC", dayCount: 5,
                    slug: "soak"))
        }
        let counts = Counts()
        let gate = Gate()
        var users: [SoakUser] = []
        for number in 0..<4 {
            let options = LiveTrip.Options(user: "user\(number)") { _ throws(ClientError) in }
            let address = DaemonAddress(path: arguments[1])
            users.append(SoakUser(try await open(address, options), number, counts, gate))
        }
        let work = Task { [users] in
            await withTaskGroup(of: Void.self) { group in
                for user in users {
                    for lane in 0..<3 { group.addTask { await user.work(lane) } }
                    group.addTask { await user.watch() }
                }
            }
        }
        await obey(gate, users)
        await gate.stop()
        let last = try await inspect(direct) { client in try await client.snapshot(of: trip) }
        var expected: Set<ItemID> = []
        var pending = 0
        for user in users {
            expected.formUnion(await user.expected)
            for await state in user.live.states
            where state.version == last.trip.version && state.pendingCount == 0 {
                if state.trip != last.trip { counts.add(.wrong) }
                break
            }
            pending += await user.live.close()
        }
        await work.value
        let present = Set(last.trip.items.map(\.id))
        counts.add(.lost, expected.subtracting(present).count)
        let versions = last.trip.version - first.trip.version
        counts.add(.doubled, max(0, versions - counts.made) + present.subtracting(expected).count)
        counts.add(.lost, max(0, counts.made - versions))
        print("\(counts), pending \(pending), \(present.count) items, version \(last.trip.version)")
        exit(counts.isClean && pending == 0 ? 0 : 1)
    }

    /// Opens a live trip; the proxy may cut its first connections.
    private static func open(_ address: DaemonAddress, _ options: LiveTrip.Options) async throws -> LiveTrip {
        while true {
            do throws(ClientError) {
                return try await LiveTrip.open(trip, at: address, options: options)
            } catch {
                guard error.isLossOfConnection else { throw error }
            }
        }
    }

    /// Executes the lines of standard input.
    private static func obey(_ gate: Gate, _ users: [SoakUser]) async {
        print("ready")
        fflush(nil)
        while let line = await nextLine() {
            switch line {
            case "pause":
                await gate.pause()
                for user in users { await user.hold() }
                print("idle")
                fflush(nil)
            case "go":
                for user in users { await user.changeHeld() }
                await gate.go()
            default: return
            }
        }
    }

    /// A line of standard input, read on a separate thread.
    private static func nextLine() async -> String? {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: readLine()) }.start()
        }
    }

    private static func inspect<Value: Sendable>(
        _ address: DaemonAddress, _ body: @Sendable (TripClient) async throws -> Value
    ) async throws -> Value {
        try await TripClient.withConnection(
            to: address, saying: Hello(clientName: "live-soak", clientVersion: "1", user: "checker")
        ) { client, _ in try await body(client) }
    }
}
