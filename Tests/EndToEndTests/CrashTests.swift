import LocalSystem
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct CrashTests {
        private static let items = 20
        private static let moves = 200

        /// The move of that number: each gives a different order, so that every one changes something.
        private static func move(_ number: Int) -> (item: Int, day: Int, order: Double) {
            (item: 1 + number % items, day: 1 + number % 5, order: Double(1000 + number))
        }

        @Test(arguments: [0, 1, 17, 90, 160])
        func `every acknowledged move survives kill -9`(acknowledgedBefore count: Int) throws {
            let home = try Home()
            defer { home.end() }
            var daemon = try home.serve()
            let clientID = id(999)
            let ann = try home.connect(as: "Ann", clientID: clientID)
            try SampleTrip.make(Self.items, by: ann)
            let before = try ann.places()

            var text = ""
            var ids: [Int] = []
            for number in 1...Self.moves {
                let move = Self.move(number)
                let place = SampleTrip.move(move.item, day: move.day, order: move.order, seq: number)
                text += ann.request("item.move", place) + "\n"
                ids.append(ann.lastID)
            }
            try ann.send(raw: Array(text.utf8))
            for number in 0..<count { #expect(try ann.reply(to: ids[number]).version == number + 2) }
            daemon.end()
            let acknowledged = count + (try ann.linesToEnd().filter { $0.version != nil }.count)

            daemon = try home.serve()
            let again = try home.connect(as: "Ann", clientID: clientID)
            let after = try again.places()
            let kept = after.version - 1
            #expect(kept >= acknowledged)
            // The signal can also end a write in the middle. The torn line is cut, and the journal gets a new epoch.
            let trips = home.dataDirectory + "/trips"
            let isTorn = try RealFileSystem().list(trips).contains { trip in
                try RealFileSystem().list("\(trips)/\(trip)").contains { $0.hasPrefix("journal.torn") }
            }
            #expect((after.epoch == before.epoch) == !isTorn)
            var expected = before.items
            for number in stride(from: 1, through: kept, by: 1) {
                let move = Self.move(number)
                expected[id(move.item)] = Places.Place(day: move.day, sortOrder: move.order)
            }
            #expect(after.items == expected)

            // A client that repeats all moves gets each applied once.
            for number in 1...Self.moves {
                let move = Self.move(number)
                let repeated = try again.call(
                    "item.move", SampleTrip.move(move.item, day: move.day, order: move.order, seq: number))
                #expect(repeated.version == number + 1, "\(repeated)")
            }
            #expect(try again.places().version == Self.moves + 1)
        }

        @Test func `two crashes in succession lose nothing`() throws {
            let home = try Home()
            defer { home.end() }
            var expected: Places?
            for round in 1...4 {
                let daemon = try home.serve()
                let ann = try home.connect(as: "Ann")
                if let expected {
                    #expect(try ann.places() == expected)
                } else {
                    try SampleTrip.make(Self.items, by: ann)
                }
                for number in 1...Self.items {
                    try ann.result(
                        "item.move", SampleTrip.move(number, day: round, order: Double(number * round)))
                }
                expected = try ann.places()
                daemon.end()
            }
        }
    }
}
