import JSONLine
import LocalSystem

/// A connected socket that transports lines, on an event loop's thread. It belongs to one actor there.
struct LineSocket: ~Copyable {
    /// The received input.
    struct Received {
        /// Whole lines, without newlines.
        var lines: [[UInt8]] = []
        /// The reason why nothing more will arrive; nil if more may.
        var ending: ClientError?
    }

    /// Maximum bytes of a received line: enough for a trip with the most items and the longest notes.
    static let maximumLine = 256 << 20

    /// The descriptor, which stays open until its watch has ended.
    private final class Channel: Sendable {
        let descriptor: Descriptor

        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    }

    private let loop: EventLoop
    private let channel: Channel
    /// The program that connects to another machine; nil for a local daemon.
    private let carrier: RemoteCarrier?
    private var framer = LineFramer(limit: Self.maximumLine)
    private var outgoing: [UInt8] = []
    private var sent = 0
    private var readBuffer = [UInt8](repeating: 0, count: 64 * 1024)

    /// Takes ownership of a connection and watches it; the handler is called on the loop's thread. Loop's thread only.
    init(
        _ connection: consuming DaemonConnection, on loop: EventLoop,
        _ handler: @escaping @Sendable (Readiness) -> Void
    ) throws(ClientError) {
        let carrier = connection.carrier
        let descriptor = connection.takeSocket()
        do throws(SystemError) {
            try loop.watch(descriptor.rawValue, for: .read, handler: handler)
        } catch {
            throw .unreachable("\(error)")
        }
        self.loop = loop
        channel = Channel(descriptor)
        self.carrier = carrier
    }

    deinit {
        if loop.isCurrent { return loop.unwatch(channel.descriptor.rawValue) }
        // The last reference to the owner may end on any thread, but a watch must end on the loop's.
        loop.execute { [weak loop, channel] in loop?.unwatch(channel.descriptor.rawValue) }
    }

    /// Reads, and continues writing, as far as the socket is ready.
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
            switch try channel.descriptor.read(into: &readBuffer) {
            case .bytes(let count):
                readBuffer.withUnsafeBytes { framer.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
                while received.ending == nil, let frame = framer.next() {
                    switch frame {
                    case .line(let line): received.lines.append(line)
                    case .tooLong: received.ending = .garbled("a line exceeds \(Self.maximumLine) bytes")
                    }
                }
            case .wouldBlock: break
            case .end: received.ending = carrier?.ending ?? .closed(nil)
            }
        } catch {
            received.ending = .unreachable("\(error)")
        }
    }

    /// Sends bytes after those that are still waiting.
    ///
    /// - Returns: the reason if the connection is lost.
    mutating func send(_ bytes: [UInt8]) -> ClientError? {
        outgoing += bytes
        // If bytes are waiting, the socket accepts nothing now.
        return sent == 0 ? write() : nil
    }

    private mutating func write() -> ClientError? {
        do throws(SystemError) {
            while sent < outgoing.count {
                switch try channel.descriptor.write(gathering: [outgoing], skipping: sent) {
                case .wrote(let count): sent += count
                case .wouldBlock:
                    loop.changeInterest(channel.descriptor.rawValue, to: [.read, .write])
                    return nil
                case .closed:
                    // The daemon's last lines may be unread; a read will find the end.
                    clearOutgoing()
                    return nil
                }
            }
            clearOutgoing()
            return nil
        } catch {
            return .unreachable("\(error)")
        }
    }

    private mutating func clearOutgoing() {
        outgoing.removeAll(keepingCapacity: outgoing.count <= 64 * 1024)
        sent = 0
        loop.changeInterest(channel.descriptor.rawValue, to: .read)
    }
}
