import JSONLine
import LocalSystem
import Testing
import TripModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension EndToEnd {
    /// The daemon under a service manager.
    @Suite struct ServiceTests {
        #if os(Linux)
        /// A service manager's notification socket.
        private final class Notes {
            private let descriptor: Descriptor

            init(_ path: String) throws {
                descriptor = Descriptor(
                    owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
                var name = sockaddr_un()
                name.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
                let number = descriptor.rawValue
                let isBound = withUnsafePointer(to: &name) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                    }
                }
                try #require(isBound)
            }

            /// Waits for the next notification.
            func next() throws -> String {
                try Deadline().waitToRead([descriptor.rawValue], for: "a word for the service manager")
                var buffer = [UInt8](repeating: 0, count: 1024)
                let count = recv(descriptor.rawValue, &buffer, buffer.count, 0)
                return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
            }
        }

        @Test
        func `a socket passed by the service manager is served and kept, and the manager gets the state`()
            throws
        {
            let home = try Home()
            defer { home.end() }
            let notes = try Notes(home.path + "/notes")
            mkdir(home.path + "/run/itineraryd", 0o700)
            let socket = try UnixSocket.listen(path: home.socket).release()
            // A client that connects before there is a daemon waits.
            let early = try home.startClient(["list", "--no-start"])
            let daemon = try home.startActivated(on: .descriptor(socket), notifying: home.path + "/notes")
            #expect(try notes.next() == "READY=1\nMAINPID=\(daemon.processID)")
            #expect(try notes.next() == "WATCHDOG=1")
            #expect(try early.finish().status == .exited(0))
            #expect(try notes.next() == "WATCHDOG=1", "and again and again")
            daemon.send(SIGTERM)
            var word = try notes.next()
            while word == "WATCHDOG=1" { word = try notes.next() }
            #expect(word == "STOPPING=1")
            #expect(try daemon.finish().status == .exited(0))
            #expect(try FileStatus.ofPath(home.socket)?.kind == .socket, "it is the manager's")
        }

        @Test func `a passed socket that does not listen is refused`() throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.startActivated(on: .file("/dev/null"), notifying: home.path + "/none")
                .finish()
            #expect(
                daemon.status == .exited(69) && daemon.errors.contains("is not a listening socket"),
                "\(daemon)")
        }
        #endif

        @Test func `the log can be in JSON, and is empty at level error`() throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.serve("--log-format", "json")
            let second = try home.startDaemon(["serve", "--log-format", "json", "--log-level", "error"])
                .finish()
            #expect(second.status == .exited(69))
            daemon.send(SIGTERM)
            let first = try daemon.finish()
            func lines(_ text: String) throws -> [JSONNode] {
                try text.split(separator: "\n").map { try JSONDocument(parsing: Array($0.utf8)).root }
            }
            let (said, failed) = (try lines(first.errors), try lines(second.errors))
            #expect(said.last?["message"]?.string == "stopped", "\(first)")
            #expect(
                failed.count == 1 && failed[0]["message"]?.string?.contains("in use") == true, "\(second)")
            for (line, level) in said.map({ ($0, "info") }) + failed.map({ ($0, "error") }) {
                #expect(line["level"]?.string == level && line.count == 3)
                #expect(line["time"]?.string.flatMap { Timestamp($0) } != nil)
            }
            let quiet = try home.startDaemon(["serve", "--log-level", "error"])
            let timeout = Deadline()
            while home.servingProcess == nil { try timeout.check(for: "a daemon at the socket") }
            // A daemon that answers has its signal handlers.
            _ = try home.connect(as: "Ann").result("ping")
            quiet.send(SIGTERM)
            let silent = try quiet.finish()
            #expect(silent.status == .exited(0) && silent.errors.isEmpty, "\(silent)")
            let wrong = try home.startDaemon(["serve", "--log-level", "loud"]).finish()
            #expect(
                wrong.status == .exited(64) && wrong.errors.contains("info, warning or error, not loud"),
                "\(wrong)")
        }

        @Test func `at level warning the log contains failures and no routine events`() throws {
            let home = try Home()
            defer { home.end() }
            let watched = try home.startDaemon(
                ["serve", "--log-format", "json", "--log-level", "warning"])
            let timeout = Deadline()
            while home.servingProcess == nil { try timeout.check(for: "a daemon at the socket") }
            _ = try home.connect(as: "Ann").result("ping")
            let access = try home.write("everybody may\n", to: "access")
            #expect(rename(access, home.dataDirectory + "/access") == 0)
            watched.send(SIGHUP)
            let line = try watched.waitForLine(with: "access was not reloaded", of: .errors)
            #expect(try JSONDocument(parsing: Array(line.utf8)).root["level"]?.string == "warning")
            watched.send(SIGTERM)
            let ended = try watched.finish()
            #expect(ended.status == .exited(0) && ended.errors.split(separator: "\n").count == 1, "\(ended)")
        }
    }
}
