#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The whole input of a command: a file, a pipe, or standard input.
package enum WholeInput {
    /// The reason why the input could not be read, with its name.
    package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The path is a directory.
        case directory(String)
        /// It cannot be opened or read.
        case system(String, SystemError)
        /// It is larger than the limit.
        case tooLarge(String, limit: Int)
        /// The file was replaced or modified during the read.
        case changed(String)
        /// Nothing was written to it within the timeout.
        case silent(String, Duration)

        /// One sentence for the user.
        package var description: String {
            switch self {
            case .directory(let name): "\(name) is a directory; a file is needed"
            case .system(let name, let error):
                error.code == ENOENT ? "there is no file \(name)" : "\(name): \(error.reason)"
            case .tooLarge(let name, let limit): "\(name) has more than \(limit >> 20) MiB"
            case .changed(let name): "\(name) changed while it was read; try again when it is complete"
            case .silent(let name, let timeout): "\(name) sent no data for \(timeout)"
            }
        }
    }

    /// Reads to the end; blocks.
    ///
    /// - Parameters:
    ///   - path: the file; nil for standard input.
    ///   - limit: the maximum number of bytes, in whole MiB.
    ///   - timeout: the timeout for data from a pipe; a terminal has none.
    package static func read(
        _ path: String?, atMost limit: Int, timeout: Duration
    ) throws(Failure) -> [UInt8] {
        let name = path ?? "standard input"
        let input: Descriptor
        do throws(SystemError) {
            // A blocking open of a pipe would wait for a writer.
            input =
                if let path {
                    Descriptor(
                        owning: try systemCall("open", path) { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
                    )
                } else { try Descriptor.duplicate(of: 0) }
        } catch { throw .system(name, error) }
        let before = try status(of: input, name)
        if before.st_mode & S_IFMT == S_IFDIR { throw .directory(name) }
        let isFile = before.st_mode & S_IFMT == S_IFREG
        let wait = isatty(input.rawValue) == 1 ? nil : timeout
        var bytes: [UInt8] = []
        bytes.reserveCapacity(isFile ? min(limit, Int(before.st_size)) + 1 : 0)
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        reading: while true {
            if !isFile, !isReadable(input.rawValue, within: wait) { throw .silent(name, timeout) }
            do throws(SystemError) {
                switch try input.read(into: &buffer) {
                case .bytes(let count): bytes += buffer[..<count]
                case .wouldBlock: continue
                case .end: break reading
                }
            } catch { throw .system(name, error) }
            if bytes.count > limit { throw .tooLarge(name, limit: limit) }
        }
        if isFile {
            let after = try status(of: input, name)
            // Generated files of the system have no size.
            if after.st_size != before.st_size || after.st_size > bytes.count { throw .changed(name) }
        }
        return bytes
    }

    private static func status(of input: borrowing Descriptor, _ name: String) throws(Failure) -> stat {
        var status = stat()
        do throws(SystemError) {
            try systemCall("fstat") { fstat(input.rawValue, &status) }
        } catch { throw .system(name, error) }
        return status
    }

    /// Waits until data or the end can be read; false after the timeout.
    private static func isReadable(_ number: Int32, within timeout: Duration?) -> Bool {
        let clock = ContinuousClock()
        let deadline = timeout.map { clock.now + $0 }
        while true {
            var state = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            let rest = deadline.map { max(.zero, $0 - clock.now) }
            let milliseconds =
                rest.map {
                    Int32(
                        clamping: $0.components.seconds * 1000
                            + $0.components.attoseconds / 1_000_000_000_000_000)
                } ?? -1
            if systemPoll(&state, 1, milliseconds) > 0 { return true }
            if let deadline, clock.now >= deadline { return false }
        }
    }
}

extension SystemError {
    /// The system's message, for example `No such file or directory`.
    package var reason: String { String(cString: strerror(code)) }
}
