import TripModel

@testable import TripProtocol

// Lines of a daemon made from a test's values.

extension Snapshot {
    /// The members of the snapshot, without the braces around them.
    var members: [UInt8] {
        trip.snapshotMembers(epoch: epoch, problems: Problem.encoded(problems))
    }
}

extension TripDelta {
    var encoded: EncodedDelta {
        EncodedDelta(
            identity: EncodedDelta.identity(trip, epoch: epoch), from: from, version: version,
            cause: cause?.encoded(), header: header, upserts: upserts.map { $0.encoded() }, removed: removed,
            problems: problems.map(Problem.encoded))
    }

    func line() -> [UInt8] { encoded.line() }
}

extension TripNotification {
    func line() -> [UInt8] {
        switch self {
        case .snapshot(let snapshot, let previous, let skipped, let cause):
            ServerLine.snapshot(previous: previous, skipped: skipped, cause: cause).around(snapshot.members)
        case .presence(let trip, let users): ServerLine.presence(trip, users)
        case .dragEnded(let drag, let item, let reason):
            ServerLine.dragEnded(drag, item: item, reason: reason)
        case .tripDeleted(let trip): ServerLine.tripDeleted(trip)
        case .goodbye(let reason): ServerLine.goodbye(reason)
        }
    }
}
