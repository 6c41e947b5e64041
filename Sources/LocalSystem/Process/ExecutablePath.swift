#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The executable of this process.
package enum ExecutablePath {
    /// Its absolute path; nil if the system does not report it.
    package static var current: String? {
        #if canImport(Darwin)
        var size = UInt32(PATH_MAX)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let base = buffer.baseAddress, _NSGetExecutablePath(base, &size) == 0 else { return nil }
            return String(cString: base)
        }
        #else
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            let count = readlink("/proc/self/exe", base, buffer.count)
            guard count > 0, count < buffer.count else { return nil }
            return String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
        }
        #endif
    }

    /// The file that a shell would run for a name: a path as it is, any other name by a search of `PATH`; nil
    /// if there is none.
    package static func find(_ name: String, environment: ProcessEnvironment) -> String? {
        if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
        let path = environment.nonEmpty("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
        for directory in path.split(separator: ":") {
            let candidate = "\(directory)/\(name)"
            if access(candidate, X_OK) == 0 { return candidate }
        }
        return nil
    }
}
