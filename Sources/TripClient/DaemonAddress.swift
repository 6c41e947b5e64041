import LocalSystem

/// Where a daemon listens.
public struct DaemonAddress: Hashable, Sendable {
    /// The path of its socket.
    public let path: String

    /// The daemon at a path.
    public init(path: String) { self.path = path }

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
