import LocalSystem
import TripModel
import TripProtocol

/// Which accounts, besides the daemon's own, may do what: the lines of a file `access` with everybody looked up.
package struct AccessRules: Equatable, Sendable {
    /// What the lines about one account, or one group, say.
    struct Grants: Equatable, Sendable {
        var everywhere: Access?
        var trips: [TripReference: Access] = [:]
    }

    private var users: [UInt32: Grants] = [:]
    private var groups: [UInt32: Grants] = [:]

    /// Nobody but the daemon's own account.
    package init() {}

    /// Looks up whom the lines of a file are about.
    ///
    /// - Parameters:
    ///   - own: the daemon's own account, which owns everything whatever a file says.
    ///   - userID, groupID: the number of an account, or of a group, by its name.
    /// - Throws: every line about somebody who is not there, or about whom nothing can be said.
    init(
        _ file: AccessFile, own: UInt32, userID: (String) -> UInt32?, groupID: (String) -> UInt32?
    ) throws(AccessFile.Failure) {
        var mistakes: [AccessFile.Mistake] = []
        // By number, two lines may be about one account that two names, or a name and the number, stand for.
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
                    mistake("this machine has no group \(TextRule.visible(name)); groups tells an account's")
                }
                continue
            case .user(let name):
                guard let known = userID(name) else {
                    mistake("this machine has no account \(TextRule.visible(name)); uid takes a number")
                    continue
                }
                number = known
            case .uid(let known): number = known
            }
            if number == own {
                if rule.access != .owner || rule.trip != nil {
                    mistake("the daemon runs as this account, which owns everything; leave the line out")
                }
            } else if let first = lines[number, default: [:]].updateValue(rule.line, forKey: rule.trip) {
                mistake("line \(first) is about the same already; keep one of them")
            } else {
                Self.add(rule, to: &users[number, default: Grants()])
            }
        }
        guard mistakes.isEmpty else { throw AccessFile.Failure(mistakes: mistakes) }
    }

    private static func add(_ rule: AccessFile.Rule, to grants: inout Grants) {
        // Two names of one group: the one that allows more counts, as with two groups.
        if let trip = rule.trip {
            grants.trips[trip] = max(grants.trips[trip] ?? rule.access, rule.access)
        } else {
            grants.everywhere = max(grants.everywhere ?? rule.access, rule.access)
        }
    }

    /// Whether nobody but the daemon's own account may do anything.
    package var isEmpty: Bool { users.isEmpty && groups.isEmpty }

    /// What an account may do; nil where no line is about it.
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
