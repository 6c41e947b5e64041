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
    init(
        _ path: String, _ bytes: [UInt8], as given: FileFormat? = nil, encoding: TextEncoding? = nil
    ) throws(CommandFailure) {
        name = path.split(separator: "/").last.map(String.init) ?? path
        options = ImportOptions(source: ImportOptions.source(ofPath: path))
        let shown = PlainText.visible(path)
        let told = given ?? FileFormat(fileName: name)
        let format = if let told { told } else { try Self.format(of: bytes, named: name) }
        guard FileFormat.imported.contains(format) else {
            throw CommandFailure(
                "\(shown): a .\(format.rawValue) cannot be imported; .ics, .csv and .json can",
                exitCode: .badData)
        }
        do throws(FileError) { file = try ScheduleFile(bytes, format, encoding: encoding) } catch {
            throw CommandFailure("\(shown): \(error)", exitCode: .badData)
        }
    }

    /// The format that the content looks like. A table has no mark, so an unknown extension is no table.
    private static func format(of bytes: [UInt8], named name: String) throws(CommandFailure) -> FileFormat {
        let format = FileFormat(content: bytes)
        guard format == .csv, let ending = FileFormat.ending(of: name) else { return format }
        throw .unknownFormat(ending, known: FileFormat.imported)
    }

    /// The plan to import it into a trip.
    func plan(into trip: Trip) throws(ImportPlan.Refusal) -> ImportPlan {
        var generator = SystemRandomNumberGenerator()
        return try ImportPlan(importing: file, into: trip, options, using: &generator)
    }
}

extension FileFormat {
    /// The extension of a file name, with its dot; nil for a name without one or of a hidden file.
    static func ending(of name: String) -> String? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return String(name[dot...])
    }
}

extension CommandFailure {
    /// The extension of a file belongs to no known format.
    static func unknownFormat(_ ending: String, known: [FileFormat]) -> CommandFailure {
        .usage(
            "no format is known for \(PlainText.visible(ending)) files; use --format or one of the extensions "
                + known.map(\.rawValue).joined(separator: ", "))
    }
}
