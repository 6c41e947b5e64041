/// What an event loop needs from outside, readiness and time: the system's kernel, or a simulation of one.
///
/// Waiting is one thread's; everything else may be called from any.
package protocol LoopKernel: AnyObject, Sendable {
    /// Time that only goes forward, in nanoseconds.
    var nowNanoseconds: Int64 { get }
    /// Nanoseconds of a processor that the calling thread has had so far.
    var spentNanoseconds: Int64 { get }
    /// Reports events of a descriptor from now on, level triggered.
    func add(_ token: WatchToken, _ interest: Interest) throws(SystemError)
    /// Changes what is reported of a descriptor.
    func change(_ token: WatchToken, from old: Interest, to new: Interest) throws(SystemError)
    /// Reports nothing of a descriptor any more.
    func remove(_ descriptor: Int32, _ interest: Interest) throws(SystemError)
    /// Ends the wait that is going on, or the next one.
    func wake()
    /// Waits for at most `milliseconds`, −1 for ever, and appends the events that came.
    func wait(into events: inout [LoopEvent], milliseconds: Int32)
}

/// What became of one descriptor that a loop watches.
package struct LoopEvent: Sendable {
    /// Whose it is.
    package let token: WatchToken
    /// What it is ready for.
    package let readiness: Readiness

    /// Makes an event.
    package init(token: WatchToken, readiness: Readiness) {
        self.token = token
        self.readiness = readiness
    }
}
