import CommandLineKit
import JSONLine
import LocalSystem
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// `import FILE [TRIP]`: imports a calendar, a table or a trip; existing items are updated.
enum ImportCommand {
    private static let dryRun = OptionRow.flag("--dry-run", "report the changes without making them")
    private static let strict = OptionRow.flag("--strict", "import nothing if any entry is invalid")
    private static let restoreRemoved = OptionRow.flag(
        "--restore-removed", "restore entries that were removed from the trip")

    static let command = Command(
        name: "import", summary: "import a calendar, a table or an exported trip",
        forms: ["FILE|- [TRIP] [OPTION…]"],
        words: [WordRow("FILE", .file), WordRow("TRIP", .trip, isRequired: false)],
        options: [dryRun, strict, restoreRemoved] + ImportWords.options,
        examples: [
            .init("import worldcup.ics", "into the trip named after the file"),
            .init("import worldcup.ics cup --dry-run", "show the changes first"),
            .init(
                "import league.csv cup --prune --source league", "and remove entries missing from the file"),
            .init("export cup --format json | itinerary-client import - --name Copy", "copy a trip"),
        ],
        details: [
            "Reads .ics, .csv and .json. An import is one change with one undo. A repeated import applies",
            "the changes of the file since the last import to existing entries (matched by UID or",
            "gameId), and keeps your own changes. Standard input has no name, so name its source with",
            "--source.",
            "itinerary-client help import-export explains the formats and the rules.",
        ],
        exits: [
            .refused: "entries were skipped, or nothing was imported because of a limit",
            .badData: "the file is invalid, or with --strict an entry is",
            .noInput: "no such file",
        ], run: run)

    /// The refusal to read a URL, with a command that downloads it; nil for other words.
    private static func urlRefusal(_ word: String) -> CommandFailure? {
        let schemes = ["http://", "https://", "webcal://"]
        guard let scheme = schemes.first(where: { word.lowercased().hasPrefix($0) }) else { return nil }
        let address = PlainText.visible(
            (scheme == "webcal://" ? "https://" : scheme) + word.dropFirst(scheme.count))
        return .usage(
            "import reads files, not addresses; type: "
                + "curl -fsSL '\(address)' | itinerary-client import - TRIP --format ics --source NAME")
    }

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        if let url = invocation.words.first, let refusal = urlRefusal(url) { throw refusal }
        let words = try ImportWords(invocation)
        Interruption.say("nothing was imported")
        let schedule = try await words.schedule(invocation.words[0])
        do throws(CommandFailure) { try await apply(schedule, invocation, words) } catch {
            let isOpen = error.mayBeDone || !error.isUnreachable
            throw isOpen ? error : error.saying("\(error.message); nothing was imported")
        }
    }

    private static func apply(
        _ schedule: NamedSchedule, _ invocation: Invocation, _ words: ImportWords
    ) async throws(CommandFailure) {
        let client = try await SteadyClient(invocation.caller)
        let deadline = ContinuousClock().now + invocation.caller.timeout
        // If another client changes the trip meanwhile, the file is compared again, within the time limit for
        // an answer.
        while try await !run(invocation, words, schedule, client) {
            guard ContinuousClock().now < deadline else {
                throw CommandFailure(
                    "other users keep changing the trip: nothing was imported",
                    exitCode: .conflict)
            }
        }
    }

    /// Compares the file with the present trip, and applies the differences. Returns false, without any
    /// change, if another client has changed the trip in between.
    private static func run(
        _ invocation: Invocation, _ words: ImportWords, _ given: NamedSchedule, _ client: SteadyClient
    ) async throws(CommandFailure) -> Bool {
        let isDryRun = invocation.has(dryRun)
        let path = invocation.words[0]
        var schedule = given
        let source = ImportSource(path: schedule.name, isStrict: invocation.has(strict))
        let ownName =
            ImportWords.isNameless(path) ? schedule.options.source : ImportOptions.source(ofPath: path)
        let name = words.name ?? ownName
        var present: Trip?
        if invocation.words.count > 1 {
            present = try await TripName(invocation.words[1]).snapshot(
                client.client, includingSourceValues: true
            ).trip
        } else {
            present = try await trip(named: name, client.client)
        }
        if let present, !invocation.has(restoreRemoved) {
            schedule.options.removedItems = try await asking(
                await RemovedItems.of(present.header.id, client.client))
        }
        if let present { schedule.options.prunedContents = PrunedItems().contents(of: present.header.id) }
        if present == nil {
            (schedule.options.zone, schedule.options.today) = (try Today.zone, Today.date)
            if let calendar = schedule.file.calendarName {
                try await noteOtherTrip(with: calendar, client.client, invocation)
            }
        }
        let target: ImportTarget =
            if let present { .known(present) } else {
                try source.newTrip(schedule, named: words.name ?? schedule.file.ownName ?? name)
            }
        // The content of a new trip is known before it is created.
        let plan = try source.plan(schedule, into: target.trip)
        var (header, version) = (present?.header, present?.version ?? 0)
        switch target {
        case .undated: try source.checkDates(plan.report)
        case .known(let trip) where !isDryRun && !plan.edits.isEmpty:
            guard let made = try await change(trip, plan, client) else { return false }
            version = made
            notePruned(plan, of: trip, version, invocation)
        case .new(let empty) where !isDryRun:
            guard let made = try await make(empty.header, named: name, client.client) else { return false }
            (header, version) = (made.header, made.version)
            if !plan.edits.isEmpty {
                guard let filled = try await fill(made, plan, client) else { return false }
                version = filled
            }
        case .known, .new: break
        }
        note(plan.report, invocation, trip: header, version)
        try source.checkCompleteness(plan.report, tripIsThere: header != nil || isDryRun)
        return true
    }

    /// Applies the edits of an import to the planned version; returns the trip's version after them, or nil
    /// if the trip has another version now.
    private static func change(
        _ trip: Trip, _ plan: ImportPlan, _ client: SteadyClient
    ) async throws(CommandFailure) -> Int? {
        do throws(CommandFailure) {
            return try await client.change(.id(trip.header.id), plan.edits, ifVersion: trip.version).version
        } catch {
            // The plan was valid for the planned version, so a refusal may be due to a newer one.
            let codes: [ExitCode] = [.refused, .noInput, .conflict]
            if error.refusal != nil, error.refusal?.known != .itemHeld, codes.contains(error.exitCode),
                try await client.snapshot(of: .id(trip.header.id)).trip.version != trip.version
            {
                return nil
            }
            if error.mayBeDone || error.isUnreachable { throw error }
            let index = error.refusal?.operation ?? 0
            let sentence = error.refusal.flatMap {
                plan.edits.indices.contains(index)
                    ? RefusalText.sentence($0, of: plan.edits[index], in: trip) : nil
            }
            throw error.saying("\(sentence ?? error.message): nothing was imported")
        }
    }

    /// Fills a new trip with the edits planned for it.
    private static func fill(
        _ trip: Trip, _ plan: ImportPlan, _ client: SteadyClient
    ) async throws(CommandFailure) -> Int? {
        do throws(CommandFailure) {
            return try await change(trip, plan, client)
        } catch {
            // If it is certain that the trip is empty and unchanged by others, it is deleted again.
            if !error.mayBeDone {
                try? await client.client.delete(.id(trip.header.id), ifVersion: trip.version)
            }
            throw error
        }
    }

    /// Records pruned items, so that they are restored if the file contains them again.
    private static func notePruned(
        _ plan: ImportPlan, of trip: Trip, _ version: Int, _ invocation: Invocation
    ) {
        do throws(CommandFailure) {
            try PrunedItems().add(of: plan, in: trip, version: version)
        } catch {
            invocation.note(
                "the removed items could not be recorded (\(error.message)); if the file has them again, use --restore-removed"
            )
        }
    }

    private static func note(
        _ report: ImportReport, _ invocation: Invocation, trip: TripHeader?, _ version: Int
    ) {
        guard invocation.isJSON else {
            if invocation.isQuiet, report.concerns.isEmpty { return }
            let more = invocation.has(dryRun) ? "" : trip.map { ": log \($0.slug) --items" } ?? ""
            let lines = invocation.isQuiet ? [report.summary] + report.concerns : report.lines(more: more)
            StandardStream.output.print(lines.joined(separator: "\n"))
            if invocation.has(dryRun) {
                invocation.note("this was a dry run: nothing was changed")
            } else if let trip {
                invocation.note("into \(PlainText.visible(trip.name)) (\(trip.slug))")
            }
            return
        }
        var writer = JSONWriter()
        report.encode(to: &writer, trip: trip?.slug, version: version)
        writer.endLine()
        StandardStream.output.write(writer.take())
    }

    // MARK: The trip

    /// Creates the trip of a file, with the id for which its items were planned; nil if the slug is taken by
    /// now.
    private static func make(
        _ header: TripHeader, named name: String, _ client: TripClient
    ) async throws(CommandFailure) -> Trip? {
        let slug = TripHeader.slug(of: name)
        let draft = TripDraft(
            id: header.id, name: header.name, startDate: header.startDate, timeZone: header.timeZone,
            dayCount: header.dayCount, slug: slug.isEmpty ? nil : slug)
        do throws(CommandFailure) {
            Interruption.beginChange()
            let trip = try await asking(await client.create(draft))
                .trip
            Interruption.endChange(isMade: true)
            Interruption.say("the trip \(trip.header.slug) was created, but nothing was imported into it")
            return trip
        } catch {
            Interruption.endChange(isMade: false)
            if error.refusal?.known == .slugTaken { return nil }
            throw error
        }
    }

    /// Names a trip that has entries of the same calendar, because a new download should usually update it.
    private static func noteOtherTrip(
        with calendar: String, _ client: TripClient, _ invocation: Invocation
    ) async throws(CommandFailure) {
        let name = ImportOptions(source: calendar).source
        for trip in try await asking(await client.trips()).prefix(100) {
            let items = try? await client.snapshot(of: .id(trip.header.id)).trip.items
            let isKnown = items?.contains { item in
                item.content.source.map { String.isVerbatim($0.name, name) } ?? false
            }
            guard isKnown == true else { continue }
            return invocation.note(
                "the trip \(PlainText.visible(trip.header.name)) has entries of this calendar; to update it, name it: "
                    + "import FILE \(trip.header.slug)")
        }
    }

    /// The trip whose slug was made from a name or, if nothing of the name is allowed in a slug, the trip
    /// with that name.
    private static func trip(named name: String, _ client: TripClient) async throws(CommandFailure) -> Trip? {
        let slug = TripHeader.slug(of: name)
        let trips = try await asking(await client.trips())
        let found = trips.first {
            slug.isEmpty ? String.isVerbatim($0.header.name, name) : $0.header.slug == slug
        }
        guard let id = found?.header.id else { return nil }
        return try await asking(await client.snapshot(of: .id(id), includingSourceValues: true)).trip
    }
}

/// The target of an import.
enum ImportTarget {
    /// An existing trip.
    case known(Trip)
    /// An empty trip to be created, whose days include all entries.
    case new(Trip)
    /// No trip, because no entry has a day. This empty trip is used to find the errors of each entry.
    case undated(Trip)

    var trip: Trip {
        switch self {
        case .known(let trip), .new(let trip), .undated(let trip): trip
        }
    }
}

/// The imported file, for messages.
struct ImportSource {
    let path: String
    let isStrict: Bool

    private var shown: String { PlainText.visible(path) }

    /// The trip to be created for a file.
    func newTrip(_ schedule: NamedSchedule, named name: String) throws(CommandFailure) -> ImportTarget {
        let frame: TripFrame?
        do throws(FileError) {
            frame = try schedule.file.newTripFrame(schedule.options)
        } catch {
            throw failure("\(error): nothing was imported", .badData)
        }
        guard let frame else {
            let anyDay = TripFrame(
                timeZone: schedule.options.zone, firstDay: schedule.options.today ?? .epoch, dayCount: 1)
            return .undated(anyDay.emptyTrip(named: name, id: .random()))
        }
        return .new(frame.emptyTrip(named: name, id: .random()))
    }

    /// The plan to import the file into a trip.
    func plan(_ schedule: NamedSchedule, into trip: Trip) throws(CommandFailure) -> ImportPlan {
        let plan: ImportPlan
        do throws(ImportPlan.Refusal) { plan = try schedule.plan(into: trip) } catch {
            let code: ExitCode = if case .file = error { .badData } else { .refused }
            throw failure("\(error): nothing was imported", code)
        }
        if isStrict, !plan.report.isComplete {
            let lines = plan.report.skipped.map { "\n  \($0)" }.joined()
            throw failure("\(gaps(plan.report, "bad")); nothing was imported\(lines)", .badData)
        }
        return plan
    }

    /// Throws if the file has no entries at all; otherwise the report lists the errors of each.
    func checkDates(_ report: ImportReport) throws(CommandFailure) {
        guard report.isComplete else { return }
        let notes = report.notes.map { " (\($0.text))" }.joined()
        throw failure("it has no entries with a date\(notes); nothing was imported", .badData)
    }

    /// Throws unless the whole file was imported.
    func checkCompleteness(_ report: ImportReport, tripIsThere: Bool) throws(CommandFailure) {
        guard !report.isComplete else { return }
        let trip = tripIsThere ? "" : "; no trip is made"
        throw failure(gaps(report, "not imported") + trip, .refused, reason: "skipped")
    }

    /// The parts of the file that were not imported.
    private func gaps(_ report: ImportReport, _ state: String) -> String {
        switch report.skipped.count {
        case 0: "its end is missing"
        case 1: "1 entry is \(state)"
        case let count: "\(count) entries are \(state)"
        }
    }

    private func failure(_ message: String, _ code: ExitCode, reason: String? = nil) -> CommandFailure {
        CommandFailure("\(shown): \(message)", exitCode: code, reason: reason)
    }
}
