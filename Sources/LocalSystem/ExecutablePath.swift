#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The file that this process runs.
package enum ExecutablePath {
    /// Its absolute path, or nil where the system does not tell.
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
}
