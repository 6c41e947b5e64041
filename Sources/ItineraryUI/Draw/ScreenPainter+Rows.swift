import TerminalCore
import TripModel

extension ScreenPainter {
    /// The columns of list rows, 0-based. Headings begin in the column of the handles.
    private struct Column {
        static let focus = 0
        static let problem = 1
        /// The letters of users' cursors, or the mark of a change.
        static let person = 2
        /// The space between a title and the details at the right.
        static let space = 2
        /// Details with less space are omitted.
        static let leastDetail = 4
        static let leastTitle = 8
        /// ` +1` behind a time after midnight.
        static let lateSign = 3

        let handle: Int
        let handleEnd: Int
        let time: Int
        let timeEnd: Int
        let title: Int
        /// The start of the line in a gap, aligned with the titles.
        let line: Int

        /// - Parameter width: the width of the list; a narrow one has no space around the letters.
        init(width: Int) {
            let blank = width < Window.roomyColumns ? 0 : 1
            handle = Self.person + 1 + blank
            handleEnd = handle + 2
            time = handleEnd + blank
            timeEnd = time + 5
            title = timeEnd + 2
            line = title - 4
        }
    }

    /// The visual state of a row, besides its text.
    struct Look {
        var isFocused = false
        /// Whether an open list or form has the keys, not the row.
        var isBehind = false
        var hasProblem = false
        /// Whether it is selected.
        var isMarked = false
        /// Whether both gaps beside it are invalid for the dragged item.
        var isClosed = false
        var isBarrier = false
        /// Whether it is beside the former place of the dragged item.
        var isBesideHome = false
        /// The current style of a dropped row's fading background.
        var fade: Style?
        /// The indentation in columns.
        var indent = 0
        /// The characters of the title that match the search.
        var match: Range<Int>?
        /// The totals of a day, shown as far as there is room.
        var totals: [String] = []
        /// Whether others have just changed it.
        var isNews = false
        /// The letters and styles of the users whose cursor is on it.
        var persons: [(sign: String, style: Style)] = []
        /// The user who holds an item directly below it, and the item.
        var ghost: String?
        /// The user who is dragging it.
        var holder: String?
        /// Whether it is the day that the travellers have now.
        var isToday = false
        /// Whether it is an event that is not attended or is cancelled.
        var isQuiet = false
        /// The arrival of travel.
        var arrival: String?
        /// The zone of its times, if not the trip's.
        var zone: String?
        /// The columns of the texts at the right.
        var cells: RowCells.Widths?
    }

    /// The visual state of the dragged item's line.
    struct LandingLook {
        var isAllowed = true
        /// Whether it is at its former place.
        var isHome = false
        var handleFlashes = false
        /// Reversed, for a moment.
        var flashes = false

        func style(_ style: Style) -> Style {
            style.flashing(flashes)
        }
    }

    mutating func putDay(_ day: Int, of header: TripHeader, row: Int, width: Int, look: Look) {
        let date = header.date(ofDay: day).map(DateText.text(of:))
        let isInside = header.days.contains(day)
        let grid = Column(width: width)
        var column = grid.handle + look.indent
        putPersons(row: row, end: grid.handle, look)
        if isInside {
            column = put("Day \(day)", row: row, column: column, end: width, style: theme.dayNumber)
            if let date {
                column = put(" · \(date)", row: row, column: column, end: width, style: theme.dayDate)
            }
            if look.isToday {
                column = put(" · today", row: row, column: column, end: width, style: theme.dayNumber)
            }
        } else {
            let text = "\(date ?? "Day \(day)") · outside the trip"
            column = put(text, row: row, column: column, end: width, style: theme.dayDate)
        }
        rule("─", row: row, columns: min(column + 1, width - 1)..<width - 1, style: theme.dayRule)
        if let ghost = look.ghost {
            putRight(" \(ghost) ", row: row, start: column + 1, end: width - 3, style: theme.ghost)
            return dress(row, width, look)
        }
        // Without enough room, the last parts are omitted.
        var totals = look.totals
        while !totals.isEmpty, columns(of: totals.joined(separator: " · ")) + column + 6 > width {
            totals.removeLast()
        }
        if !totals.isEmpty {
            putRight(
                " \(totals.joined(separator: " · ")) ", row: row, start: column + 1, end: width - 3,
                style: theme.dayDate)
        }
        dress(row, width, look)
    }

    /// Draws a run of empty days.
    mutating func putFolded(
        _ days: ClosedRange<Int>, of header: TripHeader, row: Int, width: Int, look: Look
    ) {
        let grid = Column(width: width)
        putPersons(row: row, end: grid.handle, look)
        let column = put(
            "Days \(days.lowerBound) to \(days.upperBound)", row: row, column: grid.handle + look.indent,
            end: width, style: theme.dayNumber)
        let dates = [days.lowerBound, days.upperBound].compactMap {
            header.date(ofDay: $0).map(DateText.text(of:))
        }
        let next = put(
            " · \(dates.joined(separator: " to ")) · \(days.count) empty days", row: row, column: column,
            end: width - 1, style: theme.dayDate)
        rule("─", row: row, columns: min(next + 1, width - 1)..<width - 1, style: theme.dayRule)
        dress(row, width, look)
    }

    mutating func putItem(_ item: Item, row: Int, width: Int, look: Look) {
        let grid = Column(width: width)
        // The user who holds the item or one directly below it.
        let isHeld = look.holder != nil || look.ghost != nil
        let sign = look.isBarrier ? "◆" : look.isMarked ? "●" : item.isGame ? "" : "⋮⋮"
        put(
            sign, row: row, column: grid.handle + look.indent, end: grid.handleEnd + look.indent,
            style: look.isBarrier ? theme.barrier : look.isMarked ? theme.focusMark : theme.handle)
        // Without a time the icon takes its place.
        let time = item.clockTime ?? ""
        // The sign of a time after midnight is behind the column of the times.
        let late = item.content.startTime?.isLateNight == true ? Column.lateSign : 0
        putRight(
            time.isEmpty ? iconText(of: item) ?? "" : time, row: row, start: grid.time + look.indent,
            end: grid.timeEnd + look.indent + late, style: time.isEmpty ? theme.icon : theme.time)

        putPersons(row: row, end: grid.handle, look)
        let end = width - 1
        let cells = RowCells(of: item.content, arrival: look.arrival, zone: look.zone)
        let detail = look.ghost ?? look.holder.map { "\($0) is moving it" } ?? cells.line
        // The holder's name is more important than the end of the title.
        let kept = isHeld ? min(columns(of: detail), (end - grid.title) / 2) + Column.space : 0
        var titleStyle =
            look.isBarrier
            ? theme.barrier : look.holder != nil ? theme.held : look.isQuiet ? theme.detail : theme.title
        if item.content.isCancelled { titleStyle.attributes.insert(.strikethrough) }
        var column = grid.title + look.indent + (late > 0 ? late - 1 : 0)
        if !time.isEmpty, let icon = iconText(of: item), !icon.isEmpty {
            column = put(icon, row: row, column: column, end: end - kept, style: theme.icon) + 1
        }
        let next = put(item.content.title, row: row, column: column, end: end - kept, style: titleStyle)
        if let match = look.match { mark(match, of: item.content.title, row: row, column: column, end: next) }
        let start = next + Column.space
        if !isHeld, let ranges = look.cells?.ranges(in: width, behind: grid.title),
            putCells(cells, ranges, row: row, after: start)
        {
            return dress(row, width, look)
        }
        if end - start >= min(Column.leastDetail, columns(of: detail)) {
            putRight(detail, row: row, start: start, end: end, style: isHeld ? theme.ghost : theme.detail)
        }
        dress(row, width, look)
    }

    /// Draws the cells of a row in their columns; false if one does not fit, or begins before a column.
    private mutating func putCells(_ cells: RowCells, _ ranges: [Range<Int>], row: Int, after start: Int)
        -> Bool
    {
        let shown = zip(cells.texts, ranges).filter { !$0.0.isEmpty && !$0.1.isEmpty }
        let isCut = zip(cells.texts, ranges).dropLast().contains { !$0.isEmpty && columns(of: $0) > $1.count }
        guard !isCut, shown.allSatisfy({ columns(of: $0.0) <= $0.1.count && $0.1.lowerBound >= start }) else {
            return false
        }
        for (index, range) in ranges.enumerated() where !range.isEmpty && !cells.texts[index].isEmpty {
            let text = cells.texts[index]
            // Durations and costs end below each other.
            let column = index < 3 ? range.lowerBound : range.upperBound - columns(of: text)
            put(text, row: row, column: column, end: range.upperBound, style: theme.detail)
        }
        return true
    }

    /// Draws the letters of the users at a row or heading: up to two, or one and a plus for more; in a narrow list only one.
    private mutating func putPersons(row: Int, end: Int, _ look: Look) {
        let room = end - Column.person
        let more = (sign: "+", style: theme.people)
        guard let first = look.persons.first else {
            if look.isNews {
                put("~", row: row, column: Column.person, end: end, style: theme.people)
            }
            return
        }
        // A letter may be two columns wide.
        let candidates = [
            look.persons.count < 3 ? look.persons : [first, more], [first, more], [first], [more],
        ]
        let width = { (letters: [(sign: String, style: Style)]) in
            letters.reduce(0) { $0 + TextWidth.columns(of: $1.sign) }
        }
        guard let letters = candidates.first(where: { width($0) <= room }) else { return }
        var column = Column.person
        for letter in letters {
            column = put(letter.sign, row: row, column: column, end: end, style: letter.style)
        }
    }

    /// Draws a later day of a stay or of travel, below the day's heading.
    mutating func putStay(_ stay: LaterDay, row: Int, width: Int) {
        let grid = Column(width: width)
        put(stay.text, row: row, column: grid.title, end: width - 1, style: theme.detail)
    }

    /// Draws the line at the target of the dragged item.
    mutating func putLanding(title: String, text: String, row: Int, width: Int, look: LandingLook) {
        let grid = Column(width: width)
        let style = look.style(look.isAllowed ? theme.landing : theme.refusedLanding)
        let titleStyle = look.style(look.isAllowed ? theme.lifted : theme.refusedTitle)
        let bar = look.isAllowed ? "━━" : "──"
        if look.isHome { put("╎", row: row, column: Column.focus, end: width, style: theme.homeMark) }
        if look.handleFlashes {
            put("⋮⋮", row: row, column: grid.handle, end: grid.handleEnd, style: theme.grabbed)
        }
        put((look.isAllowed ? "●" : "○") + bar, row: row, column: grid.line, end: width, style: style)
        // The text has priority, but enough of the title must remain to recognise it.
        let titleEnd = max(
            width - 1 - columns(of: " \(bar) \(text)"),
            grid.title + max(Column.leastTitle, (width - grid.title) / 4))
        put(" ", row: row, column: grid.title - 1, end: width, style: titleStyle)
        var column = put(title, row: row, column: grid.title, end: titleEnd, style: titleStyle)
        put(" ", row: row, column: column, end: width, style: titleStyle)
        put("\(bar) ", row: row, column: column + 1, end: width, style: style)
        column += columns(of: " \(bar) ")
        put(text, row: row, column: column, end: width - 1, style: style)
    }

    private mutating func mark(_ match: Range<Int>, of title: String, row: Int, column start: Int, end: Int) {
        let from = start + columns(of: String(title.prefix(match.lowerBound)))
        let to = start + columns(of: String(title.prefix(match.upperBound)))
        let attributes = theme.match
        guard from < min(to, end) else { return }
        frame.restyle(rows: row..<row + 1, columns: from..<min(to, end)) {
            $0.attributes.formUnion(attributes)
        }
    }

    private mutating func dress(_ row: Int, _ width: Int, _ look: Look) {
        let rows = row..<row + 1
        if look.isClosed && !look.isBarrier {
            let closed = theme.closed
            frame.restyle(rows: rows, columns: 0..<width) { $0 = closed }
        }
        if look.hasProblem {
            put("!", row: row, column: Column.problem, end: width, style: theme.problem)
        }
        if look.isBesideHome { put("╎", row: row, column: Column.focus, end: width, style: theme.homeMark) }
        if look.isFocused, look.isBehind {
            put("▌", row: row, column: Column.focus, end: width, style: theme.dayRule)
        } else if look.isFocused {
            highlight(row: row, columns: Column.problem..<width)
            put("▌", row: row, column: Column.focus, end: width, style: theme.focusMark)
        }
        if let fade = look.fade {
            frame.restyle(rows: rows, columns: Column(width: width).handle..<width) { $0 = fade }
        }
    }

    private func iconText(of item: Item) -> String? {
        guard case .custom(let custom) = item.content, let icon = custom.icon else { return nil }
        // In ASCII mode other icons are omitted; the title is enough.
        return isASCII && !icon.utf8.allSatisfy { $0 < 0x80 } ? nil : icon
    }
}

extension Style {
    /// The style with foreground and background swapped while it flashes.
    func flashing(_ flashes: Bool) -> Style {
        var style = self
        if flashes { style.attributes.formSymmetricDifference(.reverse) }
        return style
    }
}

/// The texts at the right of an item's row, in columns, so that they can be compared: the arrival, what it is, the city, the
/// duration and the cost.
struct RowCells: Sendable {
    /// In the order of the columns; empty without a text.
    let texts: [String]

    /// - Parameters:
    ///   - arrival: the arrival of travel.
    ///   - zone: the zone of the item's times, if not the trip's.
    init(of content: ItemContent, arrival: String?, zone: String?) {
        let what: [String?]
        var (city, minutes): (String?, Int?)
        switch content {
        case .game(let game):
            what = game.absence + [zone]
            city = game.effectiveCity
        case .travel(let travel):
            what = [zone, travel.mode]
            minutes = travel.durationMinutes
        case .custom(let custom):
            let nights = custom.nights.flatMap { $0 > 0 ? counted($0, "night") : nil }
            what = [zone, nights]
            (city, minutes) = (custom.city, custom.durationMinutes)
        }
        let cost: String? =
            if case .cost(let cost)? = content[.cost] { CostText.shown(cost) } else {
                nil
            }
        texts = [
            arrival, what.compactMap(\.self).joined(separator: " · "), city,
            minutes.map(DateText.text(ofMinutes:)), cost,
        ].map { $0 ?? "" }
    }

    /// The texts in one line, without the cost.
    var line: String { texts.dropLast().filter { !$0.isEmpty }.joined(separator: " · ") }

    /// The widths of the columns of all items; 0 for a column without a text.
    struct Widths: Equatable, Sendable {
        private(set) var columns = [Int](repeating: 0, count: 5)
        /// A longer text is not in the columns.
        private static let widest = [10, 12, 16, 11, 14]
        private static let space = 2
        /// The columns that titles keep.
        private static let leastTitle = 20
        /// The width of a list from which it has a column for costs.
        private static let widthWithCosts = 88

        /// Makes room for the texts of an item.
        mutating func include(_ cells: RowCells) {
            for (index, text) in cells.texts.enumerated() {
                let width = TextWidth.columns(of: text)
                if width <= Self.widest[index] { columns[index] = max(columns[index], width) }
            }
        }

        /// The columns of the cells in a list; nil if titles would have too little room.
        ///
        /// - Parameter title: the first column of titles.
        func ranges(in width: Int, behind title: Int) -> [Range<Int>]? {
            var end = width - 1
            var ranges: [Range<Int>] = []
            for (index, column) in columns.enumerated().reversed() {
                let isShown = column > 0 && (index < 4 || width >= Self.widthWithCosts)
                let start = isShown ? end - column : end
                ranges.insert(start..<end, at: 0)
                if isShown { end = start - Self.space }
            }
            return end - title >= Self.leastTitle ? ranges : nil
        }
    }
}
