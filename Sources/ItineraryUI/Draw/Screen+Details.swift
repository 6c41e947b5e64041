import TripModel

/// The details of the focused or dragged item, for the pane beside the list.
extension Screen {
    enum DetailLine: Equatable, Sendable {
        case heading(String)
        case field(String, String)
        case text(String)
        case problem(String)
        /// Another user, with the place of their cursor.
        case person(Person, String)
        case blank
    }

    func detailLines(columns: Int) -> [DetailLine] {
        guard let board else { return [] }
        let outline = board.outline
        let lines: [DetailLine]
        if let drag = mode.drag {
            lines = contentLines(drag.content, columns, outline.trip) + boundLines(drag.content, outline)
        } else if let item = board.item {
            let content = contentLines(item.content, columns, outline.trip)
            lines =
                content + (content.last == .blank ? [] : [.blank])
                + [.field("When", "\(outline.placeName(ofRow: board.cursor))\(time(of: item))")]
                + boundLines(item.content, outline)
                + [
                    .field(
                        "Changed",
                        "by \(item.modifiedBy), \(state.options.clockText(item.modifiedAt.milliseconds / 1000))"
                    )
                ]
                + dayLines(item.position.day, columns, outline)
        } else if case .day(let day) = outline.rows[board.cursor] {
            lines =
                [.heading(outline.dayName(day))]
                + [.text(counted(outline.place(ofRow: board.cursor).count, "item"))]
                + outline.totalsText(ofDay: day).map { .text($0) }
                + (outline.costs.isEmpty ? [] : [.field("Whole trip", CostText.grouped(outline.costs.text))])
                + CostShares.all(of: outline.trip).flatMap { shares in
                    shares.payments.map {
                        .text("\($0.from) owes \($0.to) \(shares.text(of: $0.amount)) \(shares.currency)")
                    }
                }
        } else {
            lines = []
        }
        let problems = outline.problems(atRow: board.cursor).flatMap { problem in
            Wrapping.lines(of: "! \(problem)", columns: columns, limit: 6).map(DetailLine.problem)
        }
        return lines + (problems.isEmpty ? [] : [.blank]) + problems + peopleLines(outline)
    }

    /// The totals of the item's day and of the trip, if the pane has room.
    private func dayLines(_ day: Int, _ columns: Int, _ outline: Outline) -> [DetailLine] {
        guard window.hasPane else { return [] }
        let count = outline.headerRow(ofDay: day).map { outline.place(ofRow: $0).count } ?? 0
        let parts = [counted(count, "item")] + outline.totalsText(ofDay: day)
        let lines = Wrapping.lines(
            of: parts.joined(separator: ", "), columns: columns - Self.fieldColumn, limit: 3)
        return [.blank] + lines.enumerated().map { .field($0 == 0 ? "Day" : "", $1) }
            + (outline.costs.isEmpty ? [] : [.field("Whole trip", CostText.grouped(outline.costs.text))])
    }

    /// The other users, with their letters and the places of their cursors, if the pane has room.
    private func peopleLines(_ outline: Outline) -> [DetailLine] {
        guard window.hasPane, !state.people.isEmpty else { return [] }
        return [.blank, .heading("Also here")]
            + state.people.map { person in
                let place: String? =
                    switch person.dragging.map(ListRow.item) ?? person.focus {
                    case .item(let id):
                        outline.trip[id].map { item in
                            "\(person.dragging == nil ? "at" : "moving") \(item.content.title), "
                                + DateText.name(ofDay: item.position.day, in: outline.trip.header)
                        }
                    case .day(let day): "at \(DateText.name(ofDay: day, in: outline.trip.header))"
                    case nil: nil
                    }
                return .person(person, [person.name, place].compactMap { $0 }.joined(separator: ", "))
            }
    }

    private func time(of item: Item) -> String {
        guard let time = item.clockTime, let clocks = board?.outline.clocks else { return "" }
        guard clocks.arrival(of: item) == nil, case .game(let game) = item.content, let zone = game.timeZone
        else {
            let notes = clocks.timeNotes(of: item)
            return (clocks.arrival(of: item) == nil ? ", \(time)" : "") + notes.map { ", \($0)" }.joined()
        }
        return ", \(time) \(zone)"
    }

    private func contentLines(_ content: ItemContent, _ columns: Int, _ trip: Trip) -> [DetailLine] {
        var lines = Wrapping.lines(of: content.title, columns: columns, limit: 3).map(DetailLine.heading)
        var paragraphs: [DetailLine] = []
        for field in ItemField.shown(in: content) {
            guard let text = content.shownText(of: field, in: trip) else { continue }
            switch field.row.place {
            case .unlisted: break
            case .line: lines.append(.field(field.label, text))
            case .paragraph:
                let wrapped = Wrapping.lines(of: text, columns: columns, limit: 40)
                paragraphs += [.blank] + wrapped.map { .text($0) } + [.blank]
            }
        }
        return lines + paragraphs
    }

    /// The valid places of travel.
    private func boundLines(_ content: ItemContent, _ outline: Outline) -> [DetailLine] {
        guard case .travel = content else { return [] }
        guard let days = outline.trip.validDays(for: content) else {
            let why =
                outline.trip.noPlace(for: content).map { outline.trip.explanation(of: $0, .form) }
                ?? "no day is allowed"
            return [.problem("! \(capitalized(why)).")]
        }
        let bound = outline.trip.boundGames(of: content)
        let games: [DetailLine] = [("Follows", bound.after), ("Precedes", bound.before)].compactMap {
            name, id in
            id.flatMap { outline.trip[$0] }.map {
                .field(name, "\($0.content.title), day \($0.position.day) \($0.position.clockTime)")
            }
        }
        let text =
            days.count == 1 ? "day \(days.lowerBound)" : "days \(days.lowerBound) to \(days.upperBound)"
        return games + [.field("Allowed", text)]
    }
}
