import TestSupport
import Testing
import TripModel

struct TodoTests {
    private static let (visa, passes) = (TodoID(high: 0, low: 1), TodoID(high: 0, low: 2))

    private static func edit(
        _ id: TodoID, text: String? = nil, isDone: Bool? = nil, isRemoval: Bool = false
    ) -> Edit {
        .trip(TripChange(todo: TodoChange(id, text: text, isDone: isDone, isRemoval: isRemoval)))
    }

    private func fixture() throws -> TripFixture {
        var fixture = try TripFixture()
        try fixture.apply(Self.edit(Self.visa, text: "Visa"), Self.edit(Self.passes, text: "Passes"))
        return fixture
    }

    @Test(arguments: [
        ("Book hotel @ann #before due:2027-03-01", ["Book hotel", "ann", "before", "2027-03-01"]),
        ("#packing Socks", ["Socks", "nil", "packing", "nil"]), ("@ann", ["@ann", "ann", "nil", "nil"]),
        (
            "Mail a@b.c # 5 due:soon due:2027-02-30",
            ["Mail a@b.c # 5 due:soon due:2027-02-30", "nil", "nil", "nil"]
        ),
        ("Call @ann @ben #a #b", ["Call @ben #b", "ann", "a", "nil"]),
    ])
    func `the assignee, the group and the due date are parsed from an entry's text`(
        text: String, words: [String]
    ) {
        let parts = TodoEntry(id: Self.visa, text: text).parts
        #expect(
            [parts.task, parts.person ?? "nil", parts.group ?? "nil", parts.due?.description ?? "nil"]
                == words)
    }

    @Test func `open entries are sorted by due date, and completed ones come last`() {
        let texts = [
            "Visa", "Hotel due:2027-03-01", "*Train due:2027-01-01", "Socks", "Flight due:2027-02-01",
        ]
        let list = texts.enumerated().map { index, text in
            TodoEntry(
                id: TodoID(high: 0, low: UInt64(index)), text: text, doneBy: text.hasPrefix("*") ? "Ann" : nil
            )
        }
        #expect(list.byUrgency.map { $0.text.prefix(5) } == ["Fligh", "Hotel", "Visa", "Socks", "*Trai"])
        #expect(list.map { $0.concerns("ANN") } == [true, true, true, true, true])
        #expect(!TodoEntry(id: Self.visa, text: "Visa @Ben").concerns("ann"))
    }

    @Test func `an entry is added at the end, ticked off by its author, reopened and removed`() throws {
        var fixture = try fixture()
        #expect(fixture.trip.header.todo.map(\.text) == ["Visa", "Passes"])
        try fixture.apply(Self.edit(Self.visa, text: "Get a visa", isDone: true))
        #expect(fixture.trip.header.todo[0] == TodoEntry(id: Self.visa, text: "Get a visa", doneBy: "Ann"))
        let ben = Author(name: "Ben", at: Timestamp(milliseconds: 0))
        #expect(try fixture.trip.apply([Self.edit(Self.visa, isDone: true)], by: ben).isNoop)
        try fixture.apply(Self.edit(Self.visa, isDone: false))
        #expect(fixture.trip.header.todo[0].doneBy == nil)
        try fixture.apply(Self.edit(Self.visa, isRemoval: true))
        #expect(fixture.trip.header.todo.map(\.id) == [Self.passes])
    }

    @Test func `an unknown entry without a text, a blank text and a full list are refused`() throws {
        var fixture = try fixture()
        let unknown = TodoID(high: 0, low: 3)
        #expect(fixture.rejection(of: Self.edit(unknown, isDone: true)) != nil)
        #expect(fixture.rejection(of: Self.edit(unknown, isRemoval: true)) != nil)
        #expect(fixture.rejection(of: Self.edit(Self.visa, text: " ")) != nil)
        for low in 3...UInt64(TripLimits.todoEntries) {
            try fixture.apply(Self.edit(TodoID(high: 0, low: low), text: "x"))
        }
        #expect(
            fixture.rejection(of: Self.edit(TodoID(high: 1, low: 0), text: "x"))
                == .limitExceeded(.todoEntries, field: "todo"))
        #expect(fixture.rejection(of: Self.edit(Self.visa, isDone: true)) == nil)
    }

    @Test func `an undo restores the entries of its change at their places, and leaves the others`() throws {
        var fixture = try fixture()
        let removal = try fixture.apply(
            Self.edit(Self.visa, isRemoval: true), Self.edit(Self.passes, isDone: true))
        try fixture.apply(Self.edit(TodoID(high: 0, low: 3), text: "Adapter"))
        #expect(removal.summary == "removed from the list “Visa” and ticked off “Passes”")
        let undo = try fixture.trip.apply(reversing: removal, by: TripFixture.author)
        #expect(fixture.trip.header.todo.map(\.text) == ["Visa", "Passes", "Adapter"])
        #expect(fixture.trip.header.todo.allSatisfy { $0.doneBy == nil })
        _ = try fixture.trip.apply(reversing: undo, by: TripFixture.author)
        #expect(fixture.trip.header.todo.map(\.text) == ["Passes", "Adapter"])
        #expect(fixture.trip.header.todo[0].doneBy == "Ann")
    }

    @Test func `an undo restores the place of an entry that its change removed and added again`() throws {
        var fixture = try fixture()
        let change = try fixture.apply(
            Self.edit(Self.visa, isRemoval: true), Self.edit(Self.visa, text: "Visa"))
        #expect(fixture.trip.header.todo.map(\.text) == ["Passes", "Visa"])
        try fixture.apply(Self.edit(Self.passes, text: "Rail passes"))
        let undo = try fixture.trip.apply(reversing: change, by: TripFixture.author)
        #expect(fixture.trip.header.todo.map(\.text) == ["Visa", "Rail passes"])
        _ = try fixture.trip.apply(reversing: undo, by: TripFixture.author)
        #expect(fixture.trip.header.todo.map(\.text) == ["Rail passes", "Visa"])
    }

    @Test
    func `an item is put aside with all its fields, planned again with the same id, and both are undone`()
        throws
    {
        var fixture = try TripFixture()
        var tea = CustomItem(title: "Tea ceremony")
        tea.note = "By the river"
        tea.cost = Cost(amount: 30, currency: "EUR")
        let id = ItemID(high: 0, low: 77)
        try fixture.apply(.add(id, .custom(tea), to: .end(day: 2)))
        let before = fixture.trip
        let aside = try fixture.trip.apply(fixture.item(id).puttingAside, by: TripFixture.author)
        #expect(fixture.trip[id] == nil && fixture.trip.items.count == before.items.count - 1)
        let idea = try #require(fixture.trip.header.todo.first)
        #expect(idea == TodoEntry(id: TodoID(id), text: "Tea ceremony", item: .custom(tea)))
        #expect(idea.parts.group == "ideas")
        #expect(
            idea.planning(at: nil) != nil && TodoEntry(id: idea.id, text: "Visa").planning(at: nil) == nil)
        let edits = try #require(idea.planning(at: .end(day: 3)))
        let planned = try fixture.trip.apply(edits, by: TripFixture.author)
        #expect(fixture.trip.header.todo.isEmpty)
        #expect(fixture.trip[id]?.content == .custom(tea) && fixture.trip[id]?.position.day == 3)
        _ = try fixture.trip.apply(reversing: planned, by: TripFixture.author)
        #expect(fixture.trip.header.todo == [idea] && fixture.trip[id] == nil)
        _ = try fixture.trip.apply(reversing: aside, by: TripFixture.author)
        #expect(fixture.trip.header.todo.isEmpty && fixture.trip[id]?.content == .custom(tea))
        #expect(fixture.trip.problems == before.problems)
    }

    @Test func `an event, an invalid field and more than 2048 bytes of text are no idea`() throws {
        let fixture = try TripFixture()
        func rejection(_ item: ItemContent) -> Rejection? {
            fixture.rejection(of: .trip(TripChange(todo: TodoChange(Self.visa, item: item))))
        }
        let game = Game(gameID: "game-1", title: "A v B", startsAt: .epoch)
        #expect(rejection(.game(game)).map { "\($0)".contains("todo.item") } == true)
        var tea = CustomItem(title: "Tea")
        tea.durationMinutes = -1
        #expect(rejection(.custom(tea)) != nil)
        tea.durationMinutes = nil
        tea.note = String(repeating: "x", count: 2045)
        #expect(rejection(.custom(tea)) == nil)
        tea.note? += "x"
        #expect(rejection(.custom(tea)) != nil)
    }

    @Test func `an undo that would exceed the limit of the list is refused`() throws {
        var fixture = try TripFixture()
        func fill(_ high: UInt64) throws {
            for low in 1...UInt64(TripLimits.todoEntries) {
                try fixture.apply(Self.edit(TodoID(high: high, low: low), text: "x"))
            }
        }
        try fill(1)
        let removals = (1...UInt64(TripLimits.todoEntries)).map { low in
            Self.edit(TodoID(high: 1, low: low), isRemoval: true)
        }
        let removal = try fixture.trip.apply(removals, by: TripFixture.author)
        try fill(2)
        let before = fixture.trip
        #expect(throws: EditFailure(index: 0, rejection: .limitExceeded(.todoEntries, field: "todo"))) {
            try fixture.trip.apply(reversing: removal, by: TripFixture.author)
        }
        #expect(fixture.trip == before)
    }

    @Test func `a header change gives both headers from each other, and keeps what it does not concern`()
        throws
    {
        var random = SplitMix64(seed: 4)
        func list() -> [TodoEntry] {
            (0..<random.below(9)).map { _ in random.below(12) }.reduce(into: []) { list, number in
                let id = TodoID(high: 0, low: UInt64(number))
                guard !list.contains(where: { $0.id == id }) else { return }
                list.append(TodoEntry(id: id, text: "t\(random.below(2))"))
            }
        }
        func header(_ todo: [TodoEntry]) throws -> TripHeader {
            var header = try TripFixture.header(days: 1 + random.below(3))
            header.todo = todo
            header.acceptedProblems = Set((0..<random.below(4)).map { _ in "k\(random.below(5))" })
            return header
        }
        for _ in 0..<20_000 {
            let before = try header(list())
            // Mostly a list in nearly the same order.
            var todo = random.chance(30) ? list() : before.todo
            if let entry = random.pick(todo), random.chance(50) {
                todo.removeAll { $0.id == entry.id }
                todo.insert(entry, at: random.chance(50) ? todo.count : random.below(todo.count + 1))
            }
            let after = try header(todo)
            guard let change = HeaderChange(from: before, to: after) else {
                #expect(before == after)
                continue
            }
            try #require(change.after.applied(to: before) == after)
            try #require(change.before.applied(to: after) == before)
            // Another user has added an entry, and removed one that the change does not affect.
            let concerned = Set(change.before.todo.flatMap { [$0.id, $0.place?.above ?? $0.id] })
            var later = after
            later.todo.insert(
                TodoEntry(id: TodoID(high: 9, low: 9), text: "new"), at: random.below(todo.count + 1))
            let gone = random.pick(later.todo.filter { !concerned.contains($0.id) })
            later.todo.removeAll { $0.id == gone?.id }
            let restored = change.before.applied(to: later).todo
            #expect(Set(restored.map(\.id)).count == restored.count)
            let expected = before.todo.filter { $0.id != gone?.id }
            try #require(restored.filter { $0.id != TodoID(high: 9, low: 9) } == expected)
        }
    }
}
