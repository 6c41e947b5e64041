import TripClient

/// Shows a trip's list whenever it changes, adds lunch to day 1, drags it to day 2, and undoes the drag.
func plan(
    _ slug: String, at address: DaemonAddress, show: @escaping @Sendable ([String]) -> Void
) async throws(ClientError) {
    let trip = try await LiveTrip.open(.slug(slug), at: address, options: LiveTrip.Options(user: "Ann"))
    let list = Task {
        for await state in trip.states {
            show(state.trip.items.map { "\($0.position.day) \($0.content.title)" })
        }
    }

    // Each change is shown at once. It is sent again, and made once, if the connection is lost before its answer.
    let lunch = ItemID.random()
    try await trip.add(.custom(CustomItem(title: "Lunch")), as: lunch, to: .end(day: 1))

    // Nothing else moves in the list until the item is dropped.
    do throws(ClientError) {
        try await trip.beginDrag(of: lunch)
        trip.hover(over: .start(day: 2))
        try await trip.drop(.start(day: 2))
    } catch {
        if case .refused = error { throw error }
        // The connection was lost, and the drag with it.
        try await trip.move(lunch, to: .start(day: 2))
    }

    try await trip.undo()
    await trip.close()
    await list.value
}
