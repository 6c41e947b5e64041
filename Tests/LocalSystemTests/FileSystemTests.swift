import LocalSystem
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite struct FileSystemTests {
    private let files: any FileSystem = RealFileSystem()

    @Test func `opening a pipe in the place of a file does not block`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        #expect(try OpenFile(path, .read, in: files).readAll() == [])
        #expect(throws: SystemError.self) { try OpenFile(path, .append, in: files).status() }
    }

    @Test func `if the path of an open directory leads to another directory, every call below it fails`()
        throws
    {
        let parent = try TemporaryDirectory()
        let (path, moved) = (parent.path + "/data", parent.path + "/moved")
        try files.makeDirectory(path)
        let held = try RealFileSystem(holding: path)
        try held.makeDirectory(path + "/trips")
        let open = try OpenFile(path + "/trips/draft", .create, in: held)
        try files.rename(path, to: moved)
        func checkRefused() throws {
            let calls: [() throws -> Void] = [
                { _ = try OpenFile(path + "/x", .create, in: held) }, { try held.makeDirectory(path + "/x") },
                { try held.rename(path + "/trips", to: path + "/x") }, { _ = try held.status(path) },
                { try held.unlink(path + "/trips/draft") }, { try held.removeDirectory(path + "/trips") },
                { _ = try held.list(path) }, { try held.syncDirectory(path) },
            ]
            for call in calls { #expect(throws: SystemError.changedByOthers(path), performing: call) }
        }
        try checkRefused()
        try files.makeDirectory(path)
        try checkRefused()
        #expect(try files.list(path) == [] && files.list(moved) == ["trips"])
        // An open file, and paths outside, even with the same prefix, are independent of the name.
        #expect(try open.write([1, 2, 3]) == 3)
        try files.makeDirectory(parent.path + "/data-2")
        #expect(try held.list(path + "-2") == [] && held.list(moved) == ["trips"])

        try files.removeDirectory(path)
        try files.rename(moved, to: path)
        try held.rename(path + "/trips/draft", to: path + "/trips/final")
        try held.syncDirectory(path)
        #expect(try held.list(path) == ["trips"] && held.list(path + "/trips") == ["final"])
        #expect(try held.status(path + "/trips/final")?.size == 3)
        #expect(try held.status(path + "/nothing") == nil)
        #expect(throws: SystemError(call: "open", path: path + "/x", code: ENOENT)) {
            _ = try OpenFile(path + "/x", .read, in: held)
        }
    }

    @Test func `data that is appended, truncated, synced and renamed can be read back`() throws {
        let directory = try TemporaryDirectory()
        let (draft, final) = (directory.path + "/draft", directory.path + "/final")
        do {
            let file = try OpenFile(draft, .create, in: files)
            #expect(try file.write(Array("hello world".utf8)[...]) == 11)
            try file.syncData()
            try file.truncate(to: 5)
            #expect(try file.write(Array("!?".utf8)[1...]) == 1)
            try file.sync()
            #expect(try file.size() == 6)
        }
        let again = try OpenFile(draft, .append, in: files)
        #expect(try again.write([UInt8(ascii: "\n")]) == 1)
        try files.rename(draft, to: final)
        try files.syncDirectory(directory.path)
        #expect(try files.status(draft) == nil)
        let reader = try OpenFile(final, .read, in: files)
        #expect(try String(decoding: reader.readAll(), as: UTF8.self) == "hello?\n")
        #expect(try String(decoding: reader.read(at: 3, count: 2), as: UTF8.self) == "lo")
        #expect(try String(decoding: reader.read(at: 5, count: 100), as: UTF8.self) == "?\n")
        #expect(try reader.read(at: 7, count: 1).isEmpty)
        let status = try #require(try files.status(final))
        #expect(status.kind == .regular)
        #expect(status.size == 7)
        #expect(status.mode == 0o600)
        try files.unlink(final)
        #expect(try files.status(final) == nil)
    }

    @Test func `directories are created private, listed and removed`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/trips"
        try files.makeDirectory(path)
        #expect(try files.status(path)?.mode == 0o700)
        #expect(try files.status(path)?.kind == .directory)
        let names = ["snapshot", "journal", "naïve name"]
        for name in names { _ = try OpenFile(path + "/" + name, .appendOrCreate, in: files).size() }
        #expect(try Set(files.list(path)) == Set(names))
        #expect(throws: SystemError(call: "rmdir", path: path, code: ENOTEMPTY)) {
            try files.removeDirectory(path)
        }
        for name in names { try files.unlink(path + "/" + name) }
        try files.removeDirectory(path)
        #expect(throws: SystemError(call: "opendir", path: path, code: ENOENT)) { try files.list(path) }
        #expect(throws: SystemError(call: "open", path: path, code: ENOENT)) { try files.syncDirectory(path) }
    }

    @Test func `a file that must not exist, or must exist, is checked`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/f"
        for mode in [OpenMode.read, .append] {
            #expect(throws: SystemError(call: "open", path: path, code: ENOENT)) {
                try files.open(path, mode)
            }
        }
        for expected: Int64 in 0..<3 {
            let file = try OpenFile(path, .appendOrCreate, in: files)
            #expect(try file.size() == expected)
            _ = try file.write([1])
        }
        #expect(throws: SystemError(call: "open", path: path, code: EEXIST)) { try files.open(path, .create) }
        let link = directory.path + "/link"
        #expect(symlink(path, link) == 0)
        #expect(try files.status(link)?.kind == .symbolicLink)
        for mode in [OpenMode.append, .appendOrCreate] {
            #expect(throws: SystemError(call: "open", path: link, code: ELOOP)) { try files.open(link, mode) }
        }
        #expect(throws: SystemError(call: "open", path: link, code: EEXIST)) { try files.open(link, .create) }
        #expect(throws: SystemError(call: "mkdir", path: path, code: EEXIST)) {
            try files.makeDirectory(path)
        }
    }

    #if !canImport(Darwin)
    @Test func `a write to a full disk throws`() throws {
        let file = try OpenFile("/dev/full", .append, in: files)
        #expect(throws: SystemError(call: "write", code: ENOSPC)) { try file.write([1, 2, 3]) }
    }

    @Test func `a write over the size limit is short, and the caller sees it`() async {
        await #expect(processExitsWith: .success) {
            Signals.ignoreBrokenPipe()
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 10, rlim_max: 10)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let directory = try TemporaryDirectory()
            let file = try OpenFile(directory.path + "/f", .create, in: RealFileSystem())
            let short = try file.write([UInt8](repeating: 1, count: 16)[...])
            let code: Int32
            do throws(SystemError) {
                _ = try file.write([1])
                code = 0
            } catch {
                code = error.code
            }
            let isRight = short == 10 && code == EFBIG
            withExtendedLifetime(directory) {}
            exit(isRight ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
    #endif

    @Test func `open files are closed with their owner, and not before`() throws {
        let counter = CountingFileSystem()
        let directory = try TemporaryDirectory()
        do {
            let file = try OpenFile(directory.path + "/f", .create, in: counter)
            #expect(counter.closed.all.isEmpty)
            _ = try file.write([1])
        }
        #expect(counter.closed.all.count == 1)
    }

    /// A file system that a test implements, to show the use of the protocol.
    private struct CountingFileSystem: FileSystem {
        let real = RealFileSystem()
        let closed = Probe<FileToken>()

        func open(_ path: String, _ mode: OpenMode) throws(SystemError) -> FileToken {
            try real.open(path, mode)
        }
        func close(_ file: FileToken) {
            closed.note(file)
            real.close(file)
        }
        func read(
            _ file: FileToken, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
        ) throws(SystemError) -> Int { try real.read(file, into: buffer, at: offset) }
        func write(_ file: FileToken, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
            try real.write(file, bytes)
        }
        func syncData(_ file: FileToken) throws(SystemError) { try real.syncData(file) }
        func sync(_ file: FileToken) throws(SystemError) { try real.sync(file) }
        func syncDirectory(_ path: String) throws(SystemError) { try real.syncDirectory(path) }
        func truncate(_ file: FileToken, to size: Int64) throws(SystemError) {
            try real.truncate(file, to: size)
        }
        func status(of file: FileToken) throws(SystemError) -> FileStatus { try real.status(of: file) }
        func status(_ path: String) throws(SystemError) -> FileStatus? { try real.status(path) }
        func rename(_ old: String, to new: String) throws(SystemError) { try real.rename(old, to: new) }
        func unlink(_ path: String) throws(SystemError) { try real.unlink(path) }
        func makeDirectory(_ path: String) throws(SystemError) { try real.makeDirectory(path) }
        func removeDirectory(_ path: String) throws(SystemError) { try real.removeDirectory(path) }
        func list(_ path: String) throws(SystemError) -> [String] { try real.list(path) }
    }
}
