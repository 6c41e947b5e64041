import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
import TestSupport
#endif

extension EndToEnd {
    @Suite struct StartTests {
        @Test func `two daemons cannot share a data directory or a socket`() throws {
            let home = try Home()
            defer { home.end() }
            let first = try home.serve()
            let sameData = try home.startDaemon(["serve", "--socket", home.path + "/other"]).finish()
            #expect(sameData.status == .exited(69))
            #expect(sameData.errors.contains("in use by process \(first.processID)"), "\(sameData.errors)")
            let sameSocket = try home.startDaemon(["serve", "--data", home.path + "/other"]).finish()
            #expect(sameSocket.status == .exited(69))
            #expect(
                sameSocket.errors.contains("process \(first.processID) serves at"), "\(sameSocket.errors)")
            #expect(try FileStatus.ofPath(home.path + "/other/s") == nil)
            // The first one is unaffected.
            #expect(try home.client("list", "--no-start").status == .exited(0))
            first.send(SIGTERM)
            #expect(try first.finish().status == .exited(0))
        }

        @Test func `a bound socket that does not listen yet does not count as stale`()
            throws
        {
            let home = try Home()
            defer { home.end() }
            // As during a daemon's start: the path is locked, and nobody can connect yet.
            mkdir(home.path + "/run/itineraryd", 0o700)
            let place = try DirectoryLock(socket: home.socket)
            let listener = try UnixSocket.listen(path: home.socket)
            shutdown(listener.rawValue, Int32(SHUT_RDWR))
            let file = try SocketFile(path: home.socket)
            #expect(try SocketFile.state(at: home.socket) == .stale(file), "so it looks")
            let second = try home.startDaemon(["serve", "--data", home.path + "/other"]).finish()
            #expect(second.status == .exited(69))
            #expect(
                second.errors.contains("process \(CurrentUser.processID) serves at"), "\(second.errors)")
            #expect(try SocketFile(path: home.socket) == file)
            _ = listener.rawValue
            withExtendedLifetime(place) {}
        }

        @Test func `the socket of a crashed daemon is replaced`() throws {
            let home = try Home()
            defer { home.end() }
            try home.serve().end()
            let left = try #require(try FileStatus.ofPath(home.socket))
            #expect(left.kind == .socket)
            let daemon = try home.serve()
            #expect(home.servingProcess == daemon.processID)
        }

        @Test func `a regular file at the socket's path is kept`() throws {
            let home = try Home()
            defer { home.end() }
            let place = try home.write("mine", to: "file")
            let refused = try home.startDaemon(["serve", "--socket", place]).finish()
            #expect(refused.status == .exited(69))
            #expect(refused.errors.contains("is not a socket"), "\(refused.errors)")
            #expect(try home.read(place) == "mine")
        }

        @Test func `a socket path that is too long is refused with its length and the limit`() throws {
            let home = try Home()
            defer { home.end() }
            let limit = UnixSocket.maximumPathLength
            let name = String(repeating: "s", count: limit - home.path.utf8.count - 1)
            let longest = home.path + "/" + name
            let daemon = try home.serve("--socket", longest)
            #expect(try home.client("list", "--no-start", "--socket", longest).status == .exited(0))
            daemon.send(SIGTERM)
            _ = try daemon.finish()
            let refused = try home.startDaemon(["serve", "--socket", longest + "s"]).finish()
            let client = try home.client("list", "--socket", longest + "s")
            for outcome in [refused, client] {
                #expect(outcome.status == .exited(69))
                #expect(outcome.errors.contains("\(limit + 1) bytes long"), "\(outcome.errors)")
                #expect(outcome.errors.contains("at most \(limit)"), "\(outcome.errors)")
            }
        }

        @Test func `created files and directories are accessible only to the user`() throws {
            let home = try Home()
            defer { home.end() }
            let data = home.path + "/a/b/data"
            let daemon = try home.serve("--data", data)
            let ann = try home.connect(as: "Ann")
            try SampleTrip.make(2, by: ann)
            let made = try home.everything(below: home.path + "/a").merging(
                home.everything(below: home.path + "/run")
            ) { old, _ in old }
            #expect(made.values.filter { $0.kind == .directory }.count >= 6)
            #expect(made.values.filter { $0.kind == .regular }.count >= 2)
            #expect(made[home.socket]?.kind == .socket)
            for (path, status) in made {
                #expect(status.mode == (status.kind == .directory ? 0o700 : 0o600), "\(path)")
            }
            daemon.send(SIGTERM)
            _ = try daemon.finish()
        }

        @Test func `a data directory that other users can access is refused`() throws {
            let home = try Home()
            defer { home.end() }
            let real = home.path + "/real"
            let link = home.path + "/link"
            mkdir(real, 0o700)
            symlink(real, link)
            for path in [link, link + "/"] {
                let refused = try home.startDaemon(["serve", "--data", path]).finish()
                #expect(refused.status == .exited(69))
                #expect(refused.errors.contains("symbolic link"), "\(refused.errors)")
            }
            let shared = home.path + "/shared"
            mkdir(shared, 0o700)
            chmod(shared, 0o770)
            let refused = try home.startDaemon(["serve", "--data", shared]).finish()
            #expect(refused.status == .exited(69))
            #expect(refused.errors.contains("chmod go-w \(shared)"), "\(refused.errors)")
            // It is refused, not repaired, and nothing is written into it.
            #expect(try FileStatus.ofPath(shared)?.mode == 0o770)
            #expect(try home.everything(below: shared).count == 1)
            #expect(try home.everything(below: real).count == 1)
        }

        @Test func `a default directory that is not private is refused`() throws {
            let home = try Home()
            defer { home.end() }
            mkdir(home.path + "/run/itineraryd", 0o755)
            chmod(home.path + "/run/itineraryd", 0o755)
            let refused = try home.startDaemon(["serve"]).finish()
            #expect(refused.status == .exited(69))
            #expect(refused.errors.contains("chmod 700"), "\(refused.errors)")
            let client = try home.client("list")
            #expect(client.status == .exited(69))
            #expect(client.errors.contains("chmod 700"), "\(client.errors)")
        }

        @Test(arguments: [
            [], ["run"], ["serve", "more"], ["serve", "--socket"], ["serve", "--unknown"],
            ["serve", "--durability", "never"], ["serve", "--data", "a", "--data", "b"],
        ])
        func `an invalid command line ends the daemon with 64`(arguments: [String]) throws {
            let home = try Home()
            defer { home.end() }
            let outcome = try home.startDaemon(arguments).finish()
            #expect(outcome.status == .exited(64))
            #expect(outcome.errors.hasPrefix("itineraryd: "))
            #expect(outcome.errors.contains(/itineraryd (--)?help/))
            #expect(outcome.errors.split(separator: "\n").count == 1, "m1: the error does not scroll away")
            #expect(outcome.output.isEmpty)
        }

        @Test(arguments: [
            [], ["fly"], ["show"], ["add", "t"], ["add", "t", "--from", "A"], ["move", "t", "x"],
            ["list", "more"],
            ["add", "t", "x", "--day", "one"], ["add", "t", "x", "--at", "middle"], ["list", "--socket"],
            ["move", "t", "x", "--after", "a", "--before", "b"], ["import"],
        ])
        func `an invalid command line ends the client with 64`(arguments: [String]) throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            try SampleTrip.make(1, by: home.connect(as: "Ann"))
            let outcome = try home.startClient(arguments).finish()
            #expect(outcome.status == .exited(64))
            #expect(outcome.errors.hasPrefix("itinerary-client: "))
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
        }

        @Test func `help and version go to standard output`() throws {
            let home = try Home()
            defer { home.end() }
            for program in [Programs.daemon, Programs.client] {
                let name = String(program.split(separator: "/").last ?? "")
                for (word, start) in [
                    ("--help", "\(name) 0."), ("-h", "\(name) 0."), ("--version", "\(name) 0."),
                ] {
                    let outcome = try Program(program, [word], environment: home.environment).finish()
                    #expect(outcome.status == .exited(0))
                    #expect(outcome.errors.isEmpty)
                    #expect(outcome.output.hasPrefix(start), "\(outcome.output)")
                    #expect(outcome.output.contains("usage:") == (word != "--version"))
                }
            }
        }

        @Test func `relaxed durability keeps answered changes over a clean stop`() throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.serve("--durability", "relaxed")
            let ann = try home.connect(as: "Ann")
            try SampleTrip.make(2, by: ann)
            try ann.result("item.move", LineClient.moving(1, to: end(3)))
            let before = try ann.places()
            daemon.end()
            _ = try home.serve()
            #expect(try home.connect(as: "Ann").places() == before)
        }
    }
}
