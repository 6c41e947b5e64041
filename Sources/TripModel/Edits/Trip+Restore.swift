extension Trip {
    /// Undoes a commit: restores the former states of its items, as one new change.
    ///
    /// Of an item that was changed only the changed fields and the place return; rules are not checked, and conflicts are
    /// reported as problems. But travel that was moved does not return to a place that is invalid now. An item returns to
    /// its former place directly below the item that was above it, else directly above the item that was
    /// below it, with its old order if that fits there. The commit always gets a new version, so that an undo
    /// without effect can be redone.
    ///
    /// An exact undo restores every item of the commit. Otherwise edited items, and those whose day the commit removed, are
    /// restored; re-spaced items stay (R-NORM). Games follow the schedule again. Those that shared a minute return to
    /// their order within it.
    ///
    /// - Parameters:
    ///   - isExact: whether the trip is as the commit left it, so that every item returns to its old place.
    ///   - isAccepted: decides at the end; a commit that it does not accept is rolled back.
    /// - Returns: the commit, accepted or not.
    /// - Throws: `EditFailure` for a condition of the guard, a limit, or `overtaken`; the trip is then
    ///   unchanged.
    package mutating func apply(
        reversing commit: Commit, exactly isExact: Bool = false, by author: Author,
        guardedBy edit: EditGuard = EditGuard(), ifAccepted isAccepted: (Commit) -> Bool = { _ in true }
    ) throws(EditFailure) -> Commit {
        var draft = Draft(header, writes: headerWrites)
        try undo(commit, isExact, author, edit, &draft)
        return finish(draft, author, alwaysTakesVersion: true, isAccepted)
    }

    /// Returns the commit that the undo would make, without changing the trip.
    ///
    /// - Throws: `EditFailure`, like `apply`.
    package mutating func rehearse(
        reversing commit: Commit, by author: Author, guardedBy edit: EditGuard = EditGuard()
    ) throws(EditFailure) -> Commit {
        try apply(reversing: commit, by: author, guardedBy: edit) { _ in false }
    }

    private mutating func undo(
        _ commit: Commit, _ isExact: Bool, _ author: Author, _ guarding: EditGuard,
        _ draft: inout Draft
    ) throws(EditFailure) {
        do throws(Rejection) {
            draft.pending.isRestoring = true
            draft.isUndo = true
            try check(guarding, target: nil)
            for change in commit.changes {
                if let item = itemsByID[change.id] { try check(guarding, target: item) }
            }
            if isExact, isAsLeft(by: commit) { return try restoreExactly(commit, author, guarding, &draft) }
            if let values = commit.header?.before { try restoreHeader(values, guarding, &draft) }
            try checkRoom(for: commit)
            restoreItems(commit, author, &draft)
            for key in commit.header?.before.accepted ?? [] { note(acceptanceOf: key, &draft) }
            try finish(&draft)
            try checkMovedTravel(commit)
        } catch {
            revert(draft)
            throw EditFailure(index: 0, rejection: error)
        }
    }

    /// Whether an exact undo leads to a valid trip. Only a foreign journal can claim this falsely.
    private func isAsLeft(by commit: Commit) -> Bool {
        let header = commit.header?.before.applied(to: header) ?? header
        guard (try? header.check(isNameNew: false, isZoneNew: false)) != nil else { return false }
        func isPossible(_ position: Position, _ isGame: Bool) -> Bool {
            isGame ? SortOrder.isGamePlace(position) : header.days.contains(position.day)
        }
        return commit.changes.allSatisfy { change in
            change.before.map { isPossible($0.position, $0.isGame) } ?? true
        }
            && commit.shifts.allSatisfy { shift in
                guard let now = itemsByID[shift.id], now.position == shift.after else { return false }
                return isPossible(shift.before, now.isGame)
            }
    }

    /// Restores all items and the header as they were.
    private mutating func restoreExactly(
        _ commit: Commit, _ author: Author, _ guarding: EditGuard, _ draft: inout Draft
    ) throws(Rejection) {
        try checkRoom(for: commit)
        if let values = commit.header?.before {
            let restored = values.applied(to: header)
            try checkSlug(of: restored, guarding)
            header = restored
        }
        var states: [(id: ItemID, item: Item?)] = []
        for change in commit.changes {
            let now = itemsByID[change.id]
            draft.touch(change.id, before: now, isEdit: change.isEdit, isDisplaced: change.lostDay)
            let restored = change.before.map { before in
                var item = now ?? Self.returning(before, author, version)
                item.content = before.content
                item.position = before.position
                return item
            }
            states.append((change.id, restored))
        }
        for shift in commit.shifts {
            guard let now = itemsByID[shift.id] else { continue }
            draft.touch(shift.id, before: now, isEdit: false)
            states.append((shift.id, now.placed(at: shift.before, version: version)))
            if !now.isGame { draft.respaced(day: shift.before.day) }
        }
        replace(states)
    }

    /// A removed item as it returns.
    private static func returning(_ before: Item, _ author: Author, _ version: Int) -> Item {
        Item(
            id: before.id, position: before.position, content: before.content, version: version,
            modifiedAt: author.at, modifiedBy: author.name)
    }

    private func checkSlug(of restored: TripHeader, _ guarding: EditGuard) throws(Rejection) {
        guard restored.slug != header.slug, guarding.takenSlugs.contains(restored.slug) else { return }
        throw .overtaken("another trip has the slug \(restored.slug) now")
    }

    // MARK: The header

    /// Restores the header fields that the commit changed.
    private mutating func restoreHeader(
        _ values: HeaderValues, _ guarding: EditGuard, _ draft: inout Draft
    ) throws(Rejection) {
        let old = header
        let restored = values.applied(to: old)
        guard restored != old else { return }
        try checkSlug(of: restored, guarding)
        guard restored.todo.count <= max(TripLimits.todoEntries, old.todo.count) else {
            throw .limitExceeded(.todoEntries, field: "todo")
        }
        guard
            restored.acceptedProblems.count <= max(TripLimits.acceptedProblems, old.acceptedProblems.count)
        else {
            throw .limitExceeded(.acceptedProblems, field: "acceptedProblems")
        }
        do throws(Rejection) { try restored.check(isNameNew: false, isZoneNew: false) } catch {
            throw .overtaken("the other fields of the trip have changed, and the old values no longer fit")
        }
        header = restored
        // Days are removed after the items are restored, which displaces the remaining ones.
        try follow(old, &draft)
        if draft.pending.fewestDays == nil { try catchUpWithHeader(&draft) }
    }

    // MARK: The items

    /// Rejects items that exceed a limit, changed items that are gone, and games whose gameID another game has now.
    private func checkRoom(for commit: Commit) throws(Rejection) {
        var count = itemCount
        var gameIDs: [String] = []
        for change in commit.changes {
            if change.isAddition, itemsByID[change.id] != nil { count -= 1 }
            guard change.isEdit, let before = change.before else { continue }
            let now = itemsByID[change.id]
            if now == nil { count += 1 }
            // A replaced item may have the same id; it keeps its fields.
            guard change.isRemoval || now?.content.kind == change.after?.content.kind else {
                let what = now == nil ? "no longer in the trip" : "another kind of item now"
                throw .overtaken("“\(before.content.title)” is \(what)")
            }
            if case .game(let game) = change.restored(in: now?.content ?? before.content) {
                gameIDs.append(game.gameID)
            }
        }
        guard count <= max(TripLimits.items, itemCount) else { throw .limitExceeded(.items, field: "items") }
        guard !gameIDs.isEmpty else { return }
        let touched = Set(commit.changes.map(\.id))
        var keys: Set<TextKey> = []
        for gameID in gameIDs {
            let key = TextKey(gameID)
            let owner = itemByGameID[key]
            if !keys.insert(key).inserted || owner.map({ !touched.contains($0) }) ?? false {
                throw .overtaken("another event has the id \(gameID) now")
            }
        }
    }

    /// Restores the states of items, and then moves those whose old orders do not give their places.
    private mutating func restoreItems(_ commit: Commit, _ author: Author, _ draft: inout Draft) {
        // These items keep their present places.
        let staying = Set(
            commit.changes.filter { !$0.isMove && itemsByID[$0.id]?.isGame == false }.map(\.id))
        var restored: [ItemID: Item] = [:]
        var states: [(id: ItemID, item: Item?)] = []
        var touches: [Draft.Touch] = []
        states.reserveCapacity(commit.changes.count)
        touches.reserveCapacity(commit.changes.count)
        for change in commit.changes {
            let now = itemsByID[change.id]
            guard let before = change.before else {
                if now != nil { states.append((change.id, nil)) }
                touches.append(.init(id: change.id, before: now, isEdit: true))
                if let now, now.isGame { draft.pending.mark(minuteOf: now.position) }
                continue
            }
            // Of an item that only lost its day the undo restores only the place, which is not an edit.
            guard change.isEdit || now?.isGame == false else { continue }
            touches.append(.init(id: change.id, before: now, isEdit: change.isEdit))
            var item = now ?? Self.returning(before, author, version)
            if change.isEdit { item.content = change.restored(in: item.content) }
            if let now, now.isGame { draft.pending.mark(minuteOf: now.position) }
            if before.isGame {
                item.position = before.position
                if let scheduled = try? position(ofRestored: item) { item.position = scheduled }
                draft.pending.mark(minuteOf: item.position)
            } else if !staying.contains(change.id) {
                item.position = before.position
                restored[change.id] = item
                // An item must be on a day of the trip.
                if !header.days.contains(before.position.day) {
                    states.append((change.id, nil))
                    continue
                }
            }
            states.append((change.id, item))
        }
        draft.touch(touches)
        replace(states)
        restoreFollowers(commit, &draft)
        draft.pending.isRestoring = false
        separateGames(&draft, unlessApart: true)
        let misplaced = commit.runs(of: restored).filter { !isInPlace($0) }
        replace(misplaced.flatMap(\.items).map { ($0.id, nil) })
        for run in misplaced { put(run, &draft) }
    }

    /// The scheduled place of a restored game: its old place if that is still in its minute.
    private mutating func position(ofRestored game: Item) throws(Rejection) -> Position {
        guard case .game(let content) = game.content else { preconditionFailure("the item is a game") }
        let minute = try scheduledPosition(of: content)
        let isSame =
            minute.day == game.position.day && minute.sortOrder == game.position.sortOrder.rounded(.down)
        return isSame ? game.position : minute
    }

    /// Whether a run of items is in its place, with orders that no other item has. Only the game that was above it
    /// may be level with it: games come first, and a further game of that minute must find them as they were.
    private func isInPlace(_ run: RestoredRun) -> Bool {
        guard let first = run.items.first, header.days.contains(run.day) else { return false }
        var index = rows.lowerBound(of: Row(first))
        var last = rows.above(index, onDay: run.day, without: nil)
        let above = row(run.above, onDay: run.day)
        if let above, above != last { return false }
        for item in run.items {
            guard index < rows.endIndex, rows[index] == Row(item),
                last.map({ $0.sortOrder < item.position.sortOrder || ($0.isGame && $0 == above) }) ?? true
            else { return false }
            last = rows[index]
            index = rows.index(after: index)
        }
        let next = rows.below(index, onDay: run.day, without: nil)
        if above == nil, let below = row(run.below, onDay: run.day), below != next { return false }
        guard let last, let next else { return true }
        return last.sortOrder < next.sortOrder
    }

    /// The gap for a run: directly below the item that was above it, else directly above the item that was below it,
    /// else at its old order; as if item `id` were not in the trip.
    func site(of run: RestoredRun, without id: ItemID? = nil) -> GapSite {
        if !header.days.contains(run.day) {
            // As if the items had been on their day when it was removed (R-EDIT).
            return endOfDay(header.dayCount, without: id)
        }
        if let above = row(run.above, onDay: run.day) { return gap(below: above, without: id) }
        if let below = row(run.below, onDay: run.day) { return gap(above: below, without: id) }
        return gap(at: run.position, without: id)
    }

    /// Moves a run to its place.
    private mutating func put(_ run: RestoredRun, _ draft: inout Draft) {
        let site = site(of: run)
        let old = run.items.map(\.position.sortOrder)
        let orders =
            site.day == run.day && site.holds(old)
            ? old : site.orders(for: old.count) ?? respace(site, for: old.count, &draft)
        replace(
            zip(run.items, orders).map { item, order in
                var item = item
                item.position = Position(day: site.day, sortOrder: order)
                return (item.id, item)
            })
    }

    /// Restores the orders of unedited games within their minutes, if the minutes are still theirs and the
    /// orders free.
    private mutating func restoreFollowers(_ commit: Commit, _ draft: inout Draft) {
        var places: [ItemID: Position] = [:]
        var byPlace: [Position: ItemID] = [:]
        for shift in commit.shifts where shift.isWithinMinute {
            guard let now = itemsByID[shift.id], now.isGame, byPlace[shift.before] == nil,
                (try? position(ofRestored: now.placed(at: shift.before, version: version))) == shift.before
            else { continue }
            places[shift.id] = shift.before
            byPlace[shift.before] = shift.id
        }
        // A game whose place is taken stays, and so may take the place of another one.
        var staying = places.filter { id, position in
            let first = games.partitioningIndex {
                ($0.day, $0.sortOrder) >= (position.day, position.sortOrder)
            }
            return games[first...].prefix { $0.day == position.day && $0.sortOrder == position.sortOrder }
                .contains { $0.id != id && places[$0.id] == nil }
        }.map(\.key)
        while let id = staying.popLast() {
            guard places.removeValue(forKey: id) != nil, let now = itemsByID[id]?.position else { continue }
            if let other = byPlace[now], other != id { staying.append(other) }
        }
        let moving = places.filter { itemsByID[$0.key]?.position != $0.value }.sorted { $0.key < $1.key }
        for (id, position) in moving {
            draft.pending.mark(minuteOf: position)
            draft.touch(id, before: itemsByID[id], isEdit: false)
        }
        relocate(moving.map { ($0.key, $0.value) })
        draft.pending.forget(newcomers: places.keys)
    }

    /// Rejects travel that was moved and whose former place is invalid now.
    private func checkMovedTravel(_ commit: Commit) throws(Rejection) {
        for change in commit.changes where change.isMove && !change.isAddition && !change.isRemoval {
            guard let item = itemsByID[change.id], case .travel = item.content else { continue }
            let row = Row(item)
            if let refusal = judge(for: item.content, between: item.ends)(row.day, row) {
                throw .overtaken(
                    "the former place of “\(item.content.title)” is not valid now: \(explanation(of: refusal))"
                )
            }
        }
    }

    private func row(_ id: ItemID?, onDay day: Int) -> Row? {
        guard let id, let item = itemsByID[id], item.position.day == day else { return nil }
        return Row(item)
    }
}

/// Items that an undo restores and that were next to each other, in shown order.
struct RestoredRun {
    var items: [Item]
    /// The old position of the first.
    let position: Position
    /// The items that were above the first and below the last.
    let above: ItemID?
    var below: ItemID?

    var day: Int { position.day }
}

extension Commit {
    /// The runs of items that an undo of the commit restores, with their old positions, in shown order.
    func runs(of restored: [ItemID: Item]) -> [RestoredRun] {
        var runs: [RestoredRun] = []
        let rows = changes.compactMap { change in
            restored[change.id].map { (row: Row($0), item: $0, neighbours: change.neighboursBefore) }
        }
        for (_, item, neighbours) in rows.sorted(by: { $0.row < $1.row }) {
            if let neighbours, let last = runs.last, neighbours.above == last.items.last?.id,
                last.day == item.position.day
            {
                runs[runs.count - 1].items.append(item)
                runs[runs.count - 1].below = neighbours.below
            } else {
                runs.append(
                    RestoredRun(
                        items: [item], position: item.position, above: neighbours?.above,
                        below: neighbours?.below))
            }
        }
        return runs
    }
}
