import CommandLineKit
import LocalSystem
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// `export TRIP --follow -o FILE`: writes the file again after each change.
struct ExportFollowing {
    static let option = OptionRow.flag("--follow", "write FILE again after each change, until interrupted")

    /// A pause after each write; changes within it are written together.
    private static let pause = Duration.milliseconds(300)
    /// A pause after a failed write.
    private static let retryPause = Duration.seconds(5)

    let invocation: Invocation
    let format: FileFormat
    let path: String

    /// Writes the file until the trip is deleted.
    ///
    /// - Throws: `CommandFailure`; if the first write fails, or the trip is deleted.
    func run() async throws(CommandFailure) {
        let follower = try await TripFollower(invocation.trip, invocation.caller)
        var written: Int?
        while true {
            switch try await follower.next() {
            case .version(let version, let answer):
                if answer != nil, written != nil { invocation.note("connected again") }
                guard version != written else { continue }
                written = try await write(follower, isFirst: written == nil) ?? written
            case .lost(let error):
                invocation.note("\(CommandFailure(error).message); waiting for the daemon")
            case .deleted:
                throw CommandFailure(
                    "the trip was deleted; \(PlainText.visible(path)) is unchanged",
                    exitCode: .noInput)
            }
        }
    }

    /// Writes the present state of the trip.
    ///
    /// - Returns: its version; nil if the connection is lost or the write is interrupted.
    private func write(_ follower: TripFollower, isFirst: Bool) async throws(CommandFailure) -> Int? {
        while true {
            let trip: Trip
            // The follower handles the end of the connection or of the trip.
            do throws(ClientError) {
                trip = try await follower.client.snapshot(
                    of: .id(follower.trip), includingSourceValues: format == .json
                ).trip
            } catch {
                return nil
            }
            do throws(CommandFailure) {
                try ExportCommand.write(
                    ExportCommand.text(of: trip, format, invocation), to: path, invocation)
                try? await Task.sleep(for: Self.pause)
                return trip.version
            } catch {
                if isFirst { throw error }
                invocation.note(error.message)
                try? await Task.sleep(for: Self.retryPause)
            }
        }
    }
}
