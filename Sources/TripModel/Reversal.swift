/// What undoes a commit: the states to go back to, and the edits that lead there from the present.
///
/// Only what somebody edited is undone, and what was moved because its day went; re-spacing is not (R-NORM).
public struct Reversal: Equatable, Sendable {
    /// The items as they were before, and as the commit left them.
    public let items: [ItemChange]
    /// The header before, where the commit changed it.
    public let header: TripHeader?
    /// The header after, where the commit changed it.
    public let headerAfter: TripHeader?

    /// What undoes a commit.
    public init(of commit: Commit) {
        let displaced = Set(commit.displaced)
        items = commit.changes.filter { $0.isEdit || displaced.contains($0.id) }
        header = commit.headerBefore
        headerAfter = commit.headerAfter
    }

    /// The edits that undo it in a trip as it is now; each is checked like any other when it is applied.
    public func edits(in trip: Trip) -> [Edit] {
        var edits: [Edit] = []
        // A day that comes back must be there before what stood on it.
        if let header, let headerAfter {
            var change = TripChange()
            if header.name != headerAfter.name { change.name = header.name }
            if header.slug != headerAfter.slug { change.slug = header.slug }
            if header.startDate != headerAfter.startDate { change.startDate = header.startDate }
            if header.timeZone != headerAfter.timeZone { change.timeZone = header.timeZone }
            if header.dayCount != headerAfter.dayCount { change.dayCount = header.dayCount }
            edits.append(.trip(change))
        }
        // Games first: travel may name them.
        edits += items.filter { $0.isOfGame }.flatMap { Self.edits(restoring: $0, in: trip) }
        edits += items.filter { !$0.isOfGame }.flatMap { Self.edits(restoring: $0, in: trip) }
        return edits
    }

    private static func edits(restoring change: ItemChange, in trip: Trip) -> [Edit] {
        let now = trip[change.id]
        switch (change.before, now) {
        case (nil, nil): return []
        case (nil, _?): return [.remove(change.id)]
        case (let before?, nil):
            return [.add(change.id, before.content, to: before.isGame ? nil : before.position.placement)]
        case (let before?, let now?):
            guard let fields = FieldChange.between(now.content, and: before.content) else {
                return [
                    .remove(change.id),
                    .add(change.id, before.content, to: before.isGame ? nil : before.position.placement),
                ]
            }
            var edits: [Edit] = []
            if !fields.isEmpty { edits.append(.update(change.id, fields)) }
            if !before.isGame, before.position != change.after?.position, before.position != now.position {
                edits.append(.move(change.id, to: before.position.placement))
            }
            return edits
        }
    }
}

extension ItemChange {
    fileprivate var isOfGame: Bool { (before ?? after)?.isGame ?? false }
}

extension Position {
    /// The placement that means exactly this position.
    fileprivate var placement: Placement { .order(sortOrder, day: day) }
}
