// Linked with the modules that it imports, each compiled by Tools/fuzz/run; which reader it feeds is FORMAT there.

import ScheduleFiles
import TripModel

/// One input of libFuzzer: a file as somebody might import it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSchedule(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    #if FUZZ_TABLE
    check(bytes, .csv)
    #else
    check(bytes, .ics)
    #endif
    return 0
}

/// Whatever is read can be imported, is reported whole, and comes back the same from each of our own formats.
private func check(_ bytes: [UInt8], _ format: FileFormat) {
    guard let file = try? ScheduleFile(bytes, format) else { return }
    var options = ImportOptions(source: "fuzz")
    options.today = CalendarDate("2026-06-01")
    if bytes.count % 2 == 1 { options.timed = .custom }
    guard let frame = try? file.newTripFrame(options) else { return }
    let empty = frame.emptyTrip(named: "Fuzz")
    var random = SystemRandomNumberGenerator()
    guard let plan = try? ImportPlan(importing: file, into: empty, options, using: &random) else { return }
    var trip = empty
    let author = Author(name: "F", at: Timestamp(milliseconds: 0))
    guard (try? trip.apply(plan.edits, by: author)) != nil else {
        preconditionFailure("what is planned can be done")
    }
    precondition(trip.itemCount == plan.report.imported, "every new item is counted")
    let line = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
    precondition(
        plan.report.skipped.allSatisfy { (1...line).contains($0.line) }, "lines are lines of the file")
    guard let again = try? ImportPlan(importing: file, into: trip, options, using: &random) else {
        preconditionFailure("a second time is no harder than the first")
    }
    precondition(again.report.imported == 0, "what is known is known again")
    for own in FileFormat.imported { checkRoundTrip(of: trip, own) }
    for other in [FileFormat.md, .txt, .html, .gpx] { _ = other.text(of: trip) }
}

private func checkRoundTrip(of trip: Trip, _ format: FileFormat) {
    guard let file = try? ScheduleFile(format.text(of: trip), format) else {
        preconditionFailure("what we write we can read")
    }
    let options = ImportOptions(source: "again")
    var again = TripFrame(trip.header).emptyTrip(named: "Again")
    var random = SystemRandomNumberGenerator()
    guard let plan = try? ImportPlan(importing: file, into: again, options, using: &random),
        (try? again.apply(plan.edits, by: Author(name: "F", at: Timestamp(milliseconds: 0)))) != nil
    else { preconditionFailure("what we wrote can be imported") }
    precondition(again.items.map(\.id) == trip.items.map(\.id), "the same items in the same order")
    precondition(again.items.map(\.content) == trip.items.map(\.content), "with the same fields")
}
