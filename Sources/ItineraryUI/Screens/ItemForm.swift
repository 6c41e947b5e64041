import TripModel

/// The form of one item.
struct ItemForm: Form {
    /// The reason why a field's text is invalid.
    struct Objection: Error {
        let field: ItemField
        let reason: String
    }

    /// The item, in its last existing state.
    private(set) var item: Item
    /// Its place, in case it is removed.
    let insertionPoint: InsertionPoint?
    /// The user who removed the item, empty if unknown; nil while it exists.
    private(set) var remover: String?
    var fields: FormFields<ItemField>
    /// Whether it is a new item, which Enter adds.
    let isNew: Bool

    /// The fields of an item of a trip; for a game those that its schedule does not set.
    init(_ item: Item, at insertionPoint: InsertionPoint?, of trip: Trip) {
        self.item = item
        self.insertionPoint = insertionPoint
        isNew = false
        fields = FormFields(
            ItemField.editable(in: item.content).map { field in
                let text = Self.text(of: field, in: item, trip)
                return FormField(field, LineEditor(text, limit: field.writingLimit))
            })
    }

    /// The fields of a new item.
    ///
    /// - Parameter texts: initial texts of some fields.
    init(
        new kind: ItemKind, as id: ItemID, at insertionPoint: InsertionPoint, _ texts: [ItemField: String],
        _ trip: Trip
    ) {
        let content: ItemContent =
            switch kind {
            case .custom: .custom(.blank)
            case .travel: .travel(.blank)
            case .game: .game(.blank)
            }
        item = Item(
            id: id, position: Position(day: insertionPoint.day, sortOrder: 0), content: content, version: 0,
            modifiedAt: Timestamp(milliseconds: 0), modifiedBy: "")
        self.insertionPoint = insertionPoint
        isNew = true
        fields = FormFields(
            ItemField.editable(in: content).map { FormField($0, LineEditor("", limit: $0.writingLimit)) })
        for (field, text) in texts { fields.suggest(text, for: field) }
    }

    /// The text of a field, in one line.
    private static func text(of field: ItemField, in item: Item, _ trip: Trip) -> String {
        if field == .startsAt { return MomentText.text(of: item, in: trip) ?? "" }
        return item.content.text(of: field, in: trip, lineBreak: ItemField.lineBreakSign) ?? ""
    }

    /// Updates the form after changes by others.
    ///
    /// - Parameters:
    ///   - user: the user who removed the item, if it is gone.
    ///   - trip: the present trip.
    mutating func follow(_ new: Item?, goneBy user: String?, of trip: Trip) {
        if isNew { return }
        guard let new else {
            remover = remover ?? user ?? ""
            return
        }
        remover = nil
        item = new
        fields.follow(by: new.modifiedBy) { Self.text(of: $0, in: new, trip) }
    }

    /// The heading above the fields.
    var heading: String {
        guard isNew else { return item.content.title }
        return switch item.content {
        case .travel: "New travel"
        case .game: "A new event"
        case .custom: "A new item"
        }
    }

    var mode: Mode { .filling(self) }

    var isAddition: Bool { isNew || remover != nil }

    /// Whether nothing is written in a field.
    func isEmpty(_ field: ItemField) -> Bool { fields.text(of: field) == nil }

    /// The content of a new item.
    ///
    /// - Throws: for an invalid field.
    func content(in trip: Trip) throws(Objection) -> ItemContent {
        var content = item.content
        let changes = try changes(in: trip)
        for field in fields.all.map(\.field) where field.isRequired && isEmpty(field) {
            throw Objection(field: field, reason: "\(field.label) must not be empty.")
        }
        content.assign(changes)
        if let sharing = trip.sharing(of: content) { content.assign([.sharedBy(sharing.names)]) }
        if case .travel(let travel) = content {
            content = content.with(trip.zones(for: travel, onDay: item.position.day, isByArrival: false))
        }
        if case .game(var game) = content {
            game.gameID = "own-\(item.id)"
            content = .game(game)
        }
        return content
    }

    /// The people who share a cost that is written without naming them.
    func sharing(by changes: [FieldChange], in trip: Trip) -> (names: String, note: String)? {
        guard changes.contains(where: { [.cost, .paidBy].contains($0.field) }), isEmpty(.sharedBy) else {
            return nil
        }
        return trip.sharing(of: item.content.with(changes))
    }

    /// The message that the item was removed, and the options; nil while it exists.
    func goneSentence(_ options: EditorOptions) -> String? {
        guard let remover else { return nil }
        let title = item.content.title
        let what = remover.isEmpty ? "\(title) has been removed." : "\(remover) removed \(title)."
        return "\(what) \(options.style.acceptName) adds it again, \(options.style.cancelName) leaves."
    }

    /// The changed fields.
    ///
    /// - Parameter trip: used to look up games by title.
    func changes(in trip: Trip) throws(Objection) -> [FieldChange] {
        var changes: [FieldChange] = []
        // A start is interpreted in the zone beside it, so errors of the zone come first.
        let zones = fields.all.filter { $0.field == .timeZone }
        let hasOtherZone = zones.contains(where: \.isChanged)
        for field in zones + fields.all.filter({ $0.field != .timeZone })
        where field.isChanged || hasOtherZone && field.field == .startsAt {
            do throws(FieldObjection) {
                if field.field == .timeZone, let name = field.line.trimmed,
                    TimeZoneName.meant(by: name) == nil
                {
                    throw FieldObjection(reason: "\(capitalized(TimeZoneName.refusal(of: name))).")
                }
                changes += try self.changes(of: field, in: trip)
            } catch {
                throw Objection(field: field.field, reason: error.reason)
            }
        }
        return isNew ? changes : changes.filter { item.content[$0.field] != $0.value }
    }

    /// The reason why the current field's text is invalid; nil if it is valid.
    func objection(in trip: Trip) -> String? {
        let field = fields.current
        if field.field.isRequired, field.line.trimmed == nil {
            return "\(field.field.label) must not be empty."
        }
        guard isNew || field.isChanged else { return nil }
        do throws(FieldObjection) { _ = try changes(of: field, in: trip) } catch { return error.reason }
        return nil
    }

    private func changes(of field: FormField<ItemField>, in trip: Trip) throws(FieldObjection)
        -> [FieldChange]
    {
        if field.field == .durationMinutes, let arrival = Self.arrival(field.line.trimmed) {
            return try changes(by: arrival, in: trip)
        }
        if field.field == .cost, let text = field.line.trimmed {
            return [.cost(try Self.cost(of: text, in: trip))]
        }
        guard field.field == .startsAt, let text = field.line.trimmed else {
            return try field.field.changes(to: field.line.trimmed, of: item.content) {
                title throws(FieldObjection) in
                try trip.game(called: title)
            }
        }
        do throws(MomentText.Fault) {
            let (start, zone, isSuggested) = try self.start(written: text, in: trip)
            return [.startsAt(start.moment)]
                + (isSuggested || zone == nil && start.zone != nil
                    ? [FieldChange(.timeZone, (zone ?? start.zone).map(FieldValue.text))] : [])
        } catch {
            if case .unreadable = error {
                let date = (trip.header.date(ofDay: day) ?? trip.header.startDate).description
                throw FieldObjection(reason: "A start is a date and a time, like \(date) 18:00.")
            }
            throw FieldObjection(reason: error.reason)
        }
    }

    private var day: Int { insertionPoint?.day ?? item.position.day }

    /// The start of an event, with the zone in which it is read and whether the form has suggested that.
    private func start(
        written text: String, in trip: Trip
    ) throws(MomentText.Fault) -> (start: EventStart, zone: String?, isSuggested: Bool) {
        var zone = fields.text(of: .timeZone).map { TimeZoneName.meant(by: $0) ?? $0 }
        let clocks = TripClocks(trip)
        let city = fields.text(of: .city)
        // A zone that the form suggests comes after the clock of the city.
        let isSuggested = fields.all.contains { $0.field == .timeZone && $0.line.isSuggestion }
        if isSuggested, let own = clocks.ownZone(ofCity: city, onDay: day) { zone = own }
        let start = try clocks.start(
            written: text, city: city, zone: zone, onDay: trip.header.date(ofDay: day))
        return (start, zone, isSuggested)
    }

    /// A note on how a written start was read, for example that the time occurs twice.
    func startNote(in trip: Trip) -> String? {
        guard let field = fields.all.first(where: { $0.field == .startsAt && (isNew || $0.isChanged) }),
            let text = field.line.trimmed, let note = (try? start(written: text, in: trip))?.start.note
        else { return nil }
        return "\(capitalized(note))."
    }

    /// A written cost, with the code of its currency.
    private static func cost(of text: String, in trip: Trip) throws(FieldObjection) -> Cost {
        var cost: Cost
        do throws(CostText.Fault) { cost = try trip.cost(written: text) } catch {
            throw FieldObjection(error)
        }
        cost.currency = Currency.code(of: cost.currency)
        do throws(Rejection) { try ItemField.cost.check(.cost(cost)) } catch {
            throw FieldObjection(reason: ItemField.cost.sentence(for: error))
        }
        return cost
    }

    /// The arrival in a duration field, such as `arrives=11:00` or `→ 11:00`; nil for a duration.
    private static func arrival(_ text: String?) -> String? {
        guard let text else { return nil }
        for sign in ["\(ArrivalText.name)=", "→", "->"] where text.hasPrefix(sign) {
            return String(text.dropFirst(sign.count))
        }
        return nil
    }

    /// The fields that an arrival sets.
    private func changes(by arrival: String, in trip: Trip) throws(FieldObjection) -> [FieldChange] {
        var content = item.content
        for field in fields.all where field.field != .durationMinutes && (isNew || field.isChanged) {
            content.assign((try? changes(of: field, in: trip)) ?? [])
        }
        guard case .travel(let travel) = content else {
            throw FieldObjection(reason: "Only travel has an arrival.")
        }
        return try ArrivalText.changes(
            by: arrival, of: travel, at: isNew ? nil : item, onDay: item.position.day, in: trip)
    }
}
