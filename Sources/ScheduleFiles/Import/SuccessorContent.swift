import TripModel

/// The content of an item that replaces one of another kind, because its source has added or removed a time. Users'
/// changes are kept, as in an item of the same kind.
struct SuccessorContent {
    /// The values of the new item.
    private(set) var values: [ItemField: FieldValue]
    /// The place of the new item.
    private(set) var place: ImportPlaces.Place
    /// The source's present values, for the next import.
    private(set) var said: SourceValues
    /// The fields that both a user and the source have changed.
    private(set) var kept: [KeptValue]

    /// Fields that follow from the item's time, or that identify it.
    private static let scheduled: Set<ItemField> = [.gameID, .startsAt, .timeZone, .source, .time]

    init(
        _ item: Item, _ kind: ItemKind, _ source: [ItemField: FieldValue], _ place: ImportPlaces.Place,
        day: SourceValues.Day?, takesSource: Bool
    ) {
        var comparison = SourceComparison(item, takesSource: takesSource)
        values = source
        said = SourceValues(source, day)
        self.place = place
        let former = item.content
        for field in kind.fields where !Self.scheduled.contains(field) {
            // The venue of a game corresponds to the place of other items.
            let counterpart = Self.counterpart(of: field, in: former.kind)
            guard former.kind.fields.contains(field) || counterpart != nil else { continue }
            if let counterpart {
                let mine = former[counterpart]
                if !SourceComparison.isSame(mine, former.said?[counterpart]), !takesSource {
                    values[field] = mine
                }
                continue
            }
            comparison.compare(field, with: source[field])
            if comparison.changes.contains(where: { $0.field == field }) { continue }
            let isSaid = SourceComparison.isSame(former[field], former.said?[field])
            if source[field] != nil || !isSaid { values[field] = former[field] }
        }
        for field in comparison.said.keptFields where kind.fields.contains(field) {
            said.keptFields.insert(field)
        }
        // A custom item has no such field.
        if former[.attending] == .flag(false) { said.keptFields.insert(.attending) }
        if kind == .game, former.said?.keptFields.contains(.attending) == true {
            values[.attending] = .flag(false)
        }
        kept = comparison.kept
    }

    /// Applies a user's change of the day or the time to the start of a game.
    mutating func keep(_ start: OffsetDateTime, of item: Item, at place: ImportPlaces.Place) {
        kept.append(KeptValue(item, .startsAt, values[.startsAt], said: item.content.said))
        said.keptFields.insert(.startsAt)
        values[.startsAt] = .moment(start)
        self.place = place
    }

    /// Keeps the day and the time to which a user has moved the game that the custom item replaces.
    mutating func keep(_ time: ClockTime, of item: Item, at place: ImportPlaces.Place) {
        kept.append(KeptValue(item, .startsAt, nil, said: item.content.said))
        said.keptFields.insert(.time)
        said.keepsDay = place.day != self.place.day
        values[.time] = .time(time)
        self.place = place
    }

    private static func counterpart(of field: ItemField, in kind: ItemKind) -> ItemField? {
        switch (field, kind) {
        case (.place, .game): .venue
        case (.venue, .custom): .place
        default: nil
        }
    }
}

extension ImportPlaces {
    /// The content of the item that replaces one of another kind.
    mutating func successor(
        of item: Item, _ entry: FileEntry, _ kind: ItemKind, _ values: [ItemField: FieldValue],
        _ place: Place,
        takesSource: Bool
    ) -> SuccessorContent {
        let day = kind == .game ? nil : entry.when.sourceDay ?? sourceDay(place.day)
        var successor = SuccessorContent(item, kind, values, place, day: day, takesSource: takesSource)
        guard !takesSource, let said = item.content.said else { return successor }
        switch item.content {
        case .game(let game):
            guard case .moment(let last)? = said[.startsAt],
                last.secondsSince1970 != game.startsAt.secondsSince1970,
                trip.header.days.contains(item.position.day),
                let time = ClockTime(minute: Int(item.position.sortOrder - Self.order(ofMinute: 0)))
            else { return successor }
            successor.keep(
                time, of: item,
                at: Place(
                    day: item.position.day, minute: time.minute,
                    placement: .exact(.order(item.position.sortOrder, day: item.position.day))))
        case .custom:
            let isMoved = said.day.map { $0.number(in: trip.header) != item.position.day } ?? false
            var minute = place.minute
            if let mine = item.content.startTime { minute = mine.minute }
            guard let start = place.start, let minute, isMoved || minute != place.minute,
                let date = trip.header.date(ofDay: isMoved ? item.position.day : place.day),
                let moved = moment(date, minute, place.zone), moved.secondsSince1970 != start.secondsSince1970
            else { return successor }
            let day = trip.header.dayNumber(of: date)
            successor.keep(
                moved, of: item,
                at: Place(
                    day: day, minute: minute, start: moved, zone: place.zone,
                    placement: .beforeTimed(day: day)))
        case .travel: break
        }
        return successor
    }
}
