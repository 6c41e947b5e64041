#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An output file for other users and programs, such as a calendar, a page or a table.
package enum ExportedFile {
    /// The reason why nothing was written.
    package enum Failure: Error, Equatable, Sendable {
        case system(SystemError)
        /// No reader has opened the pipe within the timeout.
        case unread(Duration)

        /// The system's message.
        package var reason: String {
            switch self {
            case .system(let error): error.reason
            case .unread(let timeout): "no program has read from it for \(timeout)"
            }
        }

        /// True if the reader of a pipe is gone.
        package var isBrokenPipe: Bool {
            if case .system(let error) = self { error.isBrokenPipe } else { false }
        }
    }

    /// Writes a file atomically. A new file has the mode of the umask; a replaced file keeps its mode, and a
    /// link stays a link. Devices and pipes, and paths that lead to standard output, are written to directly.
    ///
    /// - Parameter timeout: the timeout for a reader to open a pipe.
    package static func write(
        _ bytes: [UInt8], to path: String, timeout: Duration
    ) throws(Failure) {
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG || isStandardOutput(status) {
            let file = try opened(path, status, timeout)
            do throws(SystemError) { try PrivateFile.fill(file, bytes, path) } catch { throw .system(error) }
            return
        }
        do throws(SystemError) {
            let target = exists ? PrivateFile.resolved(path) : destination(of: path)
            // A read-only file is not replaced either.
            if exists { try systemCall("access", path) { access(target, W_OK) } }
            let draft = try PrivateFile.makeDraft(bytes, beside: target, mode: exists ? 0o600 : 0o666)
            do throws(SystemError) {
                if exists {
                    // A file of another account becomes ours if the system does not allow to give it away.
                    _ = chown(draft, status.st_uid, status.st_gid)
                    try systemCall("chmod", path) { chmod(draft, status.st_mode & 0o777) }
                }
                try systemCall("rename", target) { rename(draft, target) }
            } catch {
                unlink(draft)
                throw error
            }
        } catch { throw .system(error) }
    }

    /// The target of a dangling link; the path itself if it is not a link.
    private static func destination(of path: String) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return path }
        let link = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard !link.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return link }
        return path[...slash] + link
    }

    private static func isStandardOutput(_ file: stat) -> Bool {
        var output = stat()
        return fstat(1, &output) == 0 && output.st_dev == file.st_dev && output.st_ino == file.st_ino
    }

    private static func opened(
        _ path: String, _ status: stat, _ timeout: Duration
    ) throws(Failure) -> Descriptor {
        do throws(SystemError) {
            if isStandardOutput(status) { return try Descriptor.duplicate(of: 1) }
            guard status.st_mode & S_IFMT == S_IFIFO else {
                return Descriptor(owning: try systemCall("open", path) { open(path, O_WRONLY | O_CLOEXEC) })
            }
        } catch { throw .system(error) }
        let clock = ContinuousClock()
        let deadline = clock.now + timeout
        while true {
            do throws(SystemError) {
                // A blocking open would wait for a reader without a timeout.
                let number = try systemCall("open", path) { open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
                let file = Descriptor(owning: number)
                let flags = try systemCall("fcntl", path) { fcntl(number, F_GETFL) }
                try systemCall("fcntl", path) { fcntl(number, F_SETFL, flags & ~O_NONBLOCK) }
                return file
            } catch {
                guard error.code == ENXIO else { throw .system(error) }
                guard clock.now < deadline else { throw .unread(timeout) }
                usleep(20_000)
            }
        }
    }
}
