extension Trip {
    /// Takes a commit back: its items become what they were before it, as one change.
    ///
    /// What stood may stand again: no rule of place or field judges it, and what does not fit is a problem that is
    /// reported. An item goes to its exact position where nothing around it has been re-spaced since, else between
    /// the neighbours that it had.
    ///
    /// - Parameter isAccepted: has the last word on what comes of it; a commit that is not accepted is taken back.
    /// - Returns: the commit, accepted or not.
    /// - Throws: `EditFailure`, the trip then being as it was: what `edit` guards against, a limit, or `overtaken`.
    public mutating func apply(
        _ reversal: Reversal, by author: Author, guardedBy edit: EditGuard = EditGuard(),
        ifAccepted isAccepted: (Commit) -> Bool = { _ in true }
    ) throws(EditFailure) -> Commit {
        var log = ChangeLog(of: self)
        try perform(reversal, author, edit, &log)
        return finish(log, author, isAccepted)
    }

    /// Tells what taking a commit back would do, and leaves the trip as it is.
    ///
    /// - Throws: `EditFailure`, as `apply` does.
    public mutating func rehearse(
        _ reversal: Reversal, by author: Author, guardedBy edit: EditGuard = EditGuard()
    ) throws(EditFailure) -> Commit {
        try apply(reversal, by: author, guardedBy: edit) { _ in false }
    }

    private mutating func perform(
        _ reversal: Reversal, _ author: Author, _ guarding: EditGuard, _ log: inout ChangeLog
    ) throws(EditFailure) {
        do throws(Rejection) {
            log.pending.isRestoring = true
            try check(guarding, target: nil)
            for change in reversal.items {
                if let item = itemsByID[change.id] { try check(guarding, target: item) }
            }
            try restoreHeader(reversal, guarding, &log)
            try checkRoom(for: reversal)
            restoreItems(reversal, author, &log)
            try finish(&log)
        } catch {
            revert(log)
            throw EditFailure(index: 0, rejection: error)
        }
    }

    // MARK: The header

    /// Gives the fields that the commit changed their values from before it.
    private mutating func restoreHeader(
        _ reversal: Reversal, _ guarding: EditGuard, _ log: inout ChangeLog
    ) throws(Rejection) {
        guard let before = reversal.header, let after = reversal.headerAfter else { return }
        let old = header
        var restored = header
        if !String.isVerbatim(before.name, after.name) { restored.name = before.name }
        if before.slug != after.slug { restored.slug = before.slug }
        if before.startDate != after.startDate { restored.startDate = before.startDate }
        if before.timeZone != after.timeZone { restored.timeZone = before.timeZone }
        if before.dayCount != after.dayCount { restored.dayCount = before.dayCount }
        guard restored != old else { return }
        if restored.slug != old.slug, guarding.takenSlugs.contains(restored.slug) {
            throw .overtaken("another trip is called \(restored.slug) by now")
        }
        do throws(Rejection) { try restored.check(isNameNew: false, isZoneNew: false) } catch {
            throw .overtaken("the trip's other fields have changed, and it does not fit them any more")
        }
        header = restored
        // What the restored items leave of the days that go follows when they are back.
        try follow(old, &log)
        if log.pending.fewestDays == nil { try catchUpWithHeader(&log) }
    }

    // MARK: The items

    /// Refuses what has no room, or whose gameID another game has by now.
    private func checkRoom(for reversal: Reversal) throws(Rejection) {
        var count = itemCount
        var gameIDsBefore: [String] = []
        for change in reversal.items {
            if change.isAddition, itemsByID[change.id] != nil { count -= 1 }
            guard change.isEdit, !change.isAddition else { continue }
            if itemsByID[change.id] == nil { count += 1 }
            if case .game(let game)? = change.before?.content { gameIDsBefore.append(game.gameID) }
        }
        guard count <= max(TripLimits.items, itemCount) else { throw .limitExceeded(.items, field: "items") }
        guard !gameIDsBefore.isEmpty else { return }
        let touched = Set(reversal.items.map(\.id))
        var gameIDs: Set<TextKey> = []
        for gameID in gameIDsBefore {
            let key = TextKey(gameID)
            let owner = itemByGameID[key]
            if !gameIDs.insert(key).inserted || owner.map({ !touched.contains($0) }) ?? false {
                throw .overtaken("another game is called \(gameID) by now")
            }
        }
    }

    /// Gives the items their states back, and then those their places whose old number does not tell them.
    private mutating func restoreItems(_ reversal: Reversal, _ author: Author, _ log: inout ChangeLog) {
        // Those stand where they stood, whatever their numbers are by now.
        let staying = Set(
            reversal.items.filter { !$0.isMove && itemsByID[$0.id]?.isGame == false }.map(\.id))
        var places = RestoredPlaces(reversal, without: staying)
        var states: [(id: ItemID, item: Item?)] = []
        var touches: [ChangeLog.Touch] = []
        states.reserveCapacity(reversal.items.count)
        touches.reserveCapacity(reversal.items.count)
        for change in reversal.items {
            let now = itemsByID[change.id]
            guard let before = change.before else {
                if now != nil { states.append((change.id, nil)) }
                touches.append(.init(id: change.id, before: now, isEdit: true))
                if let now, now.isGame { log.pending.mark(minuteOf: now.position) }
                continue
            }
            // Of what only lost its day nothing comes back but the place, and that is nobody's edit either.
            guard change.isEdit || now?.isGame == false else { continue }
            touches.append(.init(id: change.id, before: now, isEdit: change.isEdit))
            var item =
                now
                ?? Item(
                    id: change.id, position: before.position, content: before.content, version: version,
                    modifiedAt: author.at, modifiedBy: author.name)
            if change.isEdit { item.content = before.content }
            if let now, now.isGame { log.pending.mark(minuteOf: now.position) }
            if before.isGame {
                item.position = (try? position(ofRestored: before)) ?? before.position
                log.pending.mark(minuteOf: item.position)
            } else if staying.contains(change.id) {
                states.append((change.id, item))
                continue
            } else if header.days.contains(before.position.day), !places.isLoose(change.id) {
                item.position = before.position
            } else {
                places.hold(item, from: before)
                states.append((change.id, nil))
                continue
            }
            states.append((change.id, item))
        }
        log.touch(touches)
        replace(states)
        restoreFollowers(reversal, &log)
        log.pending.isRestoring = false
        separateGames(&log, unlessApart: true)
        for group in places.groups(within: header.days) { put(group, &log) }
    }

    /// Where the schedule has a game that comes back: its old place, if that is still its minute.
    private mutating func position(ofRestored game: Item) throws(Rejection) -> Position {
        guard case .game(let content) = game.content else { preconditionFailure("asked of games only") }
        let minute = try scheduledPosition(of: content)
        let isSame =
            minute.day == game.position.day && minute.sortOrder == game.position.sortOrder.rounded(.down)
        return isSame ? game.position : minute
    }

    /// Puts items that stood together between the neighbours that they had, as far as those are there.
    private mutating func put(_ group: RestoredPlaces.Group, _ log: inout ChangeLog) {
        guard let first = group.items.first, let last = group.items.last else { return }
        let site: GapSite
        if header.days.contains(group.day) {
            let above = row(group.above, onDay: group.day)
            let below = row(group.below, onDay: group.day)
            let fits =
                (above.map { $0 < Row(first) } ?? true) && (below.map { Row(last) < $0 } ?? true)
            if fits { return replace(group.items.map { ($0.id, $0) }) }
            guard
                let gap = above.map({ gap(below: $0, without: nil) })
                    ?? below.map({ gap(above: $0, without: nil) })
            else { preconditionFailure("what has no neighbours fits") }
            site = gap
        } else {
            // Their day is gone: as if they had stood there when it went (R-EDIT).
            site = endOfDay(header.dayCount)
        }
        let orders = site.orders(for: group.items.count) ?? respace(site, for: group.items.count, &log)
        replace(
            zip(group.items, orders).map { item, order in
                var item = item
                item.position = Position(day: site.day, sortOrder: order)
                return (item.id, item)
            })
    }

    /// Gives games that nobody edited their orders within their minutes back, where these are theirs again and nobody
    /// else stands there.
    private mutating func restoreFollowers(_ reversal: Reversal, _ log: inout ChangeLog) {
        var places: [ItemID: Position] = [:]
        var byPlace: [Position: ItemID] = [:]
        for before in reversal.followers {
            guard let now = itemsByID[before.id], now.isGame, byPlace[before.position] == nil,
                (try? position(ofRestored: now.placed(at: before.position, version: version)))
                    == before.position
            else { continue }
            places[before.id] = before.position
            byPlace[before.position] = before.id
        }
        // One that finds its place taken stays, and so may stand in the place of another.
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
            log.pending.mark(minuteOf: position)
            log.touch(id, before: itemsByID[id], isEdit: false)
        }
        relocate(moving.map { ($0.key, $0.value) })
        log.pending.forget(newcomers: places.keys)
    }

    private func row(_ id: ItemID?, onDay day: Int) -> Row? {
        guard let id, let item = itemsByID[id], item.position.day == day else { return nil }
        return Row(item)
    }
}

/// The items of a reversal that have to find their places anew.
struct RestoredPlaces {
    /// Items that stood one below the other, with what stood around them.
    struct Group {
        var items: [Item]
        let day: Int
        let above: ItemID?
        let below: ItemID?
    }

    /// The movable items that come back, as they stood, in groups without anything between them.
    private let runs: [[ItemChange]]
    private let loose: Set<ItemID>
    private var held: [ItemID: Item] = [:]

    init(_ reversal: Reversal, without staying: Set<ItemID>) {
        var runs: [[ItemChange]] = []
        let rows = reversal.items.compactMap { change in
            change.before.map { (row: Row($0), change: change) }
        }.filter { !$0.row.isGame && !staying.contains($0.row.id) }
        for (_, change) in rows.sorted(by: { $0.row < $1.row }) {
            let last = runs.last?.last
            let isBelowLast = change.neighboursBefore.map { $0.above == last?.id } ?? false
            if isBelowLast, let last, last.before?.position.day == change.before?.position.day {
                runs[runs.count - 1].append(change)
            } else {
                runs.append([change])
            }
        }
        self.runs = runs
        let isRespaced = { (id: ItemID?) in id.map { reversal.respaced.contains($0) } ?? false }
        loose = Set(
            runs.filter { run in
                run.contains {
                    isRespaced($0.neighboursBefore?.above) || isRespaced($0.neighboursBefore?.below)
                }
            }.joined().map(\.id))
    }

    /// Whether an item's old number does not tell its place, because what was around it has other numbers by now.
    func isLoose(_ id: ItemID) -> Bool { loose.contains(id) }

    /// Keeps an item, at its old position, until the others are back.
    mutating func hold(_ item: Item, from before: Item) {
        held[item.id] = item.placed(at: before.position, version: item.version)
    }

    /// What is held, in shown order.
    func groups(within days: ClosedRange<Int>) -> [Group] {
        runs.compactMap { run in
            guard let day = run.first?.before?.position.day else { return nil }
            let items = run.compactMap { held[$0.id] }
            guard !items.isEmpty else { return nil }
            return Group(
                items: items, day: day, above: run.first?.neighboursBefore?.above,
                below: run.last?.neighboursBefore?.below)
        }
    }
}
