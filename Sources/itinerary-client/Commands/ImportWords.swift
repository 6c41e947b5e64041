import CommandLineKit
import LocalSystem
import ScheduleFiles
import TripModel

/// The import options of the command line.
struct ImportWords {
    private static let nameOption = OptionRow.value(
        "--name", "NAME", "the name of a new trip (the file's name)")
    private static let formatOption = OptionRow.value(
        "--format", "F", "ics, csv or json (from the file's name or content)",
        .oneOf(FileFormat.imported.map(\.rawValue)))
    private static let encodingOption = OptionRow.value(
        "--encoding", "NAME", "the encoding of a file that is not UTF-8",
        .oneOf(TextEncoding.allCases.map(\.rawValue)))
    private static let sourceOption = OptionRow.value(
        "--source", "NAME", "the source that the entries belong to (the file's name)")
    private static let prune = OptionRow.flag(
        "--prune", "remove entries of this source that the file lacks; all: any number, edited ones too",
        or: "all")
    private static let cityOption = OptionRow.value("--city", "NAME", "the city of entries that name none")
    private static let citiesOption = OptionRow.value(
        "--cities", "FILE.csv", "the cities of venues: venue,city[,timeZone]", .file)
    private static let kind = OptionRow.value(
        "--as", "games|custom", "import entries with a time as events or as custom items (games)",
        .oneOf(["games", "custom"]))

    private static let theirs = OptionRow.flag(
        "--theirs", "if you and the file have both changed a field, use the file's value")

    private static let extend = OptionRow.flag(
        "--extend", "give the trip more days, before and after, for entries outside it")

    private static let notAttending = OptionRow.flag(
        "--not-attending", "mark new events as not attended")

    static let options = [
        nameOption, formatOption, encodingOption, sourceOption, prune, theirs, extend, notAttending,
        cityOption, citiesOption,
        kind,
    ]

    /// The name of a new trip.
    let name: String?
    private let format: FileFormat?
    private let encoding: TextEncoding?
    private let source: String?
    private let city: String?
    private let cities: String?
    private let timed: ImportOptions.Timed
    private let pruning: ImportOptions.Pruning
    private let takesSource: Bool
    private let extends: Bool
    private let attends: Bool
    private let timeout: Duration

    init(_ invocation: Invocation) throws(CommandFailure) {
        pruning =
            if invocation.value(Self.prune) != nil { .all } else {
                invocation.has(Self.prune) ? .some : .none
            }
        takesSource = invocation.has(Self.theirs)
        extends = invocation.has(Self.extend)
        attends = !invocation.has(Self.notAttending)
        name = invocation.value(Self.nameOption)
        source = invocation.value(Self.sourceOption)
        city = invocation.value(Self.cityOption)
        cities = invocation.value(Self.citiesOption)
        timeout = invocation.caller.timeout
        let kind = invocation.value(Self.kind) ?? "games"
        guard let timed = ImportOptions.Timed(rawValue: kind) else {
            throw .usage("--as is games or custom, not \(PlainText.visible(kind))")
        }
        self.timed = timed
        if let name = invocation.value(Self.encodingOption) {
            guard let encoding = TextEncoding(named: name) else {
                let known = TextEncoding.allCases.map(\.rawValue).joined(separator: ", ")
                throw .usage("--encoding is one of \(known), not \(PlainText.visible(name))")
            }
            self.encoding = encoding
        } else {
            encoding = nil
        }
        guard let text = invocation.value(Self.formatOption) else {
            format = nil
            return
        }
        guard let format = FileFormat(rawValue: text), FileFormat.imported.contains(format) else {
            throw .usage("--format is ics, csv or json, not \(PlainText.visible(text))")
        }
        self.format = format
    }

    private static let standardInput = "standard input"

    /// Whether a path has no meaningful name: standard input, or a shell's process substitution.
    static func isNameless(_ path: String) -> Bool {
        path == "-" || path.hasPrefix("/dev/") || path.hasPrefix("/proc/")
    }

    /// Reads the file; `-` is standard input.
    func schedule(_ path: String) async throws(CommandFailure) -> NamedSchedule {
        let isInput = path == "-"
        let bytes = try await CommandInput.read(
            isInput ? nil : path, atMost: FileText.maximumBytes, timeout: timeout)
        var schedule = try NamedSchedule(
            isInput ? Self.standardInput : path, bytes, as: format, encoding: encoding)
        if pruning != .none, source == nil, Self.isNameless(path), schedule.file.calendarName == nil {
            throw .usage(
                "--prune needs --source NAME, because the file has no name of its own")
        }
        if let source = source ?? (Self.isNameless(path) ? Self.standardInput : nil) {
            schedule.options = ImportOptions(source: source)
        }
        schedule.options.isSourceNamed = source != nil
        schedule.options.pruning = pruning
        schedule.options.takesSource = takesSource
        schedule.options.extends = extends
        schedule.options.attends = attends
        schedule.options.city = city
        schedule.options.timed = timed
        if let cities {
            let bytes = try await CommandInput.read(
                cities, atMost: FileText.maximumBytes, timeout: timeout)
            do {
                schedule.options.cities = try CityTable(FileText(bytes))
            } catch {
                throw CommandFailure(
                    "\(PlainText.visible(cities)): \(error)", exitCode: .badData)
            }
        }
        return schedule
    }
}
