import TripModel

/// A field of an item that its owner can change, as text.
enum ItemField: Sendable, CaseIterable {
    case title, icon, city, from, to, mode, duration, cost, note, after, before

    /// The fields of an item; a game's are the schedule's.
    static func all(of content: ItemContent) -> [ItemField] {
        switch content {
        case .game: []
        case .travel: [.from, .to, .mode, .duration, .note, .after, .before]
        case .custom: [.title, .icon, .city, .duration, .cost, .note]
        }
    }

    var name: String {
        switch self {
        case .title: "title"
        case .icon: "icon"
        case .city: "city"
        case .from: "from"
        case .to: "to"
        case .mode: "mode"
        case .duration: "duration"
        case .cost: "cost"
        case .note: "note"
        case .after: "after game"
        case .before: "before game"
        }
    }

    /// What it says now; nil if nothing.
    func value(in content: ItemContent, of trip: Trip) -> String? {
        switch content {
        case .game: nil
        case .travel(let travel):
            switch self {
            case .from: travel.fromCity
            case .to: travel.toCity
            case .mode: travel.mode
            case .duration: travel.durationMinutes.map(DateText.text(ofMinutes:))
            case .note: travel.note.map(Self.oneLine)
            case .after: travel.afterGame.map { trip[$0]?.content.title ?? "a game that is gone" }
            case .before: travel.beforeGame.map { trip[$0]?.content.title ?? "a game that is gone" }
            case .title, .icon, .city, .cost: nil
            }
        case .custom(let custom):
            switch self {
            case .title: custom.title
            case .icon: custom.icon
            case .city: custom.city
            case .duration: custom.durationMinutes.map(DateText.text(ofMinutes:))
            case .cost: custom.cost.map(CostText.text(of:))
            case .note: custom.note.map(Self.oneLine)
            case .from, .to, .mode, .after, .before: nil
            }
        }
    }

    private static func oneLine(_ note: String) -> String {
        note.split(separator: "\n").joined(separator: " ")
    }

    /// A field, and what is to become of it.
    struct Change: Equatable, Sendable {
        let field: ItemField
        let change: FieldChange
    }

    /// What a typed value means.
    enum Reading: Equatable, Sendable {
        case change(FieldChange)
        /// It means nothing, and what would be right.
        case objection(String)
    }

    /// Reads a value as it is typed; nil takes the field away. A game is given as the item that it is.
    func read(_ text: String?, game: (String) -> Item?) -> Reading {
        switch self {
        case .title, .from, .to:
            guard let text else { return .objection("The \(name) is needed.") }
            return read(text, .textBytes) {
                self == .title ? .title($0) : self == .from ? .fromCity($0) : .toCity($0)
            }
        case .icon: return read(text, .iconBytes) { .icon($0) }
        case .city: return read(text, .textBytes) { .city($0) }
        case .mode: return read(text, .modeBytes) { .mode($0) }
        case .note: return read(text, .noteBytes) { .note($0) }
        case .duration:
            guard let text else { return .change(.durationMinutes(nil)) }
            guard let minutes = DateText.minutes(of: text), minutes <= TripLimits.durationMinutes else {
                return .objection("A duration is like 45, 45 min, 1 h 30 min or 1:30.")
            }
            return .change(.durationMinutes(minutes))
        case .cost:
            guard let text else { return .change(.cost(nil)) }
            guard let cost = CostText.cost(of: text) else { return .objection("A cost is like 12.50 EUR.") }
            return .change(.cost(cost))
        case .after, .before:
            guard let text else { return .change(self == .after ? .afterGame(nil) : .beforeGame(nil)) }
            guard let item = game(text), item.isGame else {
                return .objection("A game is needed, by its number or its title.")
            }
            return .change(self == .after ? .afterGame(item.id) : .beforeGame(item.id))
        }
    }

    private func read(_ text: String, _ limit: Limit, _ change: (String) -> FieldChange) -> Reading {
        objection(to: text, limit).map(Reading.objection) ?? .change(change(text))
    }

    private func read(_ text: String?, _ limit: Limit, _ change: (String?) -> FieldChange) -> Reading {
        guard let text else { return .change(change(nil)) }
        return objection(to: text, limit).map(Reading.objection) ?? .change(change(text))
    }

    private func objection(to text: String, _ limit: Limit) -> String? {
        do throws(Rejection) {
            try TextRule.line(limit).check(text, field: name)
            return nil
        } catch {
            switch error {
            case .limitExceeded(.combiningMarks, _): return "There are too many marks on one character."
            case .limitExceeded: return "The \(name) is too long."
            default: return "The \(name) has a character that may not be shown."
            }
        }
    }
}
