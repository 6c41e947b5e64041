import TripModel

/// What is known of the trips besides what is on the screen of the open one.
struct KnownTrips: Sendable {
    /// The trips as they were told last.
    private(set) var list: TripList?
    /// Why there is no trip; nil while there is one, or one is about to come.
    private(set) var lobby: Lobby?
    /// Why the trip that is open has gone, where that has not been said.
    private(set) var unsaidEnd: String?
    /// What trips that were deleted are to be when they are made again, by their keys.
    private var restored: [String: TripID] = [:]

    /// Whether there is neither a trip nor one that could be had.
    var areNone: Bool { lobby != nil && (list.map { $0.trips.isEmpty && $0.deleted.isEmpty } ?? false) }

    mutating func remember(_ list: TripList) { self.list = list }

    mutating func enter(_ lobby: Lobby) { self.lobby = lobby }

    /// There is a trip.
    mutating func leaveLobby() { lobby = nil }

    /// The trip that was asked for by its name is not wanted any more.
    mutating func forgetMissing() { if lobby != nil { lobby = .unnamed } }

    /// The id that a deleted trip gets: asked for again, it is the same trip that is made.
    mutating func restoredID(ofKey key: String, orElse new: TripID) -> TripID {
        let id = restored[key] ?? new
        restored[key] = id
        return id
    }

    /// Keeps why the open trip has gone until it can be said; nil when it is.
    mutating func keepEnd(_ reason: String?) { unsaidEnd = reason }
}
