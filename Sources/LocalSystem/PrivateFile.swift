#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A small file of the user's own.
package enum PrivateFile {
    /// Writes a file that only its owner can read, whole or not at all: whoever reads it finds the old contents or the
    /// new ones. What is no file, such as a device or a pipe, is written into as it is.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            let number = try systemCall("open", path) { open(path, O_WRONLY | O_CLOEXEC) }
            return try fill(Descriptor(owning: number), bytes, path)
        }
        // What a link leads to is replaced, not the link.
        let target = resolved(path)
        let draft = try makeDraft(bytes, beside: target)
        do throws(SystemError) {
            try systemCall("rename", target) { rename(draft, target) }
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Makes a file that only its owner can read, whole; false where there is something already, which stays.
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

    /// Writes a draft; where that fails nothing of it stays.
    private static func makeDraft(_ bytes: [UInt8], beside path: String) throws(SystemError) -> String {
        let draft = "\(path).\(CurrentUser.processID)"
        let number = try systemCall("open", path) {
            open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        do throws(SystemError) {
            try fill(Descriptor(owning: number), bytes, path)
        } catch {
            unlink(draft)
            throw error
        }
        return draft
    }

    private static func fill(
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

    /// Where a path leads that is a link; the path itself where it is none, or leads nowhere.
    private static func resolved(_ path: String) -> String {
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
