import LocalSystem
import ScheduleFiles
import TripModel

/// A schedule read from a file, with what the file is called.
struct NamedSchedule: Sendable {
    /// The last part of the file's path.
    let name: String
    let file: ScheduleFile
    var options: ImportOptions

    /// Reads a file; blocks until it is read.
    ///
    /// - Parameters:
    ///   - format: its format; nil where its name or what it holds tells.
    ///   - patience: how long nothing may come out of a pipe.
    init(_ path: String, as given: FileFormat? = nil, patience: Duration) throws(CommandFailure) {
        try self.init(
            path, CommandInput.readHere(path, atMost: FileText.maximumBytes, patience: patience), as: given)
    }

    /// Makes sense of what a file holds.
    init(_ path: String, _ bytes: [UInt8], as given: FileFormat? = nil) throws(CommandFailure) {
        name = path.split(separator: "/").last.map(String.init) ?? path
        options = ImportOptions(source: ImportOptions.source(ofPath: path))
        let shown = PlainText.visible(path)
        let format = given ?? FileFormat(fileName: path) ?? FileFormat(content: bytes)
        guard FileFormat.imported.contains(format) else {
            throw CommandFailure(
                "\(shown): a .\(format.rawValue) cannot be imported; .ics, .csv and .json can",
                exitCode: CommandFailure.badData)
        }
        do throws(FileError) { file = try ScheduleFile(bytes, format) } catch {
            throw CommandFailure("\(shown): \(error)", exitCode: CommandFailure.badData)
        }
    }

    /// What it changes in a trip.
    func plan(into trip: Trip) throws(ImportPlan.Refusal) -> ImportPlan {
        var generator = SystemRandomNumberGenerator()
        return try ImportPlan(importing: file, into: trip, options, using: &generator)
    }
}
