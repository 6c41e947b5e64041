#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The file of a listening socket, known by its place on the disk, so that only our own is ever removed.
package struct SocketFile: Equatable, Sendable {
    /// What is found at the path of a socket.
    package enum State: Equatable, Sendable {
        /// Nothing.
        case missing
        /// A socket with somebody listening; nil where they would not say who.
        case live(processID: Int32?)
        /// A socket that nobody listens on any more.
        case stale(SocketFile)
        /// Something that is no socket.
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
            // Behind a daemon that stands still and has a full queue, a connection would be waited for without end.
            let connection = try UnixSocket.connect(path: path, patience: nil)
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

    /// The socket file that was just made at `path`.
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

    /// Removes the file if it is still the same one; returns whether it was.
    @discardableResult
    package func remove() throws(SystemError) -> Bool {
        guard let status = try FileStatus.ofPath(path), status.device == device, status.number == number
        else {
            return false
        }
        try systemCall("unlink", path) { unlink(path) }
        return true
    }
}
