import JSONLine
import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
import TestSupport
#endif

extension EndToEnd {
    /// A daemon of another machine, reached by a program in place of ssh.
    @Suite struct RemoteTests {
        /// A home with a stub that records its arguments, writes to its standard error, and runs the command
        /// as ssh would.
        private func ready(_ command: String = "exec '\(Programs.daemon)' dial-stdio") throws -> Home {
            let home = try Home()
            let stub = try home.write(
                "#!/bin/sh\necho \"$@\" >> '\(home.path)/arguments'\necho from the stub >&2\n\(command)\n",
                to: "stub")
            chmod(stub, 0o700)
            return home
        }

        private func run(_ home: Home, _ line: String) throws -> Program.Outcome {
            try home.shell("ITINERARYD_SSH='\(home.path)/stub' " + line)
        }

        @Test func `commands reach the daemon of a host, which is started there`() throws {
            let home = try ready()
            defer { home.end() }
            let made = try run(home, "$CLIENT --host ssh://ann@example.org:2222 create Far --days 2")
            #expect(made.status == .exited(0) && made.output == "far\n", "\(made)")
            #expect(made.errors == "from the stub\n", "ssh's own words are heard")
            #expect(
                try home.read(home.path + "/arguments") == "-p 2222 ann@example.org itineraryd dial-stdio\n")
            let listed = try run(home, "ITINERARYD_HOST=ssh://[::1] $CLIENT list")
            #expect(listed.output.hasPrefix("far "), "\(listed)")
            #expect(try home.read(home.path + "/arguments").hasSuffix("\n::1 itineraryd dial-stdio\n"))
            #expect(try home.client("list").output.hasPrefix("far "), "it is the same daemon")
        }

        @Test(arguments: [
            "ssh://-oProxyCommand=x", "ssh://a;b", "ssh://-x@host", "ssh://host:0", "ssh://host:99999",
            "host", "ssh://",
            "http://host", "ssh://a b", "ssh://$(x)", "ssh://[::1",
        ])
        func `host names that a program could take for an option are refused`(host: String) throws {
            let home = try ready()
            defer { home.end() }
            let outcome = try run(home, "$CLIENT list --host '\(host)'")
            #expect(outcome.status == .exited(64), "\(outcome)")
            #expect(try FileStatus.ofPath(home.path + "/arguments") == nil, "nothing was run")
        }

        @Test func `a failed program is reported with its exit code`() throws {
            let home = try ready("echo Permission denied >&2; exit 255")
            defer { home.end() }
            let outcome = try run(home, "$CLIENT list --host ssh://box")
            #expect(outcome.status == .exited(69), "\(outcome)")
            #expect(outcome.errors.contains("Permission denied") && outcome.errors.contains("exit code 255"))
            let missing = try home.shell("ITINERARYD_SSH=/nowhere/ssh $CLIENT list --host ssh://box")
            #expect(missing.status == .exited(69) && missing.errors.contains("/nowhere/ssh"), "\(missing)")
        }

        @Test func `the end of input is passed on, and pending requests are answered`() throws {
            let home = try ready()
            defer { home.end() }
            _ = try home.serve()
            let hello =
                #"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":{"major":1,"minor":1},"client":{"name":"t","version":"1"}}}"#
            let outcome = try home.shell(
                "printf '%s\\n' '\(hello)' '{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}' | '\(Programs.daemon)' dial-stdio"
            )
            #expect(outcome.status == .exited(0), "\(outcome)")
            let lines = outcome.output.split(separator: "\n").map {
                try? JSONDocument(parsing: Array($0.utf8)).root
            }
            #expect(lines.map { $0?["id"]?.int } == [1, 2], "\(outcome)")
        }

        @Test func `a forced command sets the user's name and access`() throws {
            let home = try ready("exec '\(Programs.daemon)' dial-stdio --as bob --role viewer")
            defer { home.end() }
            _ = try home.client("create", "Far", "--days", "2")
            let shown = try run(home, "$CLIENT show far --host ssh://box --user ann")
            #expect(shown.status == .exited(0), "\(shown)")
            let refused = try run(home, "$CLIENT add far Tea --host ssh://box --user ann")
            #expect(refused.status == .exited(77), "\(refused)")
        }

        @Test(arguments: [
            ("limit_exceeded", Int32(1)), ("trip_not_found", 66), ("shutting_down", 69),
            ("internal_error", 70),
            ("storage_full", 74), ("item_held", 75), ("unsupported_protocol", 76), ("read_only", 77),
        ])
        func `a refusal by the daemon has an exit code, and its message in JSON`(reason: String, code: Int32)
            throws
        {
            let refusal =
                #"{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"because","data":{"reason":"\#(reason)"}}}"#
            let home = try ready(
                "read -r line; id=${line#*'\"id\":'}; printf '\(refusal)\\n' \"${id%%,*}\"; cat >/dev/null")
            defer { home.end() }
            let outcome = try run(home, "$CLIENT list --host ssh://box --json")
            #expect(outcome.status == .exited(code), "\(outcome)")
            let document = outcome.errors.split(separator: "\n").last.map(String.init) ?? ""
            let error = try JSONDocument(parsing: Array(document.utf8)).root["error"]
            #expect(
                error?["reason"]?.string == reason && error?["message"]?.string == "because", "\(outcome)")
        }

        @Test func `the editor reconnects by running the program again`() throws {
            let home = try ready("echo $$ > \"$HOME/pid\"; exec '\(Programs.daemon)' dial-stdio")
            defer { home.end() }
            try SampleTrip.make(
                2,
                by: {
                    _ = try home.serve(); return try home.connect(as: "Bob")
                }())
            let editor = try home.startShell(
                "ITINERARYD_SSH='\(home.path)/stub' $CLIENT connect t --plain --host ssh://box", typing: true)
            try editor.waitForLine(with: "help lists the commands")
            let first = try #require(Int32(home.read(home.path + "/pid").dropLast()))
            kill(first, SIGKILL)
            try editor.type("move 1 to day 2")
            try editor.waitForLine(with: "Moved Item 1")
            // It is reported at once; the daemon has it when the editor is connected again. Each check is a round trip.
            let bob = try home.connect(as: "Bob")
            var looks = 0
            while looks < 50_000, try bob.places().items[id(1)]?.day != 2 { looks += 1 }
            #expect(try bob.places().items[id(1)]?.day == 2)
            #expect(try home.read(home.path + "/arguments").split(separator: "\n").count == 3)
            editor.endInput()
            #expect(try editor.finish().status == .exited(0))
        }

        @Test(arguments: [
            ("sleep 0.4", Int32(0)), ("exit 255", 69), ("exec sleep 1000", 69), ("sleep 9 & wait", 69),
        ])
        func `an editor whose input ends during a reconnect ends and lists unconfirmed changes`(
            delay: String, status: Int32
        ) throws {
            let home = try ready(
                "echo $$ > \"$HOME/pid\"; if [ -e \"$HOME/later\" ]; then \(delay); fi; exec '\(Programs.daemon)' dial-stdio"
            )
            defer { home.end() }
            _ = try home.client("create", "Far", "--days", "2")
            _ = try home.client("add", "far", "Tea")
            let editor = try home.startShell(
                "ITINERARYD_SSH='\(home.path)/stub' $CLIENT connect far --plain --host ssh://box",
                typing: true)
            try editor.waitForLine(with: "help lists the commands")
            let first = try #require(Int32(home.read(home.path + "/pid").dropLast()))
            _ = try home.write("", to: "later")
            kill(first, SIGKILL)
            try editor.type("move 1 to day 2")
            editor.endInput()
            let outcome = try editor.finish()
            #expect(outcome.status == .exited(status), "\(outcome)")
            #expect(outcome.errors.contains("moving Tea to Day 2") == (status != 0), "\(outcome)")
        }

        @Test func `the editor shows the name and the access that a forced command gives`() throws {
            let home = try ready("exec '\(Programs.daemon)' dial-stdio --as bob --role viewer")
            defer { home.end() }
            _ = try home.client("create", "Far", "--days", "2")
            _ = try home.client("add", "far", "Tea")
            let editor = try home.startShell(
                "ITINERARYD_SSH='\(home.path)/stub' $CLIENT connect far --plain --host ssh://box --user ann",
                typing: true)
            try editor.waitForLine(with: "You are bob, and can only view this trip. help lists the commands.")
            try editor.type("add Cake\nremove 1\nquit")
            for _ in 0..<2 {
                try editor.waitForLine(with: "You can only view this trip; nothing was changed.")
            }
            #expect(try editor.finish().status == .exited(1))
        }
    }
}
