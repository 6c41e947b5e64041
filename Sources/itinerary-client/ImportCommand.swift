import LocalSystem
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// `import FILE.csv [TRIP] [--strict]`: takes the games of a schedule into a trip; games that are there already
/// are updated.
enum ImportCommand {
    static func run(_ arguments: inout Arguments) async throws(CommandFailure) {
        let caller = try Caller(&arguments, startsDaemon: true)
        let isStrict = arguments.flag("--strict")
        let path = try parsing { () throws(Arguments.UsageError) in
            try arguments.word(named: "the file (a .csv)")
        }
        let named = arguments.word().map(TripReference.init)
        try parsing { () throws(Arguments.UsageError) in try arguments.finish() }
        let table = try read(path)
        for row in table.badRows { StandardStream.error.print("\(path): \(row)") }
        if isStrict, !table.badRows.isEmpty {
            throw CommandFailure(
                "\(path) has \(table.badRows.count) bad rows; nothing is imported",
                exitCode: CommandFailure.badData)
        }
        let (client, _) = try await asking { () async throws(ClientError) in try await caller.connect() }
        let snapshot: Snapshot
        if let named {
            snapshot = try await asking { () async throws(ClientError) in
                try await client.snapshot(of: named)
            }
        } else {
            snapshot = try await trip(for: table, fileName: path, client)
        }
        var generator = SystemRandomNumberGenerator()
        let plan = ImportPlan(importing: table, into: snapshot.trip, using: &generator)
        try await ImportRun(
            plan: plan, trip: .id(snapshot.trip.header.id), client: client, isStrict: isStrict
        )
        .perform()
        StandardStream.output.print(plan.summary)
    }

    private static func read(_ path: String) throws(CommandFailure) -> ScheduleTable {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try OpenFile(path, .read, in: RealFileSystem()).readAll()
        } catch {
            throw CommandFailure("\(error)", exitCode: CommandFailure.noInput)
        }
        do throws(ScheduleFileError) { return try ScheduleTable(csv: bytes) } catch {
            throw CommandFailure("\(path): \(error)", exitCode: CommandFailure.badData)
        }
    }

    /// The trip of the file's name, made where it is missing: from the first game's date to the last one's.
    private static func trip(
        for table: ScheduleTable, fileName path: String, _ client: TripClient
    ) async throws(CommandFailure) -> Snapshot {
        let name = path.split(separator: "/").last.map { file in
            file.lastIndex(of: ".").map { String(file[..<$0]) } ?? String(file)
        }
        if let present = try await present(named: name ?? "", client) { return present }
        let slug = TripHeader.slug(of: name ?? "")
        let zone = table.games.first?.game.timeZone ?? "UTC"
        // By the clocks of each game's place, as the daemon will count its days.
        let dates = table.games.compactMap { $0.game.date(inTripZone: zone) }
        guard let first = dates.min(), let last = dates.max() else {
            throw CommandFailure(
                "\(path) has no games; nothing is imported", exitCode: CommandFailure.badData)
        }
        let days = min(last.daysSince1970 - first.daysSince1970 + 1, TripLimits.days)
        let draft = TripDraft(
            name: name ?? "Trip", startDate: first,
            timeZone: zone, dayCount: days, slug: slug.isEmpty ? nil : slug)
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
    let trip: TripReference
    let client: TripClient
    let isStrict: Bool

    /// Sends everything; a strict import is tried as a whole before any of it is done.
    func perform() async throws(CommandFailure) {
        let batches = plan.batches
        if isStrict, batches.count > 1 {
            for batch in batches { _ = try await send(batch, isDryRun: true) }
        }
        for batch in batches { _ = try await send(batch, isDryRun: false) }
    }

    private func send(_ batch: [Edit], isDryRun: Bool) async throws(CommandFailure) -> ChangeResult {
        try await asking { () async throws(ClientError) in
            try await client.change(
                ChangeRequest(
                    method: .apply, trip: trip, edits: batch, options: ChangeOptions(isDryRun: isDryRun)))
        }
    }
}
