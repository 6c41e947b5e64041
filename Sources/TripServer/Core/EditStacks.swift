import TripModel

/// The undo and redo stacks of one editor.
struct EditStacks {
    var undo = EditStack()
    var redo = EditStack()
    /// The approximate size of both stacks.
    var size: Int { undo.size + redo.size }
    /// The version of the editor's last commit.
    var lastVersion = 0

    /// Pushes the entry of a commit. An undo or redo first pops the entry that it reverses.
    mutating func push(_ line: EditLog.Line) {
        lastVersion = line.version
        switch line.by.kind {
        case .edit:
            redo = EditStack()
            // Trimmed in blocks, so that a commit does not move the whole array.
            if undo.count >= 2 * EditLog.depth { undo.removeFirst(undo.count - EditLog.depth) }
            undo.append(line.entry)
            while size > EditLog.maximumStackBytes, undo.count > 1 { undo.removeFirst(1) }
        case .undo:
            undo.pop(from: line.by.undoes)
            redo.append(line.entry)
        case .redo:
            redo.pop(from: line.by.undoes)
            undo.append(line.entry)
        }
    }

    /// The entry of a commit that an undo or redo reverses; of the last one if `version` is nil.
    func entry(_ kind: EditLog.Kind, reversing version: Int?) -> EditLog.Entry? {
        if kind == .edit { return nil }
        let stack = kind == .redo ? redo : undo
        return stack.index(of: version).map { stack.entries[$0] }
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

    /// The index of the entry of a commit; of the last one if `version` is nil.
    func index(of version: Int?) -> Int? {
        guard let version else { return entries.indices.last }
        return entries.lastIndex { $0.commit.version == version }
    }

    /// Pops the entry of a commit and the discarded entries above it; the last entry if `version` is nil.
    mutating func pop(from version: Int?) {
        guard let index = index(of: version) else { return }
        size -= entries[index...].reduce(0) { $0 + $1.size }
        entries.removeSubrange(index...)
    }
}
