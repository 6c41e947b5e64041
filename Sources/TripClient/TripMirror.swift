import TripModel
import TripProtocol

/// A client's copy of one trip: a value that takes in snapshots and, while its user drags, holds the newer ones
/// back and counts them.
public struct TripMirror: Sendable {
    /// What the user sees.
    public private(set) var shown: Snapshot
    private var newest: Snapshot?
    private var hold = Hold.off

    private enum Hold {
        case off
        case on
        /// Until this version is here: the one that contains what the user did.
        case until(version: Int)
    }

    /// Makes a mirror of a first snapshot.
    public init(_ snapshot: Snapshot) { shown = snapshot }

    /// How many versions are held back.
    public var waitingCount: Int {
        guard let newest else { return 0 }
        // Another history has no distance to this one.
        return newest.epoch == shown.epoch ? newest.trip.version - shown.trip.version : 1
    }

    /// Takes in a snapshot; one that is not newer is ignored.
    ///
    /// - Returns: whether `shown` has changed.
    public mutating func receive(_ snapshot: Snapshot) -> Bool {
        let latest = newest ?? shown
        let isNewer =
            snapshot.epoch != latest.epoch || snapshot.trip.version > latest.trip.version
        guard isNewer else { return false }
        newest = snapshot
        return showNewest()
    }

    /// Holds newer states back from now on.
    public mutating func holdBack() { hold = .on }

    /// Ends holding back, at once or when a version has come.
    ///
    /// - Returns: whether `shown` has changed.
    public mutating func letGo(after version: Int? = nil) -> Bool {
        let latest = newest ?? shown
        if let version, latest.trip.version < version { hold = .until(version: version) } else { hold = .off }
        return showNewest()
    }

    private mutating func showNewest() -> Bool {
        guard let candidate = newest else { return false }
        switch hold {
        case .on: return false
        case .until(let version) where candidate.trip.version < version && candidate.epoch == shown.epoch:
            return false
        case .until, .off:
            hold = .off
            shown = candidate
            newest = nil
            return true
        }
    }
}
