#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A thread of its own for work that blocks, kept off Concurrency's pool. It is waited for at the latest when this
/// value's life ends.
package struct WorkerThread: ~Copyable {
    private final class Body: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }

    private let handle: pthread_t

    /// Starts a thread that runs `work`.
    package init(_ work: @escaping @Sendable () -> Void) throws(SystemError) {
        let body = Unmanaged.passRetained(Body(PlantedBug.carried(by: work)))
        #if canImport(Darwin)
        var created: pthread_t?
        #else
        var created: pthread_t = 0
        #endif
        let code = pthread_create(
            &created, nil,
            { argument in
                // Optional on one system, not on the other.
                let body: UnsafeMutableRawPointer? = argument
                if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().work() }
                return nil
            }, body.toOpaque())
        if code != 0 {
            body.release()
            throw SystemError(call: "pthread_create", code: code)
        }
        #if canImport(Darwin)
        guard let created else { preconditionFailure("pthread_create succeeded without a thread") }
        #endif
        handle = created
    }

    deinit {
        let code = pthread_join(handle, nil)
        precondition(code == 0, "a worker thread is joined by another thread")
    }

    /// Waits until the thread's work has returned.
    package consuming func join() {}
}

/// Names the calling thread; never 0.
func currentThread() -> UInt {
    #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
    #else
    UInt(pthread_self())
    #endif
}
