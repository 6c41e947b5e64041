import TripModel

/// The list of trips, and the reason if none is open.
struct KnownTrips: Sendable {
    /// The last received list.
    private(set) var list: TripList?
    /// The reason why no trip is open; nil if one is open or being opened.
    private(set) var lobby: Lobby?
    /// The reason why the open trip is gone, if it was not shown yet.
    private(set) var unsaidEnd: String?

    /// The line of the list to return to: its identity and its index.
    private(set) var line: (key: String, index: Int)?

    /// Whether no trip is open and none could be opened or restored.
    var areNone: Bool { lobby != nil && (list.map { $0.trips.isEmpty && $0.deleted.isEmpty } ?? false) }

    /// The time at which the list was last received or requested.
    private(set) var newest: Duration?

    mutating func remember(_ list: TripList, at time: Duration) {
        self.list = list
        newest = time
    }

    /// Records the selected line before the list is closed; nil forgets it.
    mutating func leaveLine(_ index: Int?, of list: TripList?) {
        line = index.flatMap { index in list.map { ($0.key(at: index), index) } }
    }

    mutating func noteAsked(at time: Duration) { newest = time }

    mutating func enter(_ lobby: Lobby) { self.lobby = lobby }

    /// Records that a trip is open.
    mutating func leaveLobby() { lobby = nil }

    /// Forgets the missing trip that was named on the command line.
    mutating func forgetMissing() { if lobby != nil { lobby = .unnamed } }

    /// Stores the reason why the open trip is gone until it can be shown; nil afterwards.
    mutating func keepEnd(_ reason: String?) { unsaidEnd = reason }
}
