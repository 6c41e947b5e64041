/// An actor that runs on an event loop, which is its `unownedExecutor`.
package protocol LoopActor: Actor {
    /// The actor's loop.
    nonisolated var loop: EventLoop { get }
}

extension LoopActor {
    /// Enters the actor synchronously on its loop: from the handler of a watch, a timer or queued work, or from another
    /// actor of the same loop.
    ///
    /// Nothing else can be inside the actor then: only the loop's thread runs its jobs, one at a time, and that thread
    /// is the caller. `assumeIsolated` verifies this with the loop, and traps on any other thread.
    @inline(__always)
    package nonisolated func enter<Value: Sendable>(
        _ body: (isolated Self) throws -> Value, file: StaticString = #fileID, line: UInt = #line
    ) rethrows -> Value {
        try assumeIsolated(body, file: file, line: line)
    }
}
