import TripModel
import TripProtocol

/// The subscriptions of one connection, and the queue of those with pending updates.
struct SlotTable {
    /// The subscription to one trip.
    struct Slot {
        /// The last version sent; 0 until the subscription is answered.
        var delivered: Int
        let mode: Subscribe.Mode
        let defersWhileDragging: Bool
        /// The client is dragging and its updates are paused.
        var isPaused: Bool
        var hasUpdate = false
        /// Updates were paused: everything since is sent as one step, however many commits it contains.
        var wantsOneStep = false
        var hasPresenceUpdate = false
        /// The slot is in the queue of slots with updates.
        fileprivate var isQueued = false

        fileprivate mutating func deliversNext(from: Int, to version: Int) -> Bool {
            guard mode == .delta, delivered == from, isOpened, !isPaused, !hasUpdate, !wantsOneStep
            else {
                return false
            }
            delivered = version
            return true
        }

        /// The answer to the subscription has been sent.
        var isOpened: Bool { delivered > 0 }
        var isDue: Bool { isOpened && ((hasUpdate && !isPaused) || hasPresenceUpdate) }
        /// The updates that were paused during a drag are to be sent now.
        var isDeferredDue: Bool { isOpened && hasUpdate && wantsOneStep && !isPaused }
    }

    private var slots: [TripID: Slot] = [:]
    /// The slot that was looked up last, as a cache: hardly any connection has two.
    private var lastPlace: (trip: TripID, index: Dictionary<TripID, Slot>.Index)?
    /// Trips with pending updates, the longest waiting one first. Some entries may be obsolete.
    private var queue: ArraySlice<TripID> = []
    /// The number of slots with a pending update.
    private var dueCount = 0
    /// The trips whose drag has ended with paused updates. Their state is sent before any later request is executed.
    private var deferredTrips: Set<TripID> = []

    var count: Int { slots.count }

    var isEmpty: Bool { slots.isEmpty }

    subscript(trip: TripID) -> Slot? { slots[trip] }

    /// True if updates that a drag deferred must be sent before later requests are executed.
    var hasDeferred: Bool { !deferredTrips.isEmpty }

    var hasNext: Bool { dueCount > 0 }

    /// The next state or presence update to send; nil if none is pending.
    mutating func next() -> Outbox.Step? {
        guard let trip = queue.first, let index = place(of: trip) else { return nil }
        let slot = slots.values[index]
        return slot.hasUpdate && !slot.isPaused ? .state(trip) : .presence(trip)
    }

    mutating func open(_ trip: TripID, _ subscribe: Subscribe, isDragging: Bool) {
        close(trip)
        lastPlace = nil
        slots[trip] = Slot(
            delivered: 0, mode: subscribe.mode, defersWhileDragging: subscribe.defersWhileDragging,
            isPaused: subscribe.defersWhileDragging && isDragging)
    }

    mutating func close(_ trip: TripID) {
        guard let slot = slots.removeValue(forKey: trip) else { return }
        lastPlace = nil
        if slot.isDue { dueCount -= 1 }
        if slot.isQueued { queue.removeAll { $0 == trip } }
        dropObsolete()
        deferredTrips.remove(trip)
    }

    /// Schedules an update: a newer version of the trip exists.
    mutating func scheduleUpdate(_ trip: TripID) {
        change(trip) { slot in
            slot.hasUpdate = true
            if slot.isPaused { slot.wantsOneStep = true }
        }
    }

    mutating func schedulePresenceUpdate(_ trip: TripID) { change(trip) { $0.hasPresenceUpdate = true } }

    /// Pauses the updates of a trip while the connection drags.
    mutating func pause(_ trip: TripID) {
        change(trip) { slot in
            slot.isPaused = slot.defersWhileDragging
        }
    }

    /// Resumes the updates after a drag.
    mutating func resume(_ trip: TripID) {
        change(trip) { slot in
            // Even if the only update is the drop itself, which is scheduled next.
            if slot.isPaused { slot.wantsOneStep = true }
            slot.isPaused = false
        }
    }

    /// Records that a version was sent, in a snapshot, in deltas or in the answer to the subscription.
    mutating func delivered(_ trip: TripID, version: Int) {
        change(trip) { slot in
            slot.delivered = version
            slot.hasUpdate = false
            slot.wantsOneStep = false
        }
    }

    /// Records that the next versions are sent, if the subscriber keeps up and no other trip comes first.
    mutating func deliversNext(_ trip: TripID, from: Int, to version: Int) -> Bool {
        guard queue.isEmpty, deferredTrips.isEmpty, let index = place(of: trip) else { return false }
        return slots.values[index].deliversNext(from: from, to: version)
    }

    /// Clears a scheduled update, because the sent version is the newest.
    mutating func clearUpdate(_ trip: TripID) {
        change(trip) { slot in
            slot.hasUpdate = false
            slot.wantsOneStep = false
        }
    }

    /// Sends the scheduled update as separate deltas: it was not paused, although the connection is dragging now.
    mutating func sendInSteps(_ trip: TripID) { change(trip) { $0.wantsOneStep = false } }

    mutating func deliveredPresence(_ trip: TripID) { change(trip) { $0.hasPresenceUpdate = false } }

    private mutating func change(_ trip: TripID, _ body: (inout Slot) -> Void) {
        guard let index = place(of: trip) else { return }
        let before = slots.values[index]
        body(&slots.values[index])
        let slot = slots.values[index]
        if slot.isDue != before.isDue {
            dueCount += slot.isDue ? 1 : -1
            if slot.isDue { stand(trip, at: index) } else { dropObsolete() }
        }
        if slot.isDeferredDue {
            deferredTrips.insert(trip)
        } else if !deferredTrips.isEmpty {
            deferredTrips.remove(trip)
        }
    }

    /// The index of a trip's slot; nil if there is none.
    private mutating func place(of trip: TripID) -> Dictionary<TripID, Slot>.Index? {
        if let lastPlace, lastPlace.trip == trip { return lastPlace.index }
        guard let index = slots.index(forKey: trip) else { return nil }
        lastPlace = (trip, index)
        return index
    }

    /// Appends a trip to the queue. A trip whose obsolete entry is still queued keeps that position.
    private mutating func stand(_ trip: TripID, at index: Dictionary<TripID, Slot>.Index) {
        guard !slots.values[index].isQueued else { return }
        slots.values[index].isQueued = true
        queue.append(trip)
    }

    /// Drops trips without an update from the head of the queue.
    private mutating func dropObsolete() {
        while let trip = queue.first, let index = place(of: trip), !slots.values[index].isDue {
            slots.values[index].isQueued = false
            // Keeps the storage for reuse.
            if queue.count == 1 { queue.removeAll(keepingCapacity: true) } else { queue.removeFirst() }
        }
    }
}
