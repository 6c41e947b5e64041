import LocalSystem

/// Where a daemon listens.
public struct DaemonAddress: Hashable, Sendable {
    /// The path of its socket; empty for a daemon of another machine, whose default socket is meant.
    public let path: String
    /// The machine; nil for this one.
    public let host: RemoteHost?
    /// The account that the daemon must run as, by its name; nil for this process's own. Nothing is said to anybody else.
    public let owner: String?

    /// The daemon at a path, which must run as an account: this process's own, unless another one is named.
    public init(path: String, owner: String? = nil) {
        self.path = path
        self.owner = owner
        host = nil
    }

    /// The daemon of another machine.
    public init(host: RemoteHost) {
        path = ""
        self.host = host
        owner = nil
    }

    /// Whether the daemon is this account's own, and its to start.
    package var isOwn: Bool {
        host == nil && (owner.map { UserDatabase.userID(named: $0) == CurrentUser.id } ?? true)
    }

    /// The user's own daemon, or that of the account that `ITINERARYD_OWNER` names: at `ITINERARYD_SOCKET` where that is
    /// set, else where a daemon listens by default.
    public static var standard: DaemonAddress {
        let environment = ProcessEnvironment.current
        let owner = environment.nonEmpty("ITINERARYD_OWNER")
        if let path = environment.nonEmpty("ITINERARYD_SOCKET") {
            return DaemonAddress(path: path, owner: owner)
        }
        let home = CurrentUser.home(environment: environment.variables) ?? "/"
        return DaemonAddress(
            path: DefaultPaths(
                environment: environment.variables, userID: CurrentUser.id, home: home
            ).socket(), owner: owner)
    }
}

extension DaemonAddress: CustomStringConvertible {
    /// For a message.
    public var description: String { host?.description ?? path }
}
