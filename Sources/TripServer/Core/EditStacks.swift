import TripModel

/// What one editor can undo, and do again.
struct EditStacks {
    /// How to take back what a commit, or a refusal for good, did to the stacks.
    enum Takeback {
        case edit(clearedRedo: [EditLog.Entry])
        /// The entries that the stack lost, the one taken back the first of them.
        case undo([EditLog.Entry])
        case redo([EditLog.Entry])
        case givenUp(EditLog.Kind, EditLog.Entry)
    }

    var undo: [EditLog.Entry] = [] { didSet { measure() } }
    var redo: [EditLog.Entry] = [] { didSet { measure() } }
    /// Bytes of both, about.
    private(set) var size = 0
    /// The version of the editor's last commit.
    var lastVersion = 0

    /// Takes in a commit.
    ///
    /// - Parameter undoes: for an undo or redo, the version of the commit that it takes back; nil for the last one, as
    ///   an older daemon wrote it.
    /// - Returns: what the user did in the first place, and how to take all this back.
    mutating func push(
        _ commit: Commit, _ kind: EditLog.Kind, undoes: Int?
    ) -> (origin: Commit, takeback: Takeback) {
        lastVersion = commit.version
        defer { trim() }
        switch kind {
        case .edit:
            let cleared = redo
            redo = []
            // Trimmed in blocks, so that a commit does not move the whole array.
            if undo.count >= 2 * EditLog.depth { undo.removeFirst(undo.count - EditLog.depth) }
            undo.append(EditLog.Entry(commit: commit, origin: commit))
            return (commit, .edit(clearedRedo: cleared))
        case .undo:
            let popped = Self.pop(undoes, from: &undo)
            let origin = popped.first?.origin ?? commit
            redo.append(EditLog.Entry(commit: commit, origin: origin))
            return (origin, .undo(popped))
        case .redo:
            let popped = Self.pop(undoes, from: &redo)
            let origin = popped.first?.origin ?? commit
            undo.append(EditLog.Entry(commit: commit, origin: origin))
            return (origin, .redo(popped))
        }
    }

    /// Takes an entry off a stack, and those above it, which had been given up.
    private static func pop(_ version: Int?, from stack: inout [EditLog.Entry]) -> [EditLog.Entry] {
        let index =
            version.map { version in stack.lastIndex { $0.commit.version == version } } ?? stack.indices.last
        guard let index else { return [] }
        let popped = Array(stack[index...])
        stack.removeSubrange(index...)
        return popped
    }

    /// Drops the oldest where they are too large together, but never the one that was pushed last.
    private mutating func trim() {
        while size > EditLog.maximumStackBytes, undo.count + redo.count > 1 {
            // What was pushed last stands at the end of one of them.
            if undo.first.map({ $0.commit.version < lastVersion }) == true {
                undo.removeFirst()
            } else {
                redo.removeFirst()
            }
        }
    }

    private mutating func measure() {
        size = undo.reduce(0) { $0 + $1.size } + redo.reduce(0) { $0 + $1.size }
    }

    mutating func takeBack(_ takeback: Takeback) {
        switch takeback {
        case .edit(let cleared):
            _ = undo.popLast()
            redo = cleared
        case .undo(let popped):
            _ = redo.popLast()
            undo += popped
        case .redo(let popped):
            _ = undo.popLast()
            redo += popped
        case .givenUp(.redo, let entry): redo.append(entry)
        case .givenUp(_, let entry): undo.append(entry)
        }
    }

    func next(_ kind: EditLog.Kind) -> EditLog.Entry? {
        switch kind {
        case .undo: undo.last
        case .redo: redo.last
        case .edit: nil
        }
    }

    /// Takes the next entry off its stack, without having done anything by it.
    mutating func giveUp(_ kind: EditLog.Kind) -> EditLog.Entry? {
        switch kind {
        case .undo: undo.popLast()
        case .redo: redo.popLast()
        case .edit: nil
        }
    }
}
