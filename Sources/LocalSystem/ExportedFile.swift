#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A file that is made for somebody else to read: a calendar, a page, a table.
package enum ExportedFile {
    /// Why nothing was written.
    package enum Failure: Error, Equatable, Sendable {
        case system(SystemError)
        /// Nobody has opened the pipe to read for so long.
        case unread(Duration)

        /// In the system's words.
        package var reason: String {
            switch self {
            case .system(let error): error.reason
            case .unread(let patience): "nobody has read from it for \(patience)"
            }
        }

        /// Whether the reader of a pipe has gone.
        package var isBrokenPipe: Bool {
            if case .system(let error) = self { error.isBrokenPipe } else { false }
        }
    }

    /// Writes a file whole or not at all. A new one has the mode that the umask leaves, and one that is replaced keeps
    /// its own; a link stays a link. What is no file, such as a device or a pipe, is written into, and so is a path that
    /// leads to standard output.
    ///
    /// - Parameter patience: how long nobody may open a pipe to read.
    package static func write(
        _ bytes: [UInt8], to path: String, patience: Duration
    ) throws(Failure) {
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG || isStandardOutput(status) {
            let file = try opened(path, status, patience)
            do throws(SystemError) { try PrivateFile.fill(file, bytes, path) } catch { throw .system(error) }
            return
        }
        do throws(SystemError) {
            let target = exists ? PrivateFile.resolved(path) : destination(of: path)
            // One that must not be written is not replaced either.
            if exists { try systemCall("access", path) { access(target, W_OK) } }
            let draft = try PrivateFile.makeDraft(bytes, beside: target, mode: exists ? 0o600 : 0o666)
            do throws(SystemError) {
                if exists {
                    // Where it was another account's it becomes ours if the system does not let us give it away.
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

    /// What a link to nothing leads to; the path itself where it is no link.
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
        _ path: String, _ status: stat, _ patience: Duration
    ) throws(Failure) -> Descriptor {
        do throws(SystemError) {
            if isStandardOutput(status) { return try Descriptor.duplicate(of: 1) }
            guard status.st_mode & S_IFMT == S_IFIFO else {
                return Descriptor(owning: try systemCall("open", path) { open(path, O_WRONLY | O_CLOEXEC) })
            }
        } catch { throw .system(error) }
        let clock = ContinuousClock()
        let deadline = clock.now + patience
        while true {
            do throws(SystemError) {
                // A blocking open would wait for a reader without end.
                let number = try systemCall("open", path) { open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
                let file = Descriptor(owning: number)
                let flags = try systemCall("fcntl", path) { fcntl(number, F_GETFL) }
                try systemCall("fcntl", path) { fcntl(number, F_SETFL, flags & ~O_NONBLOCK) }
                return file
            } catch {
                guard error.code == ENXIO else { throw .system(error) }
                guard clock.now < deadline else { throw .unread(patience) }
                usleep(20_000)
            }
        }
    }
}
