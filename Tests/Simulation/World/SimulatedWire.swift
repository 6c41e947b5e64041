import LocalSystem
import SimulatedSystem

/// A connection between a client and the daemon. Bytes travel when the scheduler decides, in pieces of any
/// size, and the connection can end in any way that real ones do.
package final class SimulatedWire: Sendable {
    private struct State {
        /// Written by the client, but not delivered.
        var upstream: [UInt8] = []
        /// Delivered to the server.
        var arrived: [UInt8] = []
        /// Written by the server, but not read by the client.
        var downstream: [UInt8] = []
        /// The size of the server's send buffer.
        var capacity: Int
        /// The client has closed its sending side and still reads.
        var isClientShut = false
        /// The client has closed its end; it takes effect when everything written was delivered.
        var isClientClosed = false
        /// The client has broken the connection, and bytes in transit are lost.
        var isReset = false
        var isServerClosed = false

        /// Whether the server's next read returns the end after everything delivered.
        var isEnded: Bool { isReset || (isClientClosed || isClientShut) && upstream.isEmpty }
        /// Whether no client reads what the server writes.
        var isGone: Bool { isReset || isClientClosed && upstream.isEmpty }
    }

    private let state: Guarded<State>

    init(capacity: Int) { state = Guarded(State(capacity: capacity)) }

    // MARK: The client's end

    func send(_ bytes: [UInt8]) { state.withLock { $0.upstream += bytes } }

    /// Reads at most so many bytes on the client's side.
    func receive(atMost count: Int) -> [UInt8] {
        state.withLock { state in
            let bytes = Array(state.downstream.prefix(count))
            state.downstream.removeFirst(bytes.count)
            return bytes
        }
    }

    /// Whether the server has closed its end and the client has read everything.
    var isOver: Bool { state.withLock { $0.isServerClosed && $0.downstream.isEmpty } }

    /// Closes the client's sending side; written bytes still arrive, and the client still reads.
    func shutClient() { state.withLock { $0.isClientShut = true } }

    /// Closes the client's end; written bytes still arrive.
    func closeClient() {
        state.withLock { state in
            state.isClientClosed = true
            state.downstream = []
        }
    }

    /// Breaks the connection. Only the first `kept` bytes of the client still arrive.
    func reset(keeping kept: Int) {
        state.withLock { state in
            state.arrived += state.upstream.prefix(kept)
            state.upstream = []
            state.downstream = []
            state.isReset = true
        }
    }

    // MARK: The scheduler's control

    var underWay: (up: Int, down: Int) { state.withLock { ($0.upstream.count, $0.downstream.count) } }

    /// Delivers so many of the client's bytes.
    func carry(_ count: Int) {
        state.withLock { state in
            state.arrived += state.upstream.prefix(count)
            state.upstream.removeFirst(min(count, state.upstream.count))
        }
    }

    /// Ends the server's side; so many of its written bytes can still be read.
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

/// The server's end of a wire. It closes with its last reference, like a descriptor.
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
        // The iteration in which the process dies continues here; its output is discarded.
        if disk.hasDied { return .wrote(pieces.reduce(0) { $0 + $1.count } - offset) }
        return wire.write(pieces, skipping: offset)
    }
}
