import TripJournal

/// The options of a daemon.
package struct DaemonOptions: Sendable {
    /// The path of the socket.
    package var socket: String
    /// Whether that is the default path, whose directory must be private.
    package var socketIsDefault: Bool
    /// The directory of the trips.
    package var dataDirectory: String
    /// Whether that is the default directory.
    package var dataIsDefault: Bool
    /// The durability mode.
    package var durability: Durability
    /// The group whose accounts may connect, subject to the `access` file; nil for none.
    package var allowedGroup: String?
    /// The size in bytes above which a journal is compacted.
    package var compactAt = 4 << 20

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
