import Foundation
import LocalSystem
import Simulation

/// Runs seeds of the simulation, and says which of them break a promise.
@main
struct Simulate {
    static func main() {
        guard let options = SimulateOptions(CommandLine.arguments.dropFirst()) else {
            print(SimulateOptions.usage)
            exit(64)
        }
        if options.bug != nil, !PlantedBug.canBePlanted {
            print("this build has no bugs to plant; build it for debugging")
            exit(64)
        }
        let tally = Tally(options)
        tally.run()
        print(tally.report)
        exit(tally.hasFailed ? 1 : 0)
    }
}
