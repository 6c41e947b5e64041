/// An actor that lives on an event loop: the loop is its `unownedExecutor`.
package protocol LoopActor: Actor {
    /// The loop that it lives on.
    nonisolated var loop: EventLoop { get }
}

extension LoopActor {
    /// Enters the actor at once, from its loop: from the handler of a watch, a timer or queued work, or from another actor
    /// of the same loop.
    ///
    /// Nothing else can be inside it then. Only the loop's thread runs its jobs, one at a time, and that thread is here.
    /// `assumeIsolated` asks the loop whether it is, and traps elsewhere.
    @inline(__always)
    package nonisolated func enter<Value: Sendable>(
        _ body: (isolated Self) throws -> Value, file: StaticString = #fileID, line: UInt = #line
    ) rethrows -> Value {
        try assumeIsolated(body, file: file, line: line)
    }
}
