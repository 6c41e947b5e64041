import TripModel
import TripProtocol

/// What has been done to a trip lately: for undo and redo by editor, and for the history that people read.
///
/// An editor is a person, or a client that names none; both are told apart by one kind of id.
/// Kept as of what is decided. What a commit did to the log can be taken back until it is durable.
struct EditLog {
    /// How a commit came about.
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

    /// One commit that its editor may take back.
    struct Entry {
        let commit: Commit
        /// What the user did in the first place, where the commit itself undid it or did it again.
        let origin: Commit
        /// Bytes that it takes, about. To undo it and do it again brings no other texts, and is not counted: else undoing
        /// would push out what can still be undone.
        let size: Int

        init(commit: Commit, origin: Commit) {
            self.commit = commit
            self.origin = origin
            size = origin.size
        }

        /// The entry of a commit that took another back, or made it again; its own origin where that is not known.
        init(_ commit: Commit, after entry: Entry?) {
            self.commit = commit
            origin = entry?.origin ?? commit
            size = entry?.size ?? commit.size
        }

        /// What the user did, in words without a subject.
        var summary: String { origin.summary }
    }

    /// One line of the history.
    struct Line {
        let at: Timestamp
        let user: String
        let kind: Kind
        /// The commit as its editor may take it back.
        let entry: Entry

        var commit: Commit { entry.commit }
        var origin: Commit { entry.origin }
        /// Bytes that it takes where nothing else holds its commits, about.
        let size: Int

        init(at: Timestamp, user: String, kind: Kind, entry: Entry) {
            self.at = at
            self.user = user
            self.kind = kind
            self.entry = entry
            let isOrigin = entry.commit.version == entry.origin.version
            size = entry.size + (isOrigin ? 0 : entry.commit.size)
        }
    }

    /// Who edited something last, and when somebody else did.
    struct LastEdit: Equatable {
        let editor: ClientID
        let version: Int
        /// The version of the last edit by anybody else; 0 where there was none, or none that matters.
        var versionOfOthers = 0
        /// Whether it took the item out of the trip.
        var isRemoval = false

        /// The version of the last edit by anybody but an editor.
        func version(ofOthersThan editor: ClientID) -> Int {
            self.editor == editor ? versionOfOthers : version
        }

        /// The same after one more edit.
        func followed(by editor: ClientID, version: Int, isRemoval: Bool = false) -> LastEdit {
            LastEdit(
                editor: editor, version: version, versionOfOthers: self.version(ofOthersThan: editor),
                isRemoval: isRemoval)
        }
    }

    /// The fewest commits that an editor can take back.
    static let depth = 200
    /// Editors whose commits can be taken back.
    static let maximumClients = 64
    /// Bytes of what one editor can undo or redo, and of what all editors of a trip can. Above them the oldest entry is
    /// dropped, or the editor whose last commit is oldest, but never the last change. The largest change fits.
    static let maximumStackBytes = WireLimits.undoBytes
    static let maximumBytes = maximumStackBytes + (16 << 20)
    /// The fewest lines of history that are kept, and the bytes of all of them, past which the oldest go.
    static let maximumLines = 1000
    static let maximumLineBytes = 8 << 20
    /// Removed items of which is known who touched them last, at the least: as many as all that can be undone may name,
    /// an item taking more than 192 bytes there. Past them they are forgotten by so many at once.
    static let maximumRemoved = maximumBytes / 192
    static let removedBlock = 16_384

    var stacks: [ClientID: EditStacks] = [:]
    private(set) var lines: [Line] = []
    /// Bytes of the lines, about.
    private(set) var lineBytes = 0
    /// Who edited each item last; also of removed ones, as far as they are remembered.
    var lastEdits: [ItemID: LastEdit] = [:]
    var lastHeaderEdit: LastEdit?
    /// Removals, oldest first; also of items that have come back since.
    var removals: [Removal] = []
    /// How to take back what the commits did that are not durable yet, oldest first.
    private var takebacks: [Takeback] = []

    struct Removal {
        let item: ItemID
        let version: Int
    }

    /// What a commit did to the log. What had to go for it is kept for as long: a change that fails costs nothing.
    private struct Takeback {
        let version: Int
        let editor: ClientID
        let stacks: EditStacks.Takeback
        /// The version of the editor's last commit before it; nil where the editor had none.
        var lastVersion: Int?
        var edits: [(item: ItemID, edit: LastEdit?)] = []
        var headerEdit: LastEdit?
        /// How many items it removed.
        var removalCount = 0
        /// Editors that were forgotten for it, in this order.
        var silent: [(editor: ClientID, stacks: EditStacks)] = []
        var droppedLines: [Line] = []
        var forgotten: [(removal: Removal, edit: LastEdit?)] = []
        /// Whether there is a line of the history for it.
        var hasLine = true
    }

    /// Takes note of a commit.
    ///
    /// - Parameter undoes: for an undo or redo, the version of the commit that it takes back.
    mutating func record(
        _ commit: Commit, _ kind: Kind, undoes: Int? = nil, editor: ClientID, user: String, at: Timestamp
    ) {
        let commit = commit.undoable
        let lastVersion = stacks[editor]?.lastVersion
        var silent: [(editor: ClientID, stacks: EditStacks)] = []
        if lastVersion == nil, stacks.count >= Self.maximumClients { silent += forgetSilentEditor() }
        let (entry, takeback) = stacks[editor, default: EditStacks()].push(commit, kind, undoes: undoes)
        var taken = Takeback(
            version: commit.version, editor: editor, stacks: takeback, lastVersion: lastVersion,
            headerEdit: lastHeaderEdit, silent: silent)
        for change in commit.changes where !change.followsWithinMinute {
            if let index = lastEdits.index(forKey: change.id) {
                let last = lastEdits.values[index]
                taken.edits.append((change.id, last))
                lastEdits.values[index] = last.followed(
                    by: editor, version: commit.version, isRemoval: change.isRemoval)
            } else {
                taken.edits.append((change.id, nil))
                lastEdits[change.id] = LastEdit(
                    editor: editor, version: commit.version, isRemoval: change.isRemoval)
            }
            if change.isRemoval {
                removals.append(Removal(item: change.id, version: commit.version))
                taken.removalCount += 1
            }
        }
        taken.forgotten = forgetLongRemoved()
        if commit.headerBefore != nil {
            lastHeaderEdit =
                lastHeaderEdit?.followed(by: editor, version: commit.version)
                ?? LastEdit(editor: editor, version: commit.version)
        }
        taken.droppedLines = add(Line(at: at, user: user, kind: kind, entry: entry))
        // What is undone takes no more room than it took.
        if kind == .edit {
            var size = stacks.values.reduce(0) { $0 + $1.size }
            while size > Self.maximumBytes, stacks.count > 1 {
                let forgotten = forgetSilentEditor()
                size -= forgotten.reduce(0) { $0 + $1.stacks.size }
                taken.silent += forgotten
            }
        }
        takebacks.append(taken)
    }

    /// Adds a line to the history, and drops the oldest where there is no room for it.
    ///
    /// - Returns: those that are dropped.
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

    /// Everything up to a version is durable and stays.
    mutating func settle(upTo version: Int) {
        guard let last = takebacks.last else { return }
        if last.version <= version { return takebacks.removeAll(keepingCapacity: takebacks.count <= 64) }
        // Each is passed over once.
        let count = takebacks.firstIndex { $0.version > version } ?? takebacks.count
        takebacks.removeFirst(count)
    }

    /// Takes back everything that is not durable.
    mutating func rollBack() {
        for takeback in takebacks.reversed() {
            stacks[takeback.editor]?.takeBack(takeback.stacks)
            guard takeback.hasLine else { continue }
            if let version = takeback.lastVersion {
                stacks[takeback.editor]?.lastVersion = version
            } else {
                stacks[takeback.editor] = nil
            }
            for (editor, stack) in takeback.silent { stacks[editor] = stack }
            for (removal, edit) in takeback.forgotten { lastEdits[removal.item] = edit }
            removals = takeback.forgotten.map(\.removal) + removals.dropLast(takeback.removalCount)
            for (item, edit) in takeback.edits { lastEdits[item] = edit }
            lastHeaderEdit = takeback.headerEdit
            if let line = lines.last, line.commit.version == takeback.version {
                lineBytes -= line.size
                lines.removeLast()
            }
            lines.insert(contentsOf: takeback.droppedLines, at: 0)
            lineBytes += takeback.droppedLines.reduce(0) { $0 + $1.size }
        }
        takebacks = []
    }

    /// What the editor's next undo, or redo, takes back.
    func next(_ kind: Kind, of editor: ClientID) -> Entry? {
        stacks[editor]?.next(kind)
    }

    /// Bytes of what an editor can take back or do again, about.
    func size(of editor: ClientID) -> Int { stacks[editor]?.size ?? 0 }

    /// Gives up an entry that is refused for good.
    ///
    /// - Parameter version: what that rests on, where it is not durable yet: if it is taken back, so is this.
    mutating func giveUp(_ kind: Kind, of editor: ClientID, restingOn version: Int? = nil) {
        guard let entry = stacks[editor]?.giveUp(kind), let version else { return }
        takebacks.append(
            Takeback(version: version, editor: editor, stacks: .givenUp(kind, entry), hasLine: false))
    }

    /// Whether anybody else has edited since what an entry would take back.
    func isTouchedByOthers(_ entry: Entry, than editor: ClientID) -> Bool {
        let version = entry.commit.version
        // What is not remembered counts as edited: that only refuses an undo.
        func isTouched(_ last: LastEdit?) -> Bool {
            last.map { $0.version(ofOthersThan: editor) > version } ?? true
        }
        if entry.commit.headerBefore != nil, isTouched(lastHeaderEdit) { return true }
        return entry.commit.changes.contains { !$0.followsWithinMinute && isTouched(lastEdits[$0.id]) }
    }

    /// - Returns: the one that was silent longest, where there is any.
    private mutating func forgetSilentEditor() -> [(editor: ClientID, stacks: EditStacks)] {
        guard let silent = stacks.min(by: { $0.value.lastVersion < $1.value.lastVersion }) else { return [] }
        stacks[silent.key] = nil
        return [(silent.key, silent.value)]
    }

    /// Forgets who touched the items last that were removed longest ago, and are not back.
    private mutating func forgetLongRemoved() -> [(removal: Removal, edit: LastEdit?)] {
        guard removals.count >= Self.maximumRemoved + Self.removedBlock else { return [] }
        var forgotten: [(removal: Removal, edit: LastEdit?)] = []
        for removal in removals.prefix(Self.removedBlock) {
            let (item, edit) = (removal.item, lastEdits[removal.item])
            forgotten.append((removal, edit))
            // Another edit since then has brought it back, or is a later removal's to tell.
            guard let edit, edit.isRemoval, edit.version == removal.version else { continue }
            lastEdits[item] = nil
        }
        removals.removeFirst(Self.removedBlock)
        return forgotten
    }
}

extension EditLog.Line {
    var version: Int { commit.version }

    /// What was done, in words without a subject.
    var summary: String {
        switch kind {
        case .edit: commit.summary
        case .undo: "undid: \(origin.summary)"
        case .redo: "did again: \(origin.summary)"
        }
    }

    /// The line as it is sent.
    var told: HistoryLine { HistoryLine(at: at, user: user, summary: summary, commit: commit) }
}
