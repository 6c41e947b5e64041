/// The interface of an event loop to the system: readiness and time. There is a real and a simulated implementation.
///
/// Only one thread waits; all other functions may be called from any thread.
package protocol LoopKernel: AnyObject, Sendable {
    /// Monotonic time in nanoseconds.
    var nowNanoseconds: Int64 { get }
    /// Starts to report events of a descriptor, level triggered.
    func add(_ token: WatchToken, _ interest: Interest) throws(SystemError)
    /// Changes the reported events of a descriptor.
    func change(_ token: WatchToken, from old: Interest, to new: Interest) throws(SystemError)
    /// Stops reporting events of a descriptor.
    func remove(_ descriptor: Int32, _ interest: Interest) throws(SystemError)
    /// Ends the current wait, or the next one.
    func wake()
    /// Waits for at most `milliseconds`, −1 for no timeout, and appends the events.
    func wait(into events: inout [LoopEvent], milliseconds: Int32)
}

/// An event of a watched descriptor.
package struct LoopEvent: Sendable {
    /// The watch.
    package let token: WatchToken
    /// Its readiness.
    package let readiness: Readiness

    package init(token: WatchToken, readiness: Readiness) {
        self.token = token
        self.readiness = readiness
    }
}
