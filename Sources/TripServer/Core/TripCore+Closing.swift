import TripJournal
import TripModel
import TripProtocol

extension TripCore {
    /// True if the trip can be unloaded without a loss: there are no subscribers, drags, changes in flight or
    /// storage errors.
    var isIdle: Bool {
        isQuiescent && storage == .working && room.isEmpty && room.nextDeadline == nil
    }

    /// True if nothing is in flight.
    var isQuiescent: Bool { isCreated && !isDeleted && inFlight.isEmpty && storageRequests.isEmpty }

    /// The summary of the trip for the list of closed trips.
    var content: TripContent { TripContent(header: durable.header, itemCount: durable.itemCount) }

    /// True if the trip has exactly one slug, before and after all changes in flight.
    func isCalled(only named: Set<String>) -> Bool {
        storage != .failed && !isDeleted && durable.header.slug == trip.header.slug && named.count == 1
            && named.contains(trip.header.slug)
    }

    /// Every slug that the trip may have on disk, now or after the changes in flight.
    ///
    /// - Parameter named: its possible slugs so far.
    func possibleSlugs(after named: Set<String>) -> Set<String> {
        let decided: Set<String> = [durable.header.slug, trip.header.slug]
        // The outcome of the changes in flight is unknown.
        if storage == .failed { return decided.union(named) }
        // A deletion can be decided while the creation is in flight. Then the trip may be on disk.
        if isDeleted && !isCreated && inFlight.isEmpty { return [] }
        if decided == named { return named }
        // A rename is in flight, and perhaps earlier ones.
        var slugs = decided
        slugs.formUnion(inFlight.commits.compactMap { $0.header?.after.slug })
        return slugs
    }

    /// Parks a request for a name that the trip has only in flight.
    ///
    /// - Returns: nil if the name is durable, or if nothing is in flight that could change it.
    mutating func parkUntilNamed(_ name: TripReference, _ call: Call) -> [Effect]? {
        if inFlight.isEmpty { return nil }
        if isCreated {
            guard case .slug(let slug) = name, slug != durable.header.slug else { return nil }
        }
        return release([.resume(call)])
    }

    // MARK: Encoding

    /// The next output to a subscriber with an earlier version.
    enum Update: Sendable {
        /// Nothing newer.
        case none
        /// The last delta, which all subscribers that keep up share.
        case delta(SharedBytes)
        case deltas([SharedBytes])
        /// The whole state, with the last author, and the reason if the client asked for deltas.
        case snapshot(SharedBytes, Cause?, SnapshotReason?)
    }

    /// Encodes the next output to a subscriber.
    ///
    /// - Parameter pace: how deltas are coalesced.
    mutating func update(since version: Int, _ mode: Subscribe.Mode, _ pace: DurableState.Pace) -> Update {
        guard durable.version > version else { return .none }
        guard mode == .delta else { return .snapshot(snapshotMembers(), durable.cause, nil) }
        // Fast path of nearly all updates: it makes no copy of the trip.
        if let line = durable.lastLine(after: version) { return .delta(line) }
        let (trip, inFlight) = (trip, inFlight)
        let lines = durable.catchUp(from: version, pace, edits) { Self.durableView(of: trip, inFlight) }
        return lines.map { .deltas($0) } ?? .snapshot(snapshotMembers(), durable.cause, .behind)
    }

    /// Chooses the start of a subscription from the client's known version.
    mutating func resumption(for subscribe: Subscribe) -> DurableState.Resumption {
        let (trip, inFlight) = (trip, inFlight)
        return durable.resumption(for: subscribe, edits) { Self.durableView(of: trip, inFlight) }
    }

    /// The members of a snapshot, without the braces around them.
    mutating func snapshotMembers() -> SharedBytes {
        let (trip, inFlight) = (trip, inFlight)
        return durable.snapshotMembers { Self.durableView(of: trip, inFlight) }
    }

    /// The same with the last imported values. Not cached, because only imports request it.
    mutating func storedSnapshotMembers() -> SharedBytes {
        let (trip, inFlight) = (trip, inFlight)
        return durable.storedSnapshotMembers(Self.durableView(of: trip, inFlight))
    }

    /// The members of the answer to `drag.begin`, from the durable state.
    mutating func members(of begun: BegunDrag) -> [UInt8] {
        let start = DragStart(
            drag: begun.drag, leaseMilliseconds: begun.leaseMilliseconds, version: durable.version)
        return start.encodedMembers(with: begun.includesGaps ? durableGaps(of: begun.item) : nil)
    }

    /// The members of the answer to `item.gaps`, from the durable state; nil if there is no such item.
    mutating func gapMembers(of item: ItemID) -> [UInt8]? {
        durableGaps(of: item)?.encodedMembers(version: durable.version)
    }

    private mutating func durableGaps(of item: ItemID) -> GapReport? {
        durable.itemsRead += gapWork.items
        return Self.durableView(of: trip, inFlight).gaps(for: item)
    }
}
