import CommandLineKit
import LocalSystem
import ScheduleFiles
import TripModel

/// What the command line says of how a file is to be imported.
struct ImportWords {
    private static let nameOption = OptionRow.value(
        "--name", "NAME", "the name of a new trip (the file's name)")
    private static let formatOption = OptionRow.value(
        "--format", "F", "ics, csv or json (from the file's name or content)",
        .oneOf(FileFormat.imported.map(\.rawValue)))
    private static let sourceOption = OptionRow.value(
        "--source", "NAME", "the source that the entries belong to (the file's name)")
    private static let prune = OptionRow.flag(
        "--prune", "remove entries of this source that the file lacks")
    private static let cityOption = OptionRow.value("--city", "NAME", "the city of entries that name none")
    private static let citiesOption = OptionRow.value(
        "--cities", "FILE.csv", "the cities of venues: venue,city[,timeZone]", .file)
    private static let kind = OptionRow.value(
        "--as", "games|custom", "import entries with a time as events or as custom items (games)",
        .oneOf(["games", "custom"]))

    static let options = [nameOption, formatOption, sourceOption, prune, cityOption, citiesOption, kind]

    /// What a new trip is called.
    let name: String?
    private let format: FileFormat?
    private let source: String?
    private let city: String?
    private let cities: String?
    private let timed: ImportOptions.Timed
    private let prunes: Bool
    private let patience: Duration

    init(_ invocation: Invocation) throws(CommandFailure) {
        prunes = invocation.has(Self.prune)
        name = invocation.value(Self.nameOption)
        source = invocation.value(Self.sourceOption)
        city = invocation.value(Self.cityOption)
        cities = invocation.value(Self.citiesOption)
        patience = invocation.caller.timeout
        let kind = invocation.value(Self.kind) ?? "games"
        guard let timed = ImportOptions.Timed(rawValue: kind) else {
            throw .usage("--as is games or custom, not \(PlainText.visible(kind))")
        }
        self.timed = timed
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

    /// Whether a path says nothing of what is read: standard input, or what a shell puts in a command's place.
    static func isNameless(_ path: String) -> Bool {
        path == "-" || path.hasPrefix("/dev/") || path.hasPrefix("/proc/")
    }

    /// Reads the file, to be imported so; `-` is standard input.
    func schedule(_ path: String) async throws(CommandFailure) -> NamedSchedule {
        if prunes, source == nil, Self.isNameless(path) {
            throw .usage(
                "--prune needs --source NAME where the file has no name of its own: whose entries are these?")
        }
        let isInput = path == "-"
        let bytes = try await CommandInput.read(
            isInput ? nil : path, atMost: FileText.maximumBytes, patience: patience)
        var schedule = try NamedSchedule(isInput ? Self.standardInput : path, bytes, as: format)
        if let source = source ?? (Self.isNameless(path) ? Self.standardInput : nil) {
            schedule.options = ImportOptions(source: source)
        }
        schedule.options.prunes = prunes
        schedule.options.city = city
        schedule.options.timed = timed
        if let cities {
            let bytes = try await CommandInput.read(
                cities, atMost: FileText.maximumBytes, patience: patience)
            do {
                schedule.options.cities = try CityTable(FileText(bytes))
            } catch {
                throw CommandFailure(
                    "\(PlainText.visible(cities)): \(error)", exitCode: CommandFailure.badData)
            }
        }
        return schedule
    }
}
