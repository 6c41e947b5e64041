#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The file system of a file.
package struct MountedFileSystem: Equatable, Sendable {
    /// The system's name for it, such as `ext4`, `nfs4` or `fuse.sshfs`.
    package let name: String
    /// Whether other machines share its files and may ignore our locks.
    package let isOfNetwork: Bool

    package init(name: String, isOfNetwork: Bool) {
        self.name = name
        self.isOfNetwork = isOfNetwork
    }

    /// The file system of an open file; nil if the system does not report it.
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

    /// The network file systems of Linux. Not included: those with one set of locks for all machines (`gfs2`,
    /// `ocfs2`), and those that share the files of a virtual machine's host (`9p`, `virtiofs`), which are
    /// often the only ones available.
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

    /// The content of a kernel file, which has no size.
    private static func text(at path: String) -> String? {
        guard let file = try? OpenFile(path, .read, in: RealFileSystem()),
            let bytes = try? file.read(at: 0, count: 4 << 20)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
    #endif

    /// The mount id in Linux's description of an open file.
    static func mount(inDescription text: String) -> String? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("mnt_id:") }
        return line?.split(whereSeparator: { $0 == "\t" || $0 == " " }).dropFirst().first.map(String.init)
    }

    /// The type of a mount in Linux's list of mounts, where it follows a single hyphen.
    static func name(ofMount mount: String, in list: String) -> String? {
        for line in list.split(separator: "\n") where line.hasPrefix(mount + " ") {
            return line.split(separator: " ").drop { $0 != "-" }.dropFirst().first.map(String.init)
        }
        return nil
    }
}
