import TripModel

/// The content of a log for a snapshot, with each commit stored once.
extension EditLog {
    /// The commits that the stacks and the history refer to, in ascending order, with the states before and after them.
    var commits: [(commit: Commit, states: States?)] {
        var commits: [Int: (commit: Commit, states: States?)] = [:]
        let entries = stacks.values.flatMap { $0.undo.entries + $0.redo.entries } + lines.map(\.entry)
        for entry in entries {
            commits[entry.commit.version] = (entry.commit, entry.states)
            if commits[entry.origin.version] == nil { commits[entry.origin.version] = (entry.origin, nil) }
        }
        return commits.values.sorted { $0.commit.version < $1.commit.version }
    }

    /// The last editors of the items and of the header in the stacks; those of other items are never needed.
    var neededLastEdits: (items: [ItemID: LastEdit], header: LastEdit?) {
        /// The oldest entry with an item, and with the header: earlier edits by others cannot conflict.
        var oldest: [ItemID: Int] = [:]
        var oldestHeader: Int?
        for commit in stacks.values.flatMap({ $0.undo.entries + $0.redo.entries }).map(\.commit) {
            if commit.header?.changesFields == true {
                oldestHeader = min(oldestHeader ?? .max, commit.version)
            }
            for change in commit.touched {
                oldest[change.id] = min(oldest[change.id] ?? .max, commit.version)
            }
        }
        let items = oldest.compactMap { id, version in lastEdits[id].map { (id, $0.since(version)) } }
        return (
            Dictionary(uniqueKeysWithValues: items), oldestHeader.flatMap { lastHeaderEdit?.since($0) }
        )
    }

    /// Restores the last edits from a snapshot.
    mutating func restore(_ edits: [ItemID: LastEdit], header: LastEdit?, of trip: Trip) {
        lastEdits = edits
        for (item, edit) in edits where trip[item] == nil {
            lastEdits[item]?.isRemoval = true
            removals.append(Removal(item: item, version: edit.version))
        }
        removals.sort { ($0.version, $0.item) < ($1.version, $1.item) }
        lastHeaderEdit = header
    }
}

extension EditLog.LastEdit {
    /// The same edit without earlier versions of others.
    fileprivate func since(_ version: Int) -> Self {
        var edit = self
        if versionOfOthers <= version { edit.versionOfOthers = 0 }
        return edit
    }
}
