import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A new directory of mode 0700, removed with its content at the end of this value's life.
struct ScratchDirectory: ~Copyable {
    /// Its path.
    let path: String

    /// Creates one in `parent`.
    init(in parent: String) throws(BenchFailure) {
        var name = Array("\(parent)/itineraryd-bench.XXXXXX".utf8CString)
        let made = name.withUnsafeMutableBufferPointer { name in
            name.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made else { throw .system(SystemError(call: "mkdtemp", path: parent, code: errno)) }
        path = made
    }

    deinit { Self.remove(path) }

    /// A failure to remove is ignored.
    private static func remove(_ path: String) {
        let files = RealFileSystem()
        for name in (try? files.list(path)) ?? [] {
            let entry = "\(path)/\(name)"
            do throws(SystemError) { try files.unlink(entry) } catch { remove(entry) }
        }
        try? files.removeDirectory(path)
    }
}
