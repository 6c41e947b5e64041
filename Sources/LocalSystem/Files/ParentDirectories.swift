import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A group of this machine.
package struct UserGroup: Equatable, Sendable {
    /// Its name.
    package let name: String
    /// Its id.
    package let id: UInt32

    /// The group with a name; nil if there is none. May block.
    package init?(named name: String) {
        guard let id = UserDatabase.groupID(named: name) else { return nil }
        self.name = name
        self.id = id
    }
}

/// The directories and links on the way to a path, from the root on.
enum ParentDirectories {
    /// Maximum number of links on the way.
    private static let maximumLinks = 32

    /// Checks that nobody but a user and root could replace the file at a path. Every existing directory
    /// above it must be theirs, and not writable by others unless the sticky bit protects its entries.
    static func check(above path: String, userID: UInt32) throws(PrivateDirectoryError) {
        try walk(to: path) { place, status throws(PrivateDirectoryError) in
            if let problem = problem(with: status, at: place, userID: userID) { throw problem }
        }
    }

    /// Checks that a group can reach and enter a directory.
    static func check(thatMayPass group: UserGroup, to path: String) throws(PrivateDirectoryError) {
        try walk(to: path + "/.") { place, status throws(PrivateDirectoryError) in
            guard status.kind == .directory else { return }
            let passes = status.group == group.id ? status.mode & 0o010 != 0 : status.mode & 0o001 != 0
            if !passes { throw .closedToGroup(path: place, group: group.name) }
        }
    }

    /// The problem with a directory above a path, or with a link to one; nil if there is none.
    static func problem(
        with status: FileStatus, at path: String, userID: UInt32,
        isOwnGroup: (UInt32) -> Bool = { UserDatabase.isOwnGroup($0, of: getuid()) },
        hasAccessList: (String) -> Bool = { shim_has_access_list($0) != 0 }
    ) -> PrivateDirectoryError? {
        if status.owner != userID, status.owner != 0 {
            return .foreignParent(path: path, owner: status.owner)
        }
        // A link's target is checked separately, and a link's mode is meaningless.
        guard status.kind == .directory, status.mode & 0o1000 == 0 else { return nil }
        // Many systems give every account its own group, and make files writable for it. With an access list,
        // the group bits apply to all its entries.
        let isGroupOpen = status.mode & 0o020 != 0 && (hasAccessList(path) || !isOwnGroup(status.group))
        let isOpen = status.mode & 0o002 != 0 || isGroupOpen
        return isOpen ? .parentWritableByOthers(path: path, mode: status.mode) : nil
    }

    /// Calls `look` for every existing directory above a path and for every link on the way, each before its target.
    private static func walk(
        to path: String, _ look: (String, FileStatus) throws(PrivateDirectoryError) -> Void
    ) throws(PrivateDirectoryError) {
        var steps: [Substring] = PrivateFile.absolute(path).split(separator: "/").dropLast().reversed()
        var place = ""
        var linkCount = 0
        if let root = try status(of: "/") { try look("/", root) }
        while let step = steps.popLast() {
            if step == "." { continue }
            if step == ".." {
                place = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
                continue
            }
            let next = place + "/" + step
            guard let status = try status(of: next) else { return }
            try look(next, status)
            guard status.kind == .symbolicLink else {
                place = next
                continue
            }
            linkCount += 1
            guard linkCount <= maximumLinks else {
                throw .system(SystemError(call: "open", path: next, code: ELOOP))
            }
            let target = try target(of: next)
            if target.hasPrefix("/") { place = "" }
            steps += target.split(separator: "/").reversed()
        }
    }

    /// The status at a path; nil if there is nothing, or if the path leads through a file, which the later
    /// open reports.
    private static func status(of path: String) throws(PrivateDirectoryError) -> FileStatus? {
        do throws(SystemError) { return try FileStatus.ofPath(path) } catch {
            if error.code == ENOTDIR { return nil }
            throw .system(error)
        }
    }

    private static func target(of link: String) throws(PrivateDirectoryError) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        do throws(SystemError) {
            let count = try systemCall("readlink", link) { readlink(link, &buffer, buffer.count) }
            return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        } catch {
            throw .system(error)
        }
    }
}
