import TripModel
import TripProtocol

/// The commits and output of a trip that wait to become durable, oldest first.
///
/// The undo stacks, the history and the known sequence numbers contain only durable commits. Requests are checked
/// against them and against this queue, so a failed write only drops the queue.
struct InFlight: Sendable {
    /// Something that happens when a version is durable.
    struct Entry {
        let version: Int
        let body: Body
    }

    enum Body {
        case effects([Effect])
        case commit(PendingCommit)
        /// The editor's next undo or redo can never succeed.
        case discard(EditLog.Kind, of: ClientID)
        case creation(Ticket?)
        case deletion(Ticket)
    }

    private(set) var entries: [Entry] = []
    /// The state after the last commit; nil if there is none.
    private(set) var state: Int?
    /// The highest sequence number of each client, so that a new number is recognized at once.
    private var highest: [ClientID: Int] = [:]
    /// The stacks of editors who undo while commits are in flight, including those commits.
    private var stacks: [ClientID: EditStacks] = [:]

    var isEmpty: Bool { entries.isEmpty }

    /// The commits, oldest first.
    var commits: [Commit] { pending.map(\.commit) }

    var pending: some Sequence<PendingCommit> {
        entries.lazy.compactMap { if case .commit(let pending) = $0.body { pending } else { nil } }
    }

    mutating func append(_ body: Body, at version: Int) {
        switch body {
        case .commit(let pending):
            state = pending.line.entry.states?.after
            if let repeatable = pending.repeatable { highest[repeatable.client] = repeatable.answer.seq }
            if !stacks.isEmpty { stacks[pending.editor]?.push(pending.line) }
        case .discard(let kind, let editor): stacks[editor]?.discard(kind)
        case .effects, .creation, .deletion: break
        }
        entries.append(Entry(version: version, body: body))
    }

    /// Inserts effects that wait only for an earlier version.
    mutating func insert(_ effects: [Effect], at version: Int) {
        let place = entries.firstIndex { $0.version > version } ?? entries.endIndex
        entries.insert(Entry(version: version, body: .effects(effects)), at: place)
    }

    /// Removes the oldest entries, which have become durable.
    mutating func removeFirst(_ count: Int) {
        entries.removeFirst(count)
        guard entries.isEmpty else { return }
        state = nil
        if !highest.isEmpty { highest.removeAll(keepingCapacity: true) }
        if !stacks.isEmpty { stacks = [:] }
    }

    // MARK: Checking requests

    /// The cached answer to a sequence number in flight.
    func answer(to seq: Int, of client: ClientID) -> RetryTable.Answer? {
        guard mayContain(seq, of: client) else { return nil }
        let repeatable = pending.compactMap(\.repeatable).last { $0.client == client && $0.answer.seq == seq }
        return repeatable?.answer
    }

    /// Whether the client has a change in flight with this or a higher number.
    func mayContain(_ seq: Int, of client: ClientID) -> Bool { highest[client].map { seq <= $0 } ?? false }

    /// The stacks of an editor, including the commits and discards in flight.
    func stacks(of editor: ClientID, on stored: EditStacks?) -> EditStacks? {
        if let known = stacks[editor] { return known }
        guard !entries.isEmpty else { return stored }
        var stacks = stored ?? EditStacks()
        for entry in entries {
            switch entry.body {
            case .commit(let pending) where pending.editor == editor: stacks.push(pending.line)
            case .discard(let kind, of: editor): stacks.discard(kind)
            default: continue
            }
        }
        return stacks
    }

    /// Keeps the stacks of an editor who undoes, so that the next undo does not scan the whole queue again.
    mutating func keep(_ stacks: EditStacks?, of editor: ClientID) {
        if !entries.isEmpty { self.stacks[editor] = stacks }
    }

    /// Whether a commit of somebody else after a version changes one of the parts.
    func changes(_ parts: @autoclosure () -> UndoneParts, after version: Int, otherThan editor: ClientID)
        -> Bool
    {
        let others = pending.filter { $0.commit.version > version && $0.editor != editor }
        guard !others.isEmpty else { return false }
        let parts = parts()
        return others.contains { parts.areChanged(by: $0.commit) }
    }
}

/// A commit that is not durable yet.
final class PendingCommit: Sendable {
    let commit: Commit
    let editor: ClientID
    let line: EditLog.Line
    /// The cached answer, if the request has a sequence number.
    let repeatable: (client: ClientID, answer: RetryTable.Answer)?
    /// Whether it may change the trip's problems.
    let mayChangeProblems: Bool
    /// The encoded delta for subscribers that keep up; nil if there were none.
    let delta: [UInt8]?
    let ticket: Ticket
    let answer: [UInt8]
    /// The effects after the answer, such as the end of the drag that a drop ends.
    let after: [Effect]

    init(
        commit: Commit, editor: ClientID, line: EditLog.Line,
        repeatable: (client: ClientID, answer: RetryTable.Answer)?, mayChangeProblems: Bool,
        delta: [UInt8]?, ticket: Ticket, answer: [UInt8], after: [Effect]
    ) {
        self.commit = commit
        self.editor = editor
        self.line = line
        self.repeatable = repeatable
        self.mayChangeProblems = mayChangeProblems
        self.delta = delta
        self.ticket = ticket
        self.answer = answer
        self.after = after
    }
}

// MARK: - Stored and decided

extension TripCore {
    /// Records an entry that has become durable.
    static func record(_ body: InFlight.Body, in edits: inout EditLog, _ retries: inout RetryTable) {
        switch body {
        case .commit(let pending):
            edits.record(pending.line, of: pending.editor)
            if let (client, answer) = pending.repeatable { retries.cache(answer, of: client) }
        case .discard(let kind, let editor): edits.discard(kind, of: editor)
        case .effects, .creation, .deletion: break
        }
    }

    /// The number of the decided state.
    var state: Int { inFlight.state ?? edits.state }

    /// The entry that the editor's next undo or redo reverses.
    func next(_ kind: EditLog.Kind, of editor: ClientID) -> EditLog.Entry? {
        inFlight.stacks(of: editor, on: edits.stacks[editor])?.next(kind)
    }

    /// Whether the trip is as the entry's commit left it.
    func isExact(_ entry: EditLog.Entry) -> Bool { entry.states?.after == state }

    /// True if anybody else has changed a part since that the undo of the entry would restore.
    func isChangedByOthers(_ entry: EditLog.Entry, than editor: ClientID) -> Bool {
        // Nothing that is stored comes after a commit in flight.
        entry.commit.version <= durable.version && edits.isChangedByOthers(entry, than: editor)
            || inFlight.changes(UndoneParts(of: entry.commit), after: entry.commit.version, otherThan: editor)
    }

    /// Classifies a request with a sequence number.
    func verdict(client: ClientID, seq: Int, fingerprint: UInt64) -> RetryTable.Verdict {
        if let answer = inFlight.answer(to: seq, of: client) { return answer.verdict(fingerprint) }
        let verdict = retries.verdict(client: client, seq: seq, fingerprint: fingerprint)
        return verdict == .new && inFlight.mayContain(seq, of: client) ? .tooOld : verdict
    }
}
