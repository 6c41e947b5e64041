import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The status of a file.
package struct FileStatus: Equatable, Sendable {
    /// The file types that this project distinguishes.
    package enum Kind: Equatable, Sendable {
        case regular
        case directory
        case symbolicLink
        case socket
        case other
    }

    /// The type.
    package let kind: Kind
    /// The size in bytes.
    package let size: Int64
    /// Permission bits and the set-id and sticky bits, such as 0o700.
    package let mode: UInt16
    /// The owner's user id.
    package let owner: UInt32
    /// The group's id.
    package let group: UInt32
    /// The number of hard links.
    package let linkCount: Int
    /// The device.
    package let device: UInt64
    /// The inode number; with the device it identifies the file, whatever its name.
    package let number: UInt64

    /// Creates a status, for simulated file systems.
    package init(
        kind: Kind, size: Int64, mode: UInt16, owner: UInt32, group: UInt32 = 0, linkCount: Int = 1,
        device: UInt64, number: UInt64
    ) {
        self.kind = kind
        self.size = size
        self.mode = mode
        self.owner = owner
        self.group = group
        self.linkCount = linkCount
        self.device = device
        self.number = number
    }

    /// True if both are of the same file, whatever its names and size.
    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && number == other.number }

    /// The status of the file at `path`, without following a symbolic link; nil if there is none.
    package static func ofPath(_ path: String) throws(SystemError) -> FileStatus? {
        try ofPath(path, found: AT_FDCWD, path)
    }

    /// The status of a file relative to an open directory; errors report it as `path`.
    static func ofPath(_ path: String, found base: Int32, _ way: String) throws(SystemError) -> FileStatus? {
        var status = stat()
        do {
            try systemCall("lstat", path) { fstatat(base, way, &status, AT_SYMLINK_NOFOLLOW) }
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        return FileStatus(status)
    }

    /// The status of an open file.
    package static func ofDescriptor(_ descriptor: Int32) throws(SystemError) -> FileStatus {
        var status = stat()
        try systemCall("fstat") { shim_fstat(descriptor, &status) }
        return FileStatus(status)
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            case S_IFSOCK: .socket
            default: .other
            }
        size = Int64(status.st_size)
        mode = UInt16(status.st_mode & 0o7777)
        owner = status.st_uid
        group = status.st_gid
        linkCount = Int(status.st_nlink)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
    }
}
