import TripModel

/// The fields of one item, being edited one at a time.
struct Form: Sendable {
    /// Which field, as the user sees it.
    enum Kind: String, Sendable {
        case title = "Title"
        case icon = "Icon"
        case city = "City"
        case fromCity = "From"
        case toCity = "To"
        case mode = "Mode"
        case duration = "Duration"
        case cost = "Cost"
        case note = "Note"

        /// The field's name in an edit.
        var field: String {
            switch self {
            case .title: "title"
            case .icon: "icon"
            case .city: "city"
            case .fromCity: "fromCity"
            case .toCity: "toCity"
            case .mode: "mode"
            case .duration: "durationMinutes"
            case .cost: "cost"
            case .note: "note"
            }
        }
    }

    struct Field: Sendable {
        let kind: Kind
        let original: String
        var line: LineEditor

        init(_ kind: Kind, _ text: String?) {
            self.kind = kind
            original = text ?? ""
            line = LineEditor(original, limit: kind == .note ? TripLimits.noteBytes : TripLimits.textBytes)
        }

        var isChanged: Bool { line.text != original }
    }

    /// Why a field cannot be as it is written.
    struct Objection: Error {
        let field: Int
        let reason: String
    }

    let item: ItemID
    private(set) var fields: [Field]
    private(set) var index = 0

    /// The fields of an item; nil for a game, which follows the schedule.
    init?(_ item: Item) {
        self.item = item.id
        switch item.content {
        case .game: return nil
        case .custom(let custom):
            fields = [
                Field(.title, custom.title), Field(.icon, custom.icon), Field(.city, custom.city),
                Field(.duration, custom.durationMinutes.map(DateText.text(ofMinutes:))),
                Field(.cost, custom.cost.map(CostText.text(of:))),
                Field(.note, custom.note.map(Self.oneLine)),
            ]
        case .travel(let travel):
            fields = [
                Field(.fromCity, travel.fromCity), Field(.toCity, travel.toCity), Field(.mode, travel.mode),
                Field(.duration, travel.durationMinutes.map(DateText.text(ofMinutes:))),
                Field(.note, travel.note.map(Self.oneLine)),
            ]
        }
    }

    /// The field being edited.
    var current: Field {
        get { fields[index] }
        set { fields[index] = newValue }
    }

    /// Goes to another field, beyond the last to the first.
    mutating func go(to target: Int) {
        index = (target + fields.count) % fields.count
    }

    /// What is different now.
    func changes() throws(Objection) -> [FieldChange] {
        var changes: [FieldChange] = []
        for (index, field) in fields.enumerated() where field.isChanged {
            let text = field.line.trimmed
            switch field.kind {
            case .title:
                guard let text else {
                    throw Objection(field: index, reason: "A title is needed; Esc leaves without.")
                }
                changes.append(.title(text))
            case .fromCity: changes.append(.fromCity(text ?? ""))
            case .toCity: changes.append(.toCity(text ?? ""))
            case .icon: changes.append(.icon(text))
            case .city: changes.append(.city(text))
            case .mode: changes.append(.mode(text))
            case .note: changes.append(.note(text.map(Self.manyLines)))
            case .duration:
                guard let text else {
                    changes.append(.durationMinutes(nil))
                    continue
                }
                guard let minutes = DateText.minutes(of: text) else {
                    throw Objection(
                        field: index, reason: "A duration is like 90, 1:30, 1 h 30 min or 2 h.")
                }
                changes.append(.durationMinutes(minutes))
            case .cost:
                guard let text else {
                    changes.append(.cost(nil))
                    continue
                }
                guard let cost = CostText.cost(of: text) else {
                    throw Objection(field: index, reason: "A cost is like 12.50 EUR.")
                }
                changes.append(.cost(cost))
            }
        }
        return changes
    }

    /// Which field an edit's refusal is about.
    func index(ofField name: String) -> Int {
        fields.firstIndex { name.hasPrefix($0.kind.field) } ?? index
    }

    /// A note's line breaks as a sign, since it is edited in one line.
    private static func oneLine(_ note: String) -> String { note.replacing("\n", with: "⏎") }
    private static func manyLines(_ text: String) -> String { text.replacing("⏎", with: "\n") }
}
