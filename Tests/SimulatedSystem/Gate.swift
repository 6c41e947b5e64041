import Dispatch
import Synchronization

/// Blocks the first disk call of one name until the gate is opened.
package struct Gate: Sendable {
    /// No call came in time.
    package struct Timeout: Error {}

    private let entered = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    /// Replaces the disk's `onCall`.
    package init(_ disk: SimulatedDisk, at name: String) { self.init(disk) { $0.name == name } }

    /// Blocks the first call for which `stops` returns true.
    package init(_ disk: SimulatedDisk, where stops: @escaping @Sendable (SimulatedDisk.Entry) -> Bool) {
        let isFirst = Once()
        disk.onCall { [entered, opened] entry in
            guard stops(entry), isFirst.take() else { return }
            entered.signal()
            // A failed test never opens the gate, but its writer must still end.
            _ = opened.wait(timeout: .now() + .seconds(300))
        }
    }

    /// Waits until a call is blocked.
    package func waitUntilEntered() throws {
        if entered.wait(timeout: .now() + .seconds(300)) == .timedOut { throw Timeout() }
    }

    /// Releases the call.
    package func open() { opened.signal() }
}

private final class Once: Sendable {
    private let isTaken = Atomic(false)
    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
