import TripModel

/// The undo and redo stacks of one editor.
struct EditStacks {
    /// How to roll back the effect of a commit, or of a discarded entry, on the stacks.
    enum Rollback {
        /// The redo entries cleared by an edit, and the undo entries evicted for it.
        case edit(clearedRedo: [EditLog.Entry], dropped: [EditLog.Entry])
        /// The entries that were popped from the stack, the reversed one first.
        case undo([EditLog.Entry])
        case redo([EditLog.Entry])
        case discarded(EditLog.Kind, EditLog.Entry)
    }

    var undo = EditStack()
    var redo = EditStack()
    /// The approximate size of both stacks.
    var size: Int { undo.size + redo.size }
    /// The version of the editor's last commit.
    var lastVersion = 0

    /// Pushes a commit.
    ///
    /// - Parameter undoes: for an undo or redo, the version of the commit that it reverses; nil for the last
    ///   one, as in records of an older daemon.
    /// - Returns: its entry, and how to roll the push back.
    mutating func push(
        _ commit: Commit, _ kind: EditLog.Kind, undoes: Int?, _ states: EditLog.States
    ) -> (entry: EditLog.Entry, rollback: Rollback) {
        lastVersion = commit.version
        switch kind {
        case .edit:
            let cleared = redo.entries
            redo = EditStack()
            // Trimmed in blocks, so that a commit does not move the whole array.
            var dropped =
                undo.count >= 2 * EditLog.depth ? undo.removeFirst(undo.count - EditLog.depth) : []
            let entry = EditLog.Entry(commit: commit, origin: commit, states: states)
            undo.append(entry)
            while size > EditLog.maximumStackBytes, undo.count > 1 { dropped += undo.removeFirst(1) }
            return (entry, .edit(clearedRedo: cleared, dropped: dropped))
        case .undo:
            let popped = undo.pop(from: undoes)
            let entry = EditLog.Entry(commit, after: popped.first, states: states)
            redo.append(entry)
            return (entry, .undo(popped))
        case .redo:
            let popped = redo.pop(from: undoes)
            let entry = EditLog.Entry(commit, after: popped.first, states: states)
            undo.append(entry)
            return (entry, .redo(popped))
        }
    }

    mutating func rollBack(_ rollback: Rollback) {
        switch rollback {
        case .edit(let cleared, let dropped):
            _ = undo.popLast()
            undo.insertFirst(dropped)
            redo = EditStack(cleared)
        case .undo(let popped):
            _ = redo.popLast()
            for entry in popped { undo.append(entry) }
        case .redo(let popped):
            _ = undo.popLast()
            for entry in popped { redo.append(entry) }
        case .discarded(.redo, let entry): redo.append(entry)
        case .discarded(_, let entry): undo.append(entry)
        }
    }

    /// The entry of a commit that an undo or redo reverses.
    func entry(_ kind: EditLog.Kind, reversing version: Int?) -> EditLog.Entry? {
        let entries = kind == .redo ? redo.entries : undo.entries
        return entries.last { $0.commit.version == version }
    }

    func next(_ kind: EditLog.Kind) -> EditLog.Entry? {
        switch kind {
        case .undo: undo.entries.last
        case .redo: redo.entries.last
        case .edit: nil
        }
    }

    /// Pops the next entry without applying it.
    mutating func discard(_ kind: EditLog.Kind) -> EditLog.Entry? {
        switch kind {
        case .undo: undo.popLast()
        case .redo: redo.popLast()
        case .edit: nil
        }
    }
}

/// Entries with the sum of their sizes, so that a change need not look at all of them.
struct EditStack {
    /// The last entry is the next one to pop.
    private(set) var entries: [EditLog.Entry] = []
    /// The approximate size of all entries.
    private(set) var size = 0

    init(_ entries: [EditLog.Entry] = []) {
        self.entries = entries
        size = entries.reduce(0) { $0 + $1.size }
    }

    var count: Int { entries.count }

    mutating func append(_ entry: EditLog.Entry) {
        entries.append(entry)
        size += entry.size
    }

    mutating func popLast() -> EditLog.Entry? {
        let last = entries.popLast()
        size -= last?.size ?? 0
        return last
    }

    mutating func removeFirst(_ count: Int) -> [EditLog.Entry] {
        let first = Array(entries.prefix(count))
        size -= first.reduce(0) { $0 + $1.size }
        entries.removeFirst(count)
        return first
    }

    mutating func insertFirst(_ first: [EditLog.Entry]) {
        guard !first.isEmpty else { return }
        size += first.reduce(0) { $0 + $1.size }
        entries.insert(contentsOf: first, at: 0)
    }

    /// Pops the entry of a commit and the discarded entries above it; the last entry if `version` is nil.
    mutating func pop(from version: Int?) -> [EditLog.Entry] {
        let index =
            version.map { version in entries.lastIndex { $0.commit.version == version } }
            ?? entries.indices.last
        guard let index else { return [] }
        let popped = Array(entries[index...])
        entries.removeSubrange(index...)
        size -= popped.reduce(0) { $0 + $1.size }
        return popped
    }
}
