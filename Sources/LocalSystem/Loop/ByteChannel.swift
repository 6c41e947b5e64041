/// The two byte streams of a connection: a socket, or a simulated one.
package protocol ByteChannel: ~Copyable, Sendable {
    /// The descriptor, for `EventLoop.watch`.
    var rawValue: Int32 { get }
    /// Reads up to `buffer.count` bytes into `buffer`, whose size does not change.
    func read(into buffer: inout [UInt8]) throws(SystemError) -> ReadResult
    /// Writes at most `Descriptor.maximumPieces` pieces, without the first `offset` bytes of the first one.
    func write(gathering pieces: ArraySlice<[UInt8]>, skipping offset: Int) throws(SystemError) -> WriteResult
}

extension Descriptor: ByteChannel {}

/// A descriptor behind a reference; it is closed with the last reference.
package final class DescriptorChannel: ByteChannel {
    private let descriptor: Descriptor

    /// Takes ownership of a descriptor.
    package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    package var rawValue: Int32 { descriptor.rawValue }

    package func read(into buffer: inout [UInt8]) throws(SystemError) -> ReadResult {
        try descriptor.read(into: &buffer)
    }

    package func write(
        gathering pieces: ArraySlice<[UInt8]>, skipping offset: Int
    ) throws(SystemError) -> WriteResult {
        try descriptor.write(gathering: pieces, skipping: offset)
    }
}

/// A source of connections: a listening socket, or a simulated one.
package protocol ConnectionSource: AnyObject, Sendable {
    /// The descriptor for `EventLoop.watch`, which is readable while a connection waits.
    var rawValue: Int32 { get }
    /// Accepts the next waiting connection; nil if there is none.
    ///
    /// Throws `EMFILE` or `ENFILE` if no descriptor is free; the connection keeps waiting.
    func accept() throws(SystemError) -> Arrival?
}

/// A new connection.
package struct Arrival: Sendable {
    /// Its byte streams.
    package let channel: any ByteChannel
    /// The user id of its client; nil if unknown.
    package let userID: UInt32?

    package init(channel: any ByteChannel, userID: UInt32?) {
        self.channel = channel
        self.userID = userID
    }
}

/// A listening socket behind a reference; it is closed with the last reference.
package final class ListeningSocket: ConnectionSource {
    private let descriptor: Descriptor

    /// Takes ownership of a listening socket.
    package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    package var rawValue: Int32 { descriptor.rawValue }

    package func accept() throws(SystemError) -> Arrival? {
        guard let accepted = try UnixSocket.accept(descriptor) else { return nil }
        let user = try? UnixSocket.peerCredentials(of: accepted).userID
        return Arrival(channel: DescriptorChannel(accepted), userID: user)
    }
}

/// The events that a watch on a descriptor waits for.
package struct Interest: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Until a read would not block, or would end or fail.
    package static let read = Interest(rawValue: 1)
    /// Until a write would not block, or would fail.
    package static let write = Interest(rawValue: 2)
}

/// The readiness of a watched descriptor.
package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A read returns bytes, the end or an error; only reported if requested.
    package static let readable = Readiness(rawValue: 1)
    /// A write succeeds or fails; only reported if requested.
    package static let writable = Readiness(rawValue: 2)
    /// The other end is gone or the descriptor failed. Reported together with the requested events, so that the next
    /// read or write returns the reason; there may still be bytes to read. Reported even for an empty interest.
    package static let hangup = Readiness(rawValue: 4)

    /// The readiness that a watch with this interest reports.
    func limited(to interest: Interest) -> Readiness {
        let asked = Readiness(rawValue: interest.rawValue)
        return contains(.hangup) ? asked.union(.hangup) : intersection(asked)
    }
}
