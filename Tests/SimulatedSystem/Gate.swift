import Dispatch
import Synchronization

/// Stops the caller of a disk's calls of one name, the first time, until it is let go.
package struct Gate: Sendable {
    /// Nobody came to the gate in time.
    package struct Timeout: Error {}

    private let entered = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    /// Takes the place of the disk's `onCall`.
    package init(_ disk: SimulatedDisk, at name: String) { self.init(disk) { $0.name == name } }

    /// Stops the first call of those that `stops` is true of; it is asked of each call.
    package init(_ disk: SimulatedDisk, where stops: @escaping @Sendable (SimulatedDisk.Entry) -> Bool) {
        let isFirst = Once()
        disk.onCall { [entered, opened] entry in
            guard stops(entry), isFirst.take() else { return }
            entered.signal()
            // A test that failed never opens; its writer must come to an end all the same.
            _ = opened.wait(timeout: .now() + .seconds(300))
        }
    }

    /// Waits until a caller stands at the gate.
    package func waitUntilEntered() throws {
        if entered.wait(timeout: .now() + .seconds(300)) == .timedOut { throw Timeout() }
    }

    /// Lets the caller through.
    package func open() { opened.signal() }
}

private final class Once: Sendable {
    private let isTaken = Atomic(false)
    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
