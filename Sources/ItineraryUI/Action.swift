/// What a key can mean.
package enum Action: Hashable, Sendable {
    case up, down, previousDay, nextDay, first, last
    case lift, drop, cancel
    /// To the next place that is allowed.
    case nudgeUp, nudgeDown
    case add, rename, remove, undo, redo
    /// To the next row that has a problem.
    case nextProblem
    case help, quit, suspend
    case accept, left, right, eraseBackward, eraseForward, eraseWord, eraseToStart
}
