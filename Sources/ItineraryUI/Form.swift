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

    struct Field: Sendable {
        let field: ItemField
        private(set) var original: String
        var line: LineEditor
        var theirs: Theirs?

        init(_ field: ItemField, _ text: String) {
            self.field = field
            original = text
            line = LineEditor(text, limit: field.writingLimit)
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

    /// The fields of an item of a trip; of a game those that its schedule does not fill.
    init(_ item: Item, at spot: Spot?, of trip: Trip) {
        self.item = item
        self.spot = spot
        fields = ItemField.editable(in: item.content).map { Field($0, Self.text(of: $0, in: item, trip)) }
    }

    /// What a field says, in one line.
    private static func text(of field: ItemField, in item: Item, _ trip: Trip) -> String {
        item.content.text(of: field, in: trip, lineBreak: ItemField.lineBreakSign) ?? ""
    }

    /// Takes over what others have done to the item meanwhile.
    ///
    /// - Parameters:
    ///   - user: who removed it, if it is gone.
    ///   - trip: the trip as it is now.
    mutating func follow(_ new: Item?, goneBy user: String?, of trip: Trip) {
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
    var heading: String { item.content.title }

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
    ///
    /// - Parameter trip: the trip that has the games which are named.
    func changes(in trip: Trip) throws(Objection) -> [FieldChange] {
        var changes: [FieldChange] = []
        for (index, field) in fields.enumerated() where field.isChanged {
            do throws(FieldObjection) {
                changes.append(try field.field.change(to: field.line.trimmed, game: trip.game(called:)))
            } catch {
                throw Objection(field: index, reason: error.reason)
            }
        }
        return changes
    }

    /// Which field an edit's refusal is about.
    func index(of field: ItemField) -> Int {
        fields.firstIndex { $0.field == field } ?? index
    }
}
