import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
import TestSupport
#endif

extension EndToEnd {
    @Suite struct CommandTests {
        /// A home with a daemon and the sample trip of three items.
        private func ready() throws -> (home: Home, daemon: Program, ann: LineClient) {
            let home = try Home()
            let daemon = try home.serve()
            let ann = try home.connect(as: "Ann")
            try SampleTrip.make(3, by: ann)
            return (home, daemon, ann)
        }

        private func succeed(_ outcome: Program.Outcome) -> String {
            #expect(outcome.status == .exited(0), "\(outcome)")
            #expect(outcome.errors.isEmpty, "\(outcome)")
            return outcome.output
        }

        @Test func `list prints the trips, and show prints one trip`() throws {
            let (home, _, ann) = try ready()
            defer { home.end() }
            try ann.result(
                "trip.create",
                #"{"name":"Another","slug":"another","startDate":"2026-07-01","timeZone":"UTC","dayCount":1}"#
            )
            #expect(
                succeed(try home.client("list")) == """
                    another  2026-07-01  1 day, 0 items  Another
                    t        2026-06-11  5 days, 3 items  Test

                    """)
            let shown = succeed(try home.client("show", "t"))
            let lines = shown.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.prefix(3) == ["Test (t), version 1", "", "Day 1 · Thu 11 Jun 2026"])
            #expect(lines[3] == "  00000000         Item 1")
            #expect(lines.contains { $0.hasPrefix("Days 2–5 · ") && $0.hasSuffix(": nothing planned") })
            let missing = try home.client("show", "nowhere")
            #expect(missing.status == .exited(66))
            #expect(missing.errors.contains("nowhere"), "\(missing.errors)")
        }

        @Test func `add adds a custom item or travel`() throws {
            let (home, _, ann) = try ready()
            defer { home.end() }
            let added = succeed(try home.client("add", "t", "Coffee", "--day", "2"))
            let id = try #require(added.split(separator: "\n").first.map(String.init))
            #expect(added == "\(id)\n")
            #expect(try ann.places().items[id]?.day == 2)
            let after = succeed(try home.client("add", "t", "Cake", "--after", "Coffee"))
            let start = succeed(try home.client("add", "t", "Tea", "--day", "2", "--at", "start"))
            let travel = succeed(
                try home.client("add", "t", "--from", "Chicago", "--to", "Detroit", "--day=3"))
            #expect(try ann.places().items[String(travel.prefix(36))]?.day == 3)
            let order = try ann.places().order.suffix(4)
            let ids = [start, added, after, travel].map { String($0.prefix(36)) }
            #expect(Array(order) == ids)
            // A title may begin with a dash after `--`.
            _ = succeed(try home.client("add", "t", "--", "--day"))
            #expect(try home.client("show", "t").output.contains("  --day\n"))
            let before = try ann.places()
            for (words, status) in [
                (["nowhere", "x"], Int32(66)), (["t", "x", "--day", "6"], 1), (["t", "x", "--day", "0"], 1),
                (["t", "x", "--after", "nothing"], 66), (["t", "bell \u{7}"], 1),
            ] {
                let refused = try home.startClient(["add"] + words)
                    .finish()
                #expect(refused.status == .exited(status), "\(refused)")
                #expect(refused.errors.hasPrefix("itinerary-client: "), "\(refused)")
                #expect(refused.output.isEmpty)
            }
            #expect(try ann.places() == before)
        }

        @Test func `add with - adds an item for each line of standard input`() throws {
            let (home, _, ann) = try ready()
            defer { home.end() }
            let outcome = try home.shell(
                #"printf 'Bread\n\n  Che\033ese \r\n' | $CLIENT add t - --day 3 --at start"#)
            #expect(
                try home.client("show", "t").output.split(separator: "\n").contains {
                    $0.hasSuffix("  Bread")
                })
            #expect(succeed(outcome).split(separator: "\n").map(\.count) == [36, 36])
            let order = try ann.places().order
            let ids = outcome.output.split(separator: "\n").map { String($0.prefix(36)) }
            #expect(Array(order.suffix(2)) == ids)
            #expect(
                succeed(try home.shell("yes Walk | head -200 | $CLIENT add -")).split(separator: "\n").count
                    == 200)
            #expect(try ann.places().order.count == 205)
            let empty = try home.shell("printf '\n \n' | $CLIENT add t -")
            #expect(empty.status == .exited(65))
            #expect(empty.errors.contains("there is no line with a title"))
        }

        @Test func `move finds the item by title, by id and by the prefix of an id`() throws {
            let (home, _, ann) = try ready()
            defer { home.end() }
            let other = "abcdef01-0000-4000-8000-000000000000"
            try ann.result(
                "item.add",
                #"{"trip":"t","item":{"kind":"custom","id":"\#(other)","title":"Item 2"},"to":{"day":4,"at":"end"}}"#
            )
            _ = succeed(try home.client("move", "t", "abcdef", "--after", "Item 1"))
            #expect(try ann.places().order == [1, 2, 3].map(id).inserting(other, at: 1))
            _ = succeed(try home.client("move", "t", id(3), "--before", id(1)))
            #expect(try ann.places().order.first == id(3))
            _ = succeed(try home.client("move", "t", "Item 3", "--day", "5"))
            #expect(try ann.places().items[id(3)]?.day == 5)

            let before = try ann.places()
            let ambiguous = try home.client("move", "t", "Item 2", "--day", "1")
            #expect(ambiguous.status == .exited(66))
            #expect(ambiguous.errors.contains(other) && ambiguous.errors.contains(id(2)))
            let missing = try home.client("move", "t", "Item 9", "--day", "1")
            #expect(missing.status == .exited(66))
            #expect(try home.client("move", "t", "Item 3", "--day", "9").status == .exited(1))
            #expect(try ann.places() == before)
            _ = succeed(try home.client("move", "t", "AB", "--day", "1"))
            #expect(try ann.places().order.last == id(3))
        }

        @Test func `remove removes an item`() throws {
            let (home, _, ann) = try ready()
            defer { home.end() }
            _ = succeed(try home.client("remove", "t", "Item 2"))
            #expect(try ann.places().order == [1, 3].map(id))
            let again = try home.client("remove", "t", "Item 2")
            #expect(again.status == .exited(66))
            #expect(again.errors.contains("Item 2"))
        }

        @Test func `watch prints the daemon's changes until the trip is deleted`() throws {
            let (home, _, ann) = try ready()
            defer { home.end() }
            let watch = try home.startClient(["watch", "t", "--json"])
            let first = try Line(Array(#require(try watch.nextLine()).utf8))
            #expect(first.method == "trip.presence")
            #expect(first.params?["users"]?.count == 1)
            try ann.result("item.move", LineClient.moving(1, to: end(2)))
            let reported = try Line(Array(watch.waitForLine(with: "trip.delta").utf8))
            #expect(reported.params?["upserts"]?.elements.map { $0["id"]?.string } == [id(1)])
            #expect(reported.params?["cause"]?["user"]?.string == "Ann")
            #expect(reported.params?["cause"]?["method"]?.string == "item.move")
            let plain = try home.startClient(["watch", "t"])
            #expect(try plain.nextLine() == "version 2, 3 items")
            try ann.result("item.move", LineClient.moving(1, to: end(3)))
            #expect(try plain.nextLine() == "version 3  Ann  moved “Item 1” from day 2 to day 3")
            try ann.result("trip.delete", #"{"trip":"t"}"#)
            try watch.waitForLine(with: "trip.deleted")
            #expect(try watch.finish().status == .exited(0))
            #expect(try plain.finish().status == .exited(0))
        }

        @Test func `a watch survives a crash of the daemon and reports the missed changes`() throws {
            let (home, daemon, _) = try ready()
            defer { home.end() }
            let watch = try home.startClient(["watch", "t"])
            let json = try home.startClient(["watch", "t", "--json"])
            #expect(try watch.nextLine() == "version 1, 3 items")
            try json.waitForLine(with: "trip.presence")
            daemon.end()
            try watch.waitForLine(with: "waiting for the daemon", of: .errors)
            try json.waitForLine(with: "waiting for the daemon", of: .errors)
            for title in ["Tea", "Cake"] { _ = try home.client("add", "t", title) }
            #expect(try watch.nextLine()?.hasSuffix("added “Tea” on day 1") == true)
            #expect(try watch.nextLine()?.hasSuffix("added “Cake” on day 1") == true)
            var titles: Set<String> = []
            while !titles.isSuperset(of: ["Tea", "Cake"]) {
                let reported = try Line(Array(json.waitForLine(with: "trip.delta").utf8))
                titles.formUnion(
                    reported.params?["upserts"]?.elements.compactMap { $0["title"]?.string } ?? [])
            }
            _ = try home.client("delete", "t", "--yes")
            #expect(try watch.nextLine() == "the trip was deleted")
            #expect(try watch.finish().status == .exited(0))
            #expect(try json.finish().status == .exited(0))
        }

        @Test func `refusals name the item or the file, not a field of the request`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let bob = try home.connect(as: "Bob")
            try SampleTrip.make(1, by: bob)
            let id = id(1)
            try bob.result("drag.begin", #"{"trip":"t","item":"\#(id)"}"#)
            #expect(try home.client("remove", "t", "Item 1").errors.contains("Bob is dragging Item 1"))
            #expect(try home.client("add", "t", "").errors.contains("the title must not be empty"))
            let outcome = try home.client("import", home.path, "t")
            #expect(outcome.status == .exited(66))
            #expect(outcome.errors.contains("\(home.path) is a directory"), "\(outcome.errors)")
        }
    }
}

extension Array {
    fileprivate func inserting(_ element: Element, at index: Int) -> [Element] {
        var copy = self
        copy.insert(element, at: index)
        return copy
    }
}
