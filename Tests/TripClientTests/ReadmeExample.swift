import TripClient

/// Shows a trip as it changes, puts a dinner into it, and leaves.
func visit(_ slug: String, at address: DaemonAddress, showing show: @escaping @Sendable (String) -> Void)
    async throws(ClientError)
{
    let trip = try await LiveTrip.open(.slug(slug), at: address, options: LiveTrip.Options(user: "Ann"))
    let screen = Task {
        for await state in trip.states {
            if case .connecting(_, let reason?) = state.connection { show("not connected: \(reason)") }
            if state.pendingCount > 0 { show("\(state.pendingCount) of your changes are on their way") }
            for item in state.trip.items { show("Day \(item.position.day): \(item.content.title)") }
        }
    }

    // Shown at once. If the connection is lost, it is sent again, and applied only once.
    let dinner = ItemID.random()
    try await trip.add(.custom(CustomItem(title: "Dinner")), as: dinner, to: .end(day: 1))
    do throws(ClientError) {
        try await trip.move(dinner, to: .end(day: 99))
    } catch {
        show("it stays where it is: \(error)")
    }

    // During a drag the shown trip does not change; the changes of others are counted, and shown after the drop.
    try await trip.beginDrag(of: dinner)
    trip.hover(over: .start(day: 2))
    try await trip.drop(.start(day: 2))

    await trip.close()
    await screen.value
}
