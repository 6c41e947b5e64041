import TripModel

/// Which open trips have not been used for how long, the longest first: a value.
///
/// Every use goes to the end of a queue, and takes away the meaning of the trip's place before; places without
/// meaning are passed over, and cleared away when they are most of the queue. A trip whose turn has come is out of
/// the queue until it is used again.
struct IdleTrips {
    private struct Place {
        let trip: TripID
        var since: Duration
        let number: Int
    }

    private var queue: [Place] = []
    /// How many at the front of the queue are gone.
    private var consumed = 0
    /// The number of each trip's place that counts.
    private var numbers: [TripID: Int] = [:]
    /// Of the last place, unless a trip was taken out since.
    private var lastNumber = 0

    /// How many wait for their turn.
    var count: Int { numbers.count }

    /// Since when the first one has been idle.
    var first: Duration? {
        mutating get {
            while consumed < queue.count, !counts(queue[consumed]) { consumed += 1 }
            return consumed < queue.count ? queue[consumed].since : nil
        }
    }

    /// Whether a trip was the last to be used, at the same time, and no trip was taken out since.
    func wasUsedLast(_ trip: TripID, at now: Duration) -> Bool {
        guard let last = queue.last else { return false }
        return last.number == lastNumber && last.trip == trip && last.since == now
    }

    /// Something happens to a trip.
    mutating func use(_ trip: TripID, at now: Duration) {
        if let last = queue.indices.last, queue[last].number == lastNumber, queue[last].trip == trip {
            queue[last].since = now
            return
        }
        if queue.count >= 2 * numbers.count + 64 {
            queue = queue[consumed...].filter { counts($0) }
            consumed = 0
        }
        lastNumber += 1
        numbers[trip] = lastNumber
        queue.append(Place(trip: trip, since: now, number: lastNumber))
    }

    /// A trip is not open any more.
    mutating func forget(_ trip: TripID) {
        numbers[trip] = nil
        lastNumber += 1
    }

    /// Takes the next trip that has not been used after a time; nil where there is none.
    mutating func next(notUsedAfter limit: Duration) -> TripID? {
        guard let first, first <= limit else { return nil }
        let trip = queue[consumed].trip
        consumed += 1
        forget(trip)
        return trip
    }

    private func counts(_ place: Place) -> Bool { numbers[place.trip] == place.number }
}
