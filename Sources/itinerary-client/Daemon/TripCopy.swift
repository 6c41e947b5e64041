import ItineraryUI
import JSONLine
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// A new trip with the items of another one.
struct TripCopy {
    /// A description of items that the new trip refuses; nil if there are none.
    let left: String?
    private let draft: TripDraft
    private let items: [Edit]

    /// - Parameters:
    ///   - name: the copy's name; nil for that of the original.
    ///   - slug: its slug; nil to derive it from the name.
    init(of trip: Trip, named name: String? = nil, slug: String? = nil) throws(CommandFailure) {
        var header = trip.header
        if let name { header.name = name }
        try self.init(
            try NamedSchedule("\(trip.header.slug).json", TripFile.text(of: trip)), header, slug: slug)
    }

    /// - Parameters:
    ///   - schedule: the original in our own JSON format.
    ///   - header: the name, days and zone of the copy.
    ///   - slug: as above.
    init(_ schedule: NamedSchedule, _ header: TripHeader, slug: String? = nil) throws(CommandFailure) {
        let id = TripID.random()
        let plan = TripPlan(header)
        (items, left) = try EditorSession.items(of: schedule, plan, id)
        draft = TripDraft(
            id: id, name: plan.name, startDate: plan.startDate, timeZone: plan.timeZone,
            dayCount: plan.dayCount, slug: slug)
    }

    /// Creates the trip, in one request if it fits.
    func make(_ client: SteadyClient) async throws(CommandFailure) -> Trip {
        var sent = draft
        sent.items = items
        let areAdded = items.allSatisfy { if case .add = $0 { true } else { false } }
        let fits = areAdded && Request.createTrip(sent).line(id: .number(1)).count <= WireLimits.lineBytes
        if !fits { sent.items = [] }
        let request = Request.createTrip(sent)
        let id = TripReference.id(draft.id ?? .random())
        do throws(CommandFailure) { _ = try await client.once { _ in request } } catch {
            // No other client uses the id, so an earlier attempt has created it.
            guard error.refusal?.known == .duplicateID else { throw error }
        }
        if !fits {
            do throws(CommandFailure) { try await client.change(id, items) } catch {
                if !error.mayBeDone {
                    _ = try? await client.once { _ in .deleteTrip(id, ifVersion: nil, isDryRun: false) }
                }
                throw error
            }
        }
        return try await client.snapshot(of: id).trip
    }
}
