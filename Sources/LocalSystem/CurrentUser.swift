#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Who runs this process, and as which process.
package enum CurrentUser {
    /// The real user id.
    package static var id: UInt32 { getuid() }

    /// The process id.
    package static var processID: Int32 { getpid() }

    /// The name from the user database; nil where there is no entry, as in some containers.
    package static var name: String? {
        entry { String(cString: $0.pw_name) }
    }

    /// The home directory: `HOME` where that is an absolute path, else from the user database.
    package static func home(environment: [String: String]) -> String? {
        if let home = environment["HOME"], home.hasPrefix("/") { return home }
        return entry { String(cString: $0.pw_dir) }
    }

    private static func entry(_ field: (passwd) -> String) -> String? {
        var record = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            guard let base = buffer.baseAddress,
                getpwuid_r(getuid(), &record, base, buffer.count, &found) == 0, found != nil
            else { return nil }
            return field(record)
        }
    }
}
