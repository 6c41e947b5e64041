#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The reason why a directory is unfit for a socket or for data.
package enum PrivateDirectoryError: Error, Equatable, Sendable, CustomStringConvertible {
    case symbolicLink(path: String)
    case notADirectory(path: String)
    case foreignOwner(path: String, owner: UInt32, expected: UInt32)
    /// A default directory that others can read.
    case notPrivate(path: String, mode: UInt16)
    /// A user's directory in which others can replace files.
    case writableByOthers(path: String, mode: UInt16)
    /// A directory above, or a link on the way, whose owner could replace the directories below it.
    case foreignParent(path: String, owner: UInt32)
    /// A directory above in which others could replace the directories below it.
    case parentWritableByOthers(path: String, mode: UInt16)
    /// A directory that the group cannot enter.
    case closedToGroup(path: String, group: String)
    /// The group cannot become the owner of a new directory.
    case notOfGroup(group: String)
    case system(SystemError)

    /// The problem and its correction.
    package var description: String {
        switch self {
        case .symbolicLink(let path):
            "\(path) is a symbolic link; name the directory itself"
        case .notADirectory(let path):
            "\(path) is not a directory; remove it or use another path"
        case .foreignOwner(let path, let owner, let expected):
            "\(path) belongs to user \(owner); it must belong to user \(expected)"
        case .notPrivate(let path, let mode):
            "\(path) has mode \(Self.octal(mode)); it must be 0700 (chmod 700 \(path))"
        case .writableByOthers(let path, let mode):
            "\(path) has mode \(Self.octal(mode)) and can be written by others; "
                + "run chmod go-w \(path) or use another directory"
        case .foreignParent(let path, let owner):
            "\(path) belongs to user \(owner), who could replace the files below it; "
                + "use a path whose parents belong to you or to root"
        case .parentWritableByOthers(let path, let mode):
            "\(path) has mode \(Self.octal(mode)), so that other accounts could replace the files below it; "
                + "run chmod go-w \(path) or use another path"
        case .closedToGroup(let path, let group):
            "the group \(group) cannot enter \(path); use a path that it can reach, or let it enter "
                + "(chgrp \(group) \(path) && chmod 750 \(path))"
        case .notOfGroup(let group):
            "files cannot be given to the group \(group); your account must be a member, and must have "
                + "logged in after it became one"
        case .system(let error): error.description
        }
    }

    private static func octal(_ mode: UInt16) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// Directories that are protected against other users.
package enum PrivateDirectory {
    /// Ensures that `path` is a directory fit for private files. Missing directories are created with mode
    /// 0700, including parents; existing ones are only checked and never changed.
    ///
    /// A default directory must not be a symbolic link, and must belong to this user with mode 0700. A user's
    /// directory must not be a symbolic link, must belong to this user or root, and must not be writable by
    /// others unless the sticky bit protects its entries. The same applies to the directories above it and
    /// the links on the way, so that nobody can replace it.
    ///
    /// - Parameter isShared: whether others may create files in it, while the sticky bit protects ours. False
    ///   if its files are trusted to be ours.
    package static func ensure(
        _ path: String, isDefault: Bool, isShared: Bool = true
    ) throws(PrivateDirectoryError) {
        // With a trailing slash the system would follow a link.
        let path = withoutTrailingSlashes(path)
        try ParentDirectories.check(above: path, userID: getuid())
        let status: FileStatus
        do throws(SystemError) {
            status = try findOrMake(path)
        } catch {
            throw .system(error)
        }
        if let problem = problem(
            with: status, at: path, isDefault: isDefault, isShared: isShared, userID: getuid())
        {
            throw problem
        }
    }

    /// Ensures a user's directory that a group can reach. Missing directories are created with mode 0750 for the group.
    package static func ensure(_ path: String, sharedWith group: UserGroup) throws(PrivateDirectoryError) {
        let path = withoutTrailingSlashes(path)
        // Checked before anything is created, as far as it exists, and completely afterwards.
        try ParentDirectories.check(thatMayPass: group, to: path)
        let status: FileStatus?
        do throws(SystemError) { status = try FileStatus.ofPath(path) } catch { throw .system(error) }
        try ensure(path, isDefault: false)
        if status == nil {
            do throws(SystemError) {
                try systemCall("chown", path) { lchown(path, uid_t.max, group.id) }
                try systemCall("chmod", path) { chmod(path, 0o750) }
            } catch {
                throw error.code == EPERM ? .notOfGroup(group: group.name) : .system(error)
            }
        }
        try ParentDirectories.check(thatMayPass: group, to: path)
    }

    private static func findOrMake(_ path: String) throws(SystemError) -> FileStatus {
        if let status = try FileStatus.ofPath(path) { return status }
        try make(path)
        guard let status = try FileStatus.ofPath(path) else {
            throw SystemError(call: "lstat", path: path, code: ENOENT)
        }
        return status
    }

    /// The problem with a directory; nil if it is fit.
    package static func problem(
        with status: FileStatus, at path: String, isDefault: Bool, isShared: Bool = true, userID: UInt32
    ) -> PrivateDirectoryError? {
        switch status.kind {
        case .directory: break
        case .symbolicLink: return .symbolicLink(path: path)
        case .regular, .socket, .other: return .notADirectory(path: path)
        }
        let isOurs = status.owner == userID || (status.owner == 0 && !isDefault)
        if !isOurs { return .foreignOwner(path: path, owner: status.owner, expected: userID) }
        if isDefault {
            return status.mode == 0o700 ? nil : .notPrivate(path: path, mode: status.mode)
        }
        let isOpen = status.mode & 0o022 != 0
        let isSticky = status.mode & 0o1000 != 0
        return isOpen && !(isSticky && isShared) ? .writableByOthers(path: path, mode: status.mode) : nil
    }

    private static func make(_ path: String) throws(SystemError) {
        if try makeOne(path) { return }
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw SystemError(call: "mkdir", path: path, code: ENOENT)
        }
        try make(withoutTrailingSlashes(String(path[..<slash])))
        // One attempt only: the parent may be a dangling link.
        guard try makeOne(path) else { throw SystemError(call: "mkdir", path: path, code: ENOENT) }
    }

    /// Creates one directory; false if its parent is missing.
    private static func makeOne(_ path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try systemCall("mkdir", path) { mkdir(path, 0o700) }
            return true
        } catch {
            switch error.code {
            case EEXIST: return true  // another process was faster; the result is checked later
            case ENOENT: return false
            default: throw error
            }
        }
    }

    static func withoutTrailingSlashes(_ path: String) -> String {
        var path = Substring(path)
        while path.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
        return String(path)
    }
}
