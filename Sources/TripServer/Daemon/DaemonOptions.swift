import TripJournal

/// How a daemon is to run.
package struct DaemonOptions: Sendable {
    /// Where it listens.
    package var socket: String
    /// Whether the socket's place is the default, whose directory must then be private.
    package var socketIsDefault: Bool
    /// Where it keeps the trips.
    package var dataDirectory: String
    /// Whether that place is the default.
    package var dataIsDefault: Bool
    /// When a commit counts as kept.
    package var durability: Durability
    /// The group whose accounts may connect, as far as the file `access` lets them do anything; nil for none.
    package var allowedGroup: String?
    /// Bytes from which on a journal is compacted.
    package var compactAt = 4 << 20

    /// Makes options.
    package init(
        socket: String, socketIsDefault: Bool, dataDirectory: String, dataIsDefault: Bool,
        durability: Durability = .sync
    ) {
        self.socket = socket
        self.socketIsDefault = socketIsDefault
        self.dataDirectory = dataDirectory
        self.dataIsDefault = dataIsDefault
        self.durability = durability
    }
}
