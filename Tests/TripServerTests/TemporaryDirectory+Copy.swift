import LocalSystem
import TestSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension TemporaryDirectory {
    /// Copies the whole content to another directory, as after a kill of the process.
    func copy() throws -> TemporaryDirectory {
        let copy = try TemporaryDirectory()
        try Self.copy(path, to: copy.path)
        return copy
    }

    static func copy(_ from: String, to: String) throws {
        let files = RealFileSystem()
        for name in try files.list(from) {
            let (source, target) = (from + "/" + name, to + "/" + name)
            switch try files.status(source)?.kind {
            case .directory:
                mkdir(target, 0o700)
                try copy(source, to: target)
            case .regular: try write(readFile(source), to: target)
            default: break
            }
        }
    }
}

/// The bytes of a file.
func readFile(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw SystemError(call: "open", path: path, code: errno) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(file, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return bytes
}

/// Creates a file of these bytes, or replaces it.
func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw SystemError(call: "open", path: path, code: errno) }
    defer { close(file) }
    guard write(file, bytes, bytes.count) == bytes.count else {
        throw SystemError(call: "write", path: path, code: errno)
    }
}
