import LocalSystem
import ScheduleFiles
import TripModel

/// What the command line says of how a file is to be imported.
struct ImportWords {
    /// What a new trip is called.
    let name: String?
    private let format: FileFormat?
    private let source: String?
    private let city: String?
    private let cities: String?
    private let timed: ImportOptions.Timed
    private let prunes: Bool

    init(_ arguments: inout Arguments) throws(CommandFailure) {
        func option(_ name: String) throws(CommandFailure) -> String? {
            try parsing { () throws(Arguments.UsageError) in try arguments.option(name) }
        }
        prunes = arguments.flag("--prune")
        name = try option("--name")
        source = try option("--source")
        city = try option("--city")
        cities = try option("--cities")
        let kind = try option("--as") ?? "games"
        guard let timed = ImportOptions.Timed(rawValue: kind) else {
            throw CommandFailure("--as is games or custom, not \(kind)", exitCode: CommandFailure.usage)
        }
        self.timed = timed
        guard let text = try option("--format") else {
            format = nil
            return
        }
        guard let format = FileFormat(rawValue: text), FileFormat.imported.contains(format) else {
            throw CommandFailure("--format is ics, csv or json, not \(text)", exitCode: CommandFailure.usage)
        }
        self.format = format
    }

    /// Reads the file, to be imported so.
    func schedule(_ path: String) throws(CommandFailure) -> NamedSchedule {
        var schedule = try NamedSchedule(path, as: format)
        if let source { schedule.options = ImportOptions(source: source) }
        schedule.options.prunes = prunes
        schedule.options.city = city
        schedule.options.timed = timed
        if let cities {
            let bytes = try NamedSchedule.bytes(of: cities)
            do {
                schedule.options.cities = try CityTable(FileText(bytes))
            } catch {
                throw CommandFailure("\(cities): \(error)", exitCode: CommandFailure.badData)
            }
        }
        return schedule
    }
}
