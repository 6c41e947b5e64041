/// The items that a change has touched, with enough state to roll it back and to describe it as a commit.
struct Draft {
    struct Touch {
        let id: ItemID
        /// The item before its first change; nil if it is new.
        let before: Item?
        /// Whether a user edited the item; otherwise it was re-spaced, displaced or rescheduled.
        var isEdit: Bool
        /// Whether its day was removed, even if the item was also edited.
        var isDisplaced = false
    }

    let headerBefore: TripHeader
    let headerWrites: Int
    /// In the order of their first changes.
    private(set) var touches: [Touch] = []
    /// Indexes into `touches`, filled on demand; a short draft is searched linearly.
    private var places: [ItemID: Int] = [:]
    private(set) var respacedDays: Set<Int> = []
    /// Whether the change is an undo, which restores acceptances with everything else.
    var isUndo = false
    /// The problems that this change accepts, also by an undo, with the states of their items at that point. Only
    /// later edits of the change revoke these acceptances.
    var newAcceptances: [String: [Item]] = [:]
    /// Consequences for the schedule that are not applied yet.
    var pending = PendingSchedule()

    /// False if the draft is never rolled back or described item by item.
    private let remembersItems: Bool

    /// - Parameters:
    ///   - header: the trip's present header.
    ///   - writes: the trip's number of assignments to it.
    init(_ header: TripHeader, writes: Int, remembersItems: Bool = true) {
        headerBefore = header
        headerWrites = writes
        self.remembersItems = remembersItems
    }

    /// Records the state of an item before its first change.
    ///
    /// - Parameter isDisplaced: whether the item's day was removed.
    mutating func touch(
        _ id: ItemID, before: @autoclosure () -> Item?, isEdit: Bool, isDisplaced: Bool = false
    ) {
        guard remembersItems else { return }
        if let place = place(of: id) {
            if isEdit { touches[place].isEdit = true }
            if isDisplaced { touches[place].isDisplaced = true }
        } else {
            touches.append(
                Touch(id: id, before: before(), isEdit: isEdit, isDisplaced: isDisplaced))
        }
    }

    /// Whether an item was touched.
    mutating func contains(_ id: ItemID) -> Bool { place(of: id) != nil }

    /// Records several distinct items.
    mutating func touch(_ items: [Touch]) {
        guard touches.isEmpty, remembersItems else {
            for item in items { touch(item.id, before: item.before, isEdit: item.isEdit) }
            return
        }
        touches = items
    }

    /// Up to this size a linear search is faster than a dictionary: most changes touch one item.
    private static let few = 8

    private mutating func place(of id: ItemID) -> Int? {
        guard touches.count > Self.few else { return touches.firstIndex { $0.id == id } }
        if places.count < touches.count {
            places.reserveCapacity(touches.count)
            for place in places.count..<touches.count { places[touches[place].id] = place }
        }
        return places[id]
    }

    mutating func respaced(day: Int) { respacedDays.insert(day) }
}

extension Trip {
    /// Sets the version and the author of the changed items, and describes the change as a commit. New changes and records
    /// of a journal both end here.
    ///
    /// - Parameters:
    ///   - draft: the items; their new states are in the trip.
    ///   - version: the version of the commit.
    ///   - author: who edited the items, and when.
    ///   - dropsUnchanged: whether to leave out items that are as they were; they keep their version and author.
    mutating func commit(
        _ draft: Draft, version: Int, by author: Author, dropsUnchanged: Bool
    ) -> Commit {
        let (rowsBefore, respaced) = (rowsBefore(draft), respacedDays(of: draft))
        var (changes, displaced, removed): ([ItemChange], [ItemChange], [ItemChange]) = ([], [], [])
        var shifts: [Shift] = []
        for touch in draft.touches {
            guard let place = itemsByID.index(forKey: touch.id) else {
                if touch.before != nil || !dropsUnchanged {
                    removed.append(ItemChange(touch, to: nil, isMove: false, rowsBefore))
                }
                continue
            }
            var now = itemsByID.values[place]
            var isMove = false
            if let before = touch.before {
                isMove = self.isMove(from: before, to: now, rowsBefore, respaced)
                if dropsUnchanged, !(touch.isEdit && isMove), before.position == now.position,
                    before.content == now.content
                {
                    itemsByID.values[place] = before
                    continue
                }
            }
            now.version = version
            if touch.isEdit { (now.modifiedAt, now.modifiedBy) = (author.at, author.name) }
            itemsByID.values[place] = now
            if touch.isEdit {
                let lostDay = touch.isDisplaced
                changes.append(ItemChange(touch, to: now, lostDay: lostDay, isMove: isMove, rowsBefore))
            } else if let before = touch.before, before.isGame || before.position.day == now.position.day {
                shifts.append(
                    Shift(
                        id: touch.id, before: before.position, after: now.position,
                        versionBefore: before.version))
            } else {
                displaced.append(ItemChange(touch, to: now, lostDay: true, isMove: isMove, rowsBefore))
            }
        }
        if !displaced.isEmpty { changes += displaced }
        if !removed.isEmpty { changes += removed }
        let header =
            headerWrites == draft.headerWrites ? nil : HeaderChange(from: draft.headerBefore, to: header)
        return Commit(
            version: version, changes: changes, shifts: shifts, header: header,
            respacedDays: draft.respacedDays.sorted())
    }

    /// The former rows, or the present ones if only one item was touched: an item's neighbours do not depend on its
    /// own row. The trip's list is never shared, because a change would have to copy it.
    private func rowsBefore(_ draft: Draft) -> RowList {
        guard draft.touches.count > 1, draft.touches.contains(where: { $0.before?.isGame == false }) else {
            return rows
        }
        var rows = rows
        rows.replace(
            draft.touches.compactMap { itemsByID[$0.id].map(Row.init) },
            with: draft.touches.compactMap { $0.before.map(Row.init) })
        return rows
    }

    /// The days on which a change has given unedited items other orders.
    private func respacedDays(of draft: Draft) -> Set<Int> {
        guard draft.touches.count > 1 else { return [] }
        var days: Set<Int> = []
        for touch in draft.touches where !touch.isEdit {
            guard let before = touch.before, !before.isGame, let after = itemsByID[touch.id]?.position,
                after.day == before.position.day, after != before.position
            else { continue }
            days.insert(after.day)
        }
        return days
    }

    /// Whether an edited item changed its place among the others. After re-spacing, another order does not show a move.
    private func isMove(
        from before: Item, to after: Item, _ rowsBefore: RowList, _ respaced: Set<Int>
    ) -> Bool {
        guard before.position.day == after.position.day else { return true }
        guard respaced.contains(after.position.day), !before.isGame, !after.isGame else {
            return before.position != after.position
        }
        return rowsBefore.neighbours(of: Row(before)) != rows.neighbours(of: Row(after))
    }
}

extension ItemChange {
    /// The change of a touched item, with its neighbours among the former rows.
    fileprivate convenience init(
        _ touch: Draft.Touch, to after: Item?, lostDay: Bool = false, isMove: Bool, _ rowsBefore: RowList
    ) {
        self.init(
            id: touch.id, before: touch.before, after: after, isEdit: touch.isEdit, lostDay: lostDay,
            isMove: isMove,
            neighboursBefore: touch.before.flatMap { $0.isGame ? nil : rowsBefore.neighbours(of: Row($0)) })
    }
}

/// Consequences of edits for the schedule. They are applied once for many edits: before the next edit that
/// reads places, and at the end of the batch.
struct PendingSchedule {
    /// The header from which the places of games were derived, if the start or the zone has changed since.
    var scheduledBy: TripHeader?
    /// The fewest days that the trip had during the batch, if items may be on removed days.
    var fewestDays: Int?
    /// An undo is restoring old orders of games, so games of one minute are not separated yet.
    var isRestoring = false
    /// The minutes, by day, whose games must be separated again.
    private(set) var minutes: [Int: Set<Double>] = [:]

    /// Games that are new in their minute or have a new gameID, and so have no order within it yet.
    private(set) var newcomers: Set<ItemID> = []

    /// Marks a minute whose games must be separated again.
    ///
    /// - Parameter newcomer: a game that enters the minute.
    mutating func mark(minuteOf position: Position, newcomer: ItemID? = nil) {
        minutes[position.day, default: []].insert(position.sortOrder.rounded(.down))
        if let newcomer { newcomers.insert(newcomer) }
    }

    /// Removes games from the newcomers, because an undo has restored their orders.
    mutating func forget(newcomers games: some Sequence<ItemID>) { newcomers.subtract(games) }

    var hasMinutes: Bool { !minutes.isEmpty }

    func hasMinutes(onDay day: Int) -> Bool { minutes[day] != nil }

    mutating func takeMinutes() -> (minutes: [Int: Set<Double>], newcomers: Set<ItemID>) {
        defer {
            minutes = [:]
            newcomers = []
        }
        return (minutes, newcomers)
    }
}
