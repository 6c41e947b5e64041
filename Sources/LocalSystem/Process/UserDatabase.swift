#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An account of this machine, from the user database.
package struct Account: Equatable, Sendable {
    /// Its number.
    package let userID: UInt32
    /// Its name; nil if the database has no entry, as in some containers.
    package let name: String?
    /// The ids of all its groups, including the primary one.
    package let groups: Set<UInt32>

    package init(userID: UInt32, name: String?, groups: Set<UInt32> = []) {
        self.userID = userID
        self.name = name
        self.groups = groups
    }
}

/// The accounts and groups of this machine. Every lookup may block, because the answer can come from the network.
package enum UserDatabase {
    /// The account with a number.
    package static func account(_ userID: UInt32) -> Account {
        let found = entry({ getpwuid_r(userID, $0, $1, $2, $3) }) { record in
            (name: String(cString: record.pw_name), group: record.pw_gid)
        }
        guard let found else { return Account(userID: userID, name: nil) }
        return Account(userID: userID, name: found.name, groups: groups(of: found.name, found.group))
    }

    /// The number of the account with a name.
    package static func userID(named name: String) -> UInt32? {
        entry({ getpwnam_r(name, $0, $1, $2, $3) }, \.pw_uid)
    }

    /// The home directory of an account.
    package static func home(of userID: UInt32) -> String? {
        entry({ getpwuid_r(userID, $0, $1, $2, $3) }) { String(cString: $0.pw_dir) }
    }

    /// The id of the group with a name.
    package static func groupID(named name: String) -> UInt32? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: groupBytes) { buffer in
            var record = group()
            var found: UnsafeMutablePointer<group>?
            guard let base = buffer.baseAddress,
                getgrnam_r(name, &record, base, buffer.count, &found) == 0, found != nil
            else { return nil }
            return record.gr_gid
        }
    }

    /// True if a group is the account's own and has no other members; many systems create one for every account.
    package static func isOwnGroup(_ groupID: UInt32, of userID: UInt32) -> Bool {
        let own = entry({ getpwuid_r(userID, $0, $1, $2, $3) }) { record in
            (name: String(cString: record.pw_name), group: record.pw_gid)
        }
        guard let own, own.group == groupID else { return false }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: groupBytes) { buffer in
            var record = group()
            var found: UnsafeMutablePointer<group>?
            guard let base = buffer.baseAddress,
                getgrgid_r(groupID, &record, base, buffer.count, &found) == 0, found != nil,
                // Accounts with the same primary group are not listed, but the group's name shows that it was
                // created for this account.
                String(cString: record.gr_name) == own.name
            else { return false }
            var member = record.gr_mem
            while let name = member?.pointee {
                if String(cString: name) != own.name { return false }
                member = member?.advanced(by: 1)
            }
            return true
        }
    }

    /// Maximum bytes of a group with all its members.
    private static let groupBytes = 1 << 20
    /// Maximum number of groups of an account.
    private static let maximumGroups = 65_536

    private static func groups(of name: String, _ own: gid_t) -> Set<UInt32> {
        #if canImport(Darwin)
        typealias Number = Int32
        let base = Int32(bitPattern: own)
        #else
        typealias Number = gid_t
        let base = own
        #endif
        var capacity: Int32 = 64
        while true {
            var numbers = [Number](repeating: 0, count: Int(capacity))
            var count = capacity
            if getgrouplist(name, base, &numbers, &count) >= 0 {
                return Set(numbers.prefix(Int(count)).map { UInt32(truncatingIfNeeded: $0) })
            }
            // One system reports the needed number, the other does not.
            capacity = max(count, capacity * 2)
            if capacity > maximumGroups { return [own] }
        }
    }

    private typealias Answer = UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>

    private static func entry<Value>(
        _ ask: (UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int, Answer) -> Int32,
        _ read: (passwd) -> Value
    ) -> Value? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 65_536) { buffer in
            var record = passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard let base = buffer.baseAddress, ask(&record, base, buffer.count, &found) == 0, found != nil
            else { return nil }
            return read(record)
        }
    }
}
