import LocalSystem
import TripServer

/// A daemon with one planted defect, for tests that claim to detect defects from outside: `planted-daemon BUG
/// SOCKET DATA`. Only in a debug build; `none` is a daemon without a defect.
@main
struct PlantedDaemon {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        let bug = words.first.flatMap(PlantedBug.init)
        guard words.count == 3, bug != nil || words[0] == "none", PlantedBug.canBePlanted || bug == nil else {
            let names = PlantedBug.allCases.map(\.rawValue).joined(separator: ", ")
            StandardStream.error.print("usage: planted-daemon none|BUG SOCKET DATA\n\nBUG: \(names)")
            ProcessExit.now(64)
        }
        let options = DaemonOptions(
            socket: words[1], socketIsDefault: false, dataDirectory: words[2], dataIsDefault: false)
        PlantedBug.plant(bug) {
            do throws(DaemonFailure) {
                try Daemon(options) { StandardStream.error.print($0.message) }.run()
            } catch {
                StandardStream.error.print("planted-daemon: \(error)")
                ProcessExit.now(error.kind.rawValue)
            }
        }
    }
}
