extension Trip {
    /// Fast path of `apply` for the most frequent change: one item moves to a place that needs no re-spacing. The commit
    /// equals that of the general path, which debug builds check.
    ///
    /// - Returns: nil for any other change and for an invalid move, which the general path handles; the trip is then
    ///   unchanged. A commit that is not accepted changes nothing either.
    mutating func applyPlainMove(
        _ edits: [Edit], by author: Author, guardedBy edit: EditGuard, ifAccepted isAccepted: (Commit) -> Bool
    ) -> Commit? {
        // A move may end the acceptance of a problem.
        guard edits.count == 1, case .move(let id, let placement) = edits[0], header.acceptedProblems.isEmpty,
            let place = itemsByID.index(forKey: id)
        else { return nil }
        let before = itemsByID.values[place]
        guard (try? check(edit, target: before)) != nil,
            case .position(let position)? = try? resolve(
                placement, for: id, before.content, present: before)
        else { return nil }
        let after = before.moved(to: position, version: version + 1, by: author)
        let commit = Commit(
            version: version + 1,
            changes: [
                ItemChange(
                    id: id, before: before, after: after, isEdit: true, isMove: true,
                    neighboursBefore: rows.neighbours(of: Row(before)))
            ])
        assert(isResult(commit, of: edits, author, edit), "the general path makes the same commit")
        guard isAccepted(commit) else { return commit }
        changePlace(of: before, at: place, to: after)
        version = commit.version
        return commit
    }

    private func isResult(_ commit: Commit, of edits: [Edit], _ author: Author, _ edit: EditGuard) -> Bool {
        var trip = self
        var draft = Draft(header, writes: headerWrites)
        guard (try? trip.perform(edits, author, edit, &draft)) != nil else { return false }
        let other = trip.finish(draft, author) { _ in true }
        return other.version == commit.version && other.changes == commit.changes && other.shifts.isEmpty
            && other.header == nil && other.respacedDays.isEmpty
    }
}
