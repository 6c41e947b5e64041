import LocalSystem
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite struct PrivateDirectoryTests {
    @Test(arguments: [true, false])
    func `missing directories are created private, parents too`(isDefault: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/a//b/./c/"
        for _ in 0..<2 { try PrivateDirectory.ensure(path, isDefault: isDefault) }
        for made in ["/a", "/a/b", "/a/b/c"] {
            #expect(try FileStatus.ofPath(directory.path + made)?.mode == 0o700)
        }
    }

    @Test func `a symbolic link is refused, also with a slash or dot at its end`() throws {
        let directory = try TemporaryDirectory()
        let (target, link) = (directory.path + "/target", directory.path + "/link")
        try RealFileSystem().makeDirectory(target)
        #expect(symlink(target, link) == 0)
        for ending in ["", "/", "//", "/.", "/./"] {
            for isDefault in [true, false] {
                #expect(throws: PrivateDirectoryError.symbolicLink(path: link)) {
                    try PrivateDirectory.ensure(link + ending, isDefault: isDefault)
                }
            }
        }
        try PrivateDirectory.ensure(link + "/inside", isDefault: true)
    }

    @Test func `modes of existing directories are checked and never changed`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/d"
        try RealFileSystem().makeDirectory(path)
        for (mode, asDefault, asGiven) in [
            (0o700, true, true), (0o755, false, true), (0o750, false, true), (0o500, false, true),
            (0o770, false, false), (0o707, false, false), (0o777, false, false), (0o1777, false, true),
            (0o1770, false, true), (0o1700, false, true),
        ] as [(UInt16, Bool, Bool)] {
            #expect(chmod(path, mode_t(mode)) == 0)
            let isFitDefault = (try? PrivateDirectory.ensure(path, isDefault: true)) != nil
            let isFit = (try? PrivateDirectory.ensure(path, isDefault: false)) != nil
            #expect(isFitDefault == asDefault, "default, mode \(String(mode, radix: 8))")
            #expect(isFit == asGiven, "given, mode \(String(mode, radix: 8))")
            let isFitAlone =
                (try? PrivateDirectory.ensure(path, isDefault: false, isShared: false)) != nil
            #expect(isFitAlone == (mode & 0o022 == 0), "not shared, mode \(String(mode, radix: 8))")
            #expect(try FileStatus.ofPath(path)?.mode == mode)
        }
    }

    @Test func `the owner must be the user, or root if the user chose the path`() {
        for (owner, isDefault, isFit) in [
            (1000, true, true), (1000, false, true), (0, true, false), (0, false, true), (1001, true, false),
            (1001, false, false),
        ] as [(UInt32, Bool, Bool)] {
            let status = FileStatus(
                kind: .directory, size: 0, mode: 0o700, owner: owner, device: 1, number: 1)
            let problem = PrivateDirectory.problem(with: status, at: "/d", isDefault: isDefault, userID: 1000)
            let expected = PrivateDirectoryError.foreignOwner(path: "/d", owner: owner, expected: 1000)
            #expect(problem == (isFit ? nil : expected))
        }
    }

    @Test func `a file is refused as a directory and as a parent`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/f"
        _ = try OpenFile(path, .create, in: RealFileSystem()).size()
        #expect(throws: PrivateDirectoryError.notADirectory(path: path)) {
            try PrivateDirectory.ensure(path, isDefault: false)
        }
        let below = path + "/d"
        #expect(throws: PrivateDirectoryError.system(SystemError(call: "lstat", path: below, code: ENOTDIR)))
        {
            try PrivateDirectory.ensure(below, isDefault: false)
        }
    }

    @Test func `errors contain the defect and the expected state`() {
        #expect(
            PrivateDirectoryError.notPrivate(path: "/d", mode: 0o755).description
                == "/d has mode 0755; it must be 0700 (chmod 700 /d)")
        #expect(
            PrivateDirectoryError.writableByOthers(path: "/d", mode: 0o777).description
                == "/d has mode 0777 and can be written by others; "
                + "run chmod go-w /d or use another directory")
        #expect(
            PrivateDirectoryError.foreignOwner(path: "/d", owner: 5, expected: 1000).description
                == "/d belongs to user 5; it must belong to user 1000")
    }
}
