import Foundation
import TestSupport
import Testing
import TripJournal
import TripModel

extension EndToEnd {
    /// What commands print of text that today's daemon refuses, but an older journal may contain.
    @Suite struct HostileOutputTests {
        private static let trip = "70000000-0000-4000-8000-000000000001"

        /// A journal with each text in every text field of an item, in a thing to do, and as the name of a user.
        private static func journal(of texts: [String]) throws -> [UInt8] {
            let at = "2026-06-11T19:00:00.000Z"
            var items: [[String: Any]] = []
            var todo: [[String: Any]] = []
            for (index, text) in texts.enumerated() {
                let stamp: [String: Any] = [
                    "day": 1, "version": 1, "modifiedAt": at, "modifiedBy": text, "note": text,
                    "reference": text, "paidBy": text, "for": text, "who": text,
                    "cost": ["amount": 5, "currency": text],
                ]
                func item(_ number: Int, _ fields: [String: Any]) {
                    let place: [String: Any] = ["id": id(number), "sortOrder": number]
                    items.append(stamp.merging(place) { $1 }.merging(fields) { $1 })
                }
                item(
                    3 * index + 1,
                    ["kind": "custom", "title": text, "icon": text, "city": text, "place": text, "nights": 9])
                item(
                    3 * index + 2,
                    ["kind": "travel", "fromCity": text, "toCity": text, "mode": text, "time": "10:00"])
                item(
                    3 * index + 3,
                    [
                        "kind": "game", "gameId": "g\(index) \(text)", "title": text, "city": text,
                        "venue": text, "startsAt": "2026-06-11T1\(index % 10):0\(index / 10):00Z",
                        "sortOrder": 100 + (10 + index % 10) * 60 + index / 10,
                    ])
                todo.append(["id": id(900 + index), "text": text, "doneBy": text])
            }
            func record(_ fields: [String: Any]) throws -> [UInt8] {
                let all: [String: Any] = ["at": at, "user": texts[0], "clientId": id(999)]
                return Array(try JSONSerialization.data(withJSONObject: all.merging(fields) { $1 }))
            }
            let header: [String: Any] = [
                "id": trip, "slug": "old", "name": "Old", "startDate": "2026-06-11", "timeZone": "UTC",
                "dayCount": 2, "todo": todo,
            ]
            let moves = try texts.indices.map { index in
                JournalRecord(
                    version: index + 2,
                    payload: try record([
                        "user": texts[index], "method": "item.move",
                        "moved": [["id": id(3 * index + 1), "day": 2, "sortOrder": index + 1]],
                    ]))
            }
            let creation = JournalRecord(
                version: 1,
                payload: try record([
                    "method": "trip.create", "request": "1", "trip": header, "upserts": items,
                ]))
            let journal = JournalHeader(tripID: try #require(TripID(trip)), epoch: "old")
            return JournalImage(journal, snapshot: nil, records: [creation] + moves).bytes
        }

        @Test func `no command prints a character that controls a terminal or hides text`() throws {
            let home = try Home()
            defer { home.end() }
            let texts = HostileText.all.filter(\.isRefused).map(\.text)
            try #require(texts.count > 15)
            let file = home.path + "/old.journal"
            try Data(Self.journal(of: texts)).write(to: URL(filePath: file))
            let restored = try home.startDaemon(["restore", file]).finish()
            try #require(restored.status == .exited(0), "\(restored.errors)")
            let fields =
                "{title} {note} {city} {place} {mode} {venue} {reference} {cost} {who} {icon} {fromCity} {toCity}"
            let commands = [
                ["list"], ["show", "old"], ["show", "old", "--format", fields], ["today", "old"],
                ["next", "old"],
                ["next", "old", "--format", fields], ["search", "a", "old"],
                ["search", "a", "old", "--format", fields], ["check", "old"], ["costs", "old"],
                ["todo", "old"],
                ["log", "old"], ["export", "old", "--format", "txt"], ["export", "old", "--format", "md"],
                ["edit", "old", id(1), "time=10:00"], ["move", "old", id(1), "--day", "1"],
                ["undo", "old"], ["redo", "old"], ["remove", "old", id(1)], ["restore", "old"],
                ["copy", "old", "New"], ["delete", "old", "--dry-run"],
            ]
            var printed = 0
            for command in commands {
                let outcome = try home.client(command)
                for text in [outcome.output, outcome.errors] {
                    printed += text.count
                    #expect(HostileText.trouble(in: text) == [], "\(command)")
                }
            }
            #expect(printed > 5000, "the commands print the trip")
        }
    }
}
