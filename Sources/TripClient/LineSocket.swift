import JSONLine
import LocalSystem

/// A connected socket as lines, on an event loop's thread. It belongs to one actor there.
struct LineSocket: ~Copyable {
    /// What has come.
    struct Received {
        /// Whole lines, without their ends.
        var lines: [[UInt8]] = []
        /// Why nothing more comes; nil while it may.
        var ending: ClientError?
    }

    /// Bytes of the longest line that a client takes: a trip of the most items with the longest notes.
    static let maximumLine = 256 << 20

    private let loop: EventLoop
    private let descriptor: Descriptor
    private var framer = LineFramer(limit: Self.maximumLine)
    private var outgoing: [UInt8] = []
    private var sent = 0
    private var readBuffer = [UInt8](repeating: 0, count: 64 * 1024)

    /// Takes over a connected socket and watches it; the handler is called on the loop's thread. Loop's thread only.
    init(
        _ descriptor: consuming Descriptor, on loop: EventLoop,
        _ handler: @escaping @Sendable (Readiness) -> Void
    ) throws(ClientError) {
        do throws(SystemError) {
            try loop.watch(descriptor.rawValue, for: .read, handler: handler)
        } catch {
            throw .unreachable("\(error)")
        }
        self.loop = loop
        self.descriptor = descriptor
    }

    deinit { loop.unwatch(descriptor.rawValue) }

    /// Reads, and goes on writing, as far as it is ready for it.
    mutating func ready(_ readiness: Readiness) -> Received {
        var received = Received()
        if readiness.contains(.writable) { received.ending = write() }
        if received.ending == nil, readiness.contains(.readable) || readiness.contains(.hangup) {
            read(&received)
        }
        return received
    }

    private mutating func read(_ received: inout Received) {
        do throws(SystemError) {
            switch try descriptor.read(into: &readBuffer) {
            case .bytes(let count):
                readBuffer.withUnsafeBytes { framer.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
                while received.ending == nil, let frame = framer.next() {
                    switch frame {
                    case .line(let line): received.lines.append(line)
                    case .tooLong: received.ending = .garbled("a line over \(Self.maximumLine) bytes")
                    }
                }
            case .wouldBlock: break
            case .end: received.ending = .closed(nil)
            }
        } catch {
            received.ending = .unreachable("\(error)")
        }
    }

    /// Sends bytes behind those that are still to leave.
    ///
    /// - Returns: why the connection is gone; nil where it is as good as before.
    mutating func send(_ bytes: [UInt8]) -> ClientError? {
        outgoing += bytes
        // What waits already has found that the socket takes nothing now.
        return sent == 0 ? write() : nil
    }

    private mutating func write() -> ClientError? {
        do throws(SystemError) {
            while sent < outgoing.count {
                switch try descriptor.write(gathering: [outgoing], skipping: sent) {
                case .wrote(let count): sent += count
                case .wouldBlock:
                    loop.changeInterest(descriptor.rawValue, to: [.read, .write])
                    return nil
                case .closed:
                    // What the daemon said last may still be unread; reading finds the end.
                    forgetOutgoing()
                    return nil
                }
            }
            forgetOutgoing()
            return nil
        } catch {
            return .unreachable("\(error)")
        }
    }

    private mutating func forgetOutgoing() {
        outgoing.removeAll(keepingCapacity: outgoing.count <= 64 * 1024)
        sent = 0
        loop.changeInterest(descriptor.rawValue, to: .read)
    }
}

extension LineSocket {
    /// A connection to a daemon that belongs to this user: the peer's account is asked before anything is said, and
    /// one that cannot be told is as good as another's.
    ///
    /// - Parameter waitsForRoom: whether to wait where the daemon's queue is full.
    static func connect(to socket: String, waitsForRoom: Bool) throws(ClientError) -> Descriptor {
        let descriptor: Descriptor
        do throws(UnixSocketError) {
            descriptor = try UnixSocket.connect(path: socket, waitsForRoom: waitsForRoom)
        } catch {
            throw ClientError(error, socket: socket)
        }
        guard let peer = try? UnixSocket.peerCredentials(of: descriptor), peer.userID == CurrentUser.id else {
            throw .otherUser(socket: socket)
        }
        return descriptor
    }
}

extension ClientError {
    init(_ error: UnixSocketError, socket: String) {
        if case .system(let error) = error, error.isNobodyListening {
            self = .noDaemon(socket: socket)
        } else {
            self = .unreachable("\(error)")
        }
    }
}
