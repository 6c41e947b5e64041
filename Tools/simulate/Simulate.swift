import Foundation
import LocalSystem
import Simulation

/// Runs seeds of the simulation, and prints those that break a promise.
@main
struct Simulate {
    static func main() {
        guard let options = SimulateOptions(CommandLine.arguments.dropFirst()) else {
            print(SimulateOptions.usage)
            exit(64)
        }
        runAlike()
        let tally = Tally(options)
        tally.run()
        print(tally.report)
        exit(tally.hasFailed ? 1 : 0)
    }

    /// Restarts the process with a fixed order of sets and dictionaries, so that runs are reproducible.
    private static func runAlike() {
        guard getenv("SWIFT_DETERMINISTIC_HASHING") == nil, let path = ExecutablePath.current else { return }
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        execv(path, &arguments)
    }
}
