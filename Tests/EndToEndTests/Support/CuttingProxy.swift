import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A proxy between clients and a daemon: it cuts each connection before a certain answer, or at a certain request.
final class CuttingProxy {
    let path: String
    private let listener: Descriptor
    private let target: String
    /// Before which line of the daemon each connection is cut, in their order; those beyond are not cut.
    private let cuts: [Int]
    /// Whether to pass on bytes of a client; if not, its connection is cut.
    private let passes: (String) throws -> Bool

    init(
        at path: String, to target: String, cuts: [Int] = [],
        passes: @escaping (String) throws -> Bool = { _ in true }
    ) throws {
        self.path = path
        self.target = target
        self.cuts = cuts
        self.passes = passes
        listener = try UnixSocket.listen(path: path)
    }

    /// Serves until the program has ended; on the calling thread.
    func serve(until isDone: () -> Bool) throws {
        let patience = Patience()
        var served = 0
        while !isDone() {
            var ready = [pollfd(fd: listener.rawValue, events: Int16(POLLIN), revents: 0)]
            _ = poll(&ready, 1, 20)
            guard let client = try UnixSocket.accept(listener) else { continue }
            try carry(client, cut: served < cuts.count ? cuts[served] : .max, patience, isDone)
            served += 1
        }
    }

    private func carry(
        _ client: consuming Descriptor, cut: Int, _ patience: Patience, _ isDone: () -> Bool
    ) throws {
        let daemon = try UnixSocket.connect(path: target)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var lines = 0
        while true {
            var ready = [
                pollfd(fd: client.rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: daemon.rawValue, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&ready, 2, 20) == 0 {
                if isDone() { return }
                continue
            }
            if ready[0].revents != 0 {
                guard case .bytes(let count) = try client.read(into: &buffer) else { return }
                guard try passes(String(decoding: buffer[..<count], as: UTF8.self)) else { return }
                try send(buffer[..<count], to: daemon, patience)
            }
            if ready[1].revents != 0 {
                guard case .bytes(let count) = try daemon.read(into: &buffer) else { return }
                let ends = buffer[..<count].indices.filter { buffer[$0] == UInt8(ascii: "\n") }
                if lines + ends.count >= cut {
                    // What the daemon did is done; only its answer is lost.
                    let start = cut - lines >= 2 ? ends[cut - lines - 2] + 1 : 0
                    return try send(buffer[..<start], to: client, patience)
                }
                lines += ends.count
                try send(buffer[..<count], to: client, patience)
            }
        }
    }

    private func send(_ bytes: ArraySlice<UInt8>, to end: borrowing Descriptor, _ patience: Patience) throws {
        var rest = bytes
        while !rest.isEmpty {
            switch try end.write(Array(rest)) {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .wouldBlock: try patience.waitToWrite(end.rawValue, for: "room in a socket")
            case .closed: return
            }
        }
    }
}
