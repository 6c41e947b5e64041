import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `check TRIP`: the problems of a trip.
enum CheckCommand {
    private static let accept = OptionRow.value("--accept", "KEY", "mark a problem as intended")
    private static let withdraw = OptionRow.value("--withdraw", "KEY", "mark it as a problem again")
    private static let keys = OptionRow.flag("--keys", "print the key of each problem before it")

    static let command = Command(
        name: "check", summary: "list scheduling problems and hints", forms: ["TRIP"], words: [.trip],
        options: [accept, withdraw, keys],
        examples: [
            .init("check japan --keys", "the keys for --accept"),
            .init("check japan", "one sentence per problem"),
            .init("check japan --quiet || echo \"look at the plan\"", "in a script"),
        ],
        details: [
            "An accepted problem is still listed, but does not count. It counts again if one of its items gets another",
            "day, time or city. Hints are listed last and do not count: a night without a stay, a stay in a city that",
            "travel has left, an event in a city that no travel reaches, cancelled events, and travel by another clock than",
            "that of its city.",
        ],
        exits: [.done: "no problems, or only accepted ones and hints", .refused: "problems were found"],
        run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let accepted = [accept, withdraw].compactMap { option in
            invocation.value(option).map { TripChange.Acceptance(of: $0, option.name == accept.name) }
        }
        if !accepted.isEmpty {
            let run = try await EditRun(invocation)
            _ = try await run.change(accepted.map { .trip(TripChange(acceptance: $0)) })
        }
        let client = try await invocation.reader()
        let snapshot = try await invocation.trip.snapshot(client)
        let problems = snapshot.problems
        if invocation.isJSON {
            Answer.print { json in
                json.member("trip", snapshot.trip.header.slug)
                json.member("version", snapshot.trip.version)
                json.array("problems", problems) { problem, json in json.encode(problem) }
            }
        } else {
            for problem in problems {
                let key = invocation.has(keys) ? "\(problem.key)  " : ""
                StandardStream.output.print("\(key)\(PlainText.line(of: problem))")
            }
        }
        let open = problems.count(where: \.isCounted)
        if open == 0 { invocation.confirm("no problems") }
        guard open == 0 else {
            // The problems were printed as text; the failure is printed as JSON for programs.
            let count = counted(open, "problem")
            throw CommandFailure(
                invocation.isJSON ? "the trip has \(count)" : "", exitCode: .refused,
                reason: "problems")
        }
    }
}
