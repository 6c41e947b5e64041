#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The reason why a file is not trusted.
package enum PrivateFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A link, a directory, a device or a pipe.
    case notPlain(path: String)
    case writableByOthers(path: String)
    case tooLong(path: String, maximumBytes: Int)
    case system(SystemError)

    /// The problem and its correction.
    package var description: String {
        switch self {
        case .notPlain(let path): "\(path) is not a regular file; replace it with one, not with a link"
        case .writableByOthers(let path):
            "\(path) can be written by others; it must belong to this user or to root, with a mode such as 0600"
        case .tooLong(let path, let maximumBytes): "\(path) has more than \(maximumBytes) bytes"
        case .system(let error): error.description
        }
    }
}

/// A small file of the user.
package enum PrivateFile {
    /// Writes a file atomically that only its owner can read. Devices and pipes are written to directly.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            let number = try systemCall("open", path) { open(path, O_WRONLY | O_CLOEXEC) }
            return try fill(Descriptor(owning: number), bytes, path)
        }
        // A link's target is replaced, not the link.
        let target = resolved(path)
        let draft = try makeDraft(bytes, beside: target)
        do throws(SystemError) {
            try systemCall("rename", target) { rename(draft, target) }
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Reads a file that only this user or root can have written; nil if there is none.
    ///
    /// Links are not followed, and the call blocks only on a regular file.
    ///
    /// - Throws: `PrivateFileError` if it is anything else, or too long.
    package static func read(
        _ path: String, maximumBytes: Int
    ) throws(PrivateFileError) -> [UInt8]? {
        let number: Int32
        do throws(SystemError) {
            guard try FileStatus.ofPath(path) != nil else { return nil }
            number = try systemCall("open", path) {
                open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            }
        } catch {
            throw error.code == ELOOP ? .notPlain(path: path) : .system(error)
        }
        let file = Descriptor(owning: number)
        let status: FileStatus
        do throws(SystemError) { status = try FileStatus.ofDescriptor(number) } catch {
            throw .system(error)
        }
        guard status.kind == .regular else { throw .notPlain(path: path) }
        guard status.owner == getuid() || status.owner == 0, status.mode & 0o022 == 0 else {
            throw .writableByOthers(path: path)
        }
        guard status.size <= maximumBytes else { throw .tooLong(path: path, maximumBytes: maximumBytes) }
        do throws(SystemError) { return try contents(of: file, path, maximumBytes) } catch {
            throw .system(error)
        }
    }

    /// Reads to the end of a file, or up to the limit if it grows meanwhile.
    private static func contents(
        of file: borrowing Descriptor, _ path: String, _ maximumBytes: Int
    ) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count < maximumBytes, case .bytes(let count) = try file.read(into: &part) {
            bytes += part[..<count]
        }
        return bytes
    }

    /// Creates a complete file that only its owner can read; false if the path exists, which is left unchanged.
    package static func create(_ bytes: [UInt8], at path: String) throws(SystemError) -> Bool {
        let draft = try makeDraft(bytes, beside: path)
        defer { unlink(draft) }
        do throws(SystemError) {
            try systemCall("link", path) { link(draft, path) }
            return true
        } catch {
            if error.code == EEXIST { return false }
            throw error
        }
    }

    /// Writes a draft, and removes it after a failure.
    static func makeDraft(
        _ bytes: [UInt8], beside path: String, mode: mode_t = 0o600
    ) throws(SystemError) -> String {
        let draft = "\(path).\(CurrentUser.processID)"
        // Removes a draft that a crash has left. Another user's file stays, and is not written to.
        unlink(draft)
        let number = try systemCall("open", path) {
            open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        }
        do throws(SystemError) {
            try fill(Descriptor(owning: number), bytes, path)
        } catch {
            unlink(draft)
            throw error
        }
        return draft
    }

    static func fill(
        _ file: borrowing Descriptor, _ bytes: [UInt8], _ path: String
    ) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try systemCall("write", path) {
                rest.withUnsafeBytes { systemWrite(file.rawValue, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// The target of a link; the path itself if it is not a link, or a dangling one.
    package static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
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
