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
        var draft = Draft(header, writes: trip.headerWrites, remembersItems: false)
        try trip.perform(edits, author, EditGuard(), &draft)
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
        if let commit = applyPlainMove(edits, by: author, guardedBy: edit, ifAccepted: isAccepted) {
            return commit
        }
        var draft = Draft(header, writes: headerWrites)
        try perform(edits, author, edit, &draft)
        return finish(draft, author, isAccepted)
    }

    /// Turns the logged changes into a commit, or rolls them back.
    mutating func finish(
        _ draft: Draft, _ author: Author, alwaysTakesVersion: Bool = false, _ isAccepted: (Commit) -> Bool
    ) -> Commit {
        var commit = self.commit(draft, version: version + 1, by: author, dropsUnchanged: true)
        if commit.isNoop {
            commit = Commit(version: alwaysTakesVersion ? version + 1 : version, changes: [])
        }
        if isAccepted(commit) { version = commit.version } else { revert(draft) }
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

    mutating func perform(
        _ edits: [Edit], _ author: Author, _ edit: EditGuard, _ draft: inout Draft
    ) throws(EditFailure) {
        let most = itemsLookedAt + TripLimits.rearrangements
        for index in edits.indices {
            do throws(Rejection) {
                try perform(edits[index], author, edit, &draft)
                if index == edits.indices.last { try finish(&draft) }
                // One edit takes linear time. Only many edits can visit the same items again and again.
                guard itemsLookedAt <= most else { throw .limitExceeded(.rearrangements, field: "ops") }
            } catch {
                revert(draft)
                throw EditFailure(index: index, rejection: error)
            }
        }
    }

    /// Applies the consequences that edits have deferred to the end.
    mutating func finish(_ draft: inout Draft) throws(Rejection) {
        try catchUpWithHeader(&draft)
        separateGames(&draft)
        endAcceptances(draft)
    }

    private mutating func perform(
        _ edit: Edit, _ author: Author, _ guarding: EditGuard, _ draft: inout Draft
    ) throws(Rejection) {
        if case .trip = edit {} else { try catchUpWithHeader(&draft) }
        switch edit {
        case .add(let id, let content, let placement):
            try checkAnchor(of: placement)
            try check(guarding, target: nil)
            try add(id, content, to: placement, author, &draft)
        case .move(let id, let placement):
            let item = try existing(id)
            try checkAnchor(of: placement)
            try check(guarding, target: item)
            try place(item, placement, &draft)
        case .update(let id, let changes):
            let item = try existing(id)
            try check(guarding, target: item)
            try update(item, changes, &draft)
        case .remove(let id):
            let item = try existing(id)
            try check(guarding, target: item)
            remove(item, &draft)
        case .trip(let change):
            try check(guarding, target: nil)
            if let slug = change.slug, guarding.takenSlugs.contains(slug) { throw .slugTaken(slug) }
            try update(change, &draft)
            if let acceptance = change.acceptance {
                try accept(acceptance.problem, acceptance.isAccepted, &draft)
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
            if !contains(anchor) { throw .anchorNotFound(anchor, day: day) }
        case .between(let above, let below, let day)?:
            if !contains(above), !contains(below) { throw .anchorNotFound(above, day: day) }
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
    mutating func revert(_ draft: Draft) {
        replace(draft.touches.map { ($0.id, $0.before) })
        header = draft.headerBefore
    }
}
