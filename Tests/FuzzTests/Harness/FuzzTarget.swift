/// A reader of untrusted bytes, with invariants that must hold for any input.
enum FuzzTarget: String, CaseIterable, Sendable {
    case json, journal, catalogue, session, move, access, input, calendar, table

    /// Reads one input.
    ///
    /// - Throws: `Finding` if an invariant is violated. A trap is a finding too.
    func run(_ bytes: [UInt8]) throws(Finding) {
        switch self {
        case .json: try JSONHarness.run(bytes)
        case .journal: try JournalHarness.run(bytes)
        case .catalogue: try CatalogueHarness.run(bytes)
        case .session: try SessionHarness.run(bytes)
        case .move: try MoveHarness.run(bytes)
        case .access: try AccessHarness.run(bytes)
        case .input: try InputHarness.run(bytes)
        case .calendar: try ScheduleHarness.run(bytes, .ics)
        case .table: try ScheduleHarness.run(bytes, .csv)
        }
    }
}

/// A violated invariant.
struct Finding: Error, CustomStringConvertible {
    let promise: String
    let facts: String

    init(_ promise: String, _ facts: String = "") {
        self.promise = promise
        self.facts = facts
    }

    var description: String { facts.isEmpty ? promise : "\(promise): \(facts)" }

    /// Throws unless a condition holds.
    static func unless(
        _ holds: Bool, _ promise: @autoclosure () -> String, _ facts: @autoclosure () -> String = ""
    ) throws(Finding) {
        if !holds { throw Finding(promise(), facts()) }
    }
}
