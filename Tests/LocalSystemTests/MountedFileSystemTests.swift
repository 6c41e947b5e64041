import TestSupport
import Testing

@testable import LocalSystem

@Suite struct MountedFileSystemTests {
    private static let mounts = """
        22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
        31 22 0:27 / /home rw,nosuid,relatime shared:12 master:3 - nfs4 box:/home rw,vers=4.2,local_lock=none
        310 22 0:41 / /mnt/a\\040b rw - fuse.sshfs ann@box: rw,user_id=0
        311 22 0:42 / /mnt/c rw - fuseblk /dev/sdb1 rw
        """

    @Test(
        arguments: [
            ("22", "ext4"), ("31", "nfs4"), ("310", "fuse.sshfs"), ("311", "fuseblk"), ("3", nil), ("", nil),
            ("1", nil),
        ] as [(String, String?)])
    func `the type of a mount follows the hyphen of its line`(mount: String, name: String?) {
        #expect(MountedFileSystem.name(ofMount: mount, in: Self.mounts) == name)
    }

    @Test func `a mount is found by the description of an open file`() {
        #expect(
            MountedFileSystem.mount(inDescription: "pos:\t0\nflags:\t02100000\nmnt_id:\t31\nino:\t4\n")
                == "31")
        #expect(MountedFileSystem.mount(inDescription: "pos:\t0\n") == nil)
        #expect(MountedFileSystem.mount(inDescription: "mnt_id:\n") == nil)
    }

    @Test func `the system's description of a file on this machine is understood`() throws {
        let directory = try TemporaryDirectory()
        let file = try RealFileSystem().open(directory.path + "/file", .create)
        defer { RealFileSystem().close(file) }
        let found = try #require(MountedFileSystem(of: file.rawValue))
        #expect(!found.name.isEmpty)
    }

    @Test(arguments: ["nfs", "nfs4", "cifs", "smb3", "afs", "ceph", "fuse.sshfs", "fuse.rclone"])
    func `file systems shared with other machines are network file systems`(name: String) {
        #expect(MountedFileSystem.networkNames.contains(name))
    }

    @Test func `a directory on a network file system is not locked, and the error names its type`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        let refusal = DirectoryLockError.ofNetwork(place: path, fileSystem: "nfs4")
        let nfs = { (_: Int32) in MountedFileSystem(name: "nfs4", isOfNetwork: true) as MountedFileSystem? }
        #expect(throws: refusal) { drop(try DirectoryLock(directory: path, fileSystem: nfs)) }
        #expect(throws: DirectoryLockError.ofNetwork(place: path + "/s", fileSystem: "nfs4")) {
            drop(try DirectoryLock(socket: path + "/s", fileSystem: nfs))
        }
        #expect(
            refusal.description.hasPrefix(
                "\(path) is on nfs4, whose locks do not reliably exclude daemons of other machines"))
        // If the system reports nothing, or a disk, only the lock decides.
        drop(try DirectoryLock(directory: path) { _ in nil })
        drop(try DirectoryLock(directory: path) { _ in MountedFileSystem(name: "ext4", isOfNetwork: false) })
    }

    private func drop(_ lock: consuming DirectoryLock) {}
}
