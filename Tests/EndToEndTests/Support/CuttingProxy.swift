import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A line between clients and a daemon that breaks: every connection is cut before a certain answer, but for the last.
final class CuttingProxy {
    let path: String
    private let listener: Descriptor
    private let target: String
    /// Before which line of the daemon each connection is cut, in their order; those beyond are not cut.
    private let cuts: [Int]
    private let hasEnded = Guarded(false)

    init(at path: String, to target: String, cuts: [Int]) throws {
        self.path = path
        self.target = target
        self.cuts = cuts
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
                try send(buffer[..<count], to: daemon, patience)
            }
            if ready[1].revents != 0 {
                guard case .bytes(let count) = try daemon.read(into: &buffer) else { return }
                for byte in buffer[..<count] where byte == UInt8(ascii: "\n") { lines += 1 }
                // What the daemon did is done; only its answer is lost.
                if lines >= cut { return }
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
