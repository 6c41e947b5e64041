import LocalSystem
import TripModel
import TripProtocol

/// The account that opened a connection, as reported by the system.
struct Opener: Sendable {
    /// Nil for the daemon's own account.
    private(set) var account: Account?
    let name: String
    /// The upper bound of the connection's permissions.
    let rights: Rights

    /// The daemon's own account. Its clients may choose their user names.
    init(ownerNamed name: String) {
        account = nil
        self.name = name
        rights = .owner
    }

    init(_ account: Account, _ rights: Rights) {
        self.account = account
        name = Self.name(of: account)
        self.rights = rights
    }

    /// The user name of all its connections; nil if its clients may choose one.
    var fixedName: String? { account == nil ? nil : name }

    /// The id under which the daemon stores data of a client or a person.
    ///
    /// Ids are separate for each account and for each user of a restriction: the same `id` gives a different
    /// result. The journal contains the result, so the derivation must never change.
    func own<Subject>(
        _ id: Identifier<Subject>, under restriction: Restriction?
    ) -> Identifier<Subject> {
        var namespace: [String] = []
        if let account { namespace += ["account", "\(account.userID)"] }
        // A user's name is never empty.
        if let restriction { namespace += ["restriction", restriction.user ?? ""] }
        return namespace.isEmpty ? id : Identifier(derivedFrom: namespace + [id.description])
    }

    /// The account's name as shown to others; `uid N` if the name is not a valid user name.
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
