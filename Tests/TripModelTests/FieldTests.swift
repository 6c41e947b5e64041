import Testing
import TripModel

/// The table of fields, the kinds' lists and the kinds' properties must agree.
@Suite struct FieldTests {
    @Test func `every field belongs to a kind, occurs once, and is found by its name`() {
        for kind in ItemKind.allCases { #expect(Set(kind.fields).count == kind.fields.count) }
        #expect(Set(ItemKind.allCases.flatMap(\.fields)) == Set(ItemField.allCases))
        #expect(Set(ItemField.allCases.map(\.name)).count == ItemField.allCases.count)
        for field in ItemField.allCases {
            #expect(ItemField(name: field.name) == field)
            var (name, other) = (field.name, String(field.name.dropLast()) + "?")
            #expect(name.withUTF8 { ItemField(utf8: $0) } == field)
            #expect(other.withUTF8 { ItemField(utf8: $0) } == nil)
        }
    }

    @Test(arguments: ItemKind.allCases)
    func `an item stores nothing that is not a field`(kind: ItemKind) throws {
        let content = try Self.content(kind, filled: true)
        let payload = try #require(Mirror(reflecting: content).children.first?.value)
        #expect(Mirror(reflecting: payload).children.count == kind.fields.count)
    }

    @Test(arguments: ItemKind.allCases)
    func `a field has its new value, others are unchanged, and a kind without the field refuses`(
        kind: ItemKind
    ) throws {
        for field in ItemField.allCases {
            var fixture = try TripFixture()
            let value = try Self.value(of: field, in: &fixture)
            let old = try Self.content(kind, filled: false)
            let id = ItemID(high: 9, low: 9)
            try fixture.apply(.add(id, old, to: kind == .game ? nil : .start(day: 1)))
            let edit = Edit.update(id, [FieldChange(field, value)])
            guard kind.fields.contains(field) else {
                #expect(old[field] == nil)
                guard case .invalid(field.name, _) = fixture.rejection(of: edit) else {
                    Issue.record("\(kind) must refuse \(field.name)")
                    continue
                }
                continue
            }
            try fixture.apply(edit)
            let new = try fixture.item(id).content
            #expect(new[field] == value, "\(field.name)")
            #expect(kind.fields.filter { new[$0] != old[$0] } == [field])
            #expect(FieldChange.between(old, and: new) == [FieldChange(field, value)])
            #expect(new.textBytes == old.textBytes - (old[field]?.textBytes ?? 0) + value.textBytes)
            guard !field.isRequired else { continue }
            try fixture.apply(.update(id, [FieldChange(field, nil)]))
            #expect(try fixture.item(id).content == old)
        }
    }

    @Test(arguments: ItemKind.allCases)
    func `a text can be as long as the limit of its field, and no longer`(kind: ItemKind) throws {
        for field in kind.fields where field != .timeZone && field != .arrivalTimeZone {
            guard case .text(let rule) = field.row.type else { continue }
            let start = if case .url = rule { "https://" } else { "" }
            let longest = start + String(repeating: "n", count: rule.limit.maximum - start.utf8.count)
            var fixture = try TripFixture()
            let id = ItemID(high: 9, low: 9)
            try fixture.apply(
                .add(id, try Self.content(kind, filled: false), to: kind == .game ? nil : .start(day: 1)))
            #expect(fixture.rejection(of: .update(id, [FieldChange(field, .text(longest))])) == nil)
            #expect(
                fixture.rejection(of: .update(id, [FieldChange(field, .text(longest + "n"))]))
                    == .limitExceeded(rule.limit, field: field.name))
            #expect(
                fixture.rejection(of: .update(id, [FieldChange(field, .text("https://\u{202E}"))]))
                    == .textNotAllowed(field: field.name, scalar: 0x202E))
        }
    }

    @Test func `there are no changes between contents of different kinds`() throws {
        for one in ItemKind.allCases {
            for other in ItemKind.allCases where other != one {
                #expect(
                    FieldChange.between(
                        try Self.content(one, filled: false), and: try Self.content(other, filled: false))
                        == nil)
            }
        }
    }

    /// An item with only its required fields, or with all fields.
    static func content(_ kind: ItemKind, filled: Bool) throws -> ItemContent {
        let start = try #require(OffsetDateTime("2026-06-12T10:00:00Z"))
        var content: ItemContent =
            switch kind {
            case .game: .game(Game(gameID: "old", title: "old", startsAt: start))
            case .travel: .travel(Travel(fromCity: "old", toCity: "older"))
            case .custom: .custom(CustomItem(title: "old"))
            }
        guard filled else { return content }
        var fixture = try TripFixture()
        let id = ItemID(high: 9, low: 9)
        try fixture.apply(.add(id, content, to: kind == .game ? nil : .start(day: 1)))
        for field in kind.fields {
            let value = try value(of: field, in: &fixture)
            try fixture.apply(.update(id, [FieldChange(field, value)]))
        }
        content = try fixture.item(id).content
        return content
    }

    /// A value that differs from every field of `content`.
    static func value(of field: ItemField, in fixture: inout TripFixture) throws -> FieldValue {
        switch field.row.type {
        case .text(.url): .text("https://example.org/\(field.name)")
        case .text:
            .text([.timeZone, .arrivalTimeZone].contains(field) ? "Europe/Berlin" : "new \(field.name)")
        case .time: .time(try #require(ClockTime("19:30")))
        case .coordinate: .coordinate(Coordinate(latitude: 33.755, longitude: -84.401))
        case .source: .source(ItemSource(name: "table", id: "row 7"))
        case .minutes: .minutes(77)
        case .nights: .nights(3)
        // The other value is the default, and not stored.
        case .flag: .flag(field != .attending)
        case .moment: .moment(try #require(OffsetDateTime("2026-06-13T10:00:00Z")))
        case .cost: .cost(Cost(amount: 12.5, currency: "EUR"))
        case .side: .side(.game(try fixture.game("game of \(field.name)", day: 2, minute: 600)))
        }
    }

    @Test(arguments: [
        ItemContent.game(.blank), .travel(.blank), .custom(.blank),
    ])
    func `every field that users write is in the form of its kind, but the id of an event`(
        content: ItemContent
    ) {
        let written = content.kind.fields.filter { $0.row.isWritten && $0 != .gameID }
        #expect(Set(ItemField.editable(in: content)) == Set(written))
        #expect(ItemField.editable(in: content).count == written.count)
    }
}
