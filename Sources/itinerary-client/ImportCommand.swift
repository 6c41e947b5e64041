import JSONLine
import LocalSystem
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// `import FILE [TRIP]`: takes the entries of a calendar, a table or a trip into a trip; those that are there
/// already are updated.
enum ImportCommand {
    static func run(_ arguments: inout Arguments) async throws(CommandFailure) {
        let caller = try Caller(&arguments, startsDaemon: true)
        let isStrict = arguments.flag("--strict")
        let isDryRun = arguments.flag("--dry-run")
        let isJSON = arguments.flag("--json")
        let words = try ImportWords(&arguments)
        let path = try parsing { () throws(Arguments.UsageError) in
            try arguments.word(named: "the file (an .ics, a .csv or a .json)")
        }
        let named = arguments.word().map(TripReference.init)
        try parsing { () throws(Arguments.UsageError) in try arguments.finish() }
        let schedule = try words.schedule(path)
        if isStrict { try checkStrictly(schedule, path) }
        let client = try await SteadyClient(caller)
        let name = words.name ?? ImportOptions.source(ofPath: path)
        var trip: Trip?
        if let named {
            trip = try await client.snapshot(of: named).trip
        } else {
            trip = try await present(named: name, client.client)?.trip
        }
        let isThere = trip != nil
        let start: Trip
        if let trip {
            start = trip
        } else {
            let frame = try neededFrame(schedule, path)
            start =
                isDryRun
                ? frame.emptyTrip(named: name) : try await make(frame, named: name, client.client).trip
        }
        let plan: ImportPlan
        do throws(ImportPlan.Refusal) {
            plan = try schedule.plan(into: start)
        } catch {
            throw CommandFailure("\(path): \(error): nothing is imported", exitCode: CommandFailure.refused)
        }
        if isStrict { try checkStrictly(plan.report, path) }
        var version = start.version
        if !isDryRun {
            version = try await ImportRun(plan: plan, trip: start, client: client).perform() ?? version
        }
        if isJSON {
            var writer = JSONWriter()
            plan.report.encode(
                to: &writer, trip: isThere || !isDryRun ? start.header.slug : nil, version: version)
            writer.endLine()
            StandardStream.output.write(writer.take())
        } else {
            StandardStream.output.print(plan.report.lines.joined(separator: "\n"))
        }
        if !plan.report.isComplete {
            throw CommandFailure(
                "\(path): \(plan.report.skipped.count) entries are not imported",
                exitCode: CommandFailure.refused)
        }
    }

    /// Looks for bad entries before anything is made, by the days that a new trip would have.
    private static func checkStrictly(_ schedule: NamedSchedule, _ path: String) throws(CommandFailure) {
        guard let frame = try newFrame(schedule, path) else { return }
        let empty = frame.emptyTrip(named: schedule.options.source)
        guard let plan = try? schedule.plan(into: empty) else { return }
        try checkStrictly(plan.report, path)
    }

    private static func checkStrictly(_ report: ImportReport, _ path: String) throws(CommandFailure) {
        if report.isComplete { return }
        for entry in report.skipped { StandardStream.error.print("\(path): \(entry)") }
        throw CommandFailure(
            "\(path) has \(report.skipped.count) bad entries; nothing is imported",
            exitCode: CommandFailure.badData)
    }

    private static func newFrame(
        _ schedule: NamedSchedule, _ path: String
    ) throws(CommandFailure) -> TripFrame? {
        do throws(FileError) {
            return try schedule.file.newTripFrame(schedule.options)
        } catch {
            throw CommandFailure("\(path): \(error)", exitCode: CommandFailure.badData)
        }
    }

    private static func neededFrame(
        _ schedule: NamedSchedule, _ path: String
    ) throws(CommandFailure) -> TripFrame {
        guard let frame = try newFrame(schedule, path) else {
            throw CommandFailure(
                "\(path) has no entries with a date; nothing is imported", exitCode: CommandFailure.badData)
        }
        return frame
    }

    /// Makes the trip of a file: from the first entry's date to the last one's.
    private static func make(
        _ frame: TripFrame, named name: String, _ client: TripClient
    ) async throws(CommandFailure) -> Snapshot {
        let slug = TripHeader.slug(of: name)
        let draft = TripDraft(
            name: frame.emptyTrip(named: name).header.name, startDate: frame.firstDay,
            timeZone: frame.timeZone, dayCount: frame.dayCount, slug: slug.isEmpty ? nil : slug)
        return try await asking { () async throws(ClientError) in try await client.create(draft) }
    }

    /// The trip that a name gave its slug or, where nothing of the name can stand in a slug, that is called so.
    private static func present(
        named name: String, _ client: TripClient
    ) async throws(CommandFailure) -> Snapshot? {
        let slug = TripHeader.slug(of: name)
        var trip = TripReference.slug(slug)
        if slug.isEmpty {
            let trips = try await asking { () async throws(ClientError) in try await client.trips() }
            guard let id = trips.first(where: { String.isVerbatim($0.header.name, name) })?.header.id else {
                return nil
            }
            trip = .id(id)
        }
        do throws(ClientError) {
            return try await client.snapshot(of: trip)
        } catch {
            guard case .refused(let refusal) = error, refusal.known == .tripNotFound else {
                throw CommandFailure(error)
            }
            return nil
        }
    }
}

/// Sends an import's edits, in batches.
struct ImportRun {
    let plan: ImportPlan
    let trip: Trip
    let client: SteadyClient

    /// Sends everything; the plan has been tried as a whole on the trip as it was.
    ///
    /// - Returns: the trip's version after it; nil where nothing had to be changed.
    /// - Throws: `CommandFailure`; where somebody else's change came between, it says how much is imported.
    func perform() async throws(CommandFailure) -> Int? {
        var done = 0
        var version: Int?
        for batch in plan.batches {
            do throws(CommandFailure) {
                version = try await client.change(.id(trip.header.id), batch).version
            } catch {
                let what =
                    done == 0
                    ? "nothing is imported" : "\(done) of \(plan.edits.count) changes are made"
                throw CommandFailure("\(error.message): \(what)", exitCode: error.exitCode)
            }
            done += batch.count
        }
        return version
    }
}
