import CommandLineKit
import LocalSystem
import TripModel

/// `FIELD=VALUE` on the command line; without a value the field is cleared.
struct FieldWord {
    let name: String
    /// Nil clears the field.
    let value: String?

    /// Nil for a word of another form.
    init?(_ word: String) {
        guard let sign = word.firstIndex(of: "="), sign > word.startIndex,
            word[..<sign].allSatisfy({ $0.isASCII && $0.isLetter })
        else { return nil }
        name = String(word[..<sign])
        let text = String(word[word.index(after: sign)...])
        value = text.isEmpty ? nil : text
    }

    /// The changes of an item; a time also changes whether it is after midnight.
    ///
    /// - Parameter trip: used to look up games by title.
    private func changes(of content: ItemContent, in trip: Trip) throws(CommandFailure) -> [FieldChange] {
        guard let value, name == ItemField.time.name, !content.isGame else {
            return [try change(of: content.kind, in: trip)]
        }
        do throws(FieldObjection) {
            return FieldChange.start(try ItemField.startTime(written: value), of: content)
        } catch {
            throw refusal(of: value, error)
        }
    }

    private func refusal(of value: String, _ objection: FieldObjection) -> CommandFailure {
        .usage("\(name) cannot be \(PlainText.visible(value)). \(PlainText.visible(objection.reason))")
    }

    private func change(of kind: ItemKind, in trip: Trip) throws(CommandFailure) -> FieldChange {
        guard let field = ItemField(name: name), kind.fields.contains(field) else {
            let question = NearestSpelling.question(for: name, among: kind.fields.map(\.name))
            throw .usage("\(kind.noun) has no field \(name)\(question)")
        }
        guard let value else {
            if field.isRequired { throw .usage("\(name) cannot be cleared; give it another value") }
            return FieldChange(field, nil)
        }
        switch field {
        case .source: return FieldChange(field, .source(try Self.source(value)))
        case .afterGame, .beforeGame:
            return FieldChange(field, .side(try Self.side(value, in: trip)))
        case .cost:
            do throws(CostText.Fault) { return .cost(try trip.cost(written: value)) } catch {
                throw refusal(of: value, FieldObjection(error))
            }
        case .note: if value.hasPrefix("@") { return FieldChange(field, .text(try Self.content(of: value))) }
        default: break
        }
        do throws(FieldObjection) {
            return FieldChange(field, try field.value(written: value))
        } catch {
            throw refusal(of: value, error)
        }
    }

    /// The changes of several words; `arrives` sets the duration of travel.
    ///
    /// - Parameters:
    ///   - content: the item that is changed or added.
    ///   - item: the item in the trip; nil if it is new.
    ///   - day: the day of the item.
    ///   - notes: gets a sentence if an event's times are not shown as they were written, and on those who share a cost.
    static func changes(
        _ words: [FieldWord], of content: ItemContent, at item: Item?, onDay day: Int, in trip: Trip,
        _ notes: inout [String]
    ) throws(CommandFailure) -> [FieldChange] {
        var changes: [FieldChange] = []
        let startName = content.isGame ? ItemField.startsAt.name : nil
        for word in words where word.name != ArrivalText.name && word.name != startName {
            changes += try word.changes(of: content, in: trip)
        }
        if let word = words.first(where: { $0.name == startName }) {
            guard let text = word.value else {
                throw .usage("\(word.name) cannot be cleared; give it another value")
            }
            let start = try start(text, of: content.with(changes), in: trip)
            changes += [.startsAt(start.moment), FieldChange(.timeZone, start.zone.map(FieldValue.text))]
            if let note = start.note { notes.append(note) }
        }
        let named = Set(changes.map(\.field))
        if !named.isDisjoint(with: [.cost, .paidBy]), !named.contains(.sharedBy),
            let sharing = trip.sharing(of: content.with(changes))
        {
            changes.append(.sharedBy(sharing.names))
            notes.append(sharing.note)
        }
        if item == nil || changes.contains(where: { [.fromCity, .toCity].contains($0.field) }) {
            try checkCities(of: content.with(changes))
        }
        guard let arrival = words.first(where: { $0.name == ArrivalText.name }) else { return changes }
        guard let text = arrival.value else { throw .usage("arrives needs a time, such as arrives=06:20+1") }
        guard !changes.contains(where: { $0.field == .durationMinutes }) else {
            throw .usage("arrives and durationMinutes say the same; give one of them")
        }
        return changes
            + (try Self.arrival(text, of: content.with(changes), at: item, onDay: day, in: trip))
    }

    /// The start of an event in its zone or, without one, in its city's.
    static func start(
        _ text: String, of content: ItemContent, in trip: Trip
    ) throws(CommandFailure) -> EventStart {
        guard case .game(let game) = content else { throw .usage("\(content.kind.noun) has no startsAt") }
        do throws(MomentText.Fault) {
            return try TripClocks(trip).start(
                written: text, city: game.effectiveCity, zone: game.timeZone)
        } catch {
            throw .usage("startsAt cannot be \(PlainText.visible(text)). \(PlainText.visible(error.reason))")
        }
    }

    /// The fields that an arrival sets.
    static func arrival(
        _ text: String, of content: ItemContent, at item: Item?, onDay day: Int, in trip: Trip
    ) throws(CommandFailure) -> [FieldChange] {
        guard case .travel(let travel) = content else {
            throw .usage("\(content.kind.noun) has no arrival; arrives is for travel")
        }
        do throws(FieldObjection) {
            return try ArrivalText.changes(by: text, of: travel, at: item, onDay: day, in: trip)
        } catch {
            throw .usage("arrives cannot be \(PlainText.visible(text)). \(PlainText.visible(error.reason))")
        }
    }

    /// Refuses travel within one city, because each event there would have to be both before and after it.
    static func checkCities(of content: ItemContent) throws(CommandFailure) {
        guard case .travel(let travel) = content, travel.staysInCity else { return }
        throw .usage(
            "travel needs two cities; within \(PlainText.visible(travel.fromCity)), add an item with a title, "
                + "such as \"Bus to the hotel\"")
    }

    /// Parses an end of travel: the name of an event, or `none`.
    static func side(_ text: String, in trip: Trip) throws(CommandFailure) -> TravelSide {
        if text.lowercased() == TravelSide.openWord { return .open }
        let item = try ItemName(text).item(in: trip)
        guard item.isGame else {
            throw CommandFailure(
                "\(PlainText.visible(item.content.title)) is not an event", exitCode: .noInput)
        }
        return .game(item.id)
    }

    /// The contents of the file for `@FILE`; `@@TEXT` stands for `@TEXT`.
    private static func content(of value: String) throws(CommandFailure) -> String {
        let path = String(value.dropFirst())
        guard !path.hasPrefix("@") else { return path }
        let most = TripLimits.noteBytes
        let bytes = try CommandInput.readHere(
            path == "-" ? nil : path, atMost: 4 * most, timeout: .seconds(10))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure("\(PlainText.visible(path)) is not UTF-8", exitCode: .badData)
        }
        var lines = text.replacing("\r\n", with: "\n")
        while lines.last?.isNewline == true { lines.removeLast() }
        return lines
    }

    private static func source(_ text: String) throws(CommandFailure) -> ItemSource {
        guard let slash = text.firstIndex(of: "/") else {
            throw .usage("source cannot be \(PlainText.visible(text)); an example is league/game-7")
        }
        return ItemSource(name: String(text[..<slash]), id: String(text[text.index(after: slash)...]))
    }
}
