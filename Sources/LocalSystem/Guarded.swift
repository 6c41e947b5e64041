import Synchronization

/// A value that any thread may use, one at a time: a `Mutex` whose order the thread sanitizer sees.
///
/// On Linux the slow path of `Mutex` is inside the standard library, which is built without the sanitizer, so that a
/// contended lock looks like no lock and correct code is reported as a race. The flag repeats the lock's order where
/// the sanitizer looks: each holder acquires what the one before released. Beside the lock it costs nothing.
///
/// It is public, not for the package, so that each use is compiled for its own type; a lock costs a tenth of it then.
public struct Guarded<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let handover = Atomic(false)

    /// Guards an initial value.
    @inlinable
    public init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Calls `body` with the value while nobody else has it; waits for that. Not to be nested on the same value.
    @inlinable @inline(__always)
    public borrowing func withLock<Result, Failure>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) in
            _ = handover.load(ordering: .acquiring)
            defer { handover.store(true, ordering: .releasing) }
            return try body(&value)
        }
    }

    /// Tries the lock: calls `body` with the value if the lock is free, else returns nil at once.
    @inlinable
    public borrowing func withLockIfAvailable<Result, Failure>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try mutex.withLockIfAvailable { value throws(Failure) in
            _ = handover.load(ordering: .acquiring)
            defer { handover.store(true, ordering: .releasing) }
            return try body(&value)
        }
    }
}
