import TestSupport
import Testing

@testable import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The directories above a path: an account that can replace one of them can replace the path.
@Suite struct ParentDirectoryTests {
    private static func problem(above path: String) -> PrivateDirectoryError? {
        do throws(PrivateDirectoryError) {
            try PrivateDirectory.ensure(path, isDefault: false)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            (0o755, true), (0o700, true), (0o777, false), (0o1777, true), (0o757, false), (0o1757, true),
        ] as [(UInt16, Bool)])
    func `a parent directory writable by others is refused and not changed`(mode: UInt16, isFit: Bool)
        throws
    {
        let directory = try TemporaryDirectory()
        let above = directory.path + "/above"
        for path in [above, above + "/between", above + "/between/ours"] {
            try RealFileSystem().makeDirectory(path)
        }
        #expect(chmod(above, mode_t(mode)) == 0)
        for path in [above + "/between/ours", above + "/between/ours/", above + "/between/missing/below"] {
            let expected = PrivateDirectoryError.parentWritableByOthers(path: above, mode: mode)
            #expect(Self.problem(above: path) == (isFit ? nil : expected), "\(path)")
        }
        #expect(try FileStatus.ofPath(above)?.mode == mode)
        #expect(try (FileStatus.ofPath(above + "/between/missing") != nil) == isFit, "nothing is made there")
    }

    @Test func `a parent directory may be writable by a group without other members`() {
        let status = FileStatus(
            kind: .directory, size: 0, mode: 0o775, owner: 7, group: 70, device: 1, number: 1)
        for (isOwn, isFit) in [(true, true), (false, false)] {
            let problem = ParentDirectories.problem(
                with: status, at: "/d", userID: 7, isOwnGroup: { _ in isOwn }, hasAccessList: { _ in false })
            #expect((problem == nil) == isFit)
        }
        let problem = ParentDirectories.problem(
            with: status, at: "/d", userID: 7, isOwnGroup: { _ in true }, hasAccessList: { _ in true })
        #expect(
            problem == .parentWritableByOthers(path: "/d", mode: 0o775), "its group bits are others' as well")
    }

    @Test(arguments: [(7, true), (0, true), (8, false)] as [(UInt32, Bool)])
    func `parent directories and symbolic links must be owned by the user or root`(owner: UInt32, isFit: Bool)
    {
        for kind in [FileStatus.Kind.directory, .symbolicLink] {
            let status = FileStatus(kind: kind, size: 0, mode: 0o755, owner: owner, device: 1, number: 1)
            let problem = ParentDirectories.problem(with: status, at: "/d", userID: 7) { _ in false }
            #expect(problem == (isFit ? nil : .foreignParent(path: "/d", owner: owner)))
        }
    }

    @Test func `the target of a symbolic link in the path is checked too`() throws {
        let directory = try TemporaryDirectory()
        let (open, link) = (directory.path + "/open", directory.path + "/link")
        for path in [open, open + "/inside"] { try RealFileSystem().makeDirectory(path) }
        #expect(symlink("open/../open/./inside", link) == 0)
        #expect(Self.problem(above: link + "/ours") == nil)
        #expect(chmod(open, 0o777) == 0)
        #expect(Self.problem(above: link + "/ours") == .parentWritableByOthers(path: open, mode: 0o777))
        // A link to itself has no target.
        let loop = directory.path + "/loop"
        #expect(symlink(loop, loop) == 0)
        #expect(
            Self.problem(above: loop + "/ours") == .system(SystemError(call: "open", path: loop, code: ELOOP))
        )
    }

    @Test(.enabled(if: getuid() == 0, "only root can give something away"))
    func `a symbolic link and a directory of another user are refused`() throws {
        let directory = try TemporaryDirectory()
        let (target, link) = (directory.path + "/target", directory.path + "/link")
        try RealFileSystem().makeDirectory(target)
        #expect(symlink(target, link) == 0 && lchown(link, 54_321, 54_321) == 0)
        #expect(Self.problem(above: link + "/ours") == .foreignParent(path: link, owner: 54_321))
        #expect(chown(target, 54_321, 54_321) == 0)
        #expect(Self.problem(above: target + "/ours") == .foreignParent(path: target, owner: 54_321))
    }

    @Test func `errors contain the path and the expected state`() {
        #expect(
            PrivateDirectoryError.parentWritableByOthers(path: "/d", mode: 0o777).description
                == "/d has mode 0777, so that other accounts could replace the files below it; "
                + "run chmod go-w /d or use another path")
        #expect(
            PrivateDirectoryError.closedToGroup(path: "/d", group: "family").description
                .contains("chgrp family /d && chmod 750 /d"))
    }
}

/// Files that other users could have changed.
@Suite struct PrivateFileReadingTests {
    @Test func `only a regular file that no other user can write is read`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/f"
        #expect(try PrivateFile.read(path, maximumBytes: 10) == nil)
        try PrivateFile.write(Array("0123456789".utf8), to: path)
        #expect(try PrivateFile.read(path, maximumBytes: 10) == Array("0123456789".utf8))
        #expect(throws: PrivateFileError.tooLong(path: path, maximumBytes: 9)) {
            try PrivateFile.read(path, maximumBytes: 9)
        }
        for mode in [0o620, 0o602, 0o666] as [mode_t] {
            #expect(chmod(path, mode) == 0)
            #expect(throws: PrivateFileError.writableByOthers(path: path)) {
                try PrivateFile.read(path, maximumBytes: 10)
            }
        }
        #expect(chmod(path, 0o644) == 0)
        #expect(try PrivateFile.read(path, maximumBytes: 10)?.count == 10)
        let (link, pipe) = (directory.path + "/l", directory.path + "/p")
        #expect(symlink(path, link) == 0 && mkfifo(pipe, 0o600) == 0)
        for other in [link, pipe, directory.path] {
            #expect(throws: PrivateFileError.notPlain(path: other)) {
                try PrivateFile.read(other, maximumBytes: 10)
            }
        }
    }
}

/// A log file in a directory that other users may write to.
@Suite struct LogFileTests {
    @Test func `symbolic links, pipes and files with a second hard link are not written`() throws {
        let directory = try TemporaryDirectory()
        let target = directory.path + "/target"
        try PrivateFile.write(Array("precious".utf8), to: target)
        let planted = ["link", "dangling", "pipe", "name", "directory"].map { directory.path + "/" + $0 }
        #expect(symlink(target, planted[0]) == 0 && symlink(directory.path + "/new", planted[1]) == 0)
        #expect(mkfifo(planted[2], 0o600) == 0 && link(target, planted[3]) == 0)
        try RealFileSystem().makeDirectory(planted[4])
        for path in planted {
            #expect(throws: LogFileError.self, "\(path)") { _ = try LogFile(path: path).open().excess }
        }
        #expect(try PrivateFile.read(target, maximumBytes: 100) == Array("precious".utf8))
        #expect(try FileStatus.ofPath(directory.path + "/new") == nil)
    }

    @Test(.enabled(if: getuid() == 0, "only root can give something away"))
    func `another user's file is not written`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/log"
        try PrivateFile.write([], to: path)
        #expect(chown(path, 54_321, 54_321) == 0)
        #expect(throws: LogFileError.notOurs(path: path)) { _ = try LogFile(path: path).open().excess }
    }

    @Test func `a long log is rotated, and there are at most two files`() throws {
        let directory = try TemporaryDirectory()
        let log = LogFile(path: directory.path + "/log", maximumBytes: 1000)
        for round in 0..<3 {
            for _ in 0..<10 {
                let file = try log.open().takeFile()
                _ = try file.write(Array((String(repeating: "\(round)", count: 99) + "\n").utf8))
            }
        }
        let sizes = try [log.path, log.path + ".1"].map { try FileStatus.ofPath($0)?.size ?? 0 }
        #expect(sizes == [1000, 1000])
        #expect(try PrivateFile.read(log.path + ".1", maximumBytes: 2000)?.first == UInt8(ascii: "1"))
        #expect(try FileStatus.ofPath(log.path)?.mode == 0o600)
        #expect(try RealFileSystem().list(directory.path).sorted() == ["log", "log.1"])
    }

    @Test func `a log that cannot be rotated continues and records the reason`() throws {
        let directory = try TemporaryDirectory()
        let log = LogFile(path: directory.path + "/log", maximumBytes: 100)
        try PrivateFile.write([UInt8](repeating: UInt8(ascii: "x"), count: 200), to: log.path)
        // A file cannot replace a directory, nor another user's file in a sticky directory.
        try RealFileSystem().makeDirectory(log.path + ".1")
        let opened = try log.open()
        #expect(opened.excess?.call == "rename")
        let file = opened.takeFile()
        let writer = try LogWriter(
            file.rawValue,
            renewal: .init(every: 50) { (try? log.open())?.excess.map { "too long: \($0.call)" } })
        writer.write(String(repeating: "y", count: 60))
        writer.write("end")
        writer.close(within: .seconds(60))
        let text = String(
            decoding: try #require(try PrivateFile.read(log.path, maximumBytes: 1000)), as: UTF8.self)
        #expect(text.contains("y\n") && text.contains("end\n"))
        _ = file.rawValue
    }

    @Test func `a writer gets a new descriptor at each rotation and loses no line`() throws {
        let directory = try TemporaryDirectory()
        let log = LogFile(path: directory.path + "/log", maximumBytes: 4096)
        let file = try log.open().takeFile()
        let number = file.rawValue
        let renewal = LogWriter.Renewal(every: log.maximumBytes) {
            guard let next = try? log.open().takeFile() else { return "not renewed" }
            dup2(next.rawValue, number)
            return nil
        }
        let writer = try LogWriter(number, renewal: renewal)
        for line in 0..<150 { writer.write("line \(line) " + String(repeating: "x", count: 40)) }
        writer.close(within: .seconds(60))
        let parts = try [log.path + ".1", log.path].map {
            try PrivateFile.read($0, maximumBytes: 1 << 20) ?? []
        }
        let lines = String(decoding: parts[0] + parts[1], as: UTF8.self).split(separator: "\n")
        #expect(lines.map { $0.prefix { $0 != "x" } } == (0..<150).map { "line \($0) " })
        #expect(parts[0].count >= 4096 && parts[1].count < 8192)
        _ = file.rawValue
    }
}
