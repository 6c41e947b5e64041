/// The game that one side of travel names, or that no game constrains the side (R-LEG).
public enum TravelSide: Hashable, Sendable {
    /// This game alone, by its item id.
    case game(ItemID)
    /// No game: a way home, or the first way out.
    case open

    /// The word for an open side, on the wire and in files.
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

    /// An item id or `none`, as `init(_:)` reads it.
    public var text: String { game?.description ?? Self.openWord }

    /// The game that it names.
    public var game: ItemID? {
        if case .game(let id) = self { id } else { nil }
    }
}

/// Travel that leaves for home, or that returns there: one of its cities has games, but none that the travel is for.
extension Trip {
    /// Opens one side of travel that has no valid place otherwise, for programs that add travel.
    ///
    /// Only a side that names no game is opened. Without a day the arrival is tried first. With a day a side is opened if
    /// it alone makes a place on that day valid.
    ///
    /// - Returns: the travel with the open side and the field that is `none` now; nil if the travel has a valid place, or if
    ///   no single side settles it.
    public func openingSide(of travel: Travel, onDay day: Int? = nil) -> (travel: Travel, side: ItemField)? {
        if hasPlace(for: travel, onDay: day) { return nil }
        let choices = [ItemField.beforeGame, .afterGame].lazy.filter { travel[$0] == nil }
            .map { (travel: travel.opening($0), side: $0) }
            .filter { hasPlace(for: $0.travel, onDay: day) }
        guard day == nil || choices.count == 1 else { return nil }
        return choices.first
    }

    /// Why a program has opened a side of travel, for the person who adds it.
    package func openedSentence(for travel: Travel, _ side: ItemField) -> String {
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
        return travel.openedSentence(side, isBetween: isBetween ?? false)
    }

    /// Opens a side of travel that has no valid place on any day, if possible for one on a day.
    ///
    /// - Returns: the content with the open side, and why it is open; nil if nothing is to be opened.
    package func sideOpened(in content: ItemContent, onDay day: Int) -> (content: ItemContent, why: String)? {
        guard case .travel(let travel) = content, !hasPlace(for: travel, onDay: nil),
            let open = openingSide(of: travel, onDay: day) ?? openingSide(of: travel)
        else { return nil }
        return (.travel(open.travel), openedSentence(for: open.travel, open.side))
    }

    /// The field of travel that is to be `none` to make its place valid, or at least some place; nil if its place is
    /// valid or no side helps.
    package func sideToOpen(of item: Item) -> ItemField? {
        guard case .travel(let travel) = item.content, bounds(for: travel).noPlace != nil else { return nil }
        let sides = [ItemField.beforeGame, .afterGame].filter { travel[$0] != .side(.open) }
        return sides.first { side in
            refusal(of: .travel(travel.opening(side)), at: item.position) == nil
        } ?? sides.first
    }

    /// Why no place is valid for content, naming both games; nil if one is.
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

extension Travel {
    /// Why a program has opened a side, for the person who adds the travel.
    ///
    /// - Parameters:
    ///   - side: the field that is `none`.
    ///   - isBetween: whether the city has games before and after the travel.
    fileprivate func openedSentence(_ side: ItemField, isBetween: Bool) -> String {
        if isBetween {
            let (city, end) = side == .beforeGame ? (toCity, "arrival") : (fromCity, "departure")
            return "\(city) has games before and after it, so none constrains its \(end) "
                + "(\(side.name)=\(TravelSide.openWord))."
        }
        let words = side == .beforeGame ? ("reach", toCity, "earlier") : ("leave", fromCity, "later")
        return
            "Nothing to \(words.0) in \(words.1): its games are \(words.2) (\(side.name)=\(TravelSide.openWord))."
    }

    fileprivate func opening(_ side: ItemField) -> Travel {
        var copy = self
        copy[side] = .side(.open)
        return copy
    }
}
