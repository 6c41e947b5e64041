import TripClient

/// A list, a button and a status line. `redraw` is the toolkit's.
@MainActor
final class ListScreen {
    private let trip: LiveTrip
    private let redraw: (ListScreen) -> Void
    /// Why the last change failed.
    private(set) var failure = ""

    init(_ trip: LiveTrip, redraw: @escaping (ListScreen) -> Void) {
        (self.trip, self.redraw) = (trip, redraw)
    }

    var rows: [Item] { trip.state.trip.items }

    var status: String {
        switch trip.state.connection {
        case .connected: trip.state.pendingCount == 0 ? "saved" : "saving \(trip.state.pendingCount)"
        case .connecting: "not connected; \(trip.state.pendingCount) changes wait"
        case .ended(let error): "closed: \(error)"
        }
    }

    /// Returns when the trip is closed.
    func follow() async {
        for await _ in trip.states { redraw(self) }
    }

    func lunchButton() {
        make(.edits([.add(.random(), .custom(CustomItem(title: "Lunch")), to: .end(day: 1))]))
    }

    /// Moves a row above another one, or to the end of its day.
    func onMove(from row: Int, to target: Int) {
        let day = rows[row].position.day
        let place =
            target < rows.count
            ? Placement.before(rows[target].id, day: rows[target].position.day) : .end(day: day)
        make(.edits([.move(rows[row].id, to: place)]))
    }

    private func make(_ change: LiveTrip.Change) {
        let submitted = trip.submit(change)
        redraw(self)
        Task {
            do throws(ClientError) { _ = try await submitted.result } catch { failure = "\(error)" }
            redraw(self)
        }
    }
}
