#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The reason why a directory could not be locked.
package enum DirectoryLockError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A running process holds the lock; nil if it has not written who it is yet.
    case heldBy(directory: String, DirectoryLock.Holder?)
    /// Locks on this file system may not exclude other machines.
    case ofNetwork(place: String, fileSystem: String)
    case system(SystemError)

    /// One sentence for the user.
    package var description: String {
        switch self {
        case .heldBy(let directory, let holder?):
            "\(directory) is in use by process \(holder.process)"
                + (holder.socket.map { ", which serves at \($0)" } ?? "")
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
/// It is the kernel's lock on the file `lock` in that directory, which contains the holder's process id and, while it
/// listens, the path of its socket, each with a newline. The file may remain; its existence means nothing. It is never
/// removed, because otherwise two processes could lock two files of the same name. As users may remove it, the directory
/// itself is locked, too.
package struct DirectoryLock: ~Copyable, Sendable {
    /// A running process that holds the lock of a directory.
    package struct Holder: Equatable, Sendable {
        /// Its process id.
        package let process: Int32
        /// The absolute path of the socket at which it listens; nil if it does not listen.
        package let socket: String?
    }

    private let file: Locked
    /// The directory; nil for the lock of a socket.
    private let directory: Locked?

    /// A locked file or directory.
    private struct Locked: ~Copyable {
        let descriptor: Descriptor

        // Closing alone would leave the lock with a child process that is being started and briefly has a copy.
        deinit { flock(descriptor.rawValue, LOCK_UN) }
    }

    /// Locks `directory`, which must exist, or fails at once. Writes this process's id into the file.
    ///
    /// - Parameter fileSystem: returns the file system of an open file.
    package init(
        directory: String, fileSystem: (Int32) -> MountedFileSystem? = MountedFileSystem.init(of:)
    ) throws(DirectoryLockError) {
        let file = try Self.locked(directory + "/lock", of: directory, fileSystem)
        do throws(SystemError) {
            let opened = Descriptor(
                owning: try systemCall("open", directory) {
                    open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                })
            let number = opened.rawValue
            try systemCall("flock", directory) { flock(number, LOCK_EX | LOCK_NB) }
            self.directory = .some(Locked(descriptor: opened))
        } catch {
            throw error.isLocked ? .heldBy(directory: directory, nil) : .system(error)
        }
        self.file = file
    }

    /// Locks the path of a socket with a file beside it, from before the socket is bound until its daemon
    /// ends. Before the lock, a new socket could be mistaken for a stale one.
    ///
    /// - Parameter fileSystem: returns the file system of an open file.
    package init(
        socket: String, fileSystem: (Int32) -> MountedFileSystem? = MountedFileSystem.init(of:)
    ) throws(DirectoryLockError) {
        file = try Self.locked(socket + ".lock", of: socket, fileSystem)
        directory = nil
    }

    /// The locked file at `path`, which locks `place`.
    private static func locked(
        _ path: String, of place: String, _ fileSystem: (Int32) -> MountedFileSystem?
    ) throws(DirectoryLockError) -> Locked {
        let file: Descriptor
        do throws(SystemError) { file = try opened(path) } catch { throw .system(error) }
        if let found = fileSystem(file.rawValue), found.isOfNetwork {
            throw .ofNetwork(place: place, fileSystem: found.name)
        }
        do throws(SystemError) { try lock(file, path) } catch {
            throw error.isLocked ? .heldBy(directory: place, runningHolder(path)) : .system(error)
        }
        return Locked(descriptor: file)
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
        try write("\(getpid())\n", to: file, path)
    }

    private static func write(
        _ text: String, to file: borrowing Descriptor, _ path: String
    ) throws(SystemError) {
        let (number, bytes) = (file.rawValue, Array(text.utf8))
        try systemCall("ftruncate", path) { ftruncate(number, 0) }
        try systemCall("pwrite", path) { pwrite(number, bytes, bytes.count, 0) }
    }

    /// Names the socket at which this process listens, an absolute path, for those who look for it.
    package func publish(socket: String) throws(SystemError) {
        guard !socket.contains("\n") else { return }
        try Self.write("\(getpid())\n\(socket)\n", to: file.descriptor, socket)
    }

    deinit {
        // The next holder may be a program that writes nothing, or a process with the same number.
        ftruncate(file.descriptor.rawValue, 0)
    }

    /// The running process that holds the lock of `directory`; nil if there is none. The lock is not
    /// acquired, so that this call never blocks a daemon that is starting.
    package static func holder(of directory: String) -> Holder? {
        let path = directory + "/lock"
        guard let holder = runningHolder(path) else { return nil }
        // Another process may have the same number by now; only the lock itself is reliable.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { return nil }
        let file = Descriptor(owning: number)
        if flock(file.rawValue, LOCK_SH | LOCK_NB) == 0 {
            flock(file.rawValue, LOCK_UN)
            return nil
        }
        return holder
    }

    /// The process that the lock file at `path` names; nil if it has ended or the file is incomplete: then another
    /// program may hold the lock.
    private static func runningHolder(_ path: String) -> Holder? {
        guard let file = try? OpenFile(path, .read, in: RealFileSystem()),
            let bytes = try? file.read(at: 0, count: 4096), bytes.last == UInt8(ascii: "\n")
        else { return nil }
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        guard let process = lines.first.flatMap({ Int32($0) }), kill(process, 0) == 0 || errno == EPERM else {
            return nil
        }
        return Holder(process: process, socket: lines.dropFirst().first { $0.hasPrefix("/") })
    }
}

extension SystemError {
    /// Whether another process has the lock.
    fileprivate var isLocked: Bool { call == "flock" && code == EWOULDBLOCK }
}
