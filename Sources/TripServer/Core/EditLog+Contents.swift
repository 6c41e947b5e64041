import TripModel
import TripProtocol

extension EditLog {
    /// The content of a log for a snapshot, with each commit stored once.
    struct Contents {
        /// An entry of a stack, by version: the commit to reverse, and the user's original change.
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
            let editor: ClientID?
            let kind: Kind
            let step: Step
        }

        var commits: [Int: Commit] = [:]
        /// The states before and after commits.
        var states: [Int: States] = [:]
        /// The state after the last commit.
        var state = 0
        var stacks: [Stack] = []
        var lines: [Line] = []
        /// The last editors of the items in the stacks; those of other items are never needed.
        var lastEdits: [ItemID: LastEdit] = [:]
        var lastHeaderEdit: LastEdit?
    }

    /// The log's content, all of which must be durable.
    var contents: Contents {
        var contents = Contents()
        contents.state = state
        func step(_ entry: Entry) -> Contents.Step {
            let (commit, origin) = (entry.commit, entry.origin)
            contents.states[commit.version] = entry.states
            contents.commits[commit.version] = commit
            contents.commits[origin.version] = origin
            return Contents.Step(commit: commit.version, origin: origin.version)
        }
        /// The oldest entry with an item, and with the header: earlier edits by others cannot conflict.
        var oldest: [ItemID: Int] = [:]
        var oldestHeader: Int?
        for (editor, stack) in stacks.sorted(by: { $0.key < $1.key }) {
            let undo = stack.undo.entries.map(step)
            let redo = stack.redo.entries.map(step)
            contents.stacks.append(
                Contents.Stack(editor: editor, lastVersion: stack.lastVersion, undo: undo, redo: redo))
            for commit in (stack.undo.entries + stack.redo.entries).map(\.commit) {
                if commit.header?.changesFields == true {
                    oldestHeader = min(oldestHeader ?? .max, commit.version)
                }
                for change in commit.touched {
                    oldest[change.id] = min(oldest[change.id] ?? .max, commit.version)
                }
            }
        }
        for (id, version) in oldest { contents.lastEdits[id] = lastEdits[id]?.since(version) }
        contents.lastHeaderEdit = oldestHeader.flatMap { lastHeaderEdit?.since($0) }
        contents.lines = lines.map {
            Contents.Line(
                at: $0.at, user: $0.user, editor: $0.editor, kind: $0.kind, step: step($0.entry))
        }
        return contents
    }

    /// Restores a log from a snapshot.
    ///
    /// - Throws: `RecordFailure` if a referenced commit is missing.
    init(_ contents: Contents, of trip: Trip) throws(RecordFailure) {
        self.init()
        func commit(_ version: Int) throws(RecordFailure) -> Commit {
            guard let commit = contents.commits[version] else {
                throw RecordFailure("version \(version) is referred to and does not exist")
            }
            return commit
        }
        func entry(_ step: Contents.Step) throws(RecordFailure) -> Entry {
            Entry(
                commit: try commit(step.commit), origin: try commit(step.origin),
                states: contents.states[step.commit])
        }
        func entries(_ steps: [Contents.Step]) throws(RecordFailure) -> [Entry] {
            var entries: [Entry] = []
            for step in steps {
                entries.append(try entry(step))
            }
            return entries
        }
        for stack in contents.stacks {
            var stacks = EditStacks()
            stacks.undo = EditStack(try entries(stack.undo))
            stacks.redo = EditStack(try entries(stack.redo))
            stacks.lastVersion = stack.lastVersion
            self.stacks[stack.editor] = stacks
        }
        for line in contents.lines {
            add(
                Line(
                    at: line.at, user: line.user, editor: line.editor, kind: line.kind,
                    entry: try entry(line.step)))
        }
        state = contents.state
        lastEdits = contents.lastEdits
        for (item, edit) in contents.lastEdits where trip[item] == nil {
            lastEdits[item]?.isRemoval = true
            removals.append(Removal(item: item, version: edit.version))
        }
        removals.sort { ($0.version, $0.item) < ($1.version, $1.item) }
        lastHeaderEdit = contents.lastHeaderEdit
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
