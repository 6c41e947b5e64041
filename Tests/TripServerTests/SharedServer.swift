import LocalSystem
import TestSupport

@testable import TripServer

/// A server for several accounts: the test sets the account in place of the system.
final class SharedServer {
    /// The daemon's account, and two others.
    static let (own, ann, bob): (UInt32, UInt32, UInt32) = (1000, 1001, 1002)

    let server: TestServer
    private let accounts: Accounts

    /// The test's replacement for the user database and the kernel's credentials.
    final class Accounts: Sendable {
        struct State {
            var accounts: [UInt32: Account]
            var callers: [UInt32] = []
        }
        let state: Guarded<State>

        init(_ accounts: [Account]) {
            state = Guarded(
                State(accounts: Dictionary(accounts.map { ($0.userID, $0) }) { first, _ in first }))
        }

        func account(_ user: UInt32) -> Account {
            state.withLock { $0.accounts[user] } ?? Account(userID: user, name: nil)
        }
    }

    /// Connections with accounts, in the order of the test's calls.
    private final class Callers: ConnectionSource {
        private let source: ListeningSocket
        private let accounts: Accounts

        init(_ descriptor: consuming Descriptor, _ accounts: Accounts) {
            source = ListeningSocket(descriptor)
            self.accounts = accounts
        }

        var rawValue: Int32 { source.rawValue }

        func accept() throws(SystemError) -> Arrival? {
            guard let arrival = try source.accept() else { return nil }
            let user = accounts.state.withLock { $0.callers.removeFirst() }
            return Arrival(channel: arrival.channel, userID: user)
        }
    }

    init(_ access: String, in directory: TemporaryDirectory? = nil) throws {
        let accounts = Accounts([
            Account(userID: Self.ann, name: "ann", groups: [100]),
            Account(userID: Self.bob, name: "bob", groups: [100, 200]),
        ])
        self.accounts = accounts
        let rules = try Self.rules(access)
        server = try TestServer(in: directory, shared: (rules, accounts.account)) { Callers($0, accounts) }
    }

    static func rules(_ access: String) throws -> AccessRules {
        try AccessRules(
            AccessFile(parsing: Array(access.utf8)), own: own, userID: { ["ann": ann, "bob": bob][$0] },
            groupID: { ["family": 100, "friends": 200][$0] })
    }

    /// Applies other access rules.
    func adopt(_ access: String) throws {
        let rules = try Self.rules(access)
        server.loop.execute { [server = server.server] in server.enter { $0.apply(rules) } }
    }

    /// Sets the groups of an account.
    func put(_ user: UInt32, into groups: Set<UInt32>) {
        accounts.state.withLock { state in
            state.accounts[user] = Account(userID: user, name: state.accounts[user]?.name, groups: groups)
        }
    }

    /// A connection of an account, before its hello.
    func connect(_ user: UInt32) throws -> LineClient {
        accounts.state.withLock { $0.callers.append(user) }
        return try server.connect()
    }

    /// A connection of an account, after its hello.
    func client(
        _ user: UInt32, saying name: String = "eve", role: String = "editor", client: String? = nil
    ) throws -> LineClient {
        let connection = try connect(user)
        try connection.hello(name, role: role, client: client)
        return connection
    }
}
