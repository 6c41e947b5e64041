#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Why a file is no place for a log.
package enum LogFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A link, a pipe, a device, somebody else's file, or one that has another name elsewhere.
    case notOurs(path: String)
    case system(SystemError)

    /// What is wrong, and what would be right.
    package var description: String {
        switch self {
        case .notOurs(let path):
            "\(path) is no plain file of this user's, so nothing is written into it; remove it or name another place"
        case .system(let error): error.description
        }
    }
}

/// A log as a file: what does not fit any more goes to a second one, so that there is never more than twice as much.
package struct LogFile: Sendable {
    /// The log's path; the previous log has the same path with `.1` appended.
    package let path: String
    /// Bytes from which on it is begun anew.
    package let maximumBytes: Int64

    /// A log at a path; nothing is opened yet.
    package init(path: String, maximumBytes: Int64 = 1 << 20) {
        self.path = PrivateFile.absolute(path)
        self.maximumBytes = maximumBytes
    }

    /// An open log, to be appended to.
    package struct Opened: ~Copyable {
        fileprivate let file: Descriptor
        /// Why it is longer than it may be: what was in it could not be put aside. A log that is too long is better than
        /// none.
        package let excess: SystemError?

        /// Hands over the file.
        package consuming func takeFile() -> Descriptor { file }
    }

    /// Opens it to append, and makes it where it is missing (mode 0600). What is longer than it may be is put aside first.
    ///
    /// No link is followed, nothing but a plain file of this user's with this one name is taken, and none is waited for.
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
            // A link; a pipe that nobody reads.
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

    /// Opens it as a stream of this process, in the place of what the stream was.
    ///
    /// - Returns: why it is longer than it may be.
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
