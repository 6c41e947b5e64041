import CommandLineKit
import LocalSystem
import TripClient
import TripProtocol

/// `stop`: shuts down the daemon of this socket.
enum StopCommand {
    static let command = Command(
        name: "stop", summary: "stop the daemon", forms: [""],
        examples: [.init("stop", "the next command that needs the daemon starts it again")],
        details: [
            "The daemon finishes the requests that it has read, says goodbye to its clients and",
            "exits. Nothing is lost. A daemon that systemd or launchd manages is stopped there.",
        ],
        exits: [.unavailable: "no daemon is running"], startsDaemon: false, run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let answer = try await asking(await invocation.caller.connect().client.perform(.shutdown))
        if invocation.isJSON { return Answer.print(answer) }
        invocation.confirm("the daemon has stopped")
    }
}
