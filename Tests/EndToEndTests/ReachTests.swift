import LocalSystem
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension EndToEnd {
    /// Clients meet the daemon of their data directory, wherever it listens and whatever happens to its socket.
    @Suite struct ReachTests {
        /// A command as cron runs it: without the variables of a login session.
        private static func asCron(_ command: String, in home: Home) throws -> Program.Outcome {
            try home.shell("env -i HOME='\(home.path)' PATH=\"$PATH\" $CLIENT \(command)")
        }

        /// A command in a login session that has only the runtime directory of this name.
        private static func inSession(
            _ directory: String, _ command: String, in home: Home
        ) throws -> Program.Outcome {
            try home.shell(
                "env -u XDG_STATE_HOME XDG_RUNTIME_DIR='\(home.path)/\(directory)' $CLIENT \(command)")
        }

        @Test func `cron meets the daemon of a login session`() throws {
            let home = try Home()
            defer { home.end() }
            #expect(try Self.inSession("run", "create Cup", in: home).output == "cup\n")
            let listed = try Self.asCron("list", in: home)
            #expect(listed.output.hasPrefix("cup "), "\(listed.errors)")
            let status = try Self.asCron("status", in: home)
            #expect(status.output.contains("at \(home.path)/run/itineraryd/itineraryd.sock\n"))
            #expect(status.output.contains("in \(home.path)/.local/state/itineraryd;"))
            #expect(try Self.asCron("stop", in: home).status == .exited(0))
        }

        @Test func `a login session meets a daemon that was started without it`() throws {
            let home = try Home()
            defer { home.end() }
            mkdir(home.path + "/other", 0o700)
            #expect(try Self.inSession("other", "create Cup", in: home).output == "cup\n")
            #expect(try Self.inSession("run", "list", in: home).output.hasPrefix("cup "))
            #expect(try Self.inSession("run", "stop", in: home).status == .exited(0))
            #expect(try Self.inSession("run", "status", in: home).status == .exited(69))
        }

        @Test(
            arguments: ["-u XDG_RUNTIME_DIR", "XDG_RUNTIME_DIR="]
                + ["run", "$PWD/missing", "$PWD/file"].map {
                    "XDG_RUNTIME_DIR=\"\($0)\""
                })
        func `a command without a usable runtime directory meets the daemon of a session`(_ setting: String)
            throws
        {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let status = try home.shell(
                "cd '\(home.path)'; touch file; env \(setting) $CLIENT status --no-start")
            #expect(status.output.contains("at \(home.socket)\n"), "\(status)")
        }

        @Test func `over ssh one meets the daemon of a session of that account`() throws {
            let home = try Home()
            defer { home.end() }
            #expect(try Self.inSession("run", "create Cup", in: home).output == "cup\n")
            let stub = try home.write(
                "#!/bin/sh\nexec env -i HOME='\(home.path)' '\(Programs.daemon)' dial-stdio --as bob\n",
                to: "stub")
            chmod(stub, 0o700)
            let listed = try home.shell("ITINERARYD_SSH='\(stub)' $CLIENT list --host ssh://box")
            #expect(listed.output.hasPrefix("cup "), "\(listed)")
        }

        #if os(Linux)
        @Test func `a daemon that the service manager started is met without its runtime directory`() throws {
            let home = try Home()
            defer { home.end() }
            mkdir(home.path + "/run/itineraryd", 0o700)
            let socket = try UnixSocket.listen(path: home.socket).release()
            let daemon = try home.startActivated(on: .descriptor(socket), notifying: home.path + "/notes")
            try daemon.waitForLine(with: "serving at", of: .errors)
            let status = try home.shell("env -u XDG_RUNTIME_DIR $CLIENT status --no-start")
            #expect(status.output.contains("at \(home.socket)\n"), "\(status)")
        }

        @Test func `a session meets cron's daemon although the service manager listens`() throws {
            let home = try Home()
            defer { home.end() }
            mkdir(home.path + "/cron", 0o700)
            #expect(
                try home.shell("XDG_RUNTIME_DIR='\(home.path)/cron' $CLIENT create Cup").output == "cup\n")
            mkdir(home.path + "/run/itineraryd", 0o700)
            let socket = try UnixSocket.listen(path: home.socket)
            #expect(try home.client("list").output.hasPrefix("cup "))
            _ = socket.rawValue
        }
        #endif

        @Test func `a named socket comes before the socket of the data directory`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            _ = try home.serve("--socket", home.path + "/own", "--data", home.path + "/elsewhere")
            #expect(try home.client("create", "Cup").output == "cup\n")
            #expect(try home.client("list", "--socket", home.path + "/own").output.isEmpty)
            #expect(try home.shell("ITINERARYD_SOCKET='\(home.path)/own' $CLIENT list").output.isEmpty)
            #expect(try home.client("list").output.hasPrefix("cup "))
        }

        @Test(arguments: [
            "rm run/itineraryd/itineraryd.sock", "rm -r run/itineraryd", "rm -r run; mkdir -m 700 run",
            "mv run/itineraryd/itineraryd.sock run/elsewhere",
        ])
        func `a daemon whose socket is gone listens there again and keeps its connections`(
            _ removal: String
        ) throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.serve()
            let connection = try home.connect(as: "Ann")
            #expect(try home.client("create", "Cup").output == "cup\n")
            #expect(try home.shell("cd '\(home.path)'; \(removal)").status == .exited(0))
            #expect(try home.client("list").output.hasPrefix("cup "))
            try daemon.waitForLine(with: "was removed; the daemon listens there again", of: .errors)
            #expect(try FileStatus.ofPath(home.path + "/run/itineraryd")?.mode == 0o700)
            #expect(try connection.result("trip.list")["trips"]?.count == 1)
            #expect(try home.client("stop").status == .exited(0))
            #expect(try daemon.finish().status == .exited(0))
            #expect(try FileStatus.ofPath(home.socket) == nil)
        }

        @Test func `a daemon that cannot listen again is named, with what ends it`() throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.serve()
            let (process, socket) = (try #require(home.servingProcess), home.socket)
            #expect(try home.shell("cd '\(home.path)'; rm -r run; touch run").status == .exited(0))
            for command in ["status", "stop", "list"] {
                let outcome = try home.client(command)
                #expect(outcome.status == .exited(69))
                #expect(
                    outcome.errors.contains(
                        "no daemon listens at \(socket), but process \(process) uses its data directory "
                            + "\(home.dataDirectory); kill \(process) ends that process"),
                    "\(outcome.errors)")
            }
            try daemon.waitForLine(with: "was removed and cannot be created", of: .errors)
            #expect(try home.shell("cd '\(home.path)'; rm run; mkdir -m 700 run").status == .exited(0))
            #expect(try home.client("stop").status == .exited(0))
        }

        @Test func `a second daemon says who uses the data directory, and where`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let process = try #require(home.servingProcess)
            let second = try home.startDaemon(["serve", "--socket", home.path + "/second"]).finish()
            #expect(second.status == .exited(69))
            #expect(
                second.errors.contains("is in use by process \(process), which serves at \(home.socket)"))
        }
    }
}
