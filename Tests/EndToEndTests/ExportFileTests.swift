import LocalSystem
import Testing

extension EndToEnd {
    /// `export -o` to files that others read.
    @Suite struct ExportFileTests {
        private func ready() throws -> Home {
            let home = try Home()
            _ = try home.serve()
            _ = try home.client("create", "T", "--start", "2026-06-11", "--days", "2")
            return home
        }

        private func mode(_ path: String) throws -> UInt32? {
            try FileStatus.ofPath(path).map { UInt32($0.mode) & 0o777 }
        }

        @Test func `a new file has the mode of the umask, and an existing file keeps its mode`() throws {
            let home = try ready()
            defer { home.end() }
            let path = home.path + "/t.ics"
            #expect(try home.shell("umask 027; $CLIENT export t -o '\(path)'").status == .exited(0))
            #expect(try mode(path) == 0o640)
            _ = try home.shell("chmod 644 '\(path)'; echo old > '\(path)'")
            #expect(try home.shell("umask 077; $CLIENT export t -o '\(path)'").status == .exited(0))
            #expect(try mode(path) == 0o644)
            #expect(try home.read(path).hasPrefix("BEGIN:VCALENDAR"))
        }

        @Test func `a symbolic link stays a link, and its target is written`() throws {
            let home = try ready()
            defer { home.end() }
            let name = home.path
            _ = try home.shell(
                "cd '\(name)' && echo old > real.txt && ln -s real.txt a.txt && ln -s new.txt b.txt")
            for (link, target) in [("a.txt", "real.txt"), ("b.txt", "new.txt")] {
                #expect(try home.client("export", "t", "-o", "\(name)/\(link)").status == .exited(0))
                #expect(try home.shell("readlink '\(name)/\(link)'").output == "\(target)\n")
                #expect(try home.read("\(name)/\(target)").hasPrefix("T\n"))
            }
        }

        @Test func `standard output can be given by its path`() throws {
            let home = try ready()
            defer { home.end() }
            let log = home.path + "/log"
            _ = try home.shell("echo kept > '\(log)'; $CLIENT export t -o /dev/stdout >> '\(log)'")
            let text = try home.read(log)
            #expect(text.hasPrefix("kept\nT\n") && text.contains("Days 1"), "\(text)")
            let piped = try home.shell(
                "{ $CLIENT export t -o /dev/stdout; echo $? > '\(home.path)/code'; } | true")
            #expect(piped.errors.isEmpty, "\(piped)")
            #expect(try home.read(home.path + "/code") == "0\n")
        }

        @Test func `a pipe without a reader is waited for until the timeout`() throws {
            let home = try ready()
            defer { home.end() }
            let pipe = home.path + "/pipe"
            _ = try home.shell("mkfifo '\(pipe)'")
            let unread = try home.client("export", "t", "-o", pipe, "--timeout", "0.2")
            #expect(
                unread.status == .exited(74) && unread.errors.contains("no program has read from it"),
                "\(unread)"
            )
            let read = try home.shell("$CLIENT export t -o '\(pipe)' & cat '\(pipe)'; wait")
            #expect(read.output.hasPrefix("T\n"), "\(read)")
        }
    }
}
