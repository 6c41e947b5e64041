import TripModel

/// The fields of one item, being edited one at a time.
struct Form: Sendable {
    /// Which field, as the user sees it.
    enum Kind: String, Sendable, CaseIterable {
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

    /// What somebody else has made of a field while it is edited here.
    struct Theirs: Equatable, Sendable {
        let text: String
        let user: String
        /// The user has been told that it would be overwritten.
        var isKnown = false
    }

    struct Field: Sendable {
        let kind: Kind
        private(set) var original: String
        var line: LineEditor
        var theirs: Theirs?

        init(_ kind: Kind, _ text: String?) {
            self.kind = kind
            original = text ?? ""
            line = LineEditor(original, limit: kind == .note ? TripLimits.noteBytes : TripLimits.textBytes)
        }

        var isChanged: Bool { line.text != original }

        /// Whether it would overwrite what somebody else has just written.
        var isInConflict: Bool { isChanged && theirs != nil && theirs?.text != line.text }

        /// Takes over what the item says now: what is not edited here follows, what is edited shows both.
        fileprivate mutating func follow(_ text: String, by user: String) {
            guard text != theirs?.text ?? original else { return }
            if !isChanged || line.text == text {
                original = text
                line = LineEditor(text, limit: line.limit)
            }
            theirs = Theirs(text: text, user: user)
        }
    }

    /// Why a field cannot be as it is written.
    struct Objection: Error {
        let field: Int
        let reason: String
    }

    /// The item as it is, or was when it was there last.
    private(set) var item: Item
    /// Where it stands, for the case that it goes.
    let spot: Spot?
    /// Who removed the item meanwhile; empty where that is not known, nil while it is there.
    private(set) var remover: String?
    private(set) var fields: [Field]
    private(set) var index = 0

    /// The fields of an item; nil for a game, which follows the schedule.
    init?(_ item: Item, at spot: Spot?) {
        let kinds: [Kind]
        switch item.content {
        case .game: return nil
        case .custom: kinds = [.title, .icon, .city, .duration, .cost, .note]
        case .travel: kinds = [.fromCity, .toCity, .mode, .duration, .note]
        }
        self.item = item
        self.spot = spot
        fields = kinds.map { Field($0, Self.text(of: $0, in: item.content)) }
    }

    /// What a field says.
    private static func text(of kind: Kind, in content: ItemContent) -> String? {
        switch content {
        case .game: return nil
        case .custom(let custom):
            switch kind {
            case .title: return custom.title
            case .icon: return custom.icon
            case .city: return custom.city
            case .duration: return custom.durationMinutes.map(DateText.text(ofMinutes:))
            case .cost: return custom.cost.map(CostText.text(of:))
            case .note: return custom.note.map(oneLine)
            case .fromCity, .toCity, .mode: return nil
            }
        case .travel(let travel):
            switch kind {
            case .fromCity: return travel.fromCity
            case .toCity: return travel.toCity
            case .mode: return travel.mode
            case .duration: return travel.durationMinutes.map(DateText.text(ofMinutes:))
            case .note: return travel.note.map(oneLine)
            case .title, .icon, .city, .cost: return nil
            }
        }
    }

    /// Takes over what others have done to the item meanwhile.
    ///
    /// - Parameter user: who removed it, if it is gone.
    mutating func follow(_ new: Item?, goneBy user: String?) {
        guard let new else {
            remover = remover ?? user ?? ""
            return
        }
        remover = nil
        item = new
        for index in fields.indices {
            fields[index].follow(Self.text(of: fields[index].kind, in: new.content) ?? "", by: new.modifiedBy)
        }
    }

    /// What has happened to the item, and what can be done; nil where nothing has.
    var goneSentence: String? {
        guard let remover else { return nil }
        let title = item.content.title
        let what = remover.isEmpty ? "\(title) has been removed." : "\(remover) removed \(title)."
        return "\(what) Enter adds it again, Esc leaves."
    }

    /// The first field that would overwrite what somebody else has written, the user not knowing yet; from now on
    /// the user knows.
    mutating func takeConflict() -> Field? {
        guard let index = fields.firstIndex(where: { $0.isInConflict && $0.theirs?.isKnown == false }) else {
            return nil
        }
        fields[index].theirs?.isKnown = true
        self.index = index
        return fields[index]
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
