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

    /// The id under which the daemon keeps data of a client or a person.
    ///
    /// Each account, and each user of a restriction, has ids of its own: the same `id` of another one gives another result.
    /// The result is part of the journal, so it must not change from one start to the next.
    func own(_ id: ClientID, under restriction: Restriction?) -> ClientID {
        var namespace: [String] = []
        if let account { namespace += ["account", "\(account.userID)"] }
        // A user's name is never empty.
        if let restriction { namespace += ["restriction", restriction.user ?? ""] }
        return namespace.isEmpty ? id : ClientID(derivedFrom: namespace + [id.description])
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
