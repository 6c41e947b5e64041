import LocalSystem
import ScheduleFiles
import TripClient

/// `export TRIP [--format F] [-o FILE]`: a trip as a calendar, a table, a page, …
enum ExportCommand {
    static func run(_ arguments: inout Arguments) async throws(CommandFailure) {
        let caller = try Caller(&arguments, startsDaemon: true)
        let (named, path) = try parsing { () throws(Arguments.UsageError) in
            (try arguments.option("--format"), try arguments.option("-o"))
        }
        let trip = try Command.trip(&arguments)
        try parsing { () throws(Arguments.UsageError) in try arguments.finish() }
        let format = try format(named, path)
        let snapshot = try await asking { () async throws(ClientError) in
            let (client, _) = try await caller.connect()
            return try await client.snapshot(of: trip)
        }
        let bytes = format.text(of: snapshot.trip)
        guard let path else { return StandardStream.output.write(bytes) }
        do throws(SystemError) {
            try PrivateFile.write(bytes, to: path)
        } catch {
            throw CommandFailure("\(error)", exitCode: CommandFailure.ioFailed)
        }
    }

    /// The format that is asked for, else that of the file's name, else text.
    private static func format(_ named: String?, _ path: String?) throws(CommandFailure) -> FileFormat {
        guard let named else { return path.flatMap(FileFormat.init(fileName:)) ?? .txt }
        guard let format = FileFormat(rawValue: named) else {
            let all = FileFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure("--format is one of \(all), not \(named)", exitCode: CommandFailure.usage)
        }
        return format
    }
}
