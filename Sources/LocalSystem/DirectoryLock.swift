#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The reason why a directory could not be locked.
package enum DirectoryLockError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A running process holds the lock; nil if it has not written its id yet.
    case heldBy(directory: String, pid: Int32?)
    /// Locks on this file system may not exclude other machines.
    case ofNetwork(place: String, fileSystem: String)
    case system(SystemError)

    /// One sentence for the user.
    package var description: String {
        switch self {
        case .heldBy(let directory, let pid?): "\(directory) is in use by process \(pid)"
        case .heldBy(let directory, nil): "\(directory) is in use by another process"
        case .ofNetwork(let place, let fileSystem):
            "\(place) is on \(fileSystem), whose locks do not reliably exclude daemons of other machines; "
                + "use a directory on a local disk (--data, --socket)"
        case .system(let error): error.description
        }
    }
}

/// An exclusive lock on a directory, held while this value exists and at most as long as the process runs.
///
/// It is the kernel's lock on the file `lock` in that directory. The file may remain; its existence means
/// nothing. It is never removed, because otherwise two processes could lock two files of the same name.
package struct DirectoryLock: ~Copyable, Sendable {
    private let file: Descriptor

    /// Locks `directory`, which must exist, or fails at once. Writes this process's id into the file.
    ///
    /// - Parameter fileSystem: returns the file system of an open file.
    package init(
        directory: String, fileSystem: (Int32) -> MountedFileSystem? = MountedFileSystem.init(of:)
    ) throws(DirectoryLockError) {
        try self.init(of: directory, at: directory + "/lock", fileSystem)
    }

    /// Locks the path of a socket with a file beside it, from before the socket is bound until its daemon
    /// ends. Before the lock, a new socket could be mistaken for a stale one.
    ///
    /// - Parameter fileSystem: returns the file system of an open file.
    package init(
        socket: String, fileSystem: (Int32) -> MountedFileSystem? = MountedFileSystem.init(of:)
    ) throws(DirectoryLockError) {
        try self.init(of: socket, at: socket + ".lock", fileSystem)
    }

    private init(
        of place: String, at path: String, _ fileSystem: (Int32) -> MountedFileSystem?
    ) throws(DirectoryLockError) {
        let file: Descriptor
        do throws(SystemError) { file = try Self.opened(path) } catch { throw .system(error) }
        if let found = fileSystem(file.rawValue), found.isOfNetwork {
            throw .ofNetwork(place: place, fileSystem: found.name)
        }
        do throws(SystemError) { try Self.lock(file, path) } catch {
            if error.call == "flock", error.code == EWOULDBLOCK {
                throw .heldBy(directory: place, pid: Self.holder(path))
            }
            throw .system(error)
        }
        self.file = file
    }

    private static func opened(_ path: String) throws(SystemError) -> Descriptor {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let file = Descriptor(owning: try systemCall("open", path) { open(path, flags, 0o600) })
        // Rejects a lock file of another user beside a socket in a shared directory: that user could read and
        // unlock it.
        let status = try FileStatus.ofDescriptor(file.rawValue)
        guard status.kind == .regular, status.owner == geteuid() else {
            throw SystemError(call: "open", path: path, code: EPERM)
        }
        return file
    }

    private static func lock(_ file: borrowing Descriptor, _ path: String) throws(SystemError) {
        let number = file.rawValue
        try systemCall("flock", path) { flock(number, LOCK_EX | LOCK_NB) }
        let text = Array("\(getpid())\n".utf8)
        try systemCall("ftruncate", path) { ftruncate(number, 0) }
        try systemCall("pwrite", path) { pwrite(number, text, text.count, 0) }
    }

    deinit {
        // Closing alone would leave the lock with a child process that is being started and briefly has a copy.
        flock(file.rawValue, LOCK_UN)
    }

    /// The running process that holds the lock of `directory`; nil if there is none. The lock is not
    /// acquired, so that this call never blocks a daemon that is starting.
    package static func holder(of directory: String) -> Int32? {
        let path = directory + "/lock"
        guard let process = holder(path), kill(process, 0) == 0 || errno == EPERM else { return nil }
        // Another process may have the same number by now; only the lock itself is reliable.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { return nil }
        let file = Descriptor(owning: number)
        if flock(file.rawValue, LOCK_SH | LOCK_NB) == 0 {
            flock(file.rawValue, LOCK_UN)
            return nil
        }
        return process
    }

    /// The process id in the lock file at `path`; nil if it is incomplete.
    private static func holder(_ path: String) -> Int32? {
        guard let file = try? OpenFile(path, .read, in: RealFileSystem()),
            let bytes = try? file.read(at: 0, count: 16), bytes.last == UInt8(ascii: "\n")
        else { return nil }
        return Int32(String(decoding: bytes.dropLast(), as: UTF8.self))
    }
}
