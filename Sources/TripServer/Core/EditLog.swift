import TripModel
import TripProtocol

/// The recent edits of a trip: the undo and redo stacks of each editor, and the history that people read.
///
/// An editor is a person, or a client that names none; both share one kind of id. The log contains only durable
/// commits.
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

    /// Who made a commit, when, and by which request.
    struct Provenance {
        let at: Timestamp
        let user: String
        /// Nil if an older daemon stored it.
        let editor: ClientID?
        let kind: Kind
        /// Nil if it is from a snapshot.
        var cause: Cause?
        /// For an undo or redo, the version of the commit that it reverses; nil for the last one, as in records of an
        /// older daemon, or from a snapshot.
        var undoes: Int?
    }

    /// A commit that its editor can undo or redo.
    struct Entry {
        let commit: Commit
        /// The user's original change, if the commit itself is an undo or redo.
        let origin: Commit
        /// The states before and after the commit; nil if an older daemon stored it.
        let states: States?
        /// The approximate memory size. The commits of undo and redo contain no new texts and are not
        /// counted; otherwise undoing would evict other undoable commits.
        let size: Int

        /// An entry of a snapshot.
        init(_ commit: Commit, origin: Commit, states: States?) {
            (self.commit, self.origin, self.states) = (commit, origin, states)
            size = origin.size
        }

        /// The entry of a new commit.
        ///
        /// - Parameters:
        ///   - entry: the entry that it reverses; nil for an edit, or if that is unknown.
        ///   - isExact: whether the trip is as it was before that entry.
        ///   - state: the number of the state before the commit.
        init(_ commit: Commit, reversing entry: Entry? = nil, exactly isExact: Bool = false, in state: Int) {
            self.commit = commit
            origin = entry?.origin ?? commit
            let former = isExact ? entry?.states?.before : nil
            states = States(before: state, after: former ?? commit.version)
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

    /// One line of the history: a commit, which is also an entry of its editor's stack.
    final class Line: Sendable {
        let by: Provenance
        let entry: Entry

        init(by: Provenance, entry: Entry) {
            self.by = by
            self.entry = entry
        }

        var commit: Commit { entry.commit }
        var version: Int { commit.version }
        /// The approximate memory size if no stack holds the commits.
        var size: Int { entry.size + (version == entry.origin.version ? 0 : commit.size) }

        /// A summary of the change, without a subject.
        var summary: String {
            switch by.kind {
            case .edit: commit.summary
            case .undo: "undid: \(entry.summary)"
            case .redo: "redid: \(entry.summary)"
            }
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
    /// The number of lines that are evicted at once. Few, because each line can keep pages of memory that are free but for it.
    static let lineBlock = 128
    /// The number of removed items whose last editor is always remembered: as many as all stacks can contain,
    /// at over 192 bytes an item. Beyond it, entries are evicted in blocks.
    static let maximumRemoved = maximumBytes / 192
    static let removedBlock = 16_384

    private(set) var stacks: [ClientID: EditStacks] = [:]
    /// The state after the last commit.
    private(set) var state = 0
    private(set) var lines: [Line] = []
    /// The approximate size of all lines.
    private(set) var lineBytes = 0
    /// The last edit of each item, thing to do and acceptance, including remembered removed ones.
    private(set) var lastEdits: [ItemID: LastEdit] = [:]
    private(set) var lastHeaderEdit: LastEdit?
    /// The removals, oldest first, including those of items that were restored since.
    private(set) var removals: [Removal] = []

    struct Removal {
        let item: ItemID
        let version: Int
    }

    /// Records a commit of an editor.
    mutating func record(_ line: Line, of editor: ClientID) {
        let commit = line.commit
        state = line.entry.states?.after ?? commit.version
        if stacks.count >= Self.maximumClients, stacks[editor] == nil { evictInactiveEditor() }
        stacks[editor, default: EditStacks()].push(line)
        for change in commit.touched {
            if let index = lastEdits.index(forKey: change.id) {
                lastEdits.values[index] = lastEdits.values[index].followed(
                    by: editor, version: commit.version, isRemoval: change.isRemoval)
            } else {
                lastEdits[change.id] = LastEdit(
                    editor: editor, version: commit.version, isRemoval: change.isRemoval)
            }
            if change.isRemoval { removals.append(Removal(item: change.id, version: commit.version)) }
        }
        evictOldRemovals()
        if commit.header?.changesFields == true {
            lastHeaderEdit =
                lastHeaderEdit?.followed(by: editor, version: commit.version)
                ?? LastEdit(editor: editor, version: commit.version)
        }
        add(line)
        // An undo needs no more memory than the entry that it reverses.
        guard line.by.kind == .edit else { return }
        var size = stacks.values.reduce(0) { $0 + $1.size }
        while size > Self.maximumBytes, stacks.count > 1 { size -= evictInactiveEditor() }
    }

    /// Adds a line to the history, and evicts the oldest lines if needed.
    mutating func add(_ line: Line) {
        lines.append(line)
        lineBytes += line.size
        // Trimmed in blocks, so that a commit does not move the whole array.
        guard lines.count >= Self.maximumLines + Self.lineBlock || lineBytes > Self.maximumLineBytes else {
            return
        }
        var count = max(0, lines.count - Self.maximumLines)
        var rest = lineBytes - lines[..<count].reduce(0) { $0 + $1.size }
        while rest > Self.maximumLineBytes / 4 * 3, count < lines.count - 1 {
            rest -= lines[count].size
            count += 1
        }
        lines.removeFirst(count)
        lineBytes = rest
    }

    /// Discards an entry that can never be applied.
    mutating func discard(_ kind: Kind, of editor: ClientID) { stacks[editor]?.discard(kind) }

    /// True if anybody else has changed a part since that the undo of the entry would restore.
    func isChangedByOthers(_ entry: Entry, than editor: ClientID) -> Bool {
        guard isTouchedByOthers(entry, than: editor) else { return false }
        // Without the lines of all later commits the parts are unknown, and the undo is refused.
        guard let later = lines(after: entry.commit.version) else { return true }
        let parts = UndoneParts(of: entry.commit)
        return later.contains { $0.by.editor != editor && parts.areChanged(by: $0.commit) }
    }

    /// The lines after a version; nil if some were evicted. Each version has a line.
    func lines(after version: Int) -> ArraySlice<Line>? {
        guard let oldest = lines.first?.version, oldest <= version + 1 else { return nil }
        return lines[lines.partitioningIndex { $0.version > version }...]
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
    /// - Returns: the approximate size of its stacks.
    @discardableResult
    private mutating func evictInactiveEditor() -> Int {
        guard let inactive = stacks.min(by: { $0.value.lastVersion < $1.value.lastVersion }) else { return 0 }
        stacks[inactive.key] = nil
        return inactive.value.size
    }

    /// Forgets the last editors of the items that were removed longest ago and not restored.
    private mutating func evictOldRemovals() {
        guard removals.count >= Self.maximumRemoved + Self.removedBlock else { return }
        for removal in removals.prefix(Self.removedBlock) {
            // A later edit has restored the item, or a later removal has its own entry.
            guard let edit = lastEdits[removal.item], edit.isRemoval, edit.version == removal.version else {
                continue
            }
            lastEdits[removal.item] = nil
        }
        removals.removeFirst(Self.removedBlock)
    }
}

// MARK: - Snapshots

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

    /// Restores the stacks and the last edits from a snapshot. The history lines are added one by one.
    mutating func restore(
        _ stacks: [ClientID: EditStacks], state: Int, _ edits: [ItemID: LastEdit], header: LastEdit?,
        of trip: Trip
    ) {
        (self.stacks, self.state) = (stacks, state)
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

/// The parts of a trip that the undo of a commit restores: fields and places of items, whole items, fields of the
/// header, things to do and acceptances.
struct UndoneParts {
    private let changes: [ItemID: ItemChange]
    /// Whole items, things to do and acceptances.
    private let wholes: Set<ItemID>
    private let header: HeaderValues

    init(of commit: Commit) {
        let changes = [ItemID: ItemChange](commit.changes.map { ($0.id, $0) }) { $1 }
        self.changes = changes
        wholes = Set(
            commit.touched.map(\.id).filter { changes[$0]?.before == nil || changes[$0]?.after == nil })
        header = commit.header?.after ?? HeaderValues()
    }

    /// Whether a later commit has changed one of the parts.
    func areChanged(by later: Commit) -> Bool {
        if let other = later.header?.after, other.sharesField(with: header) { return true }
        if later.touched.contains(where: { wholes.contains($0.id) }) { return true }
        return later.changes.contains { other in
            changes[other.id].map { $0.restoresPart(changedBy: other) } ?? false
        }
    }
}

extension ItemChange {
    /// Whether the undo of this change of an item restores a field or the place that a later change of it has changed.
    ///
    /// A removal changes no part: an undo fails while the item is gone. An item that returned may have other fields.
    fileprivate func restoresPart(changedBy other: ItemChange) -> Bool {
        guard let before, let after, let end = other.after else { return false }
        if isPlaced, other.isPlaced { return true }
        guard let mine = FieldChange.between(before.content, and: after.content),
            let others = FieldChange.between((other.before ?? after).content, and: end.content)
        else { return true }
        return mine.contains { change in others.contains { $0.field == change.field } }
    }

    /// Whether somebody has placed the item. The schedule places events.
    private var isPlaced: Bool { after?.isGame == false && (isMove || lostDay || isAddition) }
}

extension Commit {
    /// The items, things to do and acceptances for which an undo must know the last editor, and whether the commit
    /// removes each.
    var touched: [(id: ItemID, isRemoval: Bool)] {
        var touched = changes.map { (id: $0.id, isRemoval: $0.isRemoval) }
        guard let values = header?.after else { return touched }
        // An idea and the item that it becomes have one id.
        let planned = values.todo.isEmpty ? [] : Set(changes.lazy.filter(\.isAddition).map(\.id))
        touched += values.todo.map { step in
            let id = ItemID(step.id)
            return (id: id, isRemoval: step.isRemoval && !planned.contains(id))
        }
        touched += values.accepted.map { (id: Problem.acceptance(ofKey: $0), isRemoval: false) }
        touched += values.revoked.map { (id: Problem.acceptance(ofKey: $0), isRemoval: true) }
        return touched
    }

    /// The approximate memory size of the commit.
    var size: Int {
        let header = header.map { $0.before.byteCount + $0.after.byteCount } ?? 0
        return changes.reduce(64 + header + MemoryLayout<Shift>.stride * shifts.count) {
            $0 + ($1.before?.size ?? 0) + ($1.after?.size ?? 0)
        }
    }
}

extension Item {
    fileprivate var size: Int { 192 + modifiedBy.utf8.count + textBytes }
}
