import TripModel
import TripProtocol

/// The recent edits of a trip: the undo and redo stacks of each editor, and the history that people read.
///
/// An editor is a person, or a client that names none; both share one kind of id. The log contains decided
/// commits, and each commit's effect on it can be rolled back until the commit is durable.
struct EditLog {
    enum Kind {
        case edit
        case undo
        case redo

        /// - Parameter method: the method's name on the wire.
        init(method: String) {
            switch method {
            case Method.undo.rawValue: self = .undo
            case Method.redo.rawValue: self = .redo
            default: self = .edit
            }
        }
    }

    /// A commit that its editor can undo or redo.
    struct Entry {
        let commit: Commit
        /// The states before and after the commit; nil if an older daemon stored it.
        let states: States?
        /// The user's original change, if the commit itself is an undo or redo.
        let origin: Commit
        /// The approximate memory size. The commits of undo and redo contain no new texts and are not
        /// counted; otherwise undoing would evict other undoable commits.
        let size: Int

        init(commit: Commit, origin: Commit, states: States?) {
            self.commit = commit
            self.states = states
            self.origin = origin
            size = origin.size
        }

        /// The entry of an undo or redo. Its origin is the commit itself if the reversed entry is unknown.
        init(_ commit: Commit, after entry: Entry?, states: States) {
            self.commit = commit
            self.states = states
            origin = entry?.origin ?? commit
            size = entry?.size ?? commit.size
        }

        /// A summary of the user's change, without a subject.
        var summary: String { origin.summary }
    }

    /// Numbers of states of the trip. An edit leads to a new state, with the number of its version. An exact undo leads
    /// back to the state before its commit.
    struct States: Equatable {
        let before: Int
        let after: Int
    }

    /// One line of the history.
    struct Line {
        let at: Timestamp
        let user: String
        /// Nil if an older daemon stored the line.
        let editor: ClientID?
        let kind: Kind
        /// The commit as an entry of its editor's stack.
        let entry: Entry

        var commit: Commit { entry.commit }
        var origin: Commit { entry.origin }
        /// The approximate memory size if no stack holds the commits.
        let size: Int

        init(at: Timestamp, user: String, editor: ClientID?, kind: Kind, entry: Entry) {
            self.at = at
            self.user = user
            self.editor = editor
            self.kind = kind
            self.entry = entry
            let isOrigin = entry.commit.version == entry.origin.version
            size = entry.size + (isOrigin ? 0 : entry.commit.size)
        }
    }

    /// The last edit of an item or of the header, and the last edit by anybody else.
    struct LastEdit: Equatable {
        let editor: ClientID
        let version: Int
        /// The version of the last edit by anybody else; 0 if there was none that matters.
        var versionOfOthers = 0
        /// True if the edit removed the item.
        var isRemoval = false

        /// The version of the last edit by anybody but `editor`.
        func version(ofOthersThan editor: ClientID) -> Int {
            self.editor == editor ? versionOfOthers : version
        }

        /// The state after one more edit.
        func followed(by editor: ClientID, version: Int, isRemoval: Bool = false) -> LastEdit {
            LastEdit(
                editor: editor, version: version, versionOfOthers: self.version(ofOthersThan: editor),
                isRemoval: isRemoval)
        }
    }

    /// The minimum number of commits that an editor can undo.
    static let depth = 200
    /// The maximum number of editors with an undo history.
    static let maximumClients = 64
    /// The maximum memory size of one editor's stacks, and of all stacks of a trip. Beyond it the oldest entry, or the
    /// editor with the oldest last commit, is evicted, but never the last change. The largest change fits.
    static let maximumStackBytes = WireLimits.undoBytes
    static let maximumBytes = maximumStackBytes + (16 << 20)
    /// The minimum number of history lines, and the maximum size of all lines, beyond which the oldest are evicted.
    static let maximumLines = 1000
    static let maximumLineBytes = 8 << 20
    /// The number of removed items whose last editor is always remembered: as many as all stacks can contain,
    /// at over 192 bytes an item. Beyond it, entries are evicted in blocks.
    static let maximumRemoved = maximumBytes / 192
    static let removedBlock = 16_384

    var stacks: [ClientID: EditStacks] = [:]
    /// The state after the last commit.
    var state = 0
    private(set) var lines: [Line] = []
    /// The approximate size of all lines.
    private(set) var lineBytes = 0
    /// The last edit of each item, thing to do and acceptance, including remembered removed ones.
    var lastEdits: [ItemID: LastEdit] = [:]
    var lastHeaderEdit: LastEdit?
    /// The removals, oldest first, including those of items that were restored since.
    var removals: [Removal] = []
    /// The rollback log: how to reverse the effect of each undurable commit, oldest first.
    private var rollbacks: [Rollback] = []

    struct Removal {
        let item: ItemID
        let version: Int
    }

    /// The effect of a commit on the log. Entries evicted for it are retained until it is durable, so that a
    /// failed change loses nothing.
    private struct Rollback {
        let version: Int
        let editor: ClientID
        let stacks: EditStacks.Rollback
        /// The state before it.
        let state: Int
        /// The version of the editor's previous commit; nil if there was none.
        var lastVersion: Int?
        var edits: [(item: ItemID, edit: LastEdit?)] = []
        var headerEdit: LastEdit?
        /// The number of items that it removed.
        var removalCount = 0
        /// The editors evicted for it, in this order.
        var evictedEditors: [(editor: ClientID, stacks: EditStacks)] = []
        var droppedLines: [Line] = []
        var evictedRemovals: [(removal: Removal, edit: LastEdit?)] = []
        /// Whether the commit added a line to the history.
        var hasLine = true
    }

    /// Records a commit.
    ///
    /// - Parameters:
    ///   - undoes: for an undo or redo, the version of the commit that it reverses.
    ///   - isExact: whether it is an exact undo or redo.
    mutating func record(
        _ commit: Commit, _ kind: Kind, undoes: Int? = nil, isExact: Bool = false, editor: ClientID,
        user: String, at: Timestamp
    ) {
        let commit = commit.undoable
        let stateBefore = state
        let reversed = isExact ? stacks[editor]?.entry(kind, reversing: undoes)?.states : nil
        state = reversed?.before ?? commit.version
        let states = States(before: stateBefore, after: state)
        let lastVersion = stacks[editor]?.lastVersion
        var evictedEditors: [(editor: ClientID, stacks: EditStacks)] = []
        if lastVersion == nil, stacks.count >= Self.maximumClients { evictedEditors += evictInactiveEditor() }
        let (entry, stackRollback) = stacks[editor, default: EditStacks()].push(
            commit, kind, undoes: undoes, states)
        var rollback = Rollback(
            version: commit.version, editor: editor, stacks: stackRollback, state: stateBefore,
            lastVersion: lastVersion,
            headerEdit: lastHeaderEdit, evictedEditors: evictedEditors)
        for change in commit.touched {
            if let index = lastEdits.index(forKey: change.id) {
                let last = lastEdits.values[index]
                rollback.edits.append((change.id, last))
                lastEdits.values[index] = last.followed(
                    by: editor, version: commit.version, isRemoval: change.isRemoval)
            } else {
                rollback.edits.append((change.id, nil))
                lastEdits[change.id] = LastEdit(
                    editor: editor, version: commit.version, isRemoval: change.isRemoval)
            }
            if change.isRemoval {
                removals.append(Removal(item: change.id, version: commit.version))
                rollback.removalCount += 1
            }
        }
        rollback.evictedRemovals = evictOldRemovals()
        if commit.header?.changesFields == true {
            lastHeaderEdit =
                lastHeaderEdit?.followed(by: editor, version: commit.version)
                ?? LastEdit(editor: editor, version: commit.version)
        }
        rollback.droppedLines = add(
            Line(at: at, user: user, editor: editor, kind: kind, entry: entry))
        // An undo needs no more memory than the entry that it reverses.
        if kind == .edit {
            var size = stacks.values.reduce(0) { $0 + $1.size }
            while size > Self.maximumBytes, stacks.count > 1 {
                let evicted = evictInactiveEditor()
                size -= evicted.reduce(0) { $0 + $1.stacks.size }
                rollback.evictedEditors += evicted
            }
        }
        rollbacks.append(rollback)
    }

    /// Adds a line to the history, and evicts the oldest lines if needed.
    ///
    /// - Returns: the evicted lines.
    @discardableResult
    mutating func add(_ line: Line) -> [Line] {
        lines.append(line)
        lineBytes += line.size
        // Trimmed in blocks, so that a commit does not move the whole array.
        guard lines.count > 2 * Self.maximumLines || lineBytes > Self.maximumLineBytes else { return [] }
        var count = max(0, lines.count - Self.maximumLines)
        var rest = lineBytes - lines[..<count].reduce(0) { $0 + $1.size }
        while rest > Self.maximumLineBytes / 4 * 3, count < lines.count - 1 {
            rest -= lines[count].size
            count += 1
        }
        let dropped = Array(lines[..<count])
        lines.removeFirst(count)
        lineBytes = rest
        return dropped
    }

    /// Drops the rollback entries up to a durable version.
    mutating func becameDurable(upTo version: Int) {
        guard let last = rollbacks.last else { return }
        if last.version <= version { return rollbacks.removeAll(keepingCapacity: rollbacks.count <= 64) }
        // Each entry is passed over once.
        let count = rollbacks.firstIndex { $0.version > version } ?? rollbacks.count
        rollbacks.removeFirst(count)
    }

    /// Rolls back everything that is not durable.
    mutating func rollBack() {
        for rollback in rollbacks.reversed() {
            stacks[rollback.editor]?.rollBack(rollback.stacks)
            guard rollback.hasLine else { continue }
            state = rollback.state
            if let version = rollback.lastVersion {
                stacks[rollback.editor]?.lastVersion = version
            } else {
                stacks[rollback.editor] = nil
            }
            for (editor, stack) in rollback.evictedEditors { stacks[editor] = stack }
            for (removal, edit) in rollback.evictedRemovals { lastEdits[removal.item] = edit }
            removals = rollback.evictedRemovals.map(\.removal) + removals.dropLast(rollback.removalCount)
            for (item, edit) in rollback.edits { lastEdits[item] = edit }
            lastHeaderEdit = rollback.headerEdit
            if let line = lines.last, line.commit.version == rollback.version {
                lineBytes -= line.size
                lines.removeLast()
            }
            lines.insert(contentsOf: rollback.droppedLines, at: 0)
            lineBytes += rollback.droppedLines.reduce(0) { $0 + $1.size }
        }
        rollbacks = []
    }

    /// The entry that the editor's next undo or redo reverses.
    func next(_ kind: Kind, of editor: ClientID) -> Entry? {
        stacks[editor]?.next(kind)
    }

    /// Whether the trip is as the entry's commit left it.
    func isExact(_ entry: Entry) -> Bool { entry.states?.after == state }

    /// The approximate size of an editor's stacks.
    func size(of editor: ClientID) -> Int { stacks[editor]?.size ?? 0 }

    /// Discards an entry that can never be applied.
    ///
    /// - Parameter version: the undurable version that the conflict depends on; if it is rolled back, the
    ///   entry is restored.
    mutating func discard(_ kind: Kind, of editor: ClientID, restingOn version: Int? = nil) {
        guard let entry = stacks[editor]?.discard(kind), let version else { return }
        rollbacks.append(
            Rollback(
                version: version, editor: editor, stacks: .discarded(kind, entry), state: state,
                hasLine: false))
    }

    /// True if anybody else has changed a part since that the undo of the entry would restore.
    func isChangedByOthers(_ entry: Entry, than editor: ClientID) -> Bool {
        guard isTouchedByOthers(entry, than: editor) else { return false }
        // Each version has a line. Without the lines of all later commits the parts are unknown, and the undo is refused.
        guard let oldest = lines.first?.version, oldest <= entry.commit.version + 1 else { return true }
        let parts = UndoneParts(of: entry.commit)
        return lines[lines.partitioningIndex { $0.version > entry.commit.version }...].contains {
            $0.editor != editor && parts.areChanged(by: $0.commit)
        }
    }

    /// True if anybody else has edited an item of the entry since.
    private func isTouchedByOthers(_ entry: Entry, than editor: ClientID) -> Bool {
        let version = entry.commit.version
        // An evicted edit counts as an edit by others, which only refuses an undo.
        func isTouched(_ last: LastEdit?) -> Bool {
            last.map { $0.version(ofOthersThan: editor) > version } ?? true
        }
        if entry.commit.header?.changesFields == true, isTouched(lastHeaderEdit) { return true }
        return entry.commit.touched.contains { isTouched(lastEdits[$0.id]) }
    }

    /// Evicts the editor with the oldest last commit.
    ///
    /// - Returns: the evicted editor, if any.
    private mutating func evictInactiveEditor() -> [(editor: ClientID, stacks: EditStacks)] {
        guard let inactive = stacks.min(by: { $0.value.lastVersion < $1.value.lastVersion }) else {
            return []
        }
        stacks[inactive.key] = nil
        return [(inactive.key, inactive.value)]
    }

    /// Forgets the last editors of the items that were removed longest ago and not restored.
    private mutating func evictOldRemovals() -> [(removal: Removal, edit: LastEdit?)] {
        guard removals.count >= Self.maximumRemoved + Self.removedBlock else { return [] }
        var evicted: [(removal: Removal, edit: LastEdit?)] = []
        for removal in removals.prefix(Self.removedBlock) {
            let (item, edit) = (removal.item, lastEdits[removal.item])
            evicted.append((removal, edit))
            // A later edit has restored the item, or a later removal has its own entry.
            guard let edit, edit.isRemoval, edit.version == removal.version else { continue }
            lastEdits[item] = nil
        }
        removals.removeFirst(Self.removedBlock)
        return evicted
    }
}

extension EditLog.Line {
    var version: Int { commit.version }

    /// A summary of the change, without a subject.
    var summary: String {
        switch kind {
        case .edit: commit.summary
        case .undo: "undid: \(origin.summary)"
        case .redo: "redid: \(origin.summary)"
        }
    }
}
