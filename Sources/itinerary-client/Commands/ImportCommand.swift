import JSONLine
import LocalSystem
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// `import FILE [TRIP]`: takes the entries of a calendar, a table or a trip into a trip; those that are there
/// already are updated.
enum ImportCommand {
    private static let dryRun = OptionRow.flag("--dry-run", "only report")
    private static let strict = OptionRow.flag("--strict", "import nothing where any entry is bad")
    private static let restoreRemoved = OptionRow.flag(
        "--restore-removed", "bring back entries that somebody removed from the trip")

    static let row = CommandRow(
        name: "import", summary: "take the entries of a calendar, a table or a trip into a trip",
        forms: ["FILE|- [TRIP] [OPTION…]"],
        words: [WordRow("FILE", .file), WordRow("TRIP", .trip, isRequired: false)],
        options: [dryRun, strict, restoreRemoved] + ImportWords.options,
        examples: [
            .init("import worldcup.ics", "into a trip named like the file; again, when it has changed"),
            .init("import worldcup.ics cup --dry-run", "only tell what it would do"),
            .init("import league.csv cup --prune --source league", "and remove what the league took off"),
            .init("export cup --format json | itinerary-client import - --name Copy", "a copy"),
        ],
        details: [
            "Reads .ics, .csv and .json. Everything is one change with one undo. Entries are known again by what",
            "the file calls them; your own note, cost, reference and time of a known one stay.",
        ],
        exits: [
            .refused: "entries were skipped, or nothing was imported because of a limit",
            .badData: "the file makes no sense, or with --strict an entry does not",
            .noInput: "no such file, or it is a directory",
        ], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let isStrict = invocation.has(strict)
        let isDryRun = invocation.has(dryRun)
        let words = try ImportWords(invocation)
        let path = invocation.words[0]
        var schedule = try await words.schedule(path)
        let source = ImportSource(path: schedule.name, isStrict: isStrict)
        if isStrict { try source.checkStrictly(schedule) }
        let client = try await SteadyClient(invocation.caller)
        let name = words.name ?? (path == "-" ? schedule.options.source : ImportOptions.source(ofPath: path))
        var present: Trip?
        if invocation.words.count > 1 {
            present = try await TripName(invocation.words[1]).snapshot(client.client).trip
        } else {
            present = try await trip(named: name, client.client)
        }
        if let present, !invocation.has(restoreRemoved) {
            schedule.options.removedItems = try await Self.removedItems(from: present, client.client)
        }
        let start: Trip
        let isNew = present == nil
        if let present {
            start = present
        } else {
            let frame = try source.neededFrame(schedule)
            // Before a trip is made it is known what comes into it.
            try source.checkSize(schedule, frame.emptyTrip(named: name))
            start =
                isDryRun ? frame.emptyTrip(named: name) : try await make(frame, named: name, client.client)
        }
        let report: ImportReport
        var version = start.version
        do throws(CommandFailure) {
            let plan = try source.plan(schedule, into: start)
            if !isDryRun, !plan.edits.isEmpty {
                do throws(CommandFailure) {
                    version = try await client.change(.id(start.header.id), plan.edits).version
                } catch {
                    throw error.saying("\(error.message): nothing is imported")
                }
            }
            report = plan.report
        } catch {
            // The trip that was made for it goes again, where it is certain that nothing came into it.
            if isNew, !isDryRun, error.exitCode != CommandFailure.unavailable {
                try? await client.client.delete(.id(start.header.id))
            }
            throw error
        }
        tell(report, invocation, trip: isNew && isDryRun ? nil : start.header, version)
        if !report.isComplete {
            let count = PlainText.counted(report.skipped.count, "entry").replacing("entrys", with: "entries")
            let what = report.skipped.isEmpty ? "its end is missing" : "\(count) of it not imported"
            throw CommandFailure(
                "\(source.shown): \(what)", exitCode: CommandFailure.refused, reason: "skipped")
        }
    }

    private static func tell(
        _ report: ImportReport, _ invocation: Invocation, trip: TripHeader?, _ version: Int
    ) {
        guard invocation.isJSON else {
            StandardStream.output.print(report.lines.joined(separator: "\n"))
            if let trip { invocation.tell("into \(PlainText.visible(trip.name)) (\(trip.slug))") }
            return
        }
        var writer = JSONWriter()
        report.encode(to: &writer, trip: trip?.slug, version: version)
        writer.endLine()
        StandardStream.output.write(writer.take())
    }

    // MARK: The trip

    /// Makes the trip of a file: from the first entry's date to the last one's.
    private static func make(
        _ frame: TripFrame, named name: String, _ client: TripClient
    ) async throws(CommandFailure) -> Trip {
        let slug = TripHeader.slug(of: name)
        let draft = TripDraft(
            name: frame.emptyTrip(named: name).header.name, startDate: frame.firstDay,
            timeZone: frame.timeZone, dayCount: frame.dayCount, slug: slug.isEmpty ? nil : slug)
        return try await asking { () async throws(ClientError) in try await client.create(draft) }.trip
    }

    /// The trip that a name gave its slug or, where nothing of the name can stand in a slug, that is called so.
    private static func trip(named name: String, _ client: TripClient) async throws(CommandFailure) -> Trip? {
        let slug = TripHeader.slug(of: name)
        let trips = try await asking { () async throws(ClientError) in try await client.trips() }
        let found = trips.first {
            slug.isEmpty ? String.isVerbatim($0.header.name, name) : $0.header.slug == slug
        }
        guard let id = found?.header.id else { return nil }
        return try await asking { () async throws(ClientError) in try await client.snapshot(of: .id(id)) }
            .trip
    }

    /// How many changes are looked through for removals.
    private static let historyLength = 1000
    private static let historyPage = 500

    /// The items that somebody removed and that nobody brought back, as far as the history goes.
    private static func removedItems(
        from trip: Trip, _ client: TripClient
    ) async throws(CommandFailure) -> Set<ItemID> {
        var removed: Set<ItemID> = []
        var seen: Set<ItemID> = []
        var before: Int?
        for _ in 0..<(historyLength / historyPage) {
            let (last, id) = (before, TripReference.id(trip.header.id))
            let entries = try await asking { () async throws(ClientError) in
                try await History.entries(of: id, before: last, limit: historyPage, client)
            }
            for entry in entries {
                // Whoever takes back an import wants to be able to make it again.
                let isUndo = entry["summary"]?.string?.hasPrefix("undid: ") == true
                for operation in entry["ops"]?.elements.map({ $0 }) ?? [] {
                    guard let id = operation["item"]?.string.flatMap(ItemID.init), seen.insert(id).inserted
                    else { continue }
                    if !isUndo, operation["op"]?.string == "remove" { removed.insert(id) }
                }
            }
            guard entries.count == historyPage, let oldest = entries.last?["version"]?.int else { break }
            before = oldest
        }
        return removed.filter { trip[$0] == nil }
    }
}

/// The file of an import, for what is said of it.
struct ImportSource {
    let path: String
    let isStrict: Bool

    var shown: String { PlainText.visible(path) }

    /// Looks for bad entries before anything is made, by the days that a new trip would have.
    func checkStrictly(_ schedule: NamedSchedule) throws(CommandFailure) {
        guard let frame = try newFrame(schedule) else { return }
        let empty = frame.emptyTrip(named: schedule.options.source)
        guard let plan = try? schedule.plan(into: empty) else { return }
        try checkStrictly(plan.report)
    }

    private func checkStrictly(_ report: ImportReport) throws(CommandFailure) {
        if report.isComplete { return }
        let lines = report.skipped.map { "\n  \($0)" }.joined()
        let what = report.skipped.isEmpty ? "lacks its end" : "has \(report.skipped.count) bad entries"
        throw CommandFailure(
            "\(shown) \(what); nothing is imported\(lines)", exitCode: CommandFailure.badData)
    }

    /// What it changes in a trip.
    func plan(_ schedule: NamedSchedule, into trip: Trip) throws(CommandFailure) -> ImportPlan {
        let plan: ImportPlan
        do throws(ImportPlan.Refusal) { plan = try schedule.plan(into: trip) } catch {
            throw CommandFailure("\(shown): \(error): nothing is imported", exitCode: CommandFailure.refused)
        }
        if isStrict { try checkStrictly(plan.report) }
        return plan
    }

    /// Makes sure that a new trip has room for it.
    func checkSize(_ schedule: NamedSchedule, _ empty: Trip) throws(CommandFailure) {
        _ = try plan(schedule, into: empty)
    }

    private func newFrame(_ schedule: NamedSchedule) throws(CommandFailure) -> TripFrame? {
        do throws(FileError) {
            return try schedule.file.newTripFrame(schedule.options)
        } catch {
            throw CommandFailure("\(shown): \(error)", exitCode: CommandFailure.badData)
        }
    }

    func neededFrame(_ schedule: NamedSchedule) throws(CommandFailure) -> TripFrame {
        guard let frame = try newFrame(schedule) else {
            throw CommandFailure(
                "\(shown) has no entries with a date; nothing is imported", exitCode: CommandFailure.badData)
        }
        return frame
    }
}
