import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An exclusive lock on the data directory or on the socket's path, released with the last reference.
package final class LockedDirectory: Sendable {
    private let lock: DirectoryLock

    /// Locks a data directory.
    package convenience init(ofData directory: String) throws(DirectoryLockError) {
        try self.init({ () throws(DirectoryLockError) in try DirectoryLock(directory: directory) }) {
            $0?.socket
        }
    }

    /// Locks the path of a socket.
    convenience init(ofSocket path: String) throws(DirectoryLockError) {
        try self.init({ () throws(DirectoryLockError) in try DirectoryLock(socket: path) }) { _ in path }
    }

    /// A daemon holds its locks from before it listens until its process has ended. So this blocks the thread for up to two
    /// seconds while the lock is held and nobody listens at the holder's socket.
    private init(
        _ take: () throws(DirectoryLockError) -> DirectoryLock, socketOf: (DirectoryLock.Holder?) -> String?
    ) throws(DirectoryLockError) {
        let deadline = ContinuousClock.now + .seconds(2)
        while true {
            do throws(DirectoryLockError) {
                lock = try take()
                return
            } catch {
                guard case .heldBy(_, let holder) = error, ContinuousClock.now < deadline else { throw error }
                if let socket = socketOf(holder), case .live? = try? SocketFile.state(at: socket) {
                    throw error
                }
            }
            usleep(10_000)
        }
    }

    /// Names the socket at which this process listens.
    func publish(socket: String) throws(SystemError) { try lock.publish(socket: socket) }
}
