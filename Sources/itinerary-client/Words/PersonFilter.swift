import CommandLineKit
import TripModel
import TripProtocol

/// `--person NAME`: the items of one person, and those of nobody in particular.
enum PersonFilter {
    static let option = OptionRow.value(
        "--person", "NAME", "only items of this person, and of nobody in particular")

    /// Trips with the items that `--person` leaves; without the option as they are.
    ///
    /// - Throws: `CommandFailure` if none of the trips names the person.
    static func trips(_ trips: [Trip], _ invocation: Invocation) throws(CommandFailure) -> [Trip] {
        guard let person = invocation.value(option) else { return trips }
        let names = trips.reduce(into: [String: String]()) { names, trip in
            let doers = trip.header.todo.compactMap { $0.parts.person }
            names.merge(trip.spellings) { first, _ in first }
            names.merge(doers.map { ($0.lowercased(), $0) }) { first, _ in first }
        }
        guard names[person.lowercased()] != nil || trips.isEmpty else {
            let known = names.values.sorted().prefix(20).joined(separator: ", ")
            throw CommandFailure(
                "nobody is called \(PlainText.visible(person)); "
                    + (names.isEmpty
                        ? "the items name no people" : "the items name \(PlainText.visible(known))"),
                exitCode: .noInput)
        }
        do { return try trips.map { try $0.items(of: person) } } catch {
            throw CommandFailure("the trip is inconsistent: \(error)", exitCode: .badData)
        }
    }

    /// A snapshot with the items that `--person` leaves, and the problems of these.
    static func snapshot(_ snapshot: Snapshot, _ invocation: Invocation) throws(CommandFailure) -> Snapshot {
        let trip = try trips([snapshot.trip], invocation)[0]
        return Snapshot(
            trip: trip, epoch: snapshot.epoch,
            problems: snapshot.problems.filter { $0.items.allSatisfy { trip[$0] != nil } })
    }
}
