#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A thread of its own for work that blocks, kept off Concurrency's pool. It is waited for at the latest when this
/// value's life ends.
package struct WorkerThread: ~Copyable {
    /// Whether a thread's work comes before that of others where all of it finds no room on the processors.
    package enum Urgency: Sendable {
        case usual
        /// It takes long, and nobody waits for it, or somebody who knows that it takes long.
        case low
    }

    private final class Body: Sendable {
        let urgency: Urgency
        let work: @Sendable () -> Void

        init(_ urgency: Urgency, _ work: @escaping @Sendable () -> Void) {
            self.urgency = urgency
            self.work = work
        }

        func run() {
            if urgency == .low { standBack() }
            work()
        }
    }

    private let handle: pthread_t

    /// Starts a thread that runs `work`.
    package init(urgency: Urgency = .usual, _ work: @escaping @Sendable () -> Void) throws(SystemError) {
        let body = Unmanaged.passRetained(Body(urgency, PlantedBug.carried(by: work)))
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
                if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
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

/// Lets the other threads go before the calling one. Where the system does not, it goes on as the others do.
private func standBack() {
    #if canImport(Darwin)
    pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
    #else
    // To Linux the priority is a thread's, and 0 the calling one. A third of the share of the others.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
    #endif
}

/// Names the calling thread; never 0.
func currentThread() -> UInt {
    #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
    #else
    UInt(pthread_self())
    #endif
}
