#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The user and the id of this process.
package enum CurrentUser {
    /// The real user id.
    package static var id: UInt32 { getuid() }

    /// The process id.
    package static var processID: Int32 { getpid() }

    /// The name from the user database; nil if there is no entry, as in some containers.
    package static var name: String? { UserDatabase.account(id).name }

    /// The home directory: `HOME` if that is an absolute path, otherwise from the user database.
    package static func home(environment: [String: String]) -> String? {
        if let home = environment["HOME"], home.hasPrefix("/") { return home }
        return UserDatabase.home(of: id)
    }
}
