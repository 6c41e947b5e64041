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
