#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The file of a listening socket, identified by its inode, so that only our own is ever removed.
package struct SocketFile: Equatable, Sendable {
    /// The state of a socket's path.
    package enum State: Equatable, Sendable {
        /// Nothing is there.
        case missing
        /// A socket with a listener; its process id is nil if unknown.
        case live(processID: Int32?)
        /// A socket without a listener.
        case stale(SocketFile)
        /// A file that is not a socket.
        case foreign
    }

    /// The path of the file.
    package let path: String
    private let device: UInt64
    private let number: UInt64

    /// The state of the socket at `path`, determined by connecting to it.
    package static func state(at path: String) throws(UnixSocketError) -> State {
        let found: SocketFile
        do throws(SystemError) {
            guard let status = try FileStatus.ofPath(path) else { return .missing }
            guard status.kind == .socket else { return .foreign }
            found = SocketFile(path: path, status)
        } catch {
            throw .system(error)
        }
        do throws(UnixSocketError) {
            // Without a timeout, a stopped daemon with a full backlog would block this call.
            let connection = try UnixSocket.connect(path: path, timeout: nil)
            let peer = try? UnixSocket.peerCredentials(of: connection)
            return .live(processID: peer?.processID)
        } catch {
            switch error {
            case .system(let error) where error.code == ECONNREFUSED: return .stale(found)
            case .system(let error) where error.code == ENOENT: return .missing
            case .system(let error) where error.code == EAGAIN: return .live(processID: nil)
            default: throw error
            }
        }
    }

    /// The socket file that was just created at `path`.
    package init(path: String) throws(SystemError) {
        guard let status = try FileStatus.ofPath(path) else {
            throw SystemError(call: "lstat", path: path, code: ENOENT)
        }
        self.init(path: path, status)
    }

    private init(path: String, _ status: FileStatus) {
        self.path = path
        device = status.device
        number = status.number
    }

    /// Whether the file is still at its path.
    package var isInPlace: Bool {
        guard let status = try? FileStatus.ofPath(path) else { return false }
        return status.device == device && status.number == number
    }

    /// Removes the file if it is still the same one; returns whether it was.
    @discardableResult
    package func remove() throws(SystemError) -> Bool {
        guard isInPlace else { return false }
        try systemCall("unlink", path) { unlink(path) }
        return true
    }
}
