import Dispatch
import Testing

/// Tests with real processes, one at a time. Each blocks its thread, and all other tests share a pool of few, so these
/// have a thread of their own.
@Suite(.serialized, .onOwnThread) enum EndToEnd {}

/// Runs a suite on one thread outside the pool: also what the library does between its tests, which would wait behind all
/// other tests each time.
struct OwnThread: SuiteTrait, TestScoping {
    private let thread = SerialExecution()

    var isRecursive: Bool { false }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(thread) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    static var onOwnThread: OwnThread { OwnThread() }
}

private final class SerialExecution: TaskExecutor {
    private let queue = DispatchQueue(label: "end-to-end tests")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
