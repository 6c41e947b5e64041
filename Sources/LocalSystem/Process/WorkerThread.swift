import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A thread for blocking work, outside the concurrency thread pool. It is joined at the latest when this
/// value is destroyed.
package struct WorkerThread: ~Copyable {
    /// The scheduling priority of a thread when the processors are busy.
    package enum Urgency: Sendable {
        case usual
        /// For long work that is not urgent.
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
            if urgency == .low { lowerPriority() }
            shim_limit_time_slice(WorkerThread.timeSlice)
            work()
        }
    }

    /// Nanoseconds after which an event loop on the same processor gets its turn; a system's default is some milliseconds,
    /// for which everybody would wait.
    private static let timeSlice: UInt64 = 200_000

    private let handle: pthread_t

    /// Starts a thread that runs `work`.
    package init(urgency: Urgency = .usual, _ work: @escaping @Sendable () -> Void) throws(SystemError) {
        let body = Unmanaged.passRetained(Body(urgency, work))
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

    /// Runs a job on the calling thread. During a job of low urgency the thread yields after each time slice, because some
    /// kernels preempt only at the timer tick, every few milliseconds.
    package static func run(_ job: () -> Void, _ urgency: Urgency) {
        guard urgency == .low else { return job() }
        let timer = shim_begin_yielding(timeSlice)
        job()
        shim_end_yielding(timer)
    }

    /// Waits until the thread's work has returned.
    package consuming func join() {}
}

/// Lowers the priority of the calling thread, if the system allows.
private func lowerPriority() {
    #if canImport(Darwin)
    pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
    #else
    // On Linux the priority belongs to a thread, and 0 means the calling one. On one processor the event loop needs most
    // of it, because everybody waits for the loop; at 19 a worker stands still while another program uses all processors.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
    #endif
}

/// Identifies the calling thread; never 0.
func currentThread() -> UInt {
    #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
    #else
    UInt(pthread_self())
    #endif
}
