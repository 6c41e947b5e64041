/// Conditions besides the trip's rules. They are checked in a fixed order: existence of the item, write
/// access, leases, versions, and last the rules.
package struct EditGuard: Sendable {
    /// Whether the caller has only read access.
    public var isReadOnly = false
    /// Items that other connections are dragging.
    public var heldItems: Set<ItemID> = []
    /// The expected version of the trip.
    public var tripVersion: Int?
    /// The expected version of the edited item.
    public var itemVersion: Int?
    /// The slugs of other trips.
    public var takenSlugs: Set<String> = []

    /// Makes a guard without conditions.
    public init() {}
}

extension Trip {
    /// Makes a trip at version 1 from a header and its first edits, in order, by the rules of the daemon; for example
    /// for a preview or a test.
    public init(
        _ header: TripHeader, applying edits: [Edit] = [], by author: String = "Preview",
        at moment: Timestamp = Timestamp(milliseconds: 0)
    ) throws(Rejection) {
        do throws(EditFailure) {
            self = try Self.create(header, edits: edits, by: Author(name: author, at: moment))
        } catch {
            throw error.rejection
        }
    }

    /// Makes a trip at version 1 from a header and its first items, in order; all or nothing.
    ///
    /// - Throws: `EditFailure`; index −1 means the header.
    package static func create(
        _ header: TripHeader, edits: [Edit] = [], by author: Author
    ) throws(EditFailure) -> Trip {
        do throws(Rejection) { try header.check() } catch { throw EditFailure(index: -1, rejection: error) }
        var trip = Trip(empty: header)
        trip.itemsByID.reserveCapacity(min(edits.count, TripLimits.items))
        // A refused trip is discarded as a whole, so no item needs to be recorded.
        var log = ChangeLog(of: trip, remembersItems: false)
        try trip.perform(edits, author, EditGuard(), &log)
        // Every item is new.
        trip.itemsByID = trip.itemsByID.mapValues { item in
            var item = item
            item.version = 1
            item.modifiedAt = author.at
            item.modifiedBy = author.name
            return item
        }
        trip.version = 1
        return trip
    }

    /// Applies edits in order, each checked against the result of the previous ones; all of them, as one
    /// version, or none.
    ///
    /// - Parameter isAccepted: decides at the end; a commit that it does not accept is rolled back.
    /// - Returns: the commit, accepted or not.
    /// - Throws: `EditFailure`; the trip is then unchanged.
    package mutating func apply(
        _ edits: [Edit], by author: Author, guardedBy edit: EditGuard = EditGuard(),
        ifAccepted isAccepted: (Commit) -> Bool = { _ in true }
    ) throws(EditFailure) -> Commit {
        var log = ChangeLog(of: self)
        try perform(edits, author, edit, &log)
        return finish(log, author, isAccepted)
    }

    /// Turns the logged changes into a commit, or rolls them back.
    mutating func finish(
        _ log: ChangeLog, _ author: Author, alwaysTakesVersion: Bool = false, _ isAccepted: (Commit) -> Bool
    ) -> Commit {
        let commit = stamp(log, author, alwaysTakesVersion: alwaysTakesVersion)
        if isAccepted(commit) { version = commit.version } else { revert(log) }
        return commit
    }

    /// Returns the commit that `apply` would make, without changing the trip.
    ///
    /// - Throws: `EditFailure`, like `apply`.
    package mutating func rehearse(
        _ edits: [Edit], by author: Author, guardedBy edit: EditGuard = EditGuard()
    ) throws(EditFailure) -> Commit {
        try apply(edits, by: author, guardedBy: edit) { _ in false }
    }

    private mutating func perform(
        _ edits: [Edit], _ author: Author, _ edit: EditGuard, _ log: inout ChangeLog
    ) throws(EditFailure) {
        let most = itemsLookedAt + TripLimits.rearrangements
        for index in edits.indices {
            do throws(Rejection) {
                try perform(edits[index], author, edit, &log)
                if index == edits.indices.last { try finish(&log) }
                // One edit takes linear time. Only many edits can visit the same items again and again.
                guard itemsLookedAt <= most else { throw .limitExceeded(.rearrangements, field: "ops") }
            } catch {
                revert(log)
                throw EditFailure(index: index, rejection: error)
            }
        }
    }

    /// Applies the consequences that edits have deferred to the end.
    mutating func finish(_ log: inout ChangeLog) throws(Rejection) {
        try catchUpWithHeader(&log)
        separateGames(&log)
        endAcceptances(log)
    }

    private mutating func perform(
        _ edit: Edit, _ author: Author, _ guarding: EditGuard, _ log: inout ChangeLog
    ) throws(Rejection) {
        if case .trip = edit {} else { try catchUpWithHeader(&log) }
        switch edit {
        case .add(let id, let content, let placement):
            try checkAnchor(of: placement)
            try check(guarding, target: nil)
            try add(id, content, to: placement, author, &log)
        case .move(let id, let placement):
            let item = try existing(id)
            try checkAnchor(of: placement)
            try check(guarding, target: item)
            try place(item, placement, &log)
        case .update(let id, let changes):
            let item = try existing(id)
            try check(guarding, target: item)
            try update(item, changes, &log)
        case .remove(let id):
            let item = try existing(id)
            try check(guarding, target: item)
            remove(item, &log)
        case .trip(let change):
            try check(guarding, target: nil)
            if let slug = change.slug, guarding.takenSlugs.contains(slug) { throw .slugTaken(slug) }
            try update(change, &log)
            if let acceptance = change.acceptance {
                try accept(acceptance.problem, acceptance.isAccepted, &log)
            }
            if let todo = change.todo { try self.change(todo, author) }
        }
    }

    private func existing(_ id: ItemID) throws(Rejection) -> Item {
        guard let item = itemsByID[id] else { throw .itemNotFound(id) }
        return item
    }

    private func checkAnchor(of placement: Placement?) throws(Rejection) {
        switch placement {
        case .after(let anchor, let day)?, .before(let anchor, let day)?:
            if itemsByID[anchor] == nil { throw .anchorNotFound(anchor, day: day) }
        case .between(let above, let below, let day)?:
            if itemsByID[above] == nil, itemsByID[below] == nil { throw .anchorNotFound(above, day: day) }
        case .start?, .end?, .order?, nil: break
        }
    }

    func check(_ edit: EditGuard, target: Item?) throws(Rejection) {
        if edit.isReadOnly { throw .readOnly }
        if let target, edit.heldItems.contains(target.id) { throw .itemHeld(target.id) }
        if let expected = edit.tripVersion, expected != version {
            throw .versionConflict(expected: expected, actual: version)
        }
        if let target, let expected = edit.itemVersion, expected != target.version {
            throw .versionConflict(expected: expected, actual: target.version)
        }
    }

    /// Rolls all changes back.
    mutating func revert(_ log: ChangeLog) {
        replace(log.touches.map { ($0.id, $0.before) })
        header = log.headerBefore
    }

    /// Sets the next version on all items that really changed, and returns the commit.
    ///
    /// - Parameter alwaysTakesVersion: whether a commit without effect gets the next version too.
    mutating func stamp(_ log: ChangeLog, _ author: Author, alwaysTakesVersion: Bool = false) -> Commit {
        var outcome = CommitOutcome(
            rowsBefore: log.rowsBefore(in: self), rowsAfter: rows, reserving: log.touches.count)
        for touch in log.touches { outcome.add(touch, after: itemsByID[touch.id]) }
        // An item that was removed and restored keeps its version and author.
        for (id, before) in outcome.dropUnchanged() { itemsByID[id] = before }
        let headerChange = log.headerChange(in: self)
        let isNoop = outcome.isEmpty && headerChange == nil
        let next = isNoop && !alwaysTakesVersion ? version : version + 1
        outcome.stamp(version: next, author) { item in itemsByID[item.id] = item }
        return outcome.commit(
            version: next, header: headerChange, respacedDays: isNoop ? [] : log.respacedDays.sorted())
    }
}
