import LocalSystem
import TripModel

/// The open trips in the order of their last use.
///
/// It is a queue with lazy deletion: each use appends an entry and invalidates the trip's older one. Invalid
/// entries are skipped, and removed when they are the majority. A trip that was taken from the queue is
/// absent until its next use.
struct IdleTrips {
    private struct Place {
        let trip: TripID
        var since: Duration
        let number: Int
    }

    /// The timer for the earliest time at which a trip may have been idle long enough.
    var timer: TimerID?
    /// The freed memory of closed trips will be returned to the system.
    var willReturnMemory = false
    private var queue: [Place] = []
    /// The number of removed entries at the front.
    private var consumed = 0
    /// The number of each trip's valid entry.
    private var numbers: [TripID: Int] = [:]
    /// The number of the newest entry; also incremented by a removal.
    private var lastNumber = 0

    /// The number of queued trips.
    var count: Int { numbers.count }

    /// The last use of the least recently used trip.
    var first: Duration? {
        mutating get {
            while consumed < queue.count, !counts(queue[consumed]) { consumed += 1 }
            return consumed < queue.count ? queue[consumed].since : nil
        }
    }

    /// True if the trip was the last one used, at the same time, and no trip was removed since.
    func wasUsedLast(_ trip: TripID, at now: Duration) -> Bool {
        guard let last = queue.last else { return false }
        return last.number == lastNumber && last.trip == trip && last.since == now
    }

    /// Records a use of a trip.
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

    /// Removes a trip that is no longer open.
    mutating func forget(_ trip: TripID) {
        numbers[trip] = nil
        lastNumber += 1
    }

    /// Removes and returns the least recently used trip if its last use is not after `limit`.
    mutating func next(notUsedAfter limit: Duration) -> TripID? {
        guard let first, first <= limit else { return nil }
        let trip = queue[consumed].trip
        consumed += 1
        forget(trip)
        return trip
    }

    private func counts(_ place: Place) -> Bool { numbers[place.trip] == place.number }
}
