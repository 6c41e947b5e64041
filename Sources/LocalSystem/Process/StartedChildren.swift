/// The child processes that no caller waits for.
package enum StartedChildren {
    /// Receives the exit status of a child process.
    package typealias Witness = @Sendable (ChildProcess.ExitStatus) -> Void

    private static let running = Guarded<[(child: ChildProcess, witness: Witness?)]>([])

    /// Adds a child.
    ///
    /// - Parameter witness: called when `reap` finds that the process has ended.
    package static func add(_ child: ChildProcess, _ witness: Witness? = nil) {
        running.withLock { $0.append((child, witness)) }
    }

    /// Reaps the children that have ended; called when a child has.
    package static func reap() {
        let ended = running.withLock { children in
            var ended: [(witness: Witness?, status: ChildProcess.ExitStatus)] = []
            children.removeAll { child, witness in
                guard let status = (try? child.poll()) ?? nil else { return false }
                ended.append((witness, status))
                return true
            }
            return ended
        }
        for (witness, status) in ended { witness?(status) }
    }
}
