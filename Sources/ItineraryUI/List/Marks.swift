import TripModel

/// The selected items, and remote changes that affect the selection. The next key that uses the selection is
/// held until the user has read about them.
struct Marks: Sendable {
    private(set) var items: Set<ItemID> = []
    /// The item selected last, at which a range begins.
    private(set) var rangeStart: ItemID?
    /// The message that others have moved that item.
    private var lostRange: String?
    /// The message that others have removed selected items.
    private var loss: String?

    var isEmpty: Bool { items.isEmpty }
    var count: Int { items.count }

    func contains(_ item: ItemID) -> Bool { items.contains(item) }

    /// Selects an item, at which a range may begin, or deselects it.
    mutating func toggle(_ item: ItemID) {
        guard items.remove(item) == nil else { return }
        items.insert(item)
        (rangeStart, lostRange) = (item, nil)
    }

    mutating func add(_ more: [ItemID]) { items.formUnion(more) }

    mutating func clear() { self = Marks() }

    /// Deselects removed items.
    mutating func forget(_ gone: Set<ItemID>) { items.subtract(gone) }

    /// Records that others have removed selected items.
    mutating func noteLoss(_ sentence: String) { loss = sentence }

    /// The message about removed items, once; it is shown before the next key for the selection applies.
    mutating func takeLoss() -> String? {
        defer { loss = nil }
        return loss
    }

    /// Forgets that message, because another one was shown.
    mutating func forgetLoss() { loss = nil }

    /// Records that others have moved the start of the range.
    mutating func noteLostRange(_ sentence: String) { lostRange = sentence }

    /// The message about a moved start, once; it also resets the range.
    mutating func takeLostRange() -> String? {
        guard let sentence = lostRange else { return nil }
        (lostRange, rangeStart) = (nil, nil)
        return sentence
    }
}

/// Selecting items, and moving, copying or removing them as one change.
extension EditorState {
    /// The items that a key applies to: the selection in shown order, else the focused item.
    var targets: [Item] {
        guard let board else { return [] }
        if marks.isEmpty { return board.item.map { [$0] } ?? [] }
        return board.outline.trip.shownIDs.lazy.filter(marks.contains).compactMap { board.outline.trip[$0] }
    }

    // MARK: Selecting

    /// Selects or deselects the focused item and those below it, and moves the cursor on.
    mutating func toggleMarks(_ count: Int = 1) {
        guard let board else { return }
        guard board.item != nil else { return toggleMarks(ofDays: count, from: board) }
        let rows = (board.cursor..<board.outline.rows.count).lazy
            .filter { board.outline.item(atRow: $0) != nil }.prefix(count)
        for row in rows { if let item = board.outline.item(atRow: row) { marks.toggle(item.id) } }
        focus(row: (rows.last ?? board.cursor) + 1)
        sayMarks()
    }

    /// Selects the movable items of the focused day and those below it, or deselects them if all are selected.
    private mutating func toggleMarks(ofDays count: Int, from board: Board) {
        let headers = (board.cursor..<board.outline.rows.count).lazy
            .filter { board.outline.item(atRow: $0) == nil }.prefix(count + 1)
        let items = headers.prefix(count).flatMap(board.outline.days(ofHeader:))
            .flatMap(board.outline.trip.items(onDay:)).filter { !$0.isGame }.map(\.id)
        guard !items.isEmpty else { return refuse("Nothing on this day can be moved.") }
        let areMarked = items.allSatisfy(marks.contains)
        for item in items where marks.contains(item) == areMarked { marks.toggle(item) }
        if headers.count > count, let next = headers.last { focus(row: next) }
        sayMarks()
    }

    /// Selects everything between the last selected item and the focus.
    mutating func markRange() {
        guard let board else { return }
        if let sentence = marks.takeLostRange() { return refuse(sentence) }
        guard let start = marks.rangeStart.flatMap(board.outline.row(of:)) else { return toggleMarks() }
        let rows = min(start, board.cursor)...max(start, board.cursor)
        marks.add(rows.compactMap { board.outline.item(atRow: $0)?.id })
        sayMarks()
    }

    private mutating func sayMarks() {
        say(marks.isEmpty ? "Nothing is marked." : "\(marks.count) marked.")
    }

    /// `1 is marked`, `3 are marked`
    var markedCount: String { marks.count == 1 ? "1 is marked" : "\(marks.count) are marked" }

    /// Removes items from the selection that are gone. If others have removed them, the next key for the
    /// selection is held until the user has read the message.
    mutating func forgetLostMarks(_ old: Board, _ view: TripView) {
        let lost = marks.items.filter { view.trip[$0] == nil }
        guard !lost.isEmpty else { return }
        marks.forget(lost)
        let taken = lost.filter { !unexpectedChanges.isOwnRemoval(of: $0) }
        guard !taken.isEmpty else { return }
        let left =
            switch marks.count {
            case 0: "nothing is marked any more"
            case 1: "1 is still marked"
            default: "\(marks.count) are still marked"
            }
        let sentence = "\(lossSentence(of: taken, old, view)): \(left)."
        marks.noteLoss(sentence)
        if mode.isBrowsing { refuse(sentence) }
    }

    /// Records that others have moved the start of a range, which would then be another range.
    mutating func noteLostRange(_ news: [RemoteEdit]) {
        guard let start = marks.rangeStart, let edit = news.last(where: { $0.after?.id == start }),
            let before = edit.before,
            before.position != edit.after?.position
        else { return }
        let title = before.content.title
        marks.noteLostRange(
            "\(edit.user) moved \(title), the start of the range: mark its first item again.")
    }

    /// `ann removed Hotel`, `2 of them have been removed`
    func lossSentence(of items: Set<ItemID>, _ old: Board, _ view: TripView) -> String {
        let users = Set(view.news.filter { $0.removed.map { items.contains($0.id) } ?? false }.map(\.user))
        let what =
            items.count == 1
            ? items.first.flatMap { old.outline.trip[$0] }?.content.title ?? "one of them"
            : "\(items.count) of them"
        guard users.count == 1, let user = users.first else {
            return "\(what) \(items.count == 1 ? "has" : "have") been removed"
        }
        return "\(user) removed \(what)"
    }

    // MARK: Actions

    /// The selected items without the events, which stay; nil after reporting why none is moved.
    mutating func movableTargets() -> [Item]? {
        let items = targets.filter { !$0.isGame }
        if items.isEmpty {
            refuse("Only events are marked: they follow their schedules and cannot be moved.")
            return nil
        }
        if let held = items.first(where: { holder(of: $0.id) != nil }), refuseIfHeld(held) { return nil }
        return items
    }

    /// ` Tigers stays: it is an event.`, ` 2 events stay.`; empty if no event is selected.
    var stayingEvents: String {
        let games = targets.filter(\.isGame)
        return switch games.count {
        case 0: ""
        case 1: " \(games[0].content.title) stays: it is an event."
        default: " \(games.count) events stay."
        }
    }

    /// Attends the selected or focused events; if one is attended, stops attending all.
    mutating func toggleAttendance() {
        let games = targets.filter(\.isGame)
        guard let first = games.first else { return refuse("Only events can be attended.") }
        let attends = !games.contains {
            if case .game(let game) = $0.content { game.isAttended } else { false }
        }
        let what = games.count == 1 ? first.content.title : counted(games.count, "event")
        let isMade = make(
            games.map { .update($0.id, [.attending(attends)]) },
            done: "\(attends ? "Attending" : "Not attending") \(what).", name: "attending \(what)")
        if isMade { marks.clear() }
    }

    /// Lists the common valid places of all selected items.
    mutating func chooseMoveOfMarked() {
        guard let board, let items = movableTargets() else { return }
        begin(.choosing(moveChooser(of: items, board.outline)))
    }

    /// The list of common places for items.
    func moveChooser(of items: [Item], _ outline: Outline) -> Chooser {
        let report = Drag.report(for: items, of: outline.trip)
        return Chooser(
            "Move \(counted(items.count, "item")) to:", .moveSeveral(items, report.gaps),
            report.gaps.map { choice($0, outline) })
    }

    /// Moves items below each other to a gap, as one change.
    mutating func move(_ items: [Item], to gap: Gap) {
        guard let board else { return }
        let edits = Self.edits(moving: items, to: gap, board.outline)
        make(
            edits, done: "Moved \(counted(items.count, "item")) to day \(gap.day).\(stayingEvents)",
            name: "moving \(counted(items.count, "item")) to day \(gap.day)")
    }

    private static func edits(moving items: [Item], to gap: Gap, _ outline: Outline) -> [Edit] {
        let moved = Set(items.map(\.id))
        var placement = gap.placement
        // Items that move cannot be anchors, so the nearest one that stays is.
        if let above = gap.after, let row = outline.row(of: above) {
            let header = outline.dayRows(around: row).lowerBound
            let anchor = stride(from: row, to: header, by: -1).lazy
                .compactMap { outline.item(atRow: $0)?.id }.first { !moved.contains($0) }
            placement = anchor.map { .after($0, day: gap.day) } ?? .start(day: gap.day)
        } else {
            placement = .start(day: gap.day)
        }
        return items.enumerated().map { index, item in
            .move(item.id, to: index == 0 ? placement : .after(items[index - 1].id, day: gap.day))
        }
    }

    mutating func removeMarked() { propose(.remove(targets.map(\.id))) }

    /// The removal of those items that still exist.
    func removal(of ids: [ItemID], _ trip: Trip) throws(Impossible) -> Proposal {
        let items = ids.compactMap { trip[$0] }
        guard !items.isEmpty else { throw Impossible(reason: "They have been removed already.") }
        if let held = items.first(where: { holder(of: $0.id) != nil }), let holder = holder(of: held.id) {
            throw Impossible(reason: "\(holder) is moving \(held.content.title).")
        }
        let games = items.count(where: \.isGame)
        let also = games > 0 ? ", \(counted(games, "event")) among them" : ""
        let isOne = items.count == 1
        let what = isOne ? items[0].content.title : counted(items.count, "item")
        return Proposal(
            edits: items.map { .remove($0.id) },
            description: .other(done: "Removed \(what).", name: "removing \(what)"),
            question: "Remove \(isOne ? what : "the \(items.count) marked items")\(also)?",
            hasConsequences: true)
    }

    /// Moves the selected or focused items by days: timed ones to the place of their time, others to the end.
    mutating func shift(byDays days: Int) {
        guard let board, !targets.isEmpty else { return refuse("A day cannot be moved.") }
        if marks.isEmpty, let item = board.item, refuseIfFixed(item) { return }
        guard let items = movableTargets() else { return }
        let trip = board.outline.trip
        if let day = items.map({ $0.position.day + days }).first(where: { !trip.header.days.contains($0) }) {
            return refuse(sentence(ofMissingDay: day, trip.header))
        }
        let edits = trip.moves(of: items, byDays: days)
        let days = items.map { $0.position.day + days }
        let to = Set(days).count == 1 ? "day \(days[0])" : "days \(days.min() ?? 1) to \(days.max() ?? 1)"
        let what = items.count == 1 ? items[0].content.title : counted(items.count, "item")
        make(edits, done: "Moved \(what) to \(to).\(stayingEvents)", name: "moving \(what) to \(to)")
    }

    /// The reason why items are not moved to a day that the trip does not have.
    private func sentence(ofMissingDay day: Int, _ header: TripHeader) -> String {
        if day < 1 { return "There is no day before day 1." }
        // A key can add one more day.
        guard day == header.dayCount + 1 else {
            return "There is no day \(day); the trip has days 1 to \(header.dayCount)."
        }
        let key = keys.advertisedKey(of: .insertDay, in: .list).map { "; \($0) adds one" } ?? ""
        return "There is no day \(day)\(key)."
    }

    /// Requests edits as one change, if the trip would accept them.
    ///
    /// - Returns: whether they were requested.
    @discardableResult
    mutating func make(_ edits: [Edit], done: String, name: String) -> Bool {
        guard var trip = board?.outline.trip else { return false }
        do throws(EditFailure) { _ = try trip.rehearse(edits, by: tentativeAuthor) } catch {
            let id = edits.indices.contains(error.index) ? edits[error.index].item : nil
            let title = id.map { trip[$0]?.content.title ?? removedTitles[$0] ?? "An item" }
            refuse("\(title.map { "\($0): " } ?? "")\(words(for: error.rejection, trip)).")
            return false
        }
        apply(edits, as: .other(done: done, name: name))
        offerUndo()
        return true
    }

    /// The reason why the trip refuses an edit.
    func words(for rejection: Rejection, _ trip: Trip) -> String {
        switch rejection {
        case .place(let refusal):
            board.map { $0.outline.trip.reason(of: refusal) } ?? "it is not allowed there"
        case .limitExceeded(.items, _): "a trip has at most \(TripLimits.items) items"
        case .limitExceeded(.todoEntries, _):
            "a trip has at most \(TripLimits.todoEntries) things to do and ideas"
        case .invalid(_, let reason): reason
        case .limitExceeded(.rearrangements, _): "that rearranges too much at once; do it in parts"
        case .itemNotFound: "it has been removed"
        case .anchorNotFound, .anchorMoved: "the chosen place no longer exists"
        default: "that is not possible"
        }
    }
}
