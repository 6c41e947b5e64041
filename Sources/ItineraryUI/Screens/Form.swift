import TripModel

/// The fields of one item, edited one at a time.
struct Form: Sendable {
    /// Another user's value for a field that is being edited.
    struct Theirs: Equatable, Sendable {
        let text: String
        let user: String
        /// Whether the user was warned about overwriting it.
        var isKnown = false
    }

    typealias Field = FormField<ItemField>

    /// The reason why a field's text is invalid.
    struct Objection: Error {
        let field: Int
        let reason: String
    }

    /// The item, in its last existing state.
    private(set) var item: Item
    /// Its place, in case it is removed.
    let insertionPoint: InsertionPoint?
    /// The user who removed the item, empty if unknown; nil while it exists.
    private(set) var remover: String?
    private(set) var fields: [Field]
    private(set) var index = 0
    /// Whether it is a new item, which Enter adds.
    let isNew: Bool

    /// The fields of an item of a trip; for a game those that its schedule does not set.
    init(_ item: Item, at insertionPoint: InsertionPoint?, of trip: Trip) {
        self.item = item
        self.insertionPoint = insertionPoint
        isNew = false
        fields = ItemField.editable(in: item.content).map { Field($0, Self.text(of: $0, in: item, trip)) }
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
        fields = ItemField.editable(in: content).map { field in
            var line = Field(field, "")
            if let text = texts[field] { line.line = LineEditor(suggesting: text, limit: line.line.limit) }
            return line
        }
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
        for index in fields.indices {
            fields[index].follow(Self.text(of: fields[index].field, in: new, trip), by: new.modifiedBy)
        }
    }

    /// Copies the changed fields and the current field from another form for the same kind of item.
    mutating func fill(from draft: Form) {
        for index in fields.indices where draft.fields[index].isChanged {
            fields[index].line = draft.fields[index].line
        }
        index = draft.index
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

    /// Whether nothing is written in a field.
    func isEmpty(_ field: ItemField) -> Bool { text(of: field) == nil }

    private func text(of field: ItemField) -> String? { fields.first { $0.field == field }?.line.trimmed }

    /// The content of a new item.
    ///
    /// - Throws: for an invalid field.
    func content(in trip: Trip) throws(Objection) -> ItemContent {
        var content = item.content
        let changes = try changes(in: trip)
        for (index, field) in fields.enumerated() where field.field.isRequired && field.line.trimmed == nil {
            throw Objection(field: index, reason: "\(field.field.label) must not be empty.")
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
        return "\(what) \(options.acceptName) adds it again, \(options.cancelName) leaves."
    }

    /// The first field that would overwrite another user's value without a warning; marks it as warned.
    mutating func takeConflict() -> Field? {
        guard let index = fields.takeConflict() else { return nil }
        self.index = index
        return fields[index]
    }

    /// The current field.
    var current: Field {
        get { fields[index] }
        set { fields[index] = newValue }
    }

    /// Moves to the first field without a suggestion.
    mutating func goToFirstEmpty() { index = fields.firstIndex { $0.line.text.isEmpty } ?? 0 }

    /// Moves to another field; after the last comes the first.
    mutating func go(to target: Int) {
        index = (target + fields.count) % fields.count
    }

    /// The changed fields.
    ///
    /// - Parameter trip: used to look up games by title.
    func changes(in trip: Trip) throws(Objection) -> [FieldChange] {
        var changes: [FieldChange] = []
        // A start is interpreted in the zone beside it, so errors of the zone come first.
        let zones = fields.indices.filter { fields[$0].field == .timeZone }
        let hasOtherZone = zones.contains { fields[$0].isChanged }
        for index in zones + fields.indices.filter({ !zones.contains($0) })
        where fields[index].isChanged || hasOtherZone && fields[index].field == .startsAt {
            do throws(FieldObjection) {
                if zones.contains(index), let name = fields[index].line.trimmed,
                    TimeZoneName.meant(by: name) == nil
                {
                    throw FieldObjection(reason: "\(capitalized(TimeZoneName.refusal(of: name))).")
                }
                changes += try self.changes(of: fields[index], in: trip)
            } catch {
                throw Objection(field: index, reason: error.reason)
            }
        }
        return isNew ? changes : changes.filter { item.content[$0.field] != $0.value }
    }

    /// The reason why the current field's text is invalid; nil if it is valid.
    func objection(in trip: Trip) -> String? {
        let field = fields[index]
        if field.field.isRequired, field.line.trimmed == nil {
            return "\(field.field.label) must not be empty."
        }
        guard isNew || field.isChanged else { return nil }
        do throws(FieldObjection) { _ = try changes(of: field, in: trip) } catch { return error.reason }
        return nil
    }

    private func changes(of field: Field, in trip: Trip) throws(FieldObjection) -> [FieldChange] {
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
        var zone = self.text(of: .timeZone).map { TimeZoneName.meant(by: $0) ?? $0 }
        let clocks = TripClocks(trip)
        let city = self.text(of: .city)
        // A zone that the form suggests comes after the clock of the city.
        let isSuggested = fields.contains { $0.field == .timeZone && $0.line.isSuggestion }
        if isSuggested, let own = clocks.ownZone(ofCity: city, onDay: day) { zone = own }
        let start = try clocks.start(
            written: text, city: city, zone: zone, onDay: trip.header.date(ofDay: day))
        return (start, zone, isSuggested)
    }

    /// A note on how a written start was read, for example that the time occurs twice.
    func startNote(in trip: Trip) -> String? {
        guard let field = fields.first(where: { $0.field == .startsAt && (isNew || $0.isChanged) }),
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
        for field in fields where field.field != .durationMinutes && (isNew || field.isChanged) {
            content.assign((try? changes(of: field, in: trip)) ?? [])
        }
        guard case .travel(let travel) = content else {
            throw FieldObjection(reason: "Only travel has an arrival.")
        }
        return try ArrivalText.changes(
            by: arrival, of: travel, at: isNew ? nil : item, onDay: item.position.day, in: trip)
    }

    /// The index of a refused field.
    func index(of field: ItemField) -> Int {
        fields.firstIndex { $0.field == field } ?? index
    }
}

/// A field of a form for an item or a trip, which others may change at the same time.
struct FormField<Name: Sendable>: Sendable {
    let field: Name
    /// The last text that the user saw before editing.
    private(set) var original: String
    var line: LineEditor
    /// Another user's new value.
    var theirs: Form.Theirs?

    init(_ field: Name, _ line: LineEditor) {
        self.field = field
        self.line = line
        original = line.text
    }

    var isChanged: Bool { line.text != original }

    /// Whether it would overwrite another user's new value.
    var isInConflict: Bool { isChanged && theirs != nil && theirs?.text != line.text }

    /// The field as a line of a drawable form.
    func sheetLine(_ label: String, beginsGroup: Bool = false) -> FormSheet.Line {
        let aside = theirs.map { isInConflict ? "now \($0.text) (\($0.user))" : "(\($0.user))" }
        return FormSheet.Line(
            label: label, text: line.text, aside: aside ?? "", isChanged: isChanged, beginsGroup: beginsGroup)
    }

    /// Whether the user was warned about that value, and has not answered.
    var awaitsConfirmation: Bool { isInConflict && theirs?.isKnown == true }

    /// Updates the present value: an unedited field follows, an edited one shows both.
    mutating func follow(_ text: String, by user: String) {
        guard text != theirs?.text ?? original else { return }
        if !isChanged || line.text == text {
            original = text
            line =
                line.isSuggestion
                ? LineEditor(suggesting: text, limit: line.limit) : LineEditor(text, limit: line.limit)
        }
        theirs = Form.Theirs(text: text, user: user)
    }
}

extension FormField<ItemField> {
    init(_ field: ItemField, _ text: String) {
        self.init(field, LineEditor(text, limit: field.writingLimit))
    }
}

extension Array {
    /// The index of the first field that would overwrite another user's value without a warning; marks it as
    /// warned.
    mutating func takeConflict<Name>() -> Int? where Element == FormField<Name> {
        guard let index = firstIndex(where: { $0.isInConflict && $0.theirs?.isKnown == false }) else {
            return nil
        }
        self[index].theirs?.isKnown = true
        return index
    }
}

/// A drawable form, independent of its subject.
struct FormSheet: Sendable {
    /// One field.
    struct Line: Sendable {
        let label: String
        let text: String
        /// The text at the right.
        var aside = ""
        var isChanged = false
        /// Whether there is a gap above it, if there is room.
        var beginsGroup = false
    }

    /// The heading above the fields.
    let heading: String
    let lines: [Line]
    /// The index of the current field.
    let index: Int
}

extension Mode {
    /// The open form, if any.
    var formSheet: FormSheet? {
        switch self {
        case .filling(let form):
            let lines = form.fields.enumerated().map { index, field in
                field.sheetLine(
                    field.field.label,
                    beginsGroup: index > 0 && field.field.group != form.fields[index - 1].field.group)
            }
            return FormSheet(heading: form.heading, lines: lines, index: form.index)
        case .planning(let form): return sheet(of: form)
        default: return nil
        }
    }

    /// The visible form: the open one, or the text of one that was closed.
    var shownSheet: FormSheet? {
        switch self {
        case .awaiting(let operation): operation.form.map(sheet)
        case .ended(let end): end.written
        case .acknowledging(let notice):
            if case .form(let form) = notice.next { sheet(of: form) } else { nil }
        default: formSheet
        }
    }

    private func sheet(of form: TripForm) -> FormSheet {
        FormSheet(
            heading: form.heading, lines: form.fields.map { $0.sheetLine($0.field.label) }, index: form.index)
    }
}
