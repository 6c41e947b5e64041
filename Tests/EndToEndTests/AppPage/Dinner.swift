import TripClient

/// Books a dinner at the end of a day.
func bookDinner(_ time: ClockTime, day: Int, in trip: LiveTrip) async throws(ClientError) -> ItemID {
    let id = ItemID.random()
    let dinner = CustomItem(title: "Dinner", cost: Cost(amount: 40, currency: "EUR"), time: time)
    try await trip.add(.custom(dinner), as: id, to: .end(day: day))
    return id
}

/// Moves an item to the end of another day; returns why the daemon refused that, or nil.
func postpone(_ item: ItemID, to day: Int, in trip: LiveTrip) async throws(ClientError) -> String? {
    do throws(ClientError) {
        try await trip.move(item, to: .end(day: day))
        return nil
    } catch {
        guard case .refused(let refusal) = error else { throw error }
        // `known` is nil if the reason is newer than this library.
        switch refusal.known {
        case .dayOutOfRange?: return "The trip has no day \(day)."
        case .itemHeld?: return "Somebody else is dragging it."
        default: return refusal.message
        }
    }
}

/// The sum of all costs in a currency.
func costs(of trip: Trip, in currency: String) -> Double {
    trip.items.reduce(0) { sum, item in
        let cost =
            switch item.content {
            case .game(let game): game.cost
            case .travel(let travel): travel.cost
            case .custom(let custom): custom.cost
            }
        return sum + (cost?.currency == currency ? cost?.amount ?? 0 : 0)
    }
}
