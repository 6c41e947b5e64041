/// The processes that this one has started and whose end nobody waits for.
package enum StartedChildren {
    private static let running = Guarded<[ChildProcess]>([])

    /// Takes note of one.
    package static func add(_ child: ChildProcess) { running.withLock { $0.append(child) } }

    /// Takes note of those that have ended; to be called when a child has.
    package static func reap() {
        running.withLock { children in
            children.removeAll { child in
                if (try? child.poll()) ?? nil != nil { true } else { false }
            }
        }
    }
}
