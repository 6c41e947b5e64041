import ScheduleFiles
import TestSupport
import TripModel

/// A file to import.
enum ScheduleHarness {
    /// A readable file must be importable, its report complete, and its items the same after an export and
    /// import in each of our formats.
    static func run(_ bytes: [UInt8], _ format: FileFormat) throws(Finding) {
        guard let file = try? ScheduleFile(bytes, format) else { return }
        var options = ImportOptions(source: "fuzz")
        options.today = CalendarDate("2026-06-01")
        if bytes.count % 2 == 1 { options.timed = .custom }
        guard let frame = try? file.newTripFrame(options) else { return }
        let empty = frame.emptyTrip(named: "Fuzz")
        var random = SplitMix64(seed: 1)
        guard let plan = try? ImportPlan(importing: file, into: empty, options, using: &random) else {
            return
        }
        var trip = empty
        let author = Author(name: "F", at: Timestamp(milliseconds: 0))
        guard (try? trip.apply(plan.edits, by: author)) != nil else {
            throw Finding("what is planned can be done")
        }
        try Finding.unless(trip.itemCount == plan.report.imported, "every new item is counted")
        let line = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
        try Finding.unless(
            plan.report.skipped.allSatisfy { (1...line).contains($0.line) }, "lines are lines of the file")
        guard let again = try? ImportPlan(importing: file, into: trip, options, using: &random) else {
            throw Finding("a second time is no harder than the first")
        }
        try Finding.unless(again.report.imported == 0, "what is known is known again")
        for own in FileFormat.imported { try checkRoundTrip(of: trip, own) }
        for other in [FileFormat.md, .txt, .html, .gpx] { _ = other.text(of: trip) }
    }

    private static func checkRoundTrip(of trip: Trip, _ format: FileFormat) throws(Finding) {
        guard let file = try? ScheduleFile(format.text(of: trip), format) else {
            throw Finding("what we write we can read")
        }
        let options = ImportOptions(source: "again")
        var again = TripFrame(trip.header).emptyTrip(named: "Again")
        var random = SplitMix64(seed: 1)
        guard let plan = try? ImportPlan(importing: file, into: again, options, using: &random),
            (try? again.apply(plan.edits, by: Author(name: "F", at: Timestamp(milliseconds: 0)))) != nil
        else { throw Finding("what we wrote can be imported") }
        try Finding.unless(again.items.map(\.id) == trip.items.map(\.id), "the same items in the same order")
        let zone = format == .csv ? trip.header.timeZone : nil
        try Finding.unless(
            again.items.map { fields(of: $0, zone) } == trip.items.map { fields(of: $0, zone) },
            "with the same fields")
    }

    /// The fields of an item that every format preserves. Only JSON has the source's last values. In the
    /// first row of a table, a game in the trip's zone looks like one without a zone of its own.
    private static func fields(of item: Item, _ zone: String?) -> ItemContent {
        var content = item.content
        if case .source(let source)? = content[.source] {
            content.assign([.source(ItemSource(name: source.name, id: source.id))])
        }
        if case .game(let game) = content, game.timeZone == zone { content.assign([.clear(.timeZone)]) }
        return content
    }
}
