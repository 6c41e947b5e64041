import TripModel
import TripProtocol

/// What has been done to a trip lately: for undo and redo by client, and for the history that people read.
///
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

    /// One commit that its client may take back.
    struct Entry {
        let commit: Commit
        /// What the user did in the first place, where the commit itself undid it or did it again.
        let origin: Commit
        /// Bytes that it takes, about.
        let size: Int

        init(commit: Commit, origin: Commit) {
            self.commit = commit
            self.origin = origin
            size = commit.size + (origin.version == commit.version ? 0 : origin.size)
        }

        var reversal: Reversal { Reversal(of: commit) }
        /// What the user did, in words without a subject.
        var summary: String { origin.summary }
    }

    /// One line of the history.
    struct Line {
        let at: Timestamp
        let user: String
        let kind: Kind
        let commit: Commit
        let origin: Commit
    }

    /// Commits that a client can take back, at the least.
    static let depth = 200
    /// Clients whose commits can be taken back.
    static let maximumClients = 64
    /// Bytes of what one client can take back or do again, and of what all of a trip can: past them the oldest
    /// goes, and the clients that are silent longest, but never the last change.
    static let maximumStackBytes = 4 << 20
    static let maximumBytes = 16 << 20
    /// Lines of history that are kept, at the least, and the bytes of all of them, past which the oldest go.
    static let maximumLines = 1000
    static let maximumLineBytes = 8 << 20
    /// Removed items of which is known who touched them last, at the least.
    static let maximumRemoved = 10_000

    var stacks: [ClientID: EditStacks] = [:]
    private(set) var lines: [Line] = []
    /// Bytes of the lines, about.
    private(set) var lineBytes = 0
    /// Who edited each item last; also of removed ones, as far as they are remembered.
    var lastEditor: [ItemID: ClientID] = [:]
    var lastHeaderEditor: ClientID?
    var removed: [ItemID] = []
    /// How to take back what the commits did that are not durable yet, oldest first.
    private var takebacks: [Takeback] = []

    private struct Takeback {
        let version: Int
        let client: ClientID
        let stacks: EditStacks.Takeback
        let editors: [(item: ItemID, client: ClientID?)]
        let headerEditor: ClientID?
    }

    /// Takes note of a commit.
    mutating func record(_ commit: Commit, _ kind: Kind, client: ClientID, user: String, at: Timestamp) {
        let commit = commit.undoable
        if stacks[client] == nil, stacks.count >= Self.maximumClients { forgetSilentClient() }
        let (origin, takeback) = stacks[client, default: EditStacks()].push(commit, kind)
        var editors: [(item: ItemID, client: ClientID?)] = []
        let headerEditor = lastHeaderEditor
        for change in Reversal(of: commit).items {
            editors.append((change.id, lastEditor.updateValue(client, forKey: change.id)))
            if change.after == nil { forgetLongRemoved(adding: change.id) }
        }
        if commit.headerBefore != nil { lastHeaderEditor = client }
        takebacks.append(
            Takeback(
                version: commit.version, client: client, stacks: takeback, editors: editors,
                headerEditor: headerEditor))
        add(Line(at: at, user: user, kind: kind, commit: commit, origin: origin))
        var size = stacks.values.reduce(0) { $0 + $1.size }
        while size > Self.maximumBytes, stacks.count > 1 { size -= forgetSilentClient() }
    }

    /// Adds a line to the history, and drops the oldest where there is no room for it.
    mutating func add(_ line: Line) {
        lines.append(line)
        lineBytes += line.size
        // Trimmed in blocks, so that a commit does not move the whole array.
        guard lines.count > 2 * Self.maximumLines || lineBytes > Self.maximumLineBytes else { return }
        var count = max(0, lines.count - Self.maximumLines)
        var rest = lineBytes - lines[..<count].reduce(0) { $0 + $1.size }
        while rest > Self.maximumLineBytes / 4 * 3, count < lines.count - 1 {
            rest -= lines[count].size
            count += 1
        }
        lines.removeFirst(count)
        lineBytes = rest
    }

    /// Everything up to a version is durable and stays.
    mutating func settle(upTo version: Int) {
        let count = takebacks.partitioningIndex { $0.version > version }
        takebacks.removeFirst(count)
    }

    /// Takes back everything that is not durable.
    mutating func rollBack() {
        for takeback in takebacks.reversed() {
            stacks[takeback.client]?.takeBack(takeback.stacks)
            for editor in takeback.editors { lastEditor[editor.item] = editor.client }
            lastHeaderEditor = takeback.headerEditor
            if let line = lines.last, line.commit.version == takeback.version {
                lineBytes -= line.size
                lines.removeLast()
            }
        }
        takebacks = []
    }

    /// What the client's next undo, or redo, takes back.
    func next(_ kind: Kind, of client: ClientID) -> Entry? {
        stacks[client]?.next(kind)
    }

    /// Bytes of what a client can take back or do again, about.
    func size(of client: ClientID) -> Int { stacks[client]?.size ?? 0 }

    /// Forgets an entry that leads nowhere: everything is as it would make it.
    mutating func drop(_ kind: Kind, of client: ClientID) {
        stacks[client]?.drop(kind)
    }

    /// Whether somebody else has touched what an entry would take back.
    func isTouchedByOthers(_ entry: Entry, than client: ClientID) -> Bool {
        if entry.commit.headerBefore != nil, lastHeaderEditor != client { return true }
        return entry.reversal.items.contains { lastEditor[$0.id] != client }
    }

    /// - Returns: the bytes that this frees.
    @discardableResult
    private mutating func forgetSilentClient() -> Int {
        guard let silent = stacks.min(by: { $0.value.lastVersion < $1.value.lastVersion }) else { return 0 }
        stacks[silent.key] = nil
        return silent.value.size
    }

    private mutating func forgetLongRemoved(adding id: ItemID) {
        removed.append(id)
        guard removed.count >= Self.maximumRemoved * 2 else { return }
        // One that came back meanwhile then counts as touched by others, which only refuses an undo.
        for old in removed.prefix(Self.maximumRemoved) { lastEditor[old] = nil }
        removed.removeFirst(Self.maximumRemoved)
    }
}

extension EditLog.Line {
    /// Bytes that it takes where nothing else holds its commits, about.
    var size: Int { commit.size + (origin.version == commit.version ? 0 : origin.size) }

    var version: Int { commit.version }

    /// What was done, in words without a subject.
    var summary: String {
        switch kind {
        case .edit: commit.summary
        case .undo: "undid: \(origin.summary)"
        case .redo: "did again: \(origin.summary)"
        }
    }

    /// What became of one item, or of the trip itself.
    struct Operation {
        let name: String
        let item: ItemID?
        let title: String?
    }

    var operations: [Operation] {
        var operations = commit.changes.filter(\.isEdit).map { change in
            let name =
                switch (change.before, change.after) {
                case (nil, _): "add"
                case (_, nil): "remove"
                case (let before?, let after?): before.content == after.content ? "move" : "update"
                }
            return Operation(
                name: name, item: change.id, title: (change.after ?? change.before)?.content.title)
        }
        if commit.headerBefore != nil { operations.append(Operation(name: "trip", item: nil, title: nil)) }
        return operations
    }
}
