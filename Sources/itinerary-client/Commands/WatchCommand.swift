import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `watch TRIP`: prints each change until interrupted.
enum WatchCommand {
    private static let exec = OptionRow.value(
        "--exec", "COMMAND", "run COMMAND with the shell for each line, which is its standard input")

    static let command = Command(
        name: "watch", summary: "print each change as it happens", forms: ["TRIP [--json] [--exec COMMAND]"],
        words: [.trip], options: [exec],
        examples: [
            .init("watch japan", "one sentence per change"),
            .init("watch japan --exec 'xargs -0 notify-send Japan'", "a notification per change"),
            .init("watch japan --json", "the daemon's notifications, as JSON lines"),
        ],
        details: [
            "If the daemon stops or the connection is lost, watch waits until the daemon runs again,",
            "and then reports what it missed. It ends when the trip is deleted. With --exec nothing is",
            "printed; COMMAND runs once per change, one at a time.",
        ],
        exits: [.interrupted: "interrupted"], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let output = WatchOutput(asJSON: invocation.isJSON, command: invocation.value(exec))
        let follower = try await TripFollower(invocation.trip, invocation.caller, hear: { output.hear($0) })
        ReaderLeaves.endProcess()
        var printed: Int?
        while true {
            switch try await follower.next() {
            case .version(let version, let answer?):
                if let last = printed {
                    invocation.note("connected again")
                    try output.releaseMissed(answer, invocation)
                    printed = try await printChanges(from: last, to: version, follower, output, invocation)
                } else {
                    try begin(answer, of: follower.trip, output, invocation)
                    printed = version
                }
            case .version(let version, nil):
                if let last = printed {
                    printed = try await printChanges(from: last, to: version, follower, output, invocation)
                }
            case .lost(let error):
                output.hold()
                invocation.note("\(CommandFailure(error).message); waiting for the daemon")
            case .deleted:
                if !invocation.isJSON { try output.line("the trip was deleted", invocation) }
                return
            }
        }
    }

    /// Prints the initial state, and who is present.
    private static func begin(
        _ answer: JSONNode, of trip: TripID, _ output: WatchOutput, _ invocation: Invocation
    ) throws(CommandFailure) {
        guard let snapshot = answer["snapshot"], let version = snapshot["version"]?.int else {
            throw CommandFailure("the daemon sent no trip", exitCode: .otherProtocol)
        }
        if invocation.isJSON {
            let presence = answer["presence"]?.rawBytes ?? Array("[]".utf8)[...]
            return output.release(first: ServerLine.presence(trip, encoded: presence))
        }
        let items = counted(snapshot["items"]?.count ?? 0, "item")
        output.state("version \(version), \(items)")
        let people = Set(answer["presence"]?.elements.compactMap { $0["user"]?.string } ?? [])
        invocation.note("here: \(people.sorted().map(PlainText.visible).joined(separator: ", "))")
    }

    private static let page = 500

    /// Prints the daemon's summaries of the changes between two versions.
    ///
    /// - Returns: the version up to which changes were printed.
    private static func printChanges(
        from printed: Int, to version: Int, _ follower: TripFollower, _ output: WatchOutput,
        _ invocation: Invocation
    ) async throws(CommandFailure) -> Int {
        guard !invocation.isJSON else { return version }
        guard version > printed else {
            if version < printed {
                try output.line("the trip went back to version \(version), from \(printed)", invocation)
            }
            return version
        }
        var entries: [JSONNode] = []
        var before = version + 1
        while before - 1 > printed {
            let wanted = min(before - 1 - printed, page)
            let answer: [JSONNode]
            do throws(ClientError) {
                answer = try await History.entries(
                    of: .id(follower.trip), before: before, limit: wanted, follower.client)
            } catch {
                // The follower detects the end of the connection or trip; the changes are printed after it.
                return printed
            }
            entries += answer
            guard let oldest = answer.last?["version"]?.int, oldest < before else { break }
            before = oldest
        }
        let missing = version - printed - entries.count
        if missing > 0 {
            try output.line(
                "\(counted(missing, "change")) are no longer in the history", invocation)
        }
        for entry in entries.reversed() {
            try output.line("version \(entry["version"]?.int ?? 0)  \(History.said(entry))", invocation)
        }
        return version
    }
}

/// The output of a watch: lines are printed, or passed to a command one by one.
private final class WatchOutput: Sendable {
    private let asJSON: Bool
    private let command: String?
    /// Notifications that arrived before the answer to the subscription was printed; nil if none are held
    /// back.
    private let held = Guarded<[[UInt8]]?>([])
    /// - Parameter command: runs for each JSON line, on the task of the watch.
    init(asJSON: Bool, command: String?) {
        self.asJSON = asJSON
        self.command = command
    }

    /// Handles a notification, on the client's loop.
    func hear(_ line: [UInt8]) {
        guard asJSON else { return }
        let line = line + [UInt8(ascii: "\n")]
        let isHeld = held.withLock { held in
            if held == nil { return false }
            held?.append(line)
            return true
        }
        if !isHeld { write(line) }
    }

    /// Begins to hold back notifications.
    func hold() { held.withLock { $0 = $0 ?? [] } }

    /// Prints a first line, and then the notifications held back.
    func release(first: [UInt8]?) {
        if let first { write(first.last == UInt8(ascii: "\n") ? first : first + [UInt8(ascii: "\n")]) }
        while true {
            let lines = held.withLock { held in
                let lines = held ?? []
                held = lines.isEmpty ? nil : []
                return lines
            }
            guard !lines.isEmpty else { return }
            for line in lines { write(line) }
        }
    }

    /// Prints changes missed during a disconnect in the form of their notification.
    func releaseMissed(_ answer: JSONNode, _ invocation: Invocation) throws(CommandFailure) {
        guard asJSON else { return }
        let missed: (method: String, state: JSONNode)? =
            if let delta = answer["delta"] {
                ("trip.delta", delta)
            } else if let snapshot = answer["snapshot"] {
                ("trip.snapshot", snapshot)
            } else {
                nil
            }
        guard let missed else { return release(first: nil) }
        release(
            first: Answer.params { json in
                json.member("jsonrpc", "2.0")
                json.member("method", missed.method)
                json.key("params")
                json.raw(missed.state.rawBytes)
            })
    }

    /// Prints the initial state.
    func state(_ text: String) {
        if command == nil { StandardStream.output.print(text) }
    }

    /// Prints a line about a change.
    func line(_ text: String, _ invocation: Invocation) throws(CommandFailure) {
        write(Array(text.utf8) + [UInt8(ascii: "\n")])
    }

    private func write(_ line: [UInt8]) {
        guard let command else { return StandardStream.output.write(line) }
        do throws(SystemError) {
            let status = try ShellCommand.run(command, input: line)
            if status != .exited(0) {
                StandardStream.error.print(
                    "itinerary-client: \(PlainText.visible(command)): \(ShellCommand.text(of: status))")
            }
        } catch {
            StandardStream.error.print("itinerary-client: \(PlainText.visible(command)): \(error)")
        }
    }
}
