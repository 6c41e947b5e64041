import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A directory that is removed with everything in it when its life ends.
struct TemporaryDirectory: ~Copyable {
    let path: String

    init() throws {
        var template = Array("/tmp/tj-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(call: "mkdtemp", code: errno) }
        path = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        let files = RealFileSystem()
        if (try? files.status(path))?.kind == .directory {
            for name in (try? files.list(path)) ?? [] { remove(path + "/" + name) }
            rmdir(path)
        } else {
            unlink(path)
        }
    }
}
