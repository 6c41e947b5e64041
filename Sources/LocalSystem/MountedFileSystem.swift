#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The file system that a file is on, as the system names it.
package struct MountedFileSystem: Equatable, Sendable {
    /// Such as `ext4`, `nfs4` or `fuse.sshfs`.
    package let name: String
    /// Whether other machines have the same files, and their locks need not keep ours out, nor ours theirs.
    package let isOfNetwork: Bool

    /// A file system by its name and nature.
    package init(name: String, isOfNetwork: Bool) {
        self.name = name
        self.isOfNetwork = isOfNetwork
    }

    /// That of an open file; nil where the system does not tell.
    package init?(of file: Int32) {
        #if canImport(Darwin)
        var status = statfs()
        guard fstatfs(file, &status) == 0 else { return nil }
        let name = withUnsafeBytes(of: status.f_fstypename) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.init(name: name, isOfNetwork: status.f_flags & UInt32(MNT_LOCAL) == 0)
        #else
        guard let name = Self.name(of: file) else { return nil }
        self.init(name: name, isOfNetwork: Self.networkNames.contains(name))
        #endif
    }

    /// Those of Linux. Not among them: what has one set of locks for all machines (`gfs2`, `ocfs2`), and what shares the
    /// files of the machine that this one runs on (`9p`, `virtiofs`), for it is often all that there is.
    static let networkNames: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "coda", "ceph", "lustre", "beegfs", "davfs",
        "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.goofys", "fuse.gcsfuse", "fuse.gvfsd-fuse",
        "fuse.curlftpfs",
        "fuse.davfs2", "fuse.smbnetfs", "fuse.glusterfs", "fuse.ceph-fuse", "fuse.kio-fuse", "fuse.juicefs",
    ]

    #if !canImport(Darwin)
    private static func name(of file: Int32) -> String? {
        guard let description = text(at: "/proc/self/fdinfo/\(file)"),
            let mounts = text(at: "/proc/self/mountinfo"),
            let mount = mount(inDescription: description)
        else { return nil }
        return name(ofMount: mount, in: mounts)
    }

    /// What the kernel says in a file that has no size.
    private static func text(at path: String) -> String? {
        guard let file = try? OpenFile(path, .read, in: RealFileSystem()),
            let bytes = try? file.read(at: 0, count: 4 << 20)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
    #endif

    /// The number of the mount that Linux names in its description of an open file.
    static func mount(inDescription text: String) -> String? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("mnt_id:") }
        return line?.split(whereSeparator: { $0 == "\t" || $0 == " " }).dropFirst().first.map(String.init)
    }

    /// The type of a mount in Linux's list of all, whose lines have it behind a lonely hyphen.
    static func name(ofMount mount: String, in list: String) -> String? {
        for line in list.split(separator: "\n") where line.hasPrefix(mount + " ") {
            return line.split(separator: " ").drop { $0 != "-" }.dropFirst().first.map(String.init)
        }
        return nil
    }
}
