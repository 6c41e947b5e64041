import LocalSystem
import TestSupport

/// A kernel for one event loop, whose descriptors are simulated wires. It tells what is ready in an order that the
/// seed decides.
final class SimulatedKernel: LoopKernel {
    private struct State {
        var random: SplitMix64
        var watches: [Int32: (token: WatchToken, interest: Interest)] = [:]
        var wires: [Int32: SimulatedWire] = [:]
    }

    private let clock: SimulatedClock
    private let state: Guarded<State>

    init(clock: SimulatedClock, seed: UInt64) {
        self.clock = clock
        state = Guarded(State(random: SplitMix64(seed: seed)))
    }

    var nowNanoseconds: Int64 { clock.nanoseconds }

    /// The server's end of a wire, under the lowest number that is free.
    func accept(_ wire: SimulatedWire) -> SimulatedChannel {
        state.withLock { state in
            var number: Int32 = 10
            while state.watches[number] != nil || state.wires[number]?.isServerClosed == false { number += 1 }
            state.wires[number] = wire
            return SimulatedChannel(wire, number: number)
        }
    }

    func add(_ token: WatchToken, _ interest: Interest) {
        state.withLock { $0.watches[token.descriptor] = (token, interest) }
    }

    func change(_ token: WatchToken, from old: Interest, to new: Interest) {
        state.withLock { $0.watches[token.descriptor] = (token, new) }
    }

    func remove(_ descriptor: Int32, _ interest: Interest) {
        state.withLock { _ = $0.watches.removeValue(forKey: descriptor) }
    }

    /// Nobody waits: the scheduler calls the loop.
    func wake() {}

    func wait(into events: inout [LoopEvent], milliseconds: Int32) {
        let ready = state.withLock { state in
            var ready = Self.ready(state)
            ready.shuffle(using: &state.random)
            return ready
        }
        events += ready
    }

    /// Whether the next round has an event to handle.
    var hasEvents: Bool { state.withLock { !Self.ready($0).isEmpty } }

    private static func ready(_ state: State) -> [LoopEvent] {
        var ready: [LoopEvent] = []
        for number in state.watches.keys.sorted() {
            guard let watch = state.watches[number], let wire = state.wires[number] else { continue }
            var readiness = wire.readiness
            if !watch.interest.contains(.read) { readiness.remove(.readable) }
            if !watch.interest.contains(.write) { readiness.remove(.writable) }
            // Edge triggered where nothing is asked for, and told before: not again.
            if watch.interest.isEmpty { readiness = [] }
            if !readiness.isEmpty { ready.append(LoopEvent(token: watch.token, readiness: readiness)) }
        }
        return ready
    }
}
