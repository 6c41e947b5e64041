import LocalSystem
import ScheduleFiles
import TripModel

/// A parsed schedule file and its name.
struct NamedSchedule: Sendable {
    /// The last component of the file's path.
    let name: String
    let file: ScheduleFile
    var options: ImportOptions

    /// Reads a file; blocks until it is read.
    ///
    /// - Parameters:
    ///   - format: its format; nil to detect it by name and content.
    ///   - timeout: the maximum time without data from a pipe.
    init(_ path: String, as given: FileFormat? = nil, timeout: Duration) throws(CommandFailure) {
        try self.init(
            path, CommandInput.readHere(path, atMost: FileText.maximumBytes, timeout: timeout), as: given)
    }

    /// Parses a file's content.
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

    /// The plan to import it into a trip.
    func plan(into trip: Trip) throws(ImportPlan.Refusal) -> ImportPlan {
        var generator = SystemRandomNumberGenerator()
        return try ImportPlan(importing: file, into: trip, options, using: &generator)
    }
}
