import LocalSystem

/// The address of a daemon.
public struct DaemonAddress: Hashable, Sendable {
    /// The path of its socket; empty for the default socket of another machine.
    public let path: String
    /// The machine; nil for this one.
    public let host: RemoteHost?
    /// The name of the account that the daemon must run as; nil for this process's own. Nothing is sent to
    /// any other account.
    public let owner: String?

    /// A daemon at a path that must run as the given account, by default this process's own.
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

    /// True if the daemon is this account's own, so that it may be started.
    package var isOwn: Bool {
        host == nil && (owner.map { UserDatabase.userID(named: $0) == CurrentUser.id } ?? true)
    }

    /// The user's own daemon, or that of the account in `ITINERARYD_OWNER`: at `ITINERARYD_SOCKET` if that is
    /// set, otherwise at the default socket.
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
    /// The address in a message.
    public var description: String { host?.description ?? path }
}
