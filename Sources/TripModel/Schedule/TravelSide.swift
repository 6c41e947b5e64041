/// The game that one side of travel names, or `none` if no game binds that side (R-LEG).
public enum TravelSide: Hashable, Sendable {
    /// Only this game, by its item id.
    case game(ItemID)
    /// No game: the first travel out, or the way home.
    case open

    /// The word for an open side, in the protocol and in files.
    public static let openWord = "none"

    /// Reads an item id or `none`; nil for other text.
    public init?(_ text: String) {
        if text == Self.openWord {
            self = .open
        } else if let id = ItemID(text) {
            self = .game(id)
        } else {
            return nil
        }
    }

    /// The way in which a sentence names an open side.
    package enum Words: Sendable {
        /// `afterGame=none`
        case command
        /// `no event in “After event”`
        case form

        package func opening(_ side: ItemField) -> String {
            switch self {
            case .command: "\(side.name)=\(TravelSide.openWord)"
            case .form: "\(TravelSide.openText) in “\(side.label)”"
            }
        }
    }

    /// The text of an open side in a form.
    package static let openText = "no event"

    /// An item id or `none`, as read by `init(_:)`.
    public var text: String { game?.description ?? Self.openWord }

    /// The named game.
    public var game: ItemID? {
        if case .game(let id) = self { id } else { nil }
    }
}

/// Travel from or to home: one of its cities has games, but the travel is not for them.
extension Trip {
    /// Opens one side of travel that otherwise has no valid place, for programs that add travel.
    ///
    /// A side that names a game is never opened. Without a day the arrival is tried first. With a day, a side
    /// is opened only if that makes a place on the day valid.
    ///
    /// - Returns: the travel with the open side and the field that is now `none`; nil if the travel has a
    ///   valid place, or if opening one side does not help.
    public func openingSide(of travel: Travel, onDay day: Int? = nil) -> (travel: Travel, side: ItemField)? {
        if hasPlace(for: travel, onDay: day) { return nil }
        let choices = [ItemField.beforeGame, .afterGame].lazy.filter { travel[$0] == nil }
            .map { (travel: travel.setting($0, to: .open), side: $0) }
            .filter { hasPlace(for: $0.travel, onDay: day) }
        guard day == nil || choices.count == 1 else { return nil }
        return choices.first
    }

    /// Explains to the user why a side of travel was opened.
    package func openedSentence(
        for travel: Travel, _ side: ItemField, _ words: TravelSide.Words = .command
    ) -> String {
        let bounds = bounds(for: travel)
        let isBetween =
            if side == .beforeGame {
                bounds.departures.last.map { departure in
                    games(inCity: travel.toCity).contains { $0 > departure }
                }
            } else {
                bounds.arrivals.first.map { arrival in
                    games(inCity: travel.fromCity).contains { $0 < arrival }
                }
            }
        return travel.openedSentence(side, isBetween: isBetween ?? false, words)
    }

    /// Sets a side of travel that has no valid place on any day to `none`, so that it has one, preferably on the given day.
    ///
    /// - Returns: the content with the open side and the explanation; nil if no side needs to be opened.
    package func sideOpened(in content: ItemContent, onDay day: Int) -> (content: ItemContent, why: String)? {
        guard case .travel(let travel) = content, !hasPlace(for: travel, onDay: nil),
            let open = openingSide(of: travel, onDay: day) ?? openingSide(of: travel)
        else { return nil }
        return (.travel(open.travel), openedSentence(for: open.travel, open.side, .form))
    }

    /// The change of a side of travel that no place fits: a game around its place if that makes the place valid and the
    /// side names none, or else `none`; nil if some place is valid, or if both sides are `none`.
    package func remedy(for item: Item) -> (side: ItemField, value: TravelSide)? {
        guard case .travel(let travel) = item.content, bounds(for: travel).noPlace != nil else { return nil }
        let (reached, left) = (games(inCity: travel.toCity), games(inCity: travel.fromCity))
        let next = reached[reached.lowerBound(of: Row(item))...].first
        let last = left[..<left.lowerBound(of: Row(item))].last
        let sides = [ItemField.beforeGame, .afterGame].filter { travel[$0] != .side(.open) }
        let named = sides.filter { travel[$0] == nil }.compactMap { side in
            (side == .beforeGame ? next : last).map { (side: side, value: TravelSide.game($0.id)) }
        }
        let changes = named + sides.map { (side: $0, value: TravelSide.open) }
        return changes.first { change in
            refusal(of: .travel(travel.setting(change.side, to: change.value)), at: item.position) == nil
        } ?? sides.first.map { ($0, .open) }
    }

    /// The reason, with both games, why content has no valid place; nil if it has one.
    package func noPlace(for content: ItemContent) -> PlaceRefusal? {
        guard case .travel(let travel) = content else { return nil }
        return bounds(for: travel).noPlace
    }

    private func games(inCity city: String) -> Slice<RowList> { gamesWithinTrip(in: CityName(city)) }

    private func hasPlace(for travel: Travel, onDay day: Int?) -> Bool {
        let bounds = bounds(for: travel)
        guard bounds.noPlace == nil, let days = bounds.validDays else { return false }
        return day.map(days.contains) ?? true
    }
}

extension Slice<RowList> {
    /// The index of the first row that is not before a row, within the slice.
    fileprivate func lowerBound(of row: Row) -> RowList.Index {
        Swift.max(startIndex, Swift.min(base.lowerBound(of: row), endIndex))
    }
}

extension Travel {
    /// Whether both of its cities are the same one.
    package var staysInCity: Bool { CityName(fromCity) != nil && CityName(fromCity) == CityName(toCity) }

    /// Explains to the user why a side of travel was opened.
    ///
    /// - Parameters:
    ///   - side: the field that is `none`.
    ///   - isBetween: whether the city has games before and after the travel.
    fileprivate func openedSentence(
        _ side: ItemField, isBetween: Bool, _ words: TravelSide.Words
    ) -> String {
        if isBetween {
            let (city, end) = side == .beforeGame ? (toCity, "arrival") : (fromCity, "departure")
            return "\(city) has events before and after it, so none constrains its \(end) "
                + "(\(words.opening(side)))."
        }
        let parts = side == .beforeGame ? ("reach", toCity, "earlier") : ("leave", fromCity, "later")
        return
            "Nothing to \(parts.0) in \(parts.1): its events are \(parts.2) (\(words.opening(side)))."
    }

    fileprivate func setting(_ side: ItemField, to value: TravelSide) -> Travel {
        var copy = self
        copy[side] = .side(value)
        return copy
    }
}
