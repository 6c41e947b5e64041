import TestSupport
import Testing

extension EndToEnd {
    @Suite struct DeferralTests {
        @Test func `a dragging client gets three moves at the drop, and a crash changes nothing`() throws {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.serve()
            let ann = try home.connect(as: "Ann")
            try SampleTrip.make(4, by: ann)
            try ann.result("trip.subscribe", #"{"trip":"t"}"#)
            let watch = try home.startClient(["watch", "t", "--json"])
            try watch.waitForLine(with: "trip.presence")

            let item = id(1)
            let start = try ann.result("drag.begin", #"{"trip":"t","item":"\#(item)"}"#)
            let drag = try #require(start["drag"]?.string)
            #expect(start["version"]?.int == 1)
            for number in 2...4 {
                let moved = try home.client(
                    "move", "t", "Item \(number)", "--day", "\(number)", "--user", "Bob")
                #expect(moved.status == .exited(0), "\(moved)")
                let line = try watch.waitForLine(with: "trip.delta")
                let reported = try Line(Array(line.utf8))
                #expect(reported.version == number)
                #expect(reported.params?["cause"]?["user"]?.string == "Bob")
            }
            // All lines sent to Ann before this answer have been read with it.
            try ann.result("ping")
            #expect(ann.takeNotes("trip.snapshot").isEmpty)

            let drop = try ann.post("drag.drop", #"{"drag":"\#(drag)","to":{"day":5,"at":"end"}}"#)
            let dropped = try ann.reply(to: drop)
            #expect(dropped.version == 5)
            #expect(ann.takeNotes("trip.snapshot").isEmpty)
            let reported = try ann.line()
            #expect(reported.method == "trip.snapshot")
            #expect(reported.version == 5)
            #expect(reported.params?["previous"]?.int == 1)
            #expect(reported.params?["skipped"]?.int == 3)
            let seen = try Places(#require(reported.params))
            #expect((1...4).map { seen.items[id($0)]?.day } == [5, 2, 3, 4])
            try ann.result("ping")
            #expect(ann.takeNotes("trip.snapshot").isEmpty)

            daemon.end()
            #expect(try ann.linesToEnd().filter { $0.method != "trip.presence" }.isEmpty)
            let again = try home.serve()
            #expect(try home.connect(as: "Ann").places() == seen)
            #expect(again.processID != daemon.processID)
        }

        @Test func `the end of a dragging connection releases its item`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let (ann, bob) = (try home.connect(as: "Ann"), try home.connect(as: "Bob"))
            try SampleTrip.make(2, by: bob)
            try bob.result("trip.subscribe", #"{"trip":"t"}"#)
            let grab = #"{"trip":"t","item":"\#(id(1))"}"#
            try ann.result("drag.begin", grab)
            let held = try bob.call("item.move", LineClient.moving(1, to: end(2)))
            #expect(held.reason == "item_held")
            let refused = try home.client("move", "t", "Item 1", "--day", "2")
            #expect(refused.status == .exited(75))
            #expect(refused.errors.contains("Ann"), "\(refused.errors)")
            do {
                let carl = try home.connect(as: "Carl")
                try carl.result("trip.subscribe", #"{"trip":"t"}"#)
                try carl.result("drag.begin", #"{"trip":"t","item":"\#(id(2))"}"#)
                _ = try bob.next("trip.presence") { line in line.text.contains("Carl") }
                // Half a line and a whole drag end with the connection.
                try carl.send(
                    raw: Array(#"{"jsonrpc":"2.0","id":9,"method":"item.remove","params":{"trip":"t""#.utf8))
            }
            _ = try bob.next("trip.presence") { line in !line.text.contains("Carl") }
            #expect(try bob.call("item.move", LineClient.moving(2, to: end(2))).version == 2)
        }
    }
}
