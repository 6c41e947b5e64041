import TripModel

/// Builds an entry from text, and notes everything that a trip would not accept unchanged.
struct EntryBuilder {
    var entry: FileEntry
    private(set) var notes: [FileNote] = []

    init(_ entry: FileEntry) { self.entry = entry }

    /// Sets a field; an invalid value is left out, with a note.
    mutating func set(_ field: ItemField, _ raw: String?) {
        guard let raw else { return }
        do throws(FieldText.Fault) {
            try setStrictly(field, raw)
        } catch {
            note("its \(field.name) is left out: \(error.reason)")
        }
    }

    /// Sets a field; cleaned text is noted, and an invalid value is refused.
    mutating func setStrictly(_ field: ItemField, _ raw: String) throws(FieldText.Fault) {
        let isOurs = entry.own != nil
        let reading = try isOurs ? FieldText.exactValue(raw, of: field) : FieldText.value(raw, of: field)
        if let change = reading.change { note("its \(field.name) \(change)") }
        if let value = reading.value { entry[field] = value }
        if field == .time, try EntryText.trimmed(raw).map(FieldText.start)?.isLateNight == true {
            entry[.lateNight] = .flag(true)
        }
    }

    mutating func note(_ text: String) {
        notes.append(FileNote(line: entry.line, id: entry.id, text: text))
    }
}
