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

    /// Sets the place and, of an entry with a time, the city; of an event also the venue. A street that is neither is kept
    /// in the note.
    mutating func setAddress(_ text: String) {
        let text = HTMLText.plain(text)
        let address = Address(text)
        set(.place, text)
        if entry[.url] == nil { set(.url, address.link) }
        if case .date = entry.when { return }
        set(.city, address.city)
        guard entry.kind == .game else { return }
        set(.venue, address.venue)
        if address.hasStreet {
            set(.note, [entry.text(.note), text].compactMap(\.self).joined(separator: "\n"))
        }
    }

    mutating func note(_ text: String) {
        notes.append(FileNote(line: entry.line, id: entry.id, text: text))
    }
}
