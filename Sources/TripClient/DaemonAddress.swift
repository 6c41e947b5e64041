import LocalSystem

/// Where a daemon listens.
public struct DaemonAddress: Hashable, Sendable {
    /// The path of its socket; empty for a daemon of another machine, whose default socket is meant.
    public let path: String
    /// The machine; nil for this one.
    public let host: RemoteHost?

    /// The daemon at a path.
    public init(path: String) {
        self.path = path
        host = nil
    }

    /// The daemon of another machine.
    public init(host: RemoteHost) {
        path = ""
        self.host = host
    }

    /// The user's own daemon: at `ITINERARYD_SOCKET` where that is set, else where a daemon listens by default.
    public static var standard: DaemonAddress {
        let environment = ProcessEnvironment.current
        if let path = environment.nonEmpty("ITINERARYD_SOCKET") { return DaemonAddress(path: path) }
        let home = CurrentUser.home(environment: environment.variables) ?? "/"
        return DaemonAddress(
            path: DefaultPaths(
                environment: environment.variables, userID: CurrentUser.id, home: home
            ).socket())
    }
}

extension DaemonAddress: CustomStringConvertible {
    /// For a message.
    public var description: String { host?.description ?? path }
}
