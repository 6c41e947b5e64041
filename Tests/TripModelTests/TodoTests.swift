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
        let undo = try fixture.trip.apply(Reversal(of: removal), by: TripFixture.author)
        #expect(fixture.trip.header.todo.map(\.text) == ["Visa", "Passes", "Adapter"])
        #expect(fixture.trip.header.todo.allSatisfy { $0.doneBy == nil })
        _ = try fixture.trip.apply(Reversal(of: undo), by: TripFixture.author)
        #expect(fixture.trip.header.todo.map(\.text) == ["Passes", "Adapter"])
        #expect(fixture.trip.header.todo[0].doneBy == "Ann")
    }
}
