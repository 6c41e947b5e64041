import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension EndToEnd {
    /// The paths, log and access rules of the daemon, through the programs. `Tools/torture/accounts` tests
    /// other accounts.
    @Suite struct SharingTests {
        @Test func `SIGHUP reloads the access file, and an invalid file changes nothing`() throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.serve()
            let access = home.dataDirectory + "/access"
            func write(_ text: String) throws { try PrivateFile.write(Array(text.utf8), to: access) }
            try write("user root owner\n# fine\nuser nobody-at-all viewr\n")
            daemon.send(SIGHUP)
            let line = try daemon.waitForLine(with: "was not reloaded", of: .errors)
            #expect(line.contains("the previous rules stay in force"))
            #expect(
                line.contains("/access, line 3: the role is owner, editor or viewer, not viewr"), "\(line)")
            try write("# nobody else\n")
            daemon.send(SIGHUP)
            try daemon.waitForLine(with: "reloaded ", of: .errors)
            // It has not ended, and its owner has noticed nothing.
            #expect(try home.client("list", "--no-start").status == .exited(0))
            daemon.send(SIGTERM)
            #expect(try daemon.finish().status == .exited(0))
            try write("user nobody-at-all viewr\n")
            let refused = try home.startDaemon(["serve"]).finish()
            #expect(refused.status == .exited(78))
            #expect(refused.errors.contains("line 1: the role is owner"), "\(refused.errors)")
            // A client that would start it reports that, and gives up soon.
            let client = try home.client("list")
            #expect(client.status == .exited(69))
            #expect(client.errors.contains("line 1: the role is owner"), "\(client.errors)")
        }

        @Test func `a client sends nothing to a daemon of another account than the expected one`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let own = try #require(CurrentUser.name)
            #expect(try home.client("list", "--owner", own).status == .exited(0))
            let other = UserDatabase.account(CurrentUser.id == 1 ? 2 : 1).name ?? "nobody"
            for (name, words) in [
                (other, "so nothing was sent"), ("no-such-account", "no account no-such-account"),
            ] {
                for words in [["list"], ["watch", "t"], ["connect", "t", "--plain"], ["ping"]].map({
                    $0 + ["--owner", name]
                }) {
                    let outcome = try home.startClient(words).finish()
                    #expect(outcome.status == .exited(77), "\(words): \(outcome.errors)")
                }
                let outcome = try home.client("list", "--owner", name)
                #expect(outcome.errors.contains(words), "\(outcome.errors)")
                #expect(try home.startDaemon(["dial-stdio", "--owner", name]).finish().status == .exited(69))
            }
            // Another account's daemon is not started either.
            let missing = try home.client("list", "--owner", other, "--socket", home.path + "/none")
            #expect(missing.status == .exited(69))
            #expect(try FileStatus.ofPath(home.path + "/none.log") == nil)
        }

        @Test func `a daemon started by a client does not inherit its directory, files or umask`() throws {
            let home = try Home()
            defer { home.end() }
            let outcome = try home.shell(
                "umask 0; cd '\(home.path)'; exec 7<'/dev/null' 8>'\(home.path)/held'; $CLIENT list")
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            let process = try #require(home.servingProcess)
            #if os(Linux)
            let links = try RealFileSystem().list("/proc/\(process)/fd").map {
                Self.link("/proc/\(process)/fd/\($0)")
            }
            #expect(!links.contains { $0.hasSuffix("/held") }, "\(links)")
            #expect(Self.link("/proc/\(process)/fd/0") == "/dev/null")
            #expect(Self.link("/proc/\(process)/fd/2") == home.socket + ".log")
            #expect(Self.link("/proc/\(process)/cwd") == "/")
            let status = try PrivateFile.read("/proc/\(process)/status", maximumBytes: 1 << 16) ?? []
            #expect(String(decoding: status, as: UTF8.self).contains("Umask:\t0077"))
            #endif
            let made = try home.everything(below: home.path + "/run").merging(
                home.everything(below: home.path + "/state")
            ) { old, _ in old }
            #expect(made.count >= 6)
            for (path, status) in made { #expect(status.mode & 0o077 == 0, "\(path)") }
        }

        @Test func `a daemon without standard error creates no log file`() throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.startShell("exec '\(Programs.daemon)' serve <&- >&- 2>&-")
            let timeout = Deadline()
            while home.servingProcess == nil { try timeout.check(for: "a daemon at the socket") }
            let process = try #require(home.servingProcess)
            #if os(Linux)
            for number in 0...2 { #expect(Self.link("/proc/\(process)/fd/\(number)") == "/dev/null") }
            #endif
            let ann = try home.connect(as: "Ann")
            try SampleTrip.make(2, by: ann)
            daemon.send(SIGTERM)
            _ = try daemon.finish()
            #expect(try home.startDaemon(["check"]).finish().status == .exited(0))
        }

        @Test func `a long log is rotated`() throws {
            let home = try Home()
            defer { home.end() }
            #expect(try home.client("list").status == .exited(0))
            let log = home.socket + ".log"
            // The line is written by a thread of its own, possibly after the first answer.
            func waitForServing() throws {
                let timeout = Deadline()
                while try !home.read(log).contains("serving at") {
                    try timeout.check(for: "the line of a serving daemon")
                }
            }
            try waitForServing()
            try home.crashServing()
            try PrivateFile.write(Array(repeating: UInt8(ascii: "x"), count: 1 << 20), to: log)
            #expect(try home.client("list").status == .exited(0))
            #expect(try FileStatus.ofPath(log + ".1")?.size == 1 << 20)
            try waitForServing()
            // A symbolic link in its place is left alone and reported.
            try home.crashServing()
            unlink(log)
            #expect(symlink(home.path + "/elsewhere", log) == 0)
            let refused = try home.client("list")
            #expect(refused.status == .exited(69))
            #expect(refused.errors.contains("is not a regular file of this user"), "\(refused.errors)")
            #expect(try FileStatus.ofPath(home.path + "/elsewhere") == nil)
        }

        @Test func `log lines contain only printable characters for any path`() throws {
            let home = try Home()
            defer { home.end() }
            let socket = home.path + "/a\u{1B}[2J\u{202E}b\n"
            for form in ["text", "json"] {
                let daemon = try home.startDaemon(["serve", "--socket", socket, "--log-format", form])
                let line = try daemon.waitForLine(with: "serving at", of: .errors)
                #expect(line.contains("aU+001B[2JU+202EbU+000A"), "\(line)")
                daemon.send(SIGTERM)
                let outcome = try daemon.finish()
                #expect(outcome.status == .exited(0))
                #expect(!outcome.errors.contains("\u{1B}") && !outcome.errors.contains("\u{202E}"))
            }
        }

        @Test func `a group is admitted only if it exists and can reach the directory`() throws {
            let home = try Home()
            defer { home.end() }
            let unnamed = try home.startDaemon(["serve", "--allow-group", "daemon"]).finish()
            #expect(unnamed.status == .exited(64))
            #expect(unnamed.errors.contains("needs --socket"), "\(unnamed.errors)")
            let socket = home.path + "/shared/sock"
            let missing = try home.startDaemon([
                "serve", "--socket", socket, "--allow-group", "no-such-group",
            ]).finish()
            #expect(missing.status == .exited(78))
            // The home itself is closed to all others.
            let closed = try home.startDaemon(["serve", "--socket", socket, "--allow-group", "root"]).finish()
            #expect(closed.status == .exited(69))
            #expect(closed.errors.contains("cannot enter"), "\(closed.errors)")
        }

        /// The target of a link; empty if it is none.
        private static func link(_ path: String) -> String {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &buffer, buffer.count)
            return String(decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
