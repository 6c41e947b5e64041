import TripModel

/// The undo and redo stacks of one editor.
struct EditStacks {
    var undo = EditStack()
    var redo = EditStack()
    /// The approximate size of both stacks.
    var size: Int { undo.size + redo.size }
    /// The version of the editor's last commit.
    var lastVersion = 0

    /// Pushes a commit.
    ///
    /// - Returns: its entry.
    mutating func push(_ edit: EditLog.Edit, _ states: EditLog.States) -> EditLog.Entry {
        let commit = edit.commit.undoable
        lastVersion = commit.version
        switch edit.kind {
        case .edit:
            redo = EditStack()
            // Trimmed in blocks, so that a commit does not move the whole array.
            if undo.count >= 2 * EditLog.depth { undo.removeFirst(undo.count - EditLog.depth) }
            let entry = EditLog.Entry(commit: commit, origin: commit, states: states)
            undo.append(entry)
            while size > EditLog.maximumStackBytes, undo.count > 1 { undo.removeFirst(1) }
            return entry
        case .undo:
            let entry = EditLog.Entry(commit, after: undo.pop(from: edit.undoes), states: states)
            redo.append(entry)
            return entry
        case .redo:
            let entry = EditLog.Entry(commit, after: redo.pop(from: edit.undoes), states: states)
            undo.append(entry)
            return entry
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
    mutating func discard(_ kind: EditLog.Kind) {
        switch kind {
        case .undo: undo.removeLast()
        case .redo: redo.removeLast()
        case .edit: break
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

    mutating func removeLast() { size -= entries.popLast()?.size ?? 0 }

    mutating func removeFirst(_ count: Int) {
        size -= entries.prefix(count).reduce(0) { $0 + $1.size }
        entries.removeFirst(count)
    }

    /// Pops the entry of a commit and the discarded entries above it; the last entry if `version` is nil.
    ///
    /// - Returns: the entry of the commit.
    mutating func pop(from version: Int?) -> EditLog.Entry? {
        let index =
            version.map { version in entries.lastIndex { $0.commit.version == version } }
            ?? entries.indices.last
        guard let index else { return nil }
        let entry = entries[index]
        size -= entries[index...].reduce(0) { $0 + $1.size }
        entries.removeSubrange(index...)
        return entry
    }
}
