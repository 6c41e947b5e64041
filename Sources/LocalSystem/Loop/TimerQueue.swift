/// Identifies a timer of an event loop.
package struct TimerID: Hashable, Sendable {
    let number: UInt64
}

/// Timers by deadline: a binary heap with an index of positions, so that a cancelled timer is removed at once.
package struct TimerQueue {
    private struct Entry {
        let deadline: Int64
        let id: TimerID
        let work: @Sendable () -> Void

        /// Equal deadlines are ordered by age.
        func isBefore(_ other: Entry) -> Bool {
            (deadline, id.number) < (other.deadline, other.id.number)
        }
    }

    private var heap: [Entry] = []
    private var places: [TimerID: Int] = [:]
    private var lastNumber: UInt64 = 0

    package init() {}

    /// The number of waiting timers.
    package var count: Int { heap.count }

    /// The earliest deadline, in nanoseconds of the monotonic clock.
    package var nextDeadline: Int64? { heap.first?.deadline }

    /// Adds a timer.
    package mutating func insert(deadline: Int64, _ work: @escaping @Sendable () -> Void) -> TimerID {
        lastNumber += 1
        let id = TimerID(number: lastNumber)
        heap.append(Entry(deadline: deadline, id: id, work: work))
        places[id] = heap.count - 1
        moveUp(from: heap.count - 1)
        return id
    }

    /// Removes a timer; one that has run or was cancelled is ignored.
    package mutating func remove(_ id: TimerID) {
        if let place = places[id] { remove(at: place) }
    }

    /// Removes and returns the earliest timer if it is due.
    package mutating func popDue(at now: Int64) -> (@Sendable () -> Void)? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        remove(at: 0)
        return first.work
    }

    private mutating func remove(at place: Int) {
        places[heap[place].id] = nil
        let last = heap.removeLast()
        if place == heap.count { return }
        put(last, at: place)
        moveUp(from: place)
        moveDown(from: place)
    }

    private mutating func put(_ entry: Entry, at place: Int) {
        heap[place] = entry
        places[entry.id] = place
    }

    private mutating func moveUp(from start: Int) {
        let entry = heap[start]
        var place = start
        while place > 0, entry.isBefore(heap[(place - 1) / 2]) {
            put(heap[(place - 1) / 2], at: place)
            place = (place - 1) / 2
        }
        if place != start { put(entry, at: place) }
    }

    private mutating func moveDown(from start: Int) {
        let entry = heap[start]
        var place = start
        while true {
            var child = 2 * place + 1
            if child >= heap.count { break }
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            if !heap[child].isBefore(entry) { break }
            put(heap[child], at: place)
            place = child
        }
        if place != start { put(entry, at: place) }
    }
}
