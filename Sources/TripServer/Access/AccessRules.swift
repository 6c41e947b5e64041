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
