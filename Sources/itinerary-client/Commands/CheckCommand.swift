import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripProtocol

/// `check TRIP`: what does not fit in a trip.
enum CheckCommand {
    static let command = Command(
        name: "check", summary: "list scheduling problems", forms: ["TRIP"], words: [.trip],
        examples: [
            .init("check japan", "one sentence per problem"),
            .init("check japan --quiet || echo \"look at the plan\"", "in a script"),
        ],
        exits: [.done: "no problems", .refused: "problems were found"], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let client = try await asking { () async throws(ClientError) in
            try await invocation.caller.connect(role: .viewer).client
        }
        let snapshot = try await invocation.trip.snapshot(client)
        let problems = snapshot.problems
        if invocation.isJSON {
            Answer.print { json in
                json.member("trip", snapshot.trip.header.slug)
                json.member("version", snapshot.trip.version)
                json.key("problems")
                json.beginArray()
                for problem in problems { json.encode(problem) }
                json.endArray()
            }
        } else {
            for problem in problems {
                StandardStream.output.print("day \(problem.day): \(PlainText.visible(problem.message))")
            }
        }
        if problems.isEmpty { invocation.confirm("no problems") }
        guard problems.isEmpty else {
            // People have read them; a program finds the same reason as everywhere.
            let count = PlainText.counted(problems.count, "problem")
            throw CommandFailure(
                invocation.isJSON ? "the trip has \(count)" : "", exitCode: CommandFailure.refused,
                reason: "problems")
        }
    }
}
