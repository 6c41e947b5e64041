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
    /// The number of the daemon's line before which each connection is cut, in order; further connections are not cut.
    private let cuts: [Int]
    /// Whether to pass on a client's bytes; otherwise its connection is cut.
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

    /// Serves on the calling thread until the program has ended.
    func serve(until isDone: () -> Bool) throws {
        let timeout = Deadline()
        var served = 0
        while !isDone() {
            var ready = [pollfd(fd: listener.rawValue, events: Int16(POLLIN), revents: 0)]
            _ = poll(&ready, 1, 20)
            guard let client = try UnixSocket.accept(listener) else { continue }
            try carry(client, cut: served < cuts.count ? cuts[served] : .max, timeout, isDone)
            served += 1
        }
    }

    private func carry(
        _ client: consuming Descriptor, cut: Int, _ timeout: Deadline, _ isDone: () -> Bool
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
                try send(buffer[..<count], to: daemon, timeout)
            }
            if ready[1].revents != 0 {
                guard case .bytes(let count) = try daemon.read(into: &buffer) else { return }
                let ends = buffer[..<count].indices.filter { buffer[$0] == UInt8(ascii: "\n") }
                if lines + ends.count >= cut {
                    // The daemon has applied the request; only its answer is lost.
                    let start = cut - lines >= 2 ? ends[cut - lines - 2] + 1 : 0
                    return try send(buffer[..<start], to: client, timeout)
                }
                lines += ends.count
                try send(buffer[..<count], to: client, timeout)
            }
        }
    }

    private func send(_ bytes: ArraySlice<UInt8>, to end: borrowing Descriptor, _ timeout: Deadline) throws {
        var rest = bytes
        while !rest.isEmpty {
            switch try end.write(Array(rest)) {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .wouldBlock: try timeout.waitToWrite(end.rawValue, for: "room in a socket")
            case .closed: return
            }
        }
    }
}
