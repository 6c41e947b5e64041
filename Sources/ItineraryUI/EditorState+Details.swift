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
        if case .dragging(let drag) = mode {
            lines = contentLines(drag.content, columns) + boundLines(drag.content, outline)
        } else if let item = board.item {
            lines =
                contentLines(item.content, columns)
                + [.field("When", "\(placeName(outline, board.cursor))\(time(of: item))")]
                + boundLines(item.content, outline) + [.field("Changed", "by \(item.modifiedBy)")]
        } else if case .day(let day) = outline.rows[board.cursor] {
            lines =
                [.heading(dayName(day))]
                + [.text(counted(outline.place(ofRow: board.cursor).count, "item"))]
                + totals(ofDay: day, outline).map { .text($0) }
        } else {
            lines = []
        }
        let problems = outline.problems(atRow: board.cursor).flatMap { problem in
            Wrapping.lines(of: "! \(problem)", columns: columns, limit: 6).map(DetailLine.problem)
        }
        return lines + (problems.isEmpty ? [] : [.blank]) + problems
    }

    private func time(of item: Item) -> String {
        guard case .game(let game) = item.content else { return "" }
        return ", \(item.position.clockTime)" + (game.timeZone.map { " \($0)" } ?? "")
    }

    private func contentLines(_ content: ItemContent, _ columns: Int) -> [DetailLine] {
        var fields: [(String, String?)]
        var note: String?
        switch content {
        case .game(let game):
            fields = [("City", game.effectiveCity), ("Venue", game.venue)]
            fields.append(("Duration", game.durationMinutes.map(DateText.text(ofMinutes:))))
        case .travel(let travel):
            fields = [("From", travel.fromCity), ("To", travel.toCity), ("Mode", travel.mode)]
            fields.append(("Duration", travel.durationMinutes.map(DateText.text(ofMinutes:))))
            note = travel.note
        case .custom(let custom):
            fields = [("Icon", custom.icon), ("City", custom.city)]
            fields.append(("Duration", custom.durationMinutes.map(DateText.text(ofMinutes:))))
            fields.append(("Cost", custom.cost.map(CostText.text(of:))))
            note = custom.note
        }
        let title = Wrapping.lines(of: content.title, columns: columns, limit: 3).map(DetailLine.heading)
        let filled = fields.compactMap { name, value in value.map { DetailLine.field(name, $0) } }
        let noteLines = note.map { Wrapping.lines(of: $0, columns: columns, limit: 40) } ?? []
        return title + filled + (noteLines.isEmpty ? [] : [.blank] + noteLines.map { .text($0) } + [.blank])
    }

    /// Where travel may go.
    private func boundLines(_ content: ItemContent, _ outline: Outline) -> [DetailLine] {
        guard case .travel = content else { return [] }
        guard let days = outline.trip.validDays(for: content) else {
            return [.problem("! \(outline.trip.explanation(of: .noValidPosition))")]
        }
        let text =
            days.count == 1 ? "day \(days.lowerBound)" : "days \(days.lowerBound) to \(days.upperBound)"
        return [.field("Allowed", text)]
    }
}
