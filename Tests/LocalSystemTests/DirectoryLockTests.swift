import TestSupport
import Testing

@testable import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite struct DirectoryLockTests {
    @Test func `a directory has one lock holder at a time, and the error names the holder`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        let held = DirectoryLockError.heldBy(
            directory: path, DirectoryLock.Holder(process: CurrentUser.processID, socket: nil))
        do {
            let lock = try DirectoryLock(directory: path)
            #expect(throws: held) { drop(try DirectoryLock(directory: path)) }
            #expect(held.description == "\(path) is in use by process \(CurrentUser.processID)")
            #expect(try FileStatus.ofPath(path + "/lock")?.mode == 0o600)
            drop(lock)
        }
        drop(try DirectoryLock(directory: path))
        #expect(try FileStatus.ofPath(path + "/lock") != nil, "the file itself means nothing and stays")
    }

    @Test func `a lock of another program names no process, whatever an earlier holder wrote`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        let lock = try DirectoryLock(directory: path)
        try lock.publish(socket: path + "/socket")
        #expect(
            DirectoryLock.holder(of: path)
                == DirectoryLock.Holder(process: CurrentUser.processID, socket: path + "/socket"))
        drop(lock)
        // As after the death of a process; no process has this number.
        let file = Descriptor(owning: open(path + "/lock", O_RDWR | O_CLOEXEC))
        #expect(try FileStatus.ofDescriptor(file.rawValue).size == 0)
        _ = try file.write(Array("2147483646\n/socket\n".utf8))
        #expect(flock(file.rawValue, LOCK_EX | LOCK_NB) == 0)
        #expect(DirectoryLock.holder(of: path) == nil)
        #expect(throws: DirectoryLockError.heldBy(directory: path, nil)) {
            drop(try DirectoryLock(directory: path))
        }
    }

    @Test func `a directory stays locked if a user removes the lock file`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        let lock = try DirectoryLock(directory: path)
        #expect(unlink(path + "/lock") == 0)
        #expect(throws: DirectoryLockError.heldBy(directory: path, nil)) {
            drop(try DirectoryLock(directory: path))
        }
        drop(lock)
        drop(try DirectoryLock(directory: path))
    }

    @Test func `a missing directory cannot be locked`() {
        let error = SystemError(call: "open", path: "/nowhere/lock", code: ENOENT)
        #expect(throws: DirectoryLockError.system(error)) { drop(try DirectoryLock(directory: "/nowhere")) }
    }

    @Test func `a lock excludes another process`() async throws {
        let path = Self.sharedDirectory(of: CurrentUser.processID, "held")
        try RealFileSystem().makeDirectory(path)
        defer { Self.remove(path) }
        let lock = try DirectoryLock(directory: path)
        await #expect(processExitsWith: .success) {
            let holder = getppid()
            let path = Self.sharedDirectory(of: holder, "held")
            do throws(DirectoryLockError) {
                _ = try DirectoryLock(directory: path)
                exit(EXIT_FAILURE)
            } catch {
                exit(
                    error
                        == .heldBy(directory: path, DirectoryLock.Holder(process: holder, socket: nil))
                        ? EXIT_SUCCESS : EXIT_FAILURE)
            }
        }
        drop(lock)
    }

    @Test func `the lock of a process killed with SIGKILL is released`() async throws {
        let path = Self.sharedDirectory(of: CurrentUser.processID, "killed")
        try RealFileSystem().makeDirectory(path)
        defer { Self.remove(path) }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let lock = try DirectoryLock(directory: Self.sharedDirectory(of: getppid(), "killed"))
            raise(SIGKILL)
            withExtendedLifetime(lock) {}
        }
        let left = try OpenFile(path + "/lock", .read, in: RealFileSystem()).readAll()
        #expect(left.count > 1, "it had the lock")
        #expect(left != Array("\(CurrentUser.processID)\n".utf8))
        drop(try DirectoryLock(directory: path))
    }

    private func drop(_ lock: consuming DirectoryLock) {}

    /// A directory known to a test and to the child process of its exit test.
    private static func sharedDirectory(of process: Int32, _ name: String) -> String {
        "/tmp/ls-lock-\(process)-\(name)"
    }

    private static func remove(_ path: String) {
        unlink(path + "/lock")
        rmdir(path)
    }
}
