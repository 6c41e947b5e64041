import TripModel
import TripProtocol

extension EditLog {
    /// All that a log holds, each commit once: what a snapshot keeps of it.
    struct Kept {
        /// A commit in a stack: what can be taken back, and what the user did in the first place, by version.
        struct Step: Equatable {
            let commit: Int
            let origin: Int
        }

        struct Stack {
            let editor: ClientID
            let lastVersion: Int
            let undo: [Step]
            let redo: [Step]
        }

        struct Line {
            let at: Timestamp
            let user: String
            let kind: Kind
            let step: Step
        }

        var commits: [Int: Commit] = [:]
        var stacks: [Stack] = []
        var lines: [Line] = []
        /// Who edited last what is named in a stack; nobody asks about the rest.
        var lastEdits: [ItemID: LastEdit] = [:]
        var lastHeaderEdit: LastEdit?
    }

    /// What the log holds; everything in it is durable.
    var kept: Kept {
        var kept = Kept()
        func step(_ commit: Commit, _ origin: Commit) -> Kept.Step {
            kept.commits[commit.version] = commit
            kept.commits[origin.version] = origin
            return Kept.Step(commit: commit.version, origin: origin.version)
        }
        /// The oldest entry that names an item, and the header: earlier edits by others conflict with nothing.
        var oldest: [ItemID: Int] = [:]
        var oldestHeader: Int?
        for (editor, stack) in stacks.sorted(by: { $0.key < $1.key }) {
            let undo = stack.undo.entries.map { step($0.commit, $0.origin) }
            let redo = stack.redo.entries.map { step($0.commit, $0.origin) }
            kept.stacks.append(
                Kept.Stack(editor: editor, lastVersion: stack.lastVersion, undo: undo, redo: redo))
            for commit in (stack.undo.entries + stack.redo.entries).map(\.commit) {
                if commit.headerBefore != nil { oldestHeader = min(oldestHeader ?? .max, commit.version) }
                for change in commit.changes where !change.followsWithinMinute {
                    oldest[change.id] = min(oldest[change.id] ?? .max, commit.version)
                }
            }
        }
        for (id, version) in oldest { kept.lastEdits[id] = lastEdits[id]?.since(version) }
        kept.lastHeaderEdit = oldestHeader.flatMap { lastHeaderEdit?.since($0) }
        kept.lines = lines.map {
            Kept.Line(at: $0.at, user: $0.user, kind: $0.kind, step: step($0.commit, $0.origin))
        }
        return kept
    }

    /// The log that held this.
    ///
    /// - Throws: `RecordFailure` where a commit that is named is not there.
    init(_ kept: Kept, of trip: Trip) throws(RecordFailure) {
        self.init()
        func commit(_ version: Int) throws(RecordFailure) -> Commit {
            guard let commit = kept.commits[version] else {
                throw RecordFailure("version \(version) is named and not there")
            }
            return commit
        }
        func entries(_ steps: [Kept.Step]) throws(RecordFailure) -> [Entry] {
            var entries: [Entry] = []
            for step in steps {
                entries.append(Entry(commit: try commit(step.commit), origin: try commit(step.origin)))
            }
            return entries
        }
        for stack in kept.stacks {
            var stacks = EditStacks()
            stacks.undo = EditStack(try entries(stack.undo))
            stacks.redo = EditStack(try entries(stack.redo))
            stacks.lastVersion = stack.lastVersion
            self.stacks[stack.editor] = stacks
        }
        for line in kept.lines {
            add(
                Line(
                    at: line.at, user: line.user, kind: line.kind,
                    entry: Entry(
                        commit: try commit(line.step.commit), origin: try commit(line.step.origin))))
        }
        lastEdits = kept.lastEdits
        for (item, edit) in kept.lastEdits where trip[item] == nil {
            lastEdits[item]?.isRemoval = true
            removals.append(Removal(item: item, version: edit.version))
        }
        removals.sort { ($0.version, $0.item) < ($1.version, $1.item) }
        lastHeaderEdit = kept.lastHeaderEdit
    }
}

extension EditLog.LastEdit {
    /// The same without what was before a version.
    fileprivate func since(_ version: Int) -> Self {
        var edit = self
        if versionOfOthers <= version { edit.versionOfOthers = 0 }
        return edit
    }
}
