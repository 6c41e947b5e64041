import LocalSystem
import SimulatedSystem
import TestSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A kernel for one event loop, with simulated wires as descriptors and a listener for new ones. The seed
/// decides the order of ready events.
final class SimulatedKernel: LoopKernel {
    fileprivate struct State {
        var random: SplitMix64
        var watches: [Int32: (token: WatchToken, interest: Interest)] = [:]
        var wires: [Int32: SimulatedWire] = [:]
        /// Watches without interests, which still must be notified of a hang-up, once.
        var armed: Set<Int32> = []
        /// Connections that the daemon has not accepted yet.
        var waiting: [SimulatedWire] = []
        var isOutOfDescriptors = false
    }

    /// The descriptor of the listener.
    static let listener: Int32 = 5

    private let clock: SimulatedClock
    private let disk: SimulatedDisk
    private let state: Guarded<State>

    /// - Parameter disk: the disk of the loop's process. After the process has died in a call of the disk, no
    ///   event is delivered.
    init(clock: SimulatedClock, disk: SimulatedDisk, seed: UInt64) {
        self.clock = clock
        self.disk = disk
        state = Guarded(State(random: SplitMix64(seed: seed)))
    }

    var nowNanoseconds: Int64 { clock.nanoseconds }

    // MARK: Connections

    /// Adds a connection to the accept queue.
    func connect(_ wire: SimulatedWire) { state.withLock { $0.waiting.append(wire) } }

    /// Whether accepting fails for lack of descriptors.
    func setOutOfDescriptors(_ isOut: Bool) { state.withLock { $0.isOutOfDescriptors = isOut } }

    /// The server's end of the oldest waiting connection, with the lowest free descriptor.
    fileprivate func accept() -> Result<SimulatedChannel?, SystemError> {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return .success(nil) }
            if state.isOutOfDescriptors { return .failure(SystemError(call: "accept", code: EMFILE)) }
            let wire = state.waiting.removeFirst()
            var number: Int32 = 10
            while state.watches[number] != nil || state.wires[number]?.isServerClosed == false { number += 1 }
            state.wires[number] = wire
            return .success(SimulatedChannel(wire, of: disk, number: number))
        }
    }

    // MARK: Watching

    func add(_ token: WatchToken, _ interest: Interest) {
        state.withLock { $0.watch(token, interest) }
    }

    func change(_ token: WatchToken, from old: Interest, to new: Interest) {
        state.withLock { $0.watch(token, new) }
    }

    func remove(_ descriptor: Int32, _ interest: Interest) {
        state.withLock { state in
            state.watches[descriptor] = nil
            state.armed.remove(descriptor)
        }
    }

    /// Nothing to wake: the scheduler calls the loop.
    func wake() {}

    func wait(into events: inout [LoopEvent], milliseconds: Int32) {
        let ready = state.withLock { state in
            var ready = state.ready
            for event in ready { state.armed.remove(event.token.descriptor) }
            ready.shuffle(using: &state.random)
            return ready
        }
        events += ready
    }

    /// Whether the next iteration has events.
    var hasEvents: Bool { state.withLock { !$0.ready.isEmpty } }
}

extension SimulatedKernel.State {
    fileprivate mutating func watch(_ token: WatchToken, _ interest: Interest) {
        watches[token.descriptor] = (token, interest)
        if interest.isEmpty { armed.insert(token.descriptor) } else { armed.remove(token.descriptor) }
    }

    fileprivate var ready: [LoopEvent] {
        var ready: [LoopEvent] = []
        for number in watches.keys.sorted() {
            guard let watch = watches[number] else { continue }
            var readiness: Readiness
            if number == SimulatedKernel.listener {
                readiness = waiting.isEmpty ? [] : .readable
            } else {
                readiness = wires[number]?.readiness ?? []
            }
            if !watch.interest.contains(.read) { readiness.remove(.readable) }
            if !watch.interest.contains(.write) { readiness.remove(.writable) }
            if watch.interest.isEmpty, !armed.contains(number) { readiness = [] }
            if !readiness.isEmpty { ready.append(LoopEvent(token: watch.token, readiness: readiness)) }
        }
        return ready
    }
}

/// The listening socket of a simulated kernel.
final class SimulatedListener: ConnectionSource {
    private let kernel: SimulatedKernel

    init(_ kernel: SimulatedKernel) { self.kernel = kernel }

    var rawValue: Int32 { SimulatedKernel.listener }

    func accept() throws(SystemError) -> Arrival? {
        try kernel.accept().get().map { Arrival(channel: $0, userID: 0) }
    }
}
