import TripModel

/// The fields of one item, being edited one at a time.
struct Form: Sendable {
    /// What somebody else has made of a field while it is edited here.
    struct Theirs: Equatable, Sendable {
        let text: String
        let user: String
        /// The user has been told that it would be overwritten.
        var isKnown = false
    }

    typealias Field = FormField<ItemField>

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
    /// It is not in the trip yet: Enter adds it.
    let isNew: Bool

    /// The fields of an item of a trip; of a game those that its schedule does not fill.
    init(_ item: Item, at spot: Spot?, of trip: Trip) {
        self.item = item
        self.spot = spot
        isNew = false
        fields = ItemField.editable(in: item.content).map { Field($0, Self.text(of: $0, in: item, trip)) }
    }

    /// The fields of an item that is to be.
    ///
    /// - Parameter texts: what some of them say at first.
    init(
        new kind: ItemKind, as id: ItemID, at spot: Spot, _ texts: [ItemField: String], _ trip: Trip
    ) {
        let content: ItemContent =
            switch kind {
            case .custom: .custom(.blank)
            case .travel: .travel(.blank)
            case .game: .game(.blank)
            }
        item = Item(
            id: id, position: Position(day: spot.day, sortOrder: 0), content: content, version: 0,
            modifiedAt: Timestamp(milliseconds: 0), modifiedBy: "")
        self.spot = spot
        isNew = true
        fields = ItemField.editable(in: content).map { field in
            var line = Field(field, "")
            if let text = texts[field] { line.line = LineEditor(text, limit: line.line.limit) }
            return line
        }
    }

    /// What a field says, in one line.
    private static func text(of field: ItemField, in item: Item, _ trip: Trip) -> String {
        if field == .startsAt { return MomentText.text(of: item, in: trip) ?? "" }
        return item.content.text(of: field, in: trip, lineBreak: ItemField.lineBreakSign) ?? ""
    }

    /// Takes over what others have done to the item meanwhile.
    ///
    /// - Parameters:
    ///   - user: who removed it, if it is gone.
    ///   - trip: the trip as it is now.
    mutating func follow(_ new: Item?, goneBy user: String?, of trip: Trip) {
        if isNew { return }
        guard let new else {
            remover = remover ?? user ?? ""
            return
        }
        remover = nil
        item = new
        for index in fields.indices {
            fields[index].follow(Self.text(of: fields[index].field, in: new, trip), by: new.modifiedBy)
        }
    }

    /// What stands above the fields.
    var heading: String {
        guard isNew else { return item.content.title }
        return switch item.content {
        case .travel: "New travel"
        case .game: "A new game"
        case .custom: "A new item"
        }
    }

    private func text(of field: ItemField) -> String? { fields.first { $0.field == field }?.line.trimmed }

    /// What is written of a new item.
    ///
    /// - Throws: for a field that cannot be as it is written.
    func content(in trip: Trip) throws(Objection) -> ItemContent {
        var content = item.content
        let changes = try changes(in: trip)
        for (index, field) in fields.enumerated() where field.field.isRequired && field.line.trimmed == nil {
            throw Objection(field: index, reason: "\(field.field.label) must not be empty.")
        }
        for change in changes { content.assign(change) }
        if case .game(var game) = content {
            game.gameID = "own-\(item.id)"
            content = .game(game)
        }
        return content
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
        guard let index = fields.takeConflict() else { return nil }
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
    ///
    /// - Parameter trip: the trip that has the games which are named.
    func changes(in trip: Trip) throws(Objection) -> [FieldChange] {
        var changes: [FieldChange] = []
        // A start is written by the clocks of the zone beside it.
        let hasOtherZone = fields.contains { $0.field == .timeZone && $0.isChanged }
        for (index, field) in fields.enumerated()
        where field.isChanged || hasOtherZone && field.field == .startsAt {
            do throws(FieldObjection) {
                changes.append(try change(of: field, in: trip))
            } catch {
                throw Objection(field: index, reason: error.reason)
            }
        }
        return changes
    }

    /// Why the field being edited cannot be as it is written; nil where it can.
    func objection(in trip: Trip) -> String? {
        let field = fields[index]
        if field.field.isRequired, field.line.trimmed == nil {
            return "\(field.field.label) must not be empty."
        }
        guard isNew || field.isChanged else { return nil }
        do throws(FieldObjection) { _ = try change(of: field, in: trip) } catch { return error.reason }
        return nil
    }

    private func change(of field: Field, in trip: Trip) throws(FieldObjection) -> FieldChange {
        guard field.field == .startsAt, let text = field.line.trimmed else {
            return try field.field.change(to: field.line.trimmed, game: trip.game(called:))
        }
        let zone = self.text(of: .timeZone) ?? trip.header.timeZone
        guard let moment = MomentText.moment(of: text, zone: zone, today: trip.header.startDate) else {
            throw FieldObjection(reason: "A start is a date and a time, like 2026-06-13 18:00.")
        }
        return .startsAt(moment)
    }

    /// Which field an edit's refusal is about.
    func index(of field: ItemField) -> Int {
        fields.firstIndex { $0.field == field } ?? index
    }
}
