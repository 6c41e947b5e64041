extension FieldChange {
    /// The changes that make one content of an item into another of the same kind.
    ///
    /// - Returns: nil where the kinds differ: no change of fields makes a game of a custom item.
    public static func between(_ old: ItemContent, and new: ItemContent) -> [FieldChange]? {
        var changes: [FieldChange] = []
        func note<Value: Equatable>(_ before: Value, _ after: Value, _ change: (Value) -> FieldChange) {
            if before != after { changes.append(change(after)) }
        }
        func noteText<Text: VerbatimText>(_ before: Text, _ after: Text, _ change: (Text) -> FieldChange) {
            if !Text.isVerbatim(before, after) { changes.append(change(after)) }
        }
        switch (old, new) {
        case (.game(let old), .game(let new)):
            noteText(old.gameID, new.gameID, FieldChange.gameID)
            noteText(old.title, new.title, FieldChange.title)
            noteText(old.city, new.city, FieldChange.city)
            noteText(old.venue, new.venue, FieldChange.venue)
            note(old.startsAt, new.startsAt, FieldChange.startsAt)
            noteText(old.timeZone, new.timeZone, FieldChange.timeZone)
            note(old.durationMinutes, new.durationMinutes, FieldChange.durationMinutes)
        case (.travel(let old), .travel(let new)):
            noteText(old.fromCity, new.fromCity, FieldChange.fromCity)
            noteText(old.toCity, new.toCity, FieldChange.toCity)
            noteText(old.mode, new.mode, FieldChange.mode)
            note(old.durationMinutes, new.durationMinutes, FieldChange.durationMinutes)
            noteText(old.note, new.note, FieldChange.note)
            note(old.afterGame, new.afterGame, FieldChange.afterGame)
            note(old.beforeGame, new.beforeGame, FieldChange.beforeGame)
        case (.custom(let old), .custom(let new)):
            noteText(old.title, new.title, FieldChange.title)
            noteText(old.icon, new.icon, FieldChange.icon)
            noteText(old.city, new.city, FieldChange.city)
            noteText(old.note, new.note, FieldChange.note)
            note(old.durationMinutes, new.durationMinutes, FieldChange.durationMinutes)
            note(old.cost, new.cost, FieldChange.cost)
        default: return nil
        }
        return changes
    }
}
