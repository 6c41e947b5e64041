import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension EndToEnd {
    @Suite struct AutoStartTests {
        @Test func `with an empty home directory a command starts the daemon`() throws {
            let home = try Home()
            defer { home.end() }
            #expect(home.servingProcess == nil)
            let listed = try home.client("list")
            #expect(listed.status == .exited(0))
            #expect(listed.output.isEmpty)
            #expect(listed.errors == "there are no trips; try: itinerary-client create NAME\n")
            let daemon = try #require(home.servingProcess)
            try SampleTrip.make(1, by: home.connect(as: "Ann"))
            #expect(try home.client("list").output.contains("1 item"))
            #expect(home.servingProcess == daemon)
            for (path, status) in try home.everything(below: home.path) {
                #expect(status.mode == (status.kind == .directory ? 0o700 : 0o600), "\(path)")
            }
        }

        @Test func `two clients that start at once use one daemon`() throws {
            let home = try Home()
            defer { home.end() }
            for round in 1...5 {
                let clients = try (0..<3).map { _ in try home.startClient(["list"]) }
                for client in clients {
                    let outcome = try client.finish()
                    #expect(outcome.status == .exited(0), "round \(round): \(outcome)")
                }
                // The next iteration finds the socket of a daemon that is gone.
                try home.crashServing()
            }
        }

        @Test func `a daemon started by a client has / as its directory and rotates a long log`() throws {
            let home = try Home()
            defer { home.end() }
            #expect(try home.client("list").status == .exited(0))
            try home.crashServing()
            let log = home.socket + ".log"
            let long = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20 + 1)
            try PrivateFile.write(long, to: log)
            #expect(try home.client("list").status == .exited(0))
            #expect(try FileStatus.ofPath(log + ".1")?.size == Int64(long.count))
            let words = try OpenFile(log, .read, in: RealFileSystem()).readAll()
            #expect(String(decoding: words, as: UTF8.self).contains("serving at"))
            #if os(Linux)
            let daemon = try #require(home.servingProcess)
            let place = try #require(realpath("/proc/\(daemon)/cwd", nil))
            defer { free(place) }
            #expect(String(cString: place) == "/")
            #endif
        }

        @Test func `with --no-start no daemon is started`() throws {
            let home = try Home()
            defer { home.end() }
            let outcome = try home.client("list", "--no-start")
            #expect(outcome.status == .exited(69))
            #expect(outcome.errors == "itinerary-client: no daemon listens at \(home.socket)\n")
            #expect(home.servingProcess == nil)
            #expect(try FileStatus.ofPath(home.dataDirectory) == nil)
        }

        @Test func `the error contains the daemon's reason for a failed start`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.write("", to: "state")
            let outcome = try home.client("list")
            #expect(outcome.status == .exited(69))
            #expect(outcome.errors.contains("could not be started"), "\(outcome.errors)")
            #expect(outcome.errors.contains("state"), "\(outcome.errors)")
        }

        @Test(arguments: [["connect"], ["connect", "t"], ["demo"]])
        func `without a terminal the editor fails before it does anything`(arguments: [String]) throws {
            let home = try Home()
            defer { home.end() }
            let outcome = try home.startClient(arguments).finish()
            #expect(outcome.status == .exited(64))
            #expect(
                outcome.errors.hasPrefix("itinerary-client: the editor needs a terminal"), "\(outcome.errors)"
            )
            #expect(home.servingProcess == nil)
        }
    }
}
