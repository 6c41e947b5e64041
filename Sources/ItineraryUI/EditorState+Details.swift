import TripModel

/// The details of what is in focus or in hand, for the pane beside the list.
extension EditorState {
    enum DetailLine: Equatable, Sendable {
        case heading(String)
        case field(String, String)
        case text(String)
        case problem(String)
        case blank
    }

    func detailLines(columns: Int) -> [DetailLine] {
        guard let board else { return [] }
        let outline = board.outline
        let lines: [DetailLine]
        if let drag = mode.drag {
            lines = contentLines(drag.content, columns, outline.trip) + boundLines(drag.content, outline)
        } else if let item = board.item {
            lines =
                contentLines(item.content, columns, outline.trip)
                + [.field("When", "\(placeName(outline, board.cursor))\(time(of: item))")]
                + boundLines(item.content, outline) + [.field("Changed", "by \(item.modifiedBy)")]
        } else if case .day(let day) = outline.rows[board.cursor] {
            lines =
                [.heading(dayName(day))]
                + [.text(counted(outline.place(ofRow: board.cursor).count, "item"))]
                + totals(ofDay: day, outline).map { .text($0) }
                + (outline.costs.isEmpty ? [] : [.field("Whole trip", outline.costs.text)])
        } else {
            lines = []
        }
        let problems = outline.problems(atRow: board.cursor).flatMap { problem in
            Wrapping.lines(of: "! \(problem)", columns: columns, limit: 6).map(DetailLine.problem)
        }
        return lines + (problems.isEmpty ? [] : [.blank]) + problems
    }

    private func time(of item: Item) -> String {
        guard let time = item.clockTime else { return "" }
        guard case .game(let game) = item.content, let zone = game.timeZone else { return ", \(time)" }
        return ", \(time) \(zone)"
    }

    private func contentLines(_ content: ItemContent, _ columns: Int, _ trip: Trip) -> [DetailLine] {
        var lines = Wrapping.lines(of: content.title, columns: columns, limit: 3).map(DetailLine.heading)
        var paragraphs: [DetailLine] = []
        for field in ItemField.shown(in: content) {
            guard let text = content.text(of: field, in: trip) else { continue }
            switch field.look.place {
            case .elsewhere: break
            case .line: lines.append(.field(field.label, text))
            case .paragraph:
                let wrapped = Wrapping.lines(of: text, columns: columns, limit: 40)
                paragraphs += [.blank] + wrapped.map { .text($0) } + [.blank]
            }
        }
        return lines + paragraphs
    }

    /// Where travel may go.
    private func boundLines(_ content: ItemContent, _ outline: Outline) -> [DetailLine] {
        guard case .travel = content else { return [] }
        guard let days = outline.trip.validDays(for: content) else {
            let why =
                outline.trip.noPlace(for: content).map(outline.trip.explanation(of:)) ?? "no day is allowed"
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
