import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension EndToEnd {
    @Suite struct StopTests {
        @Test(arguments: [SIGTERM, SIGINT])
        func `a signal stops the daemon cleanly`(signal: Int32) throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.serve()
            let ann = try home.connect(as: "Ann")
            try SampleTrip.make(3, by: ann)
            let watch = try home.startClient(["watch", "t", "--json"])
            try watch.waitForLine(with: "trip.presence")
            let silent = try LineClient(path: home.socket)
            let plain = try home.startClient(["watch", "t"])
            try plain.waitForLine(with: "here:", of: .errors)

            var text = ""
            var ids: [Int] = []
            for number in 1...200 {
                let move = SampleTrip.move(1 + number % 3, day: 1 + number % 5, order: Double(number))
                text += ann.request("item.move", move) + "\n"
                ids.append(ann.lastID)
            }
            try ann.send(raw: Array(text.utf8))
            #expect(try ann.reply(to: ids[0]).version == 2)
            daemon.send(signal)

            // Executed requests are answered; unanswered requests are not executed.
            let lines = try ann.linesToEnd()
            let answers = lines.filter { $0.method == nil }
            #expect(answers.map(\.id) == ids.dropFirst().prefix(answers.count).map { $0 })
            #expect(answers.map(\.version) == answers.indices.map { $0 + 3 })
            expectGoodbye(lines.last)
            expectGoodbye(try silent.linesToEnd().last)
            #expect(try daemon.finish().status == .exited(0))
            // A watch waits for the daemon to run again.
            try watch.waitForLine(with: "waiting for the daemon", of: .errors)
            try plain.waitForLine(with: "the daemon has stopped; waiting for the daemon", of: .errors)
            for program in [watch, plain] { program.send(SIGINT) }
            let watched = try watch.finish()
            expectGoodbye(try watched.output.split(separator: "\n").last.map { try Line(Array($0.utf8)) })
            #expect(try plain.finish().status == watched.status && watched.status != .exited(0))
            #expect(try FileStatus.ofPath(home.socket) == nil)

            let again = try home.serve()
            #expect(try home.connect(as: "Ann").places().version == answers.count + 2)
            again.send(signal)
            #expect(try again.finish().status == .exited(0))
        }

        @Test func `a daemon whose log has no reader serves, and stops cleanly`() throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.serveUnheard()
            let ann = try home.connect(as: "Ann")
            try SampleTrip.make(3, by: ann)
            daemon.send(SIGTERM)
            expectGoodbye(try ann.linesToEnd().last)
            #expect(try daemon.finish().status == .exited(0))
        }

        @Test func `a daemon without free descriptors stops cleanly`() throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.serve(limit: "-n 40")
            let ann = try home.connect(as: "Ann")
            try SampleTrip.make(3, by: ann)
            // A client that does not read delays the daemon's end.
            let stopped = try home.connect(as: "Bob")
            var text = ""
            for _ in 0..<2000 { text += stopped.request("trip.get", #"{"trip":"t"}"#) + "\n" }
            try stopped.send(raw: Array(text.utf8))
            var waiting: [LineClient] = []
            for _ in 0..<45 { waiting.append(try LineClient(path: home.socket)) }
            try daemon.waitForLine(with: "cannot accept a connection", of: .errors)
            daemon.send(SIGTERM)
            #expect(try daemon.finish().status == .exited(0))
            expectGoodbye(try ann.linesToEnd().last)
            #expect(try FileStatus.ofPath(home.socket) == nil)
            withExtendedLifetime(stopped) {}
        }

        private func expectGoodbye(_ line: Line?) {
            #expect(line?.method == "goodbye")
            #expect(line?.reason == "shutting_down")
        }

        @Test func `a client can stop the daemon`() throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.serve()
            let ann = try home.connect(as: "Ann")
            try ann.result("daemon.shutdown")
            #expect(try ann.linesToEnd().map(\.reason) == ["shutting_down"])
            #expect(try daemon.finish().status == .exited(0))
            #expect(try FileStatus.ofPath(home.socket) == nil)
        }

        @Test func `another program's file at the socket's path is kept`() throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.serve()
            unlink(home.socket)
            _ = try home.write("mine", to: "run/itineraryd/itineraryd.sock")
            daemon.send(SIGTERM)
            let outcome = try daemon.finish()
            #expect(outcome.status == .exited(0))
            #expect(outcome.errors.contains("is not removed"))
            #expect(try home.read(home.socket) == "mine")
        }
    }
}
