import LocalSystem
import TripModel
import TripProtocol

/// The permissions of all accounts besides the daemon's own: the rules of an `access` file with resolved names.
package struct AccessRules: Equatable, Sendable {
    /// The permissions of one account or one group.
    struct Grants: Equatable, Sendable {
        var everywhere: Access?
        var trips: [TripReference: Access] = [:]
    }

    private var users: [UInt32: Grants] = [:]
    private var groups: [UInt32: Grants] = [:]

    /// No account but the daemon's own has access.
    package init() {}

    /// Resolves the names of a file's rules.
    ///
    /// - Parameters:
    ///   - own: the daemon's own account, which always owns everything.
    ///   - userID, groupID: look up an account or group number by name.
    /// - Throws: every rule whose account or group does not exist, and every redundant or invalid rule.
    init(
        _ file: AccessFile, own: UInt32, userID: (String) -> UInt32?, groupID: (String) -> UInt32?
    ) throws(AccessFile.Failure) {
        var mistakes: [AccessFile.Mistake] = []
        // Keyed by number, because two names, or a name and the number, may mean the same account.
        var lines: [UInt32: [TripReference?: Int]] = [:]
        for rule in file.rules {
            func mistake(_ message: String) {
                mistakes.append(AccessFile.Mistake(line: rule.line, message: message))
            }
            let number: UInt32
            switch rule.subject {
            case .group(let name):
                if let group = groupID(name) {
                    Self.add(rule, to: &groups[group, default: Grants()])
                } else {
                    mistake(
                        "this machine has no group \(TextRule.visible(name)); the command groups "
                            + "lists those of an account")
                }
                continue
            case .user(let name):
                guard let known = userID(name) else {
                    mistake("this machine has no account \(TextRule.visible(name)); for a number, use uid")
                    continue
                }
                number = known
            case .uid(let known): number = known
            }
            if number == own {
                if rule.access != .owner || rule.trip != nil {
                    mistake("the daemon runs as this account, which is always an owner; remove the line")
                }
            } else if let first = lines[number, default: [:]].updateValue(rule.line, forKey: rule.trip) {
                mistake("line \(first) is for the same account; remove one of them")
            } else {
                Self.add(rule, to: &users[number, default: Grants()])
            }
        }
        guard mistakes.isEmpty else { throw AccessFile.Failure(mistakes: mistakes) }
    }

    private static func add(_ rule: AccessFile.Rule, to grants: inout Grants) {
        // If two names mean the same group, the more permissive rule applies, as with two groups.
        if let trip = rule.trip {
            grants.trips[trip] = max(grants.trips[trip] ?? rule.access, rule.access)
        } else {
            grants.everywhere = max(grants.everywhere ?? rule.access, rule.access)
        }
    }

    /// True if only the daemon's own account has access.
    package var isEmpty: Bool { users.isEmpty && groups.isEmpty }

    /// The permissions of an account; nil if no rule covers it.
    func rights(of account: Account) -> Rights? {
        let own = users[account.userID]
        let shared = account.groups.compactMap { groups[$0] }
        if own == nil, shared.isEmpty { return nil }
        var sharedTrips: [TripReference: Access] = [:]
        for grants in shared {
            sharedTrips.merge(grants.trips, uniquingKeysWith: max)
        }
        return Rights(
            everywhere: own?.everywhere ?? shared.compactMap(\.everywhere).max(),
            trips: own?.trips ?? [:], sharedTrips: sharedTrips)
    }
}

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

/// The permissions of an account, in all trips and in single trips.
///
/// A rule about one trip overrides a rule about all trips. A rule about the account overrides one about its
/// groups. Of several equal rules, the most permissive one applies.
package struct Rights: Hashable, Sendable {
    /// The access to trips without a rule of their own; nil for none, so that such trips are invisible.
    private let everywhere: Access?
    /// From the rules about the account.
    private let trips: [TripReference: Access]
    /// From the rules about its groups.
    private let sharedTrips: [TripReference: Access]
    /// The upper bound, whatever the rules grant.
    private var most = Access.owner

    /// The permissions of the daemon's own account.
    package static let owner = Rights(everywhere: .owner)

    init(
        everywhere: Access?, trips: [TripReference: Access] = [:],
        sharedTrips: [TripReference: Access] = [:]
    ) {
        self.everywhere = everywhere
        self.trips = trips
        self.sharedTrips = sharedTrips
    }

    /// The same permissions, limited to `access`.
    func limited(to access: Access) -> Rights {
        var rights = self
        rights.most = min(most, access)
        return rights
    }

    /// True if the access is the same in every trip.
    var isUniform: Bool { trips.isEmpty && sharedTrips.isEmpty }

    /// The access that does not concern a trip; at least `viewer`.
    var inGeneral: Access { min(everywhere ?? .viewer, most) }

    /// The highest access in any trip.
    var highest: Access {
        let all = [everywhere ?? .viewer] + trips.values + sharedTrips.values
        return min(all.max() ?? .viewer, most)
    }

    /// The access in one trip; nil if the trip is invisible. The cost does not depend on the number of rules.
    ///
    /// - Parameter names: all references by which a rule may name the trip.
    func access(inTripCalled names: [TripReference]) -> Access? {
        func best(_ rules: [TripReference: Access]) -> Access? {
            rules.isEmpty ? nil : names.compactMap { rules[$0] }.max()
        }
        return (best(trips) ?? best(sharedTrips) ?? everywhere).map { min($0, most) }
    }
}
