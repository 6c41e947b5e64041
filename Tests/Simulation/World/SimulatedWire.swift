import LocalSystem
import SimulatedSystem

/// A connection of a client with the daemon: two streams of bytes that travel when the scheduler says so, in pieces
/// of any size, and that end in any of the ways in which connections end.
package final class SimulatedWire: Sendable {
    private struct State {
        /// Written by the client, not yet where the server can read it.
        var upstream: [UInt8] = []
        /// Where the server can read it.
        var arrived: [UInt8] = []
        /// Written by the server, not yet read by the client.
        var downstream: [UInt8] = []
        /// How much of that the server's side takes.
        var capacity: Int
        /// The client writes nothing more, and goes on reading.
        var isClientShut = false
        /// The client writes nothing more, and closes when what it wrote has arrived.
        var isClientClosed = false
        /// The client is gone, whatever was under way.
        var isReset = false
        var isServerClosed = false

        /// The server's next read gives the end, once it has read what has arrived.
        var isEnded: Bool { isReset || (isClientClosed || isClientShut) && upstream.isEmpty }
        /// Nobody reads what the server writes.
        var isGone: Bool { isReset || isClientClosed && upstream.isEmpty }
    }

    private let state: Guarded<State>

    init(capacity: Int) { state = Guarded(State(capacity: capacity)) }

    // MARK: The client's end

    func send(_ bytes: [UInt8]) { state.withLock { $0.upstream += bytes } }

    /// What the client reads, at most so many bytes.
    func receive(atMost count: Int) -> [UInt8] {
        state.withLock { state in
            let bytes = Array(state.downstream.prefix(count))
            state.downstream.removeFirst(bytes.count)
            return bytes
        }
    }

    /// Whether the server has closed its end and all that it wrote has been read.
    var isOver: Bool { state.withLock { $0.isServerClosed && $0.downstream.isEmpty } }

    /// The client closes its sending side; what it wrote still arrives, and it goes on reading.
    func shutClient() { state.withLock { $0.isClientShut = true } }

    /// The client closes its end; what it wrote still arrives.
    func closeClient() {
        state.withLock { state in
            state.isClientClosed = true
            state.downstream = []
        }
    }

    /// The connection breaks; what is under way is lost, but for the first `kept` bytes of the client's.
    func reset(keeping kept: Int) {
        state.withLock { state in
            state.arrived += state.upstream.prefix(kept)
            state.upstream = []
            state.downstream = []
            state.isReset = true
        }
    }

    // MARK: The scheduler's hand

    var underWay: (up: Int, down: Int) { state.withLock { ($0.upstream.count, $0.downstream.count) } }

    /// Lets so many of the client's bytes arrive.
    func carry(_ count: Int) {
        state.withLock { state in
            state.arrived += state.upstream.prefix(count)
            state.upstream.removeFirst(min(count, state.upstream.count))
        }
    }

    /// The daemon is gone; of what it wrote, so many bytes are still read.
    func loseServer(keeping kept: Int) {
        state.withLock { state in
            state.downstream.removeLast(max(0, state.downstream.count - kept))
            state.isServerClosed = true
        }
    }

    // MARK: The server's end

    var isServerClosed: Bool { state.withLock { $0.isServerClosed } }

    var readiness: Readiness {
        state.withLock { state in
            var readiness: Readiness = []
            if !state.arrived.isEmpty || state.isEnded { readiness.insert(.readable) }
            if state.isGone || state.downstream.count < state.capacity { readiness.insert(.writable) }
            if state.isGone { readiness.insert(.hangup) }
            return readiness
        }
    }

    fileprivate func read(into buffer: inout [UInt8]) -> ReadResult {
        state.withLock { state in
            if state.arrived.isEmpty {
                return state.isEnded ? .end : .wouldBlock
            }
            let count = min(buffer.count, state.arrived.count)
            buffer.replaceSubrange(0..<count, with: state.arrived.prefix(count))
            state.arrived.removeFirst(count)
            return .bytes(count)
        }
    }

    fileprivate func write(_ pieces: ArraySlice<[UInt8]>, skipping offset: Int) -> WriteResult {
        state.withLock { state in
            if state.isGone { return .closed }
            if state.isClientClosed { return .wrote(pieces.reduce(0) { $0 + $1.count } - offset) }
            var room = state.capacity - state.downstream.count
            if room <= 0 { return .wouldBlock }
            var written = 0
            var skipped = offset
            for piece in pieces {
                let taken = piece.dropFirst(skipped).prefix(room)
                skipped = 0
                state.downstream += taken
                written += taken.count
                room -= taken.count
                if room == 0 { break }
            }
            return .wrote(written)
        }
    }

    fileprivate func closeServer() { state.withLock { $0.isServerClosed = true } }
}

/// The server's end of a wire; it closes with its last reference, as a descriptor does.
final class SimulatedChannel: ByteChannel {
    private let wire: SimulatedWire
    private let disk: SimulatedDisk
    let rawValue: Int32

    init(_ wire: SimulatedWire, of disk: SimulatedDisk, number: Int32) {
        self.wire = wire
        self.disk = disk
        rawValue = number
    }

    deinit { wire.closeServer() }

    func read(into buffer: inout [UInt8]) -> ReadResult { wire.read(into: &buffer) }

    func write(gathering pieces: ArraySlice<[UInt8]>, skipping offset: Int) -> WriteResult {
        // The round in which the process dies goes on here; what it would still say is said to nobody.
        if disk.hasDied { return .wrote(pieces.reduce(0) { $0 + $1.count } - offset) }
        return wire.write(pieces, skipping: offset)
    }
}
