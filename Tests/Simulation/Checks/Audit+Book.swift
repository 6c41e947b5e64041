import JSONLine
import TripModel
import TripProtocol

extension Audit {
    /// Checks that exactly the trips in the book exist, and that every other slug is free.
    func checkBook() throws {
        try begin()
        let book = simulation.world.book
        let rows = try call(.listTrips)["trips"]?.elements.map { $0 } ?? []
        let taken = rows.compactMap { $0["slug"]?.string }
        if Set(taken).count != taken.count { throw Violation("two trips never have one slug", "\(taken)") }
        for trip in Nomad.trips {
            let (result, reason) = try ask(.getTrip(.id(trip)))
            guard let result else {
                guard reason == "trip_not_found" else {
                    throw Violation("at rest nothing is refused", "\(trip): \(reason ?? "")")
                }
                try book.atRest(trip, served: nil, items: [], version: 0)
                continue
            }
            let state = try HeldState(snapshot: result)
            guard let header = result["trip"], let name = header["name"]?.string,
                let slug = header["slug"]?.string
            else { throw Violation("a snapshot has a header") }
            try book.saw(
                name, slug: slug, version: state.version, content: state.content, asked: book.moment)
            try book.atRest(trip, served: name, items: Set(state.items.map(\.id)), version: state.version)
            let named = try call(.getTrip(.slug(slug)))
            guard named["trip"]?["id"]?.string == trip.description, taken.contains(slug) else {
                throw Violation("a slug leads to the trip that has it", "\(slug) of \(trip)")
            }
        }
        for slug in Nomad.slugs where !taken.contains(slug) {
            guard let start = CalendarDate(year: 2026, month: 6, day: 11) else { continue }
            let draft = TripDraft(
                name: "Free?", startDate: start, timeZone: "UTC", dayCount: 1, slug: slug, isDryRun: true)
            let (_, reason) = try ask(.createTrip(draft))
            if let reason { throw Violation("a slug that no trip has is free", "\(slug): \(reason)") }
        }
        try end()
    }
}
