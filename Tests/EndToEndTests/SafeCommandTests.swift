import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
import TestSupport
#endif

extension EndToEnd {
    /// Commands and editors with a daemon that ends, or a connection that breaks.
    @Suite struct SafeCommandTests {
        private func count(_ client: LineClient) throws -> Int {
            try client.result("trip.get", #"{"trip":"t"}"#)["items"]?.count ?? 0
        }

        @Test(arguments: [[3], [4], [3, 3, 3]])
        func `if the connection breaks, the lines of an add are added once`(cuts: [Int]) throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let bob = try home.connect(as: "Bob")
            try SampleTrip.make(1, by: bob)
            let proxy = try CuttingProxy(at: home.path + "/proxy", to: home.socket, cuts: cuts)
            let lines = try home.write((1...300).map { "Line \($0)\n" }.joined(), to: "lines")
            let program = try home.startClient(
                ["add", "t", "-", "--day", "2", "--socket", proxy.path], input: .file(lines))
            try proxy.serve { program.hasEnded }
            let outcome = try program.finish()
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(outcome.output.split(separator: "\n").count == 300)
            #expect(try count(bob) == 301)
            let version = try bob.result("trip.get", #"{"trip":"t"}"#)["version"]?.int
            #expect(version == 2, "all of them are one change")
        }

        @Test func `an import beyond the limit of a trip is refused before it begins`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let bob = try home.connect(as: "Bob")
            try SampleTrip.make(1, by: bob)
            for round in 0..<78 {
                let ops = (0..<128).map { number in
                    #"{"op":"add","item":{"kind":"custom","title":"i\#(round)x\#(number)"},"to":{"day":1,"at":"end"}}"#
                }
                _ = try bob.result("trip.apply", #"{"trip":"t","ops":[\#(ops.joined(separator: ","))]}"#)
            }
            let games = (0..<200).map { "g\($0),A v B \($0),2026-06-11T12:00:00Z\n" }
            let file = try home.write("gameId,title,startsAt\n" + games.joined(), to: "games.csv")
            let before = try count(bob)
            for arguments in [["--strict"], []] {
                let outcome = try home.startClient(["import", file, "t"] + arguments).finish()
                #expect(outcome.status == .exited(1), "\(outcome.errors)")
                #expect(outcome.errors.contains("nothing was imported"), "\(outcome.errors)")
                #expect(try count(bob) == before)
            }
        }

        @Test(
            arguments: [
                ("trip.get", "nothing was imported"), ("trip.apply", "the change was made"),
                ("trip.apply", "the last change may or may not have been applied"),
            ], [SIGINT, SIGTERM])
        func `an interrupted import says whether it was applied`(
            at point: (method: String, outcome: String), signal: Int32
        ) throws {
            let (method, outcome) = point
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let bob = try home.connect(as: "Bob")
            try SampleTrip.make(1, by: bob)
            let file = try home.write("kind,id,title,day\ncustom,a,Zoo,1\ncustom,b,Museum,1\n", to: "a.csv")
            var running: Program?
            let proxy = try CuttingProxy(at: home.path + "/proxy", to: home.socket) { text in
                guard text.contains(method), let program = running else { return true }
                program.send(signal)
                if method == "trip.apply" {
                    try program.waitForLine(with: "waiting for the daemon's answer", of: .errors)
                    if outcome == "the change was made" { return true }
                    program.send(signal)
                }
                let deadline = Deadline()
                while !program.hasEnded { try deadline.check(for: "its end") }
                return false
            }
            let program = try home.startClient(["import", file, "t", "--socket", proxy.path])
            running = program
            try proxy.serve { program.hasEnded }
            let end = try program.finish()
            #expect(end.status == (signal == SIGINT ? .exited(130) : .signalled(signal)), "\(end)")
            #expect(end.errors.contains("interrupted; \(outcome)"), "\(end)")
            if outcome == "the change was made" { #expect(try count(bob) == 3) }
        }

        @Test func `an import whose answers are lost says that its outcome is unknown`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            try SampleTrip.make(1, by: home.connect(as: "Bob"))
            let file = try home.write("kind,id,title,day\ncustom,a,Zoo,1\ncustom,b,Museum,1\n", to: "a.csv")
            var isCut = false
            let proxy = try CuttingProxy(at: home.path + "/proxy", to: home.socket) { text in
                isCut = isCut || text.contains("trip.apply")
                return !isCut
            }
            let program = try home.startClient(
                ["import", file, "t", "--timeout", "0.5", "--socket", proxy.path])
            try proxy.serve { program.hasEnded }
            let end = try program.finish()
            #expect(end.status == .exited(69), "\(end)")
            #expect(end.errors.hasSuffix("the last change may or may not have been applied\n"), "\(end)")
        }

        @Test func `a quiet import prints nothing if nothing is wrong`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.client("create", "T", "--slug", "t", "--days", "3", "--zone", "UTC")
            let good = try home.write("kind,id,title,day\ncustom,a,Zoo,1\n", to: "a.csv")
            let bad = try home.write("kind,id,title,day\ncustom,b,,1\n", to: "b.csv")
            for _ in 0..<2 {
                let quiet = try home.client("import", good, "t", "--quiet")
                #expect(
                    quiet.status == .exited(0) && quiet.output.isEmpty && quiet.errors.isEmpty, "\(quiet)")
            }
            #expect(try !home.client("import", bad, "t", "--quiet").output.isEmpty)
        }

        // MARK: The right daemon

        @Test func `a crashed daemon is restarted with its own data, and gets the unsent changes`()
            throws
        {
            let home = try Home()
            defer { home.end() }
            let data = home.path + "/elsewhere"
            _ = try home.serve("--data", data, "--durability", "relaxed")
            try SampleTrip.make(3, by: home.connect(as: "Bob"))
            let ann = try home.startClient(["connect", "t", "--plain"], input: .typed)
            try ann.waitForLine(with: "help lists the commands")
            let killed = try home.stopServing()
            try ann.type("move 1 to day 2")
            kill(killed, SIGKILL)
            try ann.waitForLine(with: "Moved Item 1")
            #expect(home.servingProcess != killed)
            let bob = try home.connect(as: "Bob")
            #expect(try bob.places().items[id(1)]?.day == 2)
            #expect(try bob.result("daemon.stats")["durability"]?.string == "relaxed")
            #expect(
                try FileStatus.ofPath(home.dataDirectory + "/trips") == nil, "the usual place is not used")
            try home.crashServing()
            #expect(try home.client("list").output.hasPrefix("t "))
        }

        @Test func `no daemon is started if the last daemon of the socket is unknown`() throws {
            let home = try Home()
            defer { home.end() }
            let socket = home.path + "/own.sock"
            let daemon = try home.serve("--socket", socket, "--data", home.path + "/own")
            daemon.send(SIGKILL)
            _ = try daemon.finish()
            unlink(socket + ".serve")
            let outcome = try home.client("list", "--socket", socket)
            #expect(outcome.status == .exited(69))
            #expect(outcome.errors.contains("is unknown"), "\(outcome.errors)")
        }

        private func release(_ lock: consuming DirectoryLock) {}

        @Test func `a client waits for a daemon that is stopping, and starts the next one`() throws {
            let home = try Home()
            defer { home.end() }
            // As a daemon does that no longer listens but has not ended.
            try PrivateDirectory.ensure(home.dataDirectory, isDefault: true)
            let lock = try DirectoryLock(directory: home.dataDirectory)
            let client = try home.startClient(["list"])
            let log = home.socket + ".log"
            while !((try? home.read(log)) ?? "").contains("in use") {
                try #require(!client.hasEnded, "it waits")
            }
            release(lock)
            #expect(try client.finish().status == .exited(0))
            #expect(home.servingProcess != nil)
        }

        @Test func `a daemon that does not answer is noticed within the timeout`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let daemon = try home.stopServing()
            defer { kill(daemon, SIGCONT) }
            let outcome = try home.client("list", "--timeout", "0.2")
            #expect(outcome.status == .exited(69))
            #expect(outcome.errors.contains("has not answered"), "\(outcome.errors)")
            let file = try home.write("kind,id,title,day\ncustom,a,Zoo,1\n", to: "a.csv")
            let imported = try home.client("import", file, "t", "--timeout", "0.2")
            #expect(
                imported.status == .exited(69) && imported.errors.contains("; nothing was imported"),
                "\(imported)")
            #expect(try home.client("list", "--timeout", "soon").status == .exited(64))
        }

        // MARK: Output

        @Test(arguments: ["> /dev/full", ">&-"])
        func `a failed write to standard output is an error`(redirection: String) throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            try SampleTrip.make(1, by: home.connect(as: "Bob"))
            let outcome = try home.shell("$CLIENT show t \(redirection)")
            #expect(outcome.status == .exited(74), "\(outcome)")
            #expect(outcome.errors.contains("could not be written"), "\(outcome.errors)")
            #expect(try home.shell("$CLIENT show t | true").status == .exited(0))
        }

        @Test func `watch ends when its output has no reader`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let bob = try home.connect(as: "Bob")
            try SampleTrip.make(2, by: bob)
            let shell = try home.startShell("($CLIENT watch t; echo ended >&2) | (read line; echo $line >&2)")
            try shell.waitForLine(with: "version", of: .errors)
            #expect(try shell.finish().errors.contains("ended"))
        }
    }
}
