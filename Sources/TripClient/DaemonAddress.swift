import LocalSystem

/// The address of a daemon.
public struct DaemonAddress: Hashable, Sendable {
    /// The path of its socket; empty for the default socket of another machine.
    public let path: String
    /// The machine; nil for this one.
    public let host: DaemonAddress.Host?
    /// The name of the account that the daemon must run as; nil for this process's own. Nothing is sent to
    /// any other account.
    public let owner: String?

    /// The data directory whose daemon is meant, wherever it listens; nil if the path was named.
    package let dataDirectory: String?

    /// A daemon at a path that must run as the given account, by default this process's own.
    public init(path: String, owner: String? = nil) {
        self.init(path, owner: owner, dataDirectory: nil)
    }

    private init(_ path: String, owner: String?, dataDirectory: String?) {
        self.path = path
        self.owner = owner
        self.dataDirectory = dataDirectory
        host = nil
    }

    /// The daemon of another machine.
    public init(host: DaemonAddress.Host) {
        path = ""
        self.host = host
        owner = nil
        dataDirectory = nil
    }

    /// The running process that uses the data directory; nil if there is none or the path was named.
    package var holder: DirectoryLock.Holder? { dataDirectory.flatMap(DirectoryLock.holder) }

    /// The path at which to connect: where the daemon of the data directory listens, or else `path`. Without a login
    /// session, as in cron, the default path is another one.
    package var listeningPath: String { holder?.socket ?? path }

    /// True if the daemon is this account's own, so that it may be started.
    package var isOwn: Bool {
        host == nil && (owner.map { UserDatabase.userID(named: $0) == CurrentUser.id } ?? true)
    }

    /// The user's own daemon, or that of the account in `ITINERARYD_OWNER`: at `ITINERARYD_SOCKET` if that is
    /// set, otherwise where the daemon of the default data directory listens, or at the default socket.
    public static var standard: DaemonAddress { named(socket: nil, owner: nil, in: .current) }

    /// The daemon at a socket or of an account, each from the environment if it is nil.
    package static func named(
        socket: String?, owner: String?, in environment: ProcessEnvironment
    ) -> DaemonAddress {
        let owner = owner ?? environment.nonEmpty("ITINERARYD_OWNER")
        if let path = socket ?? environment.nonEmpty("ITINERARYD_SOCKET") {
            return DaemonAddress(path: path, owner: owner)
        }
        let home = CurrentUser.home(environment: environment.variables) ?? "/"
        let paths = DefaultPaths(environment: environment.variables, userID: CurrentUser.id, home: home)
        let address = DaemonAddress(path: paths.socket(), owner: owner)
        guard address.isOwn else { return address }
        return DaemonAddress(paths.socket(), owner: owner, dataDirectory: paths.dataDirectory)
    }
}

extension DaemonAddress: CustomStringConvertible {
    /// The address in a message.
    public var description: String { host?.description ?? listeningPath }
}
