import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A directory with a path short enough for sockets, removed with its contents on deinit.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/it-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(call: "mkdtemp", code: errno) }
        path = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    }

    deinit { Self.remove(path) }

    /// Removes a file or a directory with its contents. Ignores errors.
    package static func remove(_ path: String) {
        let files = RealFileSystem()
        if (try? files.status(path))?.kind == .directory {
            for name in (try? files.list(path)) ?? [] { remove(path + "/" + name) }
            rmdir(path)
        } else {
            unlink(path)
        }
    }
}
