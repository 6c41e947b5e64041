#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A small file of the user's own.
package enum PrivateFile {
    /// Writes a file that only its owner can read, whole or not at all: whoever reads it finds the old contents or the
    /// new ones.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let draft = "\(path).\(CurrentUser.processID)"
        let number = try systemCall("open", draft) {
            open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        }
        let file = Descriptor(owning: number)
        var rest = bytes[...]
        while !rest.isEmpty {
            guard case .wrote(let count) = try file.write(Array(rest)) else { break }
            rest = rest.dropFirst(count)
        }
        try systemCall("rename", path) { rename(draft, path) }
    }

    /// A path that does not depend on the working directory.
    package static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard getcwd(&buffer, buffer.count) != nil else { return path }
        let directory = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: directory, as: UTF8.self) + "/" + path
    }
}
