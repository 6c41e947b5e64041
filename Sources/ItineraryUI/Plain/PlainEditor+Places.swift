import TripModel

/// The places printed by `where`, by number.
struct PlaceList: Sendable {
    /// Nil for a new item.
    let item: ItemID?
    let placements: [Placement]
}

/// Moves by commands: an item, and a place described by its surroundings.
extension PlainEditor {
    /// A longer list of places is printed one day at a time.
    private static let placesAtOnce = 60

    // MARK: Listing places

    /// `5`, `5 on day 3`, or nothing for the dragged or focused item.
    mutating func printPlaces(_ rest: String) {
        guard let outline = state.board?.openOutline else { return say("The trip is not loaded yet.") }
        let (name, day) = Self.splitDay(rest)
        // Numbers of earlier places must not refer to another item.
        places = nil
        guard let drag = dragToTell(name, outline) else { return }
        if let day, outline.headerRow(ofDay: day) == nil {
            return deny("The trip has days 1 to \(outline.trip.header.dayCount).")
        }
        let valid = drag.report.gaps.indices.filter { drag.report.gaps[$0].isValid }
        guard !valid.isEmpty, let days = drag.report.validDays else {
            return say(drag.liftSentence(in: outline.trip))
        }
        let reported = valid.filter { day == nil || drag.report.gaps[$0].day == day }
        let range =
            days.count == 1 ? "day \(days.lowerBound)" : "days \(days.lowerBound) to \(days.upperBound)"
        let title = drag.title
        guard reported.count <= Self.placesAtOnce || day != nil else {
            let number = drag.existing.map { " \(numbers.number(of: $0))" } ?? ""
            return say(
                "\(title) may go to \(valid.count) places on \(range); say where\(number) on day \(days.lowerBound) for those of one day."
            )
        }
        if reported.isEmpty {
            return say("\(title) has no allowed place on day \(day ?? 0), only on \(range).")
        }
        say(
            "\(title) may go to \(counted(reported.count, "place")) on \(day.map { "day \($0)" } ?? range)."
        )
        for (index, gap) in reported.enumerated() {
            var there = drag
            there.gap = gap
            say("\(index + 1). \(there.gapSentence(in: outline.trip))")
        }
        places = PlaceList(
            item: drag.existing?.id, placements: reported.map { drag.report.gaps[$0].placement })
    }

    /// The current drag, or a drag of an item to compute its places.
    private mutating func dragToTell(_ name: String, _ outline: Outline) -> Drag? {
        if let drag = state.mode.drag { return drag }
        return item(named: name).flatMap { liftable($0, outline) }
    }

    /// The item's gaps; nil after reporting why it cannot be moved.
    private mutating func liftable(_ item: Item, _ outline: Outline) -> Drag? {
        var isFixed = false
        act { isFixed = $0.refuseIfFixed(item) }
        guard !isFixed, let open = state.board?.openOutline, let row = open.row(of: item.id) else {
            return nil
        }
        return Drag(row: row, of: open)
    }

    // MARK: Drop

    /// Nothing for the current place, or the number of a place.
    mutating func drop(_ rest: String) {
        if rest.isEmpty {
            guard state.mode.drag != nil else {
                return say(
                    "Nothing is lifted; lift an item first, or say where and then drop with a place's number."
                )
            }
            return press(.drop)
        }
        guard let places, let outline = state.board?.openOutline else {
            return deny("No places have been listed; where 5 lists those of item 5.")
        }
        guard let number = Int(rest), number >= 1, number <= places.placements.count else {
            return deny("Say the number of a place, from 1 to \(places.placements.count).")
        }
        let placement = places.placements[number - 1]
        if let drag = state.mode.drag {
            guard drag.existing?.id == places.item else {
                return deny("The listed places are not those of \(drag.title); say where first.")
            }
            guard let gap = drag.gap(for: placement, in: outline) else { return sayPlaceIsGone() }
            act { $0.hover(at: gap) }
            return press(.drop)
        }
        guard let item = places.item.flatMap({ outline.trip[$0] }) else {
            return deny("The item of these places is no longer in the trip.")
        }
        put(item, at: placement, outline)
    }

    private mutating func sayPlaceIsGone() {
        deny("That place is no longer there; say where again.")
    }

    private mutating func put(_ item: Item, at placement: Placement, _ outline: Outline) {
        guard let drag = liftable(item, outline) else { return }
        guard let gap = drag.gap(for: placement, in: outline) else { return sayPlaceIsGone() }
        if gap == drag.home, let row = drag.liftedRow {
            return say("\(item.content.title) is there already: \(outline.placeName(ofRow: row)).")
        }
        if let refusal = drag.report.gaps[gap].refusal {
            return deny(outline.trip.refusalSentence(refusal))
        }
        act {
            if let row = drag.liftedRow { $0.focus(row: row) }
            $0.move(item.id, to: drag.report.gaps[gap].placement)
        }
    }

    // MARK: Move

    /// `5 after 7`, `5 before 7`, `5 to day 3`, `5 to start of day 3`; by default the focused item.
    mutating func move(_ rest: String) {
        guard let outline = state.board?.openOutline else { return say("The trip is not loaded yet.") }
        let words = rest.split(whereSeparator: \.isWhitespace).map(String.init)
        let splits = words.indices.filter { ["after", "before", "to"].contains(words[$0].lowercased()) }
        guard !splits.isEmpty, splits[0] < words.count - 1 else {
            return deny("Say where to, as in: \(PlainVerb.move.usage)")
        }
        // A title may contain such a word. The first one with an item before it and a place after it counts.
        var why: String?
        for index in splits {
            switch reference(words[..<index].joined(separator: " ")) {
            case .item(let item):
                let target = words[(index + 1)...].joined(separator: " ")
                switch placement(words[index].lowercased(), target, outline) {
                case .success(let placement): return put(item, at: placement, outline)
                case .failure(let reason): why = reason.text
                }
            case .none(let reason): why = why ?? reason
            }
        }
        if let why { deny(why) }
    }

    /// The reason why words are not a place.
    private struct Misnamed: Error {
        let text: String
    }

    private mutating func placement(
        _ word: String, _ target: String, _ outline: Outline
    ) -> Result<Placement, Misnamed> {
        let days = "the trip has days 1 to \(outline.trip.header.dayCount)."
        if word == "to" {
            guard let placement = Self.placement(onDay: target) else {
                return .failure(
                    Misnamed(text: "Say a day, as in: move 5 to day 3, or move 5 to start of day 3"))
            }
            guard outline.trip.header.days.contains(placement.day) else {
                return .failure(Misnamed(text: "There is no day \(placement.day); \(days)"))
            }
            return .success(placement)
        }
        switch reference(target) {
        case .none(let reason): return .failure(Misnamed(text: reason))
        case .item(let anchor):
            let day = anchor.position.day
            guard outline.trip.header.days.contains(day) else {
                return .failure(Misnamed(text: "\(anchor.content.title) is outside the trip; \(days)"))
            }
            return .success(word == "after" ? .after(anchor.id, day: day) : .before(anchor.id, day: day))
        }
    }

    /// `day 3`, `start of day 3`, `end of day 3`
    private static func placement(onDay text: String) -> Placement? {
        let words = text.lowercased().split(separator: " ")
        guard let last = words.last, let day = Int(last) else { return nil }
        switch words.dropLast().joined(separator: " ") {
        case "day", "end of day", "the end of day": return .end(day: day)
        case "start of day", "the start of day": return .start(day: day)
        default: return nil
        }
    }

    /// Splits `5 on day 3`.
    private static func splitDay(_ text: String) -> (name: String, day: Int?) {
        var words = text.split(whereSeparator: \.isWhitespace)
        guard words.count >= 2, let last = words.last, let day = Int(last),
            words[words.count - 2].lowercased() == "day"
        else { return (text, nil) }
        words.removeLast(2)
        if words.last?.lowercased() == "on" { words.removeLast() }
        return (words.joined(separator: " "), day)
    }
}
