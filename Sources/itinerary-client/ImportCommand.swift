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
        let client = try await SteadyClient(caller)
        let snapshot: Snapshot
        if let named {
            snapshot = try await client.snapshot(of: named)
        } else {
            snapshot = try await trip(for: table, fileName: path, client.client)
        }
        var generator = SystemRandomNumberGenerator()
        let plan = ImportPlan(importing: table, into: snapshot.trip, using: &generator)
        try await ImportRun(plan: plan, trip: snapshot.trip, client: client).perform()
        StandardStream.output.print(plan.summary)
    }

    private static func read(_ path: String) throws(CommandFailure) -> ScheduleTable {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try OpenFile(path, .read, in: RealFileSystem()).readAll()
        } catch {
            let what = error.path == nil ? "\(path): " : ""
            throw CommandFailure("\(what)\(error)", exitCode: CommandFailure.noInput)
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
    let trip: Trip
    let client: SteadyClient

    /// Sends everything, after trying it as a whole on the trip as it was: what cannot be imported in whole is not begun.
    ///
    /// - Throws: `CommandFailure`; where somebody else's change came between, it says how much is imported.
    func perform() async throws(CommandFailure) {
        let batches = plan.batches
        try rehearse(batches)
        var done = 0
        for batch in batches {
            do throws(CommandFailure) {
                try await client.change(.id(trip.header.id), batch)
            } catch {
                let what =
                    done == 0
                    ? "nothing is imported" : "\(done) of \(plan.batches.joined().count) games are imported"
                throw CommandFailure("\(error.message): \(what)", exitCode: error.exitCode)
            }
            done += batch.count
        }
    }

    /// Makes all edits in a copy of the trip, one batch upon the other, as the daemon will.
    private func rehearse(_ batches: [[Edit]]) throws(CommandFailure) {
        var copy = trip
        for batch in batches {
            do throws(EditFailure) {
                _ = try copy.apply(batch, by: Author(name: "", at: Timestamp(milliseconds: 0)))
            } catch {
                let message: String
                switch error.rejection {
                case .limitExceeded(let limit, _): message = "a trip has at most \(limit.maximum) items"
                default: message = "\(error.rejection)"
                }
                throw CommandFailure("\(message): nothing is imported", exitCode: CommandFailure.refused)
            }
        }
    }
}
