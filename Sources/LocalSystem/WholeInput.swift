#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What a command reads whole: a file, a pipe, or standard input.
package enum WholeInput {
    /// Why nothing could be read; each says of what.
    package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The path is a directory.
        case directory(String)
        /// It cannot be opened or read.
        case system(String, SystemError)
        /// It has more bytes than that.
        case tooLarge(String, limit: Int)
        /// The file was replaced or modified during the read.
        case changed(String)
        /// Nobody wrote anything into it for so long.
        case silent(String, Duration)

        /// One sentence for a person.
        package var description: String {
            switch self {
            case .directory(let name): "\(name) is a directory, and a file is needed"
            case .system(let name, let error):
                error.code == ENOENT ? "there is no file \(name)" : "\(name): \(error.reason)"
            case .tooLarge(let name, let limit): "\(name) has more than \(limit >> 20) MiB"
            case .changed(let name): "\(name) was written to while it was read; try again when it is whole"
            case .silent(let name, let patience): "nothing came from \(name) for \(patience)"
            }
        }
    }

    /// Reads to the end; blocks.
    ///
    /// - Parameters:
    ///   - path: the file; nil for standard input.
    ///   - limit: how many bytes there may be, whole MiB.
    ///   - patience: how long nothing may come out of a pipe; without end where somebody types at a terminal.
    package static func read(
        _ path: String?, atMost limit: Int, patience: Duration
    ) throws(Failure) -> [UInt8] {
        let name = path ?? "standard input"
        let input: Descriptor
        do throws(SystemError) {
            // Opening a pipe would wait for whoever writes into it.
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
        let wait = isatty(input.rawValue) == 1 ? nil : patience
        var bytes: [UInt8] = []
        bytes.reserveCapacity(isFile ? min(limit, Int(before.st_size)) + 1 : 0)
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        reading: while true {
            if !isFile, !isReadable(input.rawValue, within: wait) { throw .silent(name, patience) }
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
            // What the system makes up as it is read has no size.
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

    /// Waits until something can be read, the end included; false where that takes too long.
    private static func isReadable(_ number: Int32, within patience: Duration?) -> Bool {
        let clock = ContinuousClock()
        let deadline = patience.map { clock.now + $0 }
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
    /// The system's own words for it, `No such file or directory`.
    package var reason: String { String(cString: strerror(code)) }
}
