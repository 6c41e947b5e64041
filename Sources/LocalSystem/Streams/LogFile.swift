#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The reason why a file cannot be a log.
package enum LogFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A link, a pipe, a device, another user's file, or a file with several names.
    case notOurs(path: String)
    case system(SystemError)

    /// The problem and its correction.
    package var description: String {
        switch self {
        case .notOurs(let path):
            "\(path) is not a regular file of this user; remove it or use another log file"
        case .system(let error): error.description
        }
    }
}

/// A log file with one predecessor: at its maximum size it is renamed, so that both together have a bounded size.
package struct LogFile: Sendable {
    /// The log's path; the previous log has the same path with `.1` appended.
    package let path: String
    /// The size in bytes at which a new file is begun.
    package let maximumBytes: Int64

    /// A log at a path; nothing is opened yet.
    package init(path: String, maximumBytes: Int64 = 1 << 20) {
        self.path = PrivateFile.absolute(path)
        self.maximumBytes = maximumBytes
    }

    /// An open log, to be appended to.
    package struct Opened: ~Copyable {
        fileprivate let file: Descriptor
        /// The reason why the log is too long, because it could not be renamed. A log that is too long is
        /// better than none.
        package let excess: SystemError?

        /// Gives up ownership of the file.
        package consuming func takeFile() -> Descriptor { file }
    }

    /// Opens the log for appending, and creates it if needed (mode 0600). A log that is too long is renamed first.
    ///
    /// Links are not followed. Only a regular file of this user with a single name is accepted, and the call never
    /// blocks on a pipe.
    package func open() throws(LogFileError) -> Opened {
        let file = try append()
        do throws(SystemError) {
            let status = try FileStatus.ofDescriptor(file.rawValue)
            guard status.size >= maximumBytes else { return Opened(file: file, excess: nil) }
            try systemCall("rename", path) { rename(path, path + ".1") }
        } catch {
            return Opened(file: file, excess: error)
        }
        return Opened(file: try append(), excess: nil)
    }

    private func append() throws(LogFileError) -> Descriptor {
        let number: Int32
        do throws(SystemError) {
            number = try systemCall("open", path) {
                systemOpen(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            }
        } catch {
            // A link, or a pipe without a reader.
            throw error.code == ELOOP || error.code == ENXIO ? .notOurs(path: path) : .system(error)
        }
        let file = Descriptor(owning: number)
        do throws(SystemError) {
            let status = try FileStatus.ofDescriptor(number)
            guard status.kind == .regular, status.owner == getuid(), status.linkCount == 1 else {
                throw SystemError(call: "open", path: path, code: ELOOP)
            }
            try file.setNonBlocking(false)
        } catch {
            throw error.code == ELOOP ? .notOurs(path: path) : .system(error)
        }
        return file
    }

    /// Opens the log as a standard stream of this process.
    ///
    /// - Returns: the reason why the log is too long, if it is.
    package func replace(_ stream: StandardStream) throws(LogFileError) -> SystemError? {
        let opened = try open()
        do throws(SystemError) {
            try systemCall("dup2", path) { dup2(opened.file.rawValue, stream.rawValue) }
        } catch {
            throw .system(error)
        }
        return opened.excess
    }
}

// The C function under a name that the method above does not hide.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }
