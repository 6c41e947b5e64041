import TripModel

/// What a schedule's table changes in a trip.
///
/// A game of the trip is known by its gameId. Of a known game only the fields that differ are changed, and of
/// those only the ones that the table has a column for; games that the table does not have stay.
package struct ImportPlan: Equatable, Sendable {
    /// An `Edit.add` for each game that is new, in the table's order.
    package let additions: [Edit]
    /// An `Edit.update` for each game that differs, in the table's order.
    package let updates: [Edit]
    /// How many games are as the table has them.
    package let unchanged: Int
    /// The rows that give no game.
    package let badRows: [BadRow]

    /// Compares a table with a trip.
    ///
    /// - Parameters:
    ///   - table: the schedule as it should be.
    ///   - trip: the trip as it is.
    ///   - generator: where the ids of new games come from.
    package init(
        importing table: ScheduleTable, into trip: Trip, using generator: inout some RandomNumberGenerator
    ) {
        var known: [TextKey: (id: ItemID, game: Game)] = [:]
        for item in trip.items {
            if case .game(let game) = item.content { known[TextKey(game.gameID)] = (item.id, game) }
        }
        var additions: [Edit] = []
        var updates: [Edit] = []
        for game in table.games.map(\.game) {
            guard let old = known[TextKey(game.gameID)] else {
                additions.append(.add(.random(using: &generator), .game(game), to: nil))
                continue
            }
            let changes = Self.changes(from: old.game, to: game, columns: table.columns)
            if !changes.isEmpty { updates.append(.update(old.id, changes)) }
        }
        self.additions = additions
        self.updates = updates
        unchanged = table.games.count - additions.count - updates.count
        badRows = table.badRows
    }

    private static func changes(
        from old: Game, to new: Game, columns: Set<ScheduleColumn>
    ) -> [FieldChange] {
        // What the table has no column for stays.
        let changes = FieldChange.between(.game(old), and: .game(new)) ?? []
        return changes.filter { ScheduleColumn(rawValue: $0.field.name).map(columns.contains) ?? false }
    }
}

extension ImportPlan {
    /// How many games are new.
    package var imported: Int { additions.count }

    /// How many games change.
    package var updated: Int { updates.count }

    /// How many rows lead to no edit: those that change nothing and the bad ones.
    package var skipped: Int { unchanged + badRows.count }

    /// `imported 104 · updated 0 · skipped 0`.
    package var summary: String { "imported \(imported) · updated \(updated) · skipped \(skipped)" }

    /// All edits, cut into batches that each fit into one request.
    package var batches: [[Edit]] {
        let edits = additions + updates
        return stride(from: 0, to: edits.count, by: TripLimits.operations).map { start in
            Array(edits[start..<min(start + TripLimits.operations, edits.count)])
        }
    }
}
