import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Small file operations for tests.
enum FileManagerFree {
    static func remove(_ path: String) throws { try RealFileSystem().unlink(path) }
    static func mode(_ path: String, _ mode: mode_t) { chmod(path, mode) }
}
