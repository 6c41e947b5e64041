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

    /// The descriptor, which stays open until its watch has ended.
    private final class Channel: Sendable {
        let descriptor: Descriptor

        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    }

    private let loop: EventLoop
    private let channel: Channel
    /// What carries the lines to another machine; nil for a daemon of this one.
    private let carrier: RemoteCarrier?
    private var framer = LineFramer(limit: Self.maximumLine)
    private var outgoing: [UInt8] = []
    private var sent = 0
    private var readBuffer = [UInt8](repeating: 0, count: 64 * 1024)

    /// Takes over a connection and watches it; the handler is called on the loop's thread. Loop's thread only.
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
        // The last reference to the owner may end on any thread; a watch ends on the loop's.
        loop.execute { [weak loop, channel] in loop?.unwatch(channel.descriptor.rawValue) }
    }

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
            switch try channel.descriptor.read(into: &readBuffer) {
            case .bytes(let count):
                readBuffer.withUnsafeBytes { framer.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
                while received.ending == nil, let frame = framer.next() {
                    switch frame {
                    case .line(let line): received.lines.append(line)
                    case .tooLong: received.ending = .garbled("a line over \(Self.maximumLine) bytes")
                    }
                }
            case .wouldBlock: break
            case .end: received.ending = carrier?.ending ?? .closed(nil)
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
                switch try channel.descriptor.write(gathering: [outgoing], skipping: sent) {
                case .wrote(let count): sent += count
                case .wouldBlock:
                    loop.changeInterest(channel.descriptor.rawValue, to: [.read, .write])
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
        loop.changeInterest(channel.descriptor.rawValue, to: .read)
    }
}
