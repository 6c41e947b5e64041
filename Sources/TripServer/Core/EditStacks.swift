import TripModel

/// What one client can undo, and do again.
struct EditStacks {
    /// How to take back what a commit did to the stacks.
    enum Takeback {
        case edit(clearedRedo: [EditLog.Entry])
        case undo(EditLog.Entry?)
        case redo(EditLog.Entry?)
    }

    var undo: [EditLog.Entry] = [] { didSet { measure() } }
    var redo: [EditLog.Entry] = [] { didSet { measure() } }
    /// Bytes of both, about.
    private(set) var size = 0
    /// The version of the client's last commit.
    var lastVersion = 0

    /// Takes in a commit.
    ///
    /// - Returns: what the user did in the first place, and how to take all this back.
    mutating func push(_ commit: Commit, _ kind: EditLog.Kind) -> (origin: Commit, takeback: Takeback) {
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
            let popped = undo.popLast()
            let origin = popped?.origin ?? commit
            redo.append(EditLog.Entry(commit: commit, origin: origin))
            return (origin, .undo(popped))
        case .redo:
            let popped = redo.popLast()
            let origin = popped?.origin ?? commit
            undo.append(EditLog.Entry(commit: commit, origin: origin))
            return (origin, .redo(popped))
        }
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
            if let popped { undo.append(popped) }
        case .redo(let popped):
            _ = undo.popLast()
            if let popped { redo.append(popped) }
        }
    }

    func next(_ kind: EditLog.Kind) -> EditLog.Entry? {
        switch kind {
        case .undo: undo.last
        case .redo: redo.last
        case .edit: nil
        }
    }

    mutating func drop(_ kind: EditLog.Kind) {
        switch kind {
        case .undo: _ = undo.popLast()
        case .redo: _ = redo.popLast()
        case .edit: break
        }
    }
}
