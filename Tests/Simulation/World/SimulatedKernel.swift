import LocalSystem
import SimulatedSystem
import TestSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A kernel for one event loop, whose descriptors are simulated wires, and a listener at which they arrive. It tells
/// what is ready in an order that the seed decides.
final class SimulatedKernel: LoopKernel {
    fileprivate struct State {
        var random: SplitMix64
        var watches: [Int32: (token: WatchToken, interest: Interest)] = [:]
        var wires: [Int32: SimulatedWire] = [:]
        /// Watches that wait for nothing, and are to be told of a hang-up still: edge triggered, once.
        var armed: Set<Int32> = []
        /// Connections that the daemon has not taken yet.
        var waiting: [SimulatedWire] = []
        var isOutOfDescriptors = false
    }

    /// The listener's number.
    static let listener: Int32 = 5

    private let clock: SimulatedClock
    private let disk: SimulatedDisk
    private let state: Guarded<State>

    /// - Parameter disk: the one of the loop's process, which says nothing more once it has died at a call of the disk's.
    init(clock: SimulatedClock, disk: SimulatedDisk, seed: UInt64) {
        self.clock = clock
        self.disk = disk
        state = Guarded(State(random: SplitMix64(seed: seed)))
    }

    var nowNanoseconds: Int64 { clock.nanoseconds }
    var spentNanoseconds: Int64 { clock.nanoseconds }

    // MARK: Connections

    /// Somebody connects.
    func connect(_ wire: SimulatedWire) { state.withLock { $0.waiting.append(wire) } }

    /// Whether no connection can be accepted for lack of descriptors.
    func setOutOfDescriptors(_ isOut: Bool) { state.withLock { $0.isOutOfDescriptors = isOut } }

    /// The server's end of the connection that waits longest, under the lowest number that is free.
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

    /// Nobody waits: the scheduler calls the loop.
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

    /// Whether the next round has an event to handle.
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
