import TripModel
import TripProtocol

/// What has been done to a trip lately: for undo and redo by client, and for the history that people read.
struct EditLog {
    /// One commit that its client may undo.
    struct Entry {
        let reversal: Reversal
        /// What it did, without its subject.
        let summary: String
    }

    /// One line of the history.
    struct Line {
        let version: Int
        let at: Timestamp
        let user: String
        let summary: String
        let operations: [Operation]
    }

    /// What became of one item, or of the trip itself.
    struct Operation {
        let name: String
        let item: ItemID?
        let title: String?
    }

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

    /// Commits that a client can take back.
    static let depth = 200
    /// Clients whose commits can be taken back.
    static let maximumClients = 64
    /// Lines of history that are kept.
    static let maximumLines = 1000
    /// Removed items of which is known who touched them last.
    static let maximumRemoved = 10_000

    private struct Stacks {
        var undo: [Entry] = []
        var redo: [Entry] = []
        var lastVersion = 0
    }

    private var stacks: [ClientID: Stacks] = [:]
    private(set) var lines: [Line] = []
    /// Who edited each item last; also of removed ones, as far as they are remembered.
    private var lastEditor: [ItemID: ClientID] = [:]
    private var lastHeaderEditor: ClientID?
    private var removed: [ItemID] = []

    /// Takes note of a commit.
    mutating func record(_ commit: Commit, _ kind: Kind, client: ClientID, user: String, at: Timestamp) {
        let reversal = Reversal(of: commit)
        if stacks[client] == nil, stacks.count >= Self.maximumClients { forgetSilentClient() }
        var own = stacks[client] ?? Stacks()
        own.lastVersion = commit.version
        let summary: String
        switch kind {
        case .edit:
            summary = commit.summary
            own.undo.append(Entry(reversal: reversal, summary: summary))
            own.redo = []
        case .undo:
            summary = own.undo.popLast()?.summary ?? commit.summary
            own.redo.append(Entry(reversal: reversal, summary: summary))
        case .redo:
            summary = own.redo.popLast()?.summary ?? commit.summary
            own.undo.append(Entry(reversal: reversal, summary: summary))
        }
        if own.undo.count > Self.depth { own.undo.removeFirst(own.undo.count - Self.depth) }
        stacks[client] = own
        for change in reversal.items {
            lastEditor[change.id] = client
            if change.after == nil { forgetLongRemoved(adding: change.id) }
        }
        if reversal.header != nil { lastHeaderEditor = client }
        append(commit, kind, summary, user: user, at: at)
    }

    /// What the client's next undo, or redo, takes back.
    func next(_ kind: Kind, of client: ClientID) -> Entry? {
        switch kind {
        case .undo: stacks[client]?.undo.last
        case .redo: stacks[client]?.redo.last
        case .edit: nil
        }
    }

    /// Forgets an entry that leads nowhere: everything is as it would make it.
    mutating func drop(_ kind: Kind, of client: ClientID) {
        switch kind {
        case .undo: _ = stacks[client]?.undo.popLast()
        case .redo: _ = stacks[client]?.redo.popLast()
        case .edit: break
        }
    }

    /// Whether somebody else has touched what an entry would take back.
    func isTouchedByOthers(_ entry: Entry, than client: ClientID) -> Bool {
        if entry.reversal.header != nil, lastHeaderEditor != client { return true }
        return entry.reversal.items.contains { lastEditor[$0.id] != client }
    }

    private mutating func append(
        _ commit: Commit, _ kind: Kind, _ summary: String, user: String, at: Timestamp
    ) {
        let prefix =
            switch kind {
            case .edit: ""
            case .undo: "undid: "
            case .redo: "did again: "
            }
        lines.append(
            Line(
                version: commit.version, at: at, user: user, summary: prefix + summary,
                operations: Self.operations(of: commit)))
        // Trimmed in blocks, so that a commit does not move the whole array.
        if lines.count >= Self.maximumLines * 2 { lines.removeFirst(lines.count - Self.maximumLines) }
    }

    private static func operations(of commit: Commit) -> [Operation] {
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

    private mutating func forgetSilentClient() {
        if let silent = stacks.min(by: { $0.value.lastVersion < $1.value.lastVersion }) {
            stacks[silent.key] = nil
        }
    }

    private mutating func forgetLongRemoved(adding id: ItemID) {
        removed.append(id)
        guard removed.count >= Self.maximumRemoved * 2 else { return }
        for old in removed.prefix(Self.maximumRemoved) { lastEditor[old] = nil }
        removed.removeFirst(Self.maximumRemoved)
    }
}
