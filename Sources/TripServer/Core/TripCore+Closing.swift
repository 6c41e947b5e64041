import TripJournal
import TripModel
import TripProtocol

extension TripCore {
    /// Whether nothing is lost by letting go of the trip: nobody is subscribed or drags, nothing is in flight, and
    /// its storage has nothing to remember.
    var isIdle: Bool {
        isSettled && storage == .working && subscribers.isEmpty && leases.isEmpty && nextDeadline == nil
    }

    /// Whether nothing is in flight.
    var isSettled: Bool { isCreated && !isDeleted && releases.isEmpty && storageRequests.isEmpty }

    /// What can be told of the trip when it is closed.
    var content: TripContent { TripContent(header: durable.header, itemCount: durable.itemCount) }

    /// Whether the trip has one slug, before and after all that is in flight, and is known by no other.
    func isCalled(only named: Set<String>) -> Bool {
        storage != .failed && !isDeleted && durable.header.slug == trip.header.slug && named.count == 1
            && named.contains(trip.header.slug)
    }

    /// Every slug that the trip may have on the disk, now or after what is in flight.
    ///
    /// - Parameter named: those that it may have had before.
    func possibleSlugs(after named: Set<String>) -> Set<String> {
        let decided: Set<String> = [durable.header.slug, trip.header.slug]
        // What the disk made of what was in flight is not known.
        if storage == .failed { return decided.union(named) }
        if isDeleted && !isCreated { return [] }
        if decided == named { return named }
        // A rename is in flight, and perhaps others before it.
        var slugs = decided
        for case .commit(let pending) in releases.lazy.map(\.body) where pending.commit.headerBefore != nil {
            if let header = pending.commit.headerAfter { slugs.insert(header.slug) }
        }
        return slugs
    }

    /// Lets a request wait for a name that the trip has only in flight.
    ///
    /// - Returns: nil where it has the name on the disk, or nothing is in flight that could tell.
    mutating func tellName(_ name: TripReference, to parked: ParkedRequest) -> [Effect]? {
        if releases.isEmpty { return nil }
        if isCreated {
            guard case .slug(let slug) = name, slug != durable.header.slug else { return nil }
        }
        return release([.resume(parked)])
    }

    // MARK: What is told

    /// What is told next to somebody who has a version.
    enum News: Sendable {
        /// There is nothing newer.
        case none
        /// The one step that leads here, which all who keep up are told alike.
        case delta(SharedBytes)
        /// Several steps.
        case deltas([SharedBytes])
        /// Everything; with who made the last commit, and why, where the client had asked for less.
        case snapshot(SharedBytes, Cause?, SnapshotReason?)
    }

    /// What is told next to a subscriber that has a version.
    ///
    /// - Parameter pace: how one in delta mode takes it.
    mutating func news(since version: Int, _ mode: Subscribe.Mode, _ pace: DurableState.Pace) -> News {
        guard durable.version > version else { return .none }
        guard mode == .delta else { return .snapshot(snapshotMembers(), durable.cause, nil) }
        // Nearly always, and for as many as watch: nothing of the trip is held for it.
        if let line = durable.lastLine(after: version) { return .delta(line) }
        let (trip, releases) = (trip, releases)
        let lines = durable.catchUp(from: version, pace) { Self.durableView(of: trip, releases) }
        return lines.map { .deltas($0) } ?? .snapshot(snapshotMembers(), durable.cause, .behind)
    }

    /// What a subscription begins with, by what the client has already.
    mutating func resumption(for subscribe: Subscribe) -> DurableState.Resumption {
        let (trip, releases) = (trip, releases)
        return durable.resumption(for: subscribe) { Self.durableView(of: trip, releases) }
    }

    /// The members of a snapshot, without the braces around them.
    mutating func snapshotMembers() -> SharedBytes {
        let (trip, releases) = (trip, releases)
        return durable.snapshotMembers { Self.durableView(of: trip, releases) }
    }

    /// The answer to `drag.begin`, as of what can be told now.
    func line(_ id: RequestID, of begun: BegunDrag) -> [UInt8] {
        let start = DragStart(
            drag: begun.drag, leaseMilliseconds: begun.leaseMilliseconds, version: durable.version)
        let gaps = begun.tellsGaps ? Self.durableView(of: trip, releases).trip.gaps(for: begun.item) : nil
        return ServerLine.dragStart(id, start, gaps)
    }
}
