import TerminalCore
import TripModel

extension ScreenPainter {
    /// The columns that all rows of the list share, counted from 0.
    private enum Column {
        static let focus = 0
        static let problem = 1
        static let handle = 2
        /// Whose cursor is there, or that it is news.
        static let person = 4
        static let time = 5
        static let timeEnd = 10
        static let title = 12
        /// The line in a gap begins here, so that the titles are below each other.
        static let line = 8
        /// Blank columns between a title and the details at the right.
        static let space = 2
        /// Details that have less than this are left out.
        static let leastDetail = 4
        static let leastTitle = 8
    }

    /// What is to be seen about a row besides what it says.
    struct Look {
        var isFocused = false
        var hasProblem = false
        /// The next key is for it too.
        var isMarked = false
        /// Away from every place that the lifted item may go to.
        var isClosed = false
        var isBarrier = false
        /// Beside the place that the lifted item came from.
        var isBesideHome = false
        /// How far a row just put down has faded.
        var fade: Style?
        /// How many columns it steps aside.
        var indent = 0
        /// Which characters of the title the search has found.
        var match: Range<Int>?
        /// What is said of a day at the right, as far as there is room.
        var totals: [String] = []
        /// Others have changed it just now.
        var isNews = false
        /// Whose cursor is on it: the letter, and its style.
        var person: (sign: String, style: Style)?
        /// Whose cursors are somewhere on the day.
        var visitors: [(sign: String, style: Style)] = []
        /// Who else holds which item right below it.
        var ghost: String?
        /// Who else has the item in hand.
        var holder: String?
    }

    /// What sets the line of the lifted item apart.
    struct LandingLook {
        var isAllowed = true
        /// Where the item came from.
        var isHome = false
        var handleFlashes = false
        /// A column wider at both sides.
        var isWide = true
        /// Leaning, and with a shade at its right.
        var isTilted = false
        /// Reversed, for a moment.
        var flashes = false

        func style(_ style: Style) -> Style {
            style.flashing(flashes)
        }
    }

    mutating func putDay(_ day: Int, of header: TripHeader, row: Int, width: Int, look: Look) {
        let date = header.date(ofDay: day).map(DateText.text(of:))
        let isInside = header.days.contains(day)
        var column = Column.handle + look.indent
        if isInside {
            column = put("Day \(day)", row: row, column: column, end: width, style: theme.dayNumber)
            if let date {
                column = put(" · \(date)", row: row, column: column, end: width, style: theme.dayDate)
            }
        } else {
            let text = "\(date ?? "Day \(day)") · outside the trip"
            column = put(text, row: row, column: column, end: width, style: theme.dayDate)
        }
        for visitor in look.visitors {
            column = put(visitor.sign, row: row, column: column + 1, end: width, style: visitor.style)
        }
        rule("─", row: row, columns: min(column + 1, width - 1)..<width - 1, style: theme.dayRule)
        if let ghost = look.ghost {
            putRight(" \(ghost) ", row: row, start: column + 1, end: width - 3, style: theme.ghost)
            return dress(row, width, look)
        }
        // Of what has no room the end is left out, part by part.
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

    /// A run of days without items.
    mutating func putFolded(
        _ days: ClosedRange<Int>, of header: TripHeader, row: Int, width: Int, look: Look
    ) {
        let column = put(
            "Day \(days.lowerBound) to \(days.upperBound)", row: row, column: Column.handle + look.indent,
            end: width,
            style: theme.dayNumber)
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
        // Who holds it, or what right below it.
        let isHeld = look.holder != nil || look.ghost != nil
        let sign = look.isBarrier ? "◆" : look.isMarked ? "●" : item.isGame ? "" : "⋮⋮"
        put(
            sign, row: row, column: Column.handle + look.indent, end: Column.time + look.indent,
            style: look.isBarrier ? theme.barrier : look.isMarked ? theme.focusMark : theme.handle)
        // The icon stands there where there is no time.
        let time = item.clockTime ?? ""
        putRight(
            time.isEmpty ? iconText(of: item) ?? "" : time, row: row, start: Column.time + look.indent,
            end: Column.timeEnd + look.indent, style: time.isEmpty ? theme.icon : theme.time)

        if let person = look.person {
            put(person.sign, row: row, column: Column.person, end: Column.time, style: person.style)
        } else if look.isNews {
            put("~", row: row, column: Column.person, end: Column.time, style: theme.people)
        }
        let end = width - 1
        let detail = look.ghost ?? look.holder.map { "\($0) is moving it" } ?? detailText(of: item)
        // Who holds an item matters more than the end of its title.
        let kept = isHeld ? min(columns(of: detail), (end - Column.title) / 2) + Column.space : 0
        let titleStyle = look.isBarrier ? theme.barrier : look.holder != nil ? theme.held : theme.title
        var column = Column.title + look.indent
        if !time.isEmpty, let icon = iconText(of: item), !icon.isEmpty {
            column = put(icon, row: row, column: column, end: end - kept, style: theme.icon) + 1
        }
        let next = put(item.content.title, row: row, column: column, end: end - kept, style: titleStyle)
        if let match = look.match { mark(match, of: item.content.title, row: row, column: column, end: next) }
        let start = next + Column.space
        if end - start >= min(Column.leastDetail, columns(of: detail)) {
            putRight(detail, row: row, start: start, end: end, style: isHeld ? theme.ghost : theme.detail)
        }
        dress(row, width, look)
    }

    /// The line where what the user has in hand would go.
    mutating func putLanding(title: String, text: String, row: Int, width: Int, look: LandingLook) {
        let style = look.style(look.isAllowed ? theme.landing : theme.refusedLanding)
        let titleStyle = look.style(look.isAllowed ? theme.lifted : theme.refusedTitle)
        let bar = look.isAllowed ? "━━" : "──"
        if look.isHome { put("╎", row: row, column: Column.focus, end: width, style: theme.homeMark) }
        if look.handleFlashes {
            put("⋮⋮", row: row, column: Column.handle, end: Column.time, style: theme.grabbed)
        }
        put((look.isAllowed ? "●" : "○") + bar, row: row, column: Column.line, end: width, style: style)
        // The text comes first, but the title keeps enough to be told by.
        let titleEnd = max(
            width - 1 - columns(of: " \(bar) \(text)"),
            Column.title + max(Column.leastTitle, (width - Column.title) / 4))
        var column = put(title, row: row, column: Column.title, end: titleEnd, style: titleStyle)
        if look.isWide {
            put(look.isTilted ? "╱" : " ", row: row, column: Column.title - 1, end: width, style: titleStyle)
            put(look.isTilted ? "╱" : " ", row: row, column: column, end: width, style: titleStyle)
        }
        if look.isTilted {
            frame.restyle(rows: row..<row + 1, columns: Column.title..<column) {
                $0.attributes.insert(.italic)
            }
            column = put("░", row: row, column: column + 1, end: width, style: theme.shade)
            column = put("\(bar) ", row: row, column: column, end: width, style: style)
        } else {
            put("\(bar) ", row: row, column: column + 1, end: width, style: style)
            column += columns(of: " \(bar) ")
        }
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
        if look.isFocused {
            let attributes = theme.focused
            frame.restyle(rows: rows, columns: Column.handle..<width) {
                $0.attributes.formUnion(attributes)
                $0.attributes.remove(.dim)
            }
            put("▌", row: row, column: Column.focus, end: width, style: theme.focusMark)
        }
        if let fade = look.fade {
            frame.restyle(rows: rows, columns: Column.handle..<width) { $0 = fade }
        }
    }

    private func iconText(of item: Item) -> String? {
        guard case .custom(let custom) = item.content, let icon = custom.icon else { return nil }
        // A sign that the terminal cannot be asked for is left out; the title says what it is.
        return isASCII && !icon.utf8.allSatisfy { $0 < 0x80 } ? nil : icon
    }

    private func detailText(of item: Item) -> String {
        let parts: [String?]
        switch item.content {
        case .game(let game): parts = [game.effectiveCity]
        case .travel(let travel):
            parts = [travel.mode, travel.durationMinutes.map(DateText.text(ofMinutes:))]
        case .custom(let custom):
            parts = [custom.city, custom.durationMinutes.map(DateText.text(ofMinutes:))]
        }
        return parts.compactMap { $0 }.joined(separator: " · ")
    }
}

extension Style {
    /// This style with what is in front and what is behind exchanged, if it flashes.
    func flashing(_ flashes: Bool) -> Style {
        var style = self
        if flashes { style.attributes.formSymmetricDifference(.reverse) }
        return style
    }
}
