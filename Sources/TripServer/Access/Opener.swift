import LocalSystem
import TripModel
import TripProtocol

/// On whose behalf a connection was opened, as the system says.
struct Opener: Sendable {
    /// The account; nil for the daemon's own.
    private(set) var account: Account?
    /// The account's name.
    let name: String
    /// What it may do at most.
    let rights: Rights

    /// The daemon's own account, whose programs may call themselves as they like.
    init(ownerNamed name: String) {
        account = nil
        self.name = name
        rights = .owner
    }

    /// Another account, which has these rights.
    init(_ account: Account, _ rights: Rights) {
        self.account = account
        name = Self.name(of: account)
        self.rights = rights
    }

    /// The name that all its connections have whatever they say; nil where they may choose.
    var fixedName: String? { account == nil ? nil : name }

    /// The id of a client or a person of this account's own: two accounts that use one id are told apart.
    func own(_ id: ClientID) -> ClientID {
        guard let account else { return id }
        return ClientID(derivedFrom: ["account", "\(account.userID)", id.description])
    }

    /// The name of an account as others see it; its number where it has none that people may have.
    static func name(of account: Account) -> String {
        guard let name = account.name, name.contains(where: { !$0.isWhitespace }) else {
            return "uid \(account.userID)"
        }
        do throws(Rejection) {
            try TextRule.line(.userBytes).check(name, field: "user")
            return name
        } catch {
            return "uid \(account.userID)"
        }
    }
}
