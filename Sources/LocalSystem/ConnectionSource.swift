/// Where connections come from, as their taker sees it: a listening socket, or a simulation of one.
package protocol ConnectionSource: AnyObject, Sendable {
    /// The number, for `EventLoop.watch`: readable while a connection waits.
    var rawValue: Int32 { get }
    /// The next connection that waits; nil where none does.
    ///
    /// Throws `EMFILE` or `ENFILE` where no descriptor is left for it: it goes on waiting then.
    func accept() throws(SystemError) -> Arrival?
}

/// A connection that has just come.
package struct Arrival: Sendable {
    /// Its streams of bytes.
    package let channel: any ByteChannel
    /// Whose it is; nil where that is not known.
    package let userID: UInt32?

    /// Makes one.
    package init(channel: any ByteChannel, userID: UInt32?) {
        self.channel = channel
        self.userID = userID
    }
}

/// A listening socket behind a reference; it is closed with the last one.
package final class ListeningSocket: ConnectionSource {
    private let descriptor: Descriptor

    /// Takes over a socket that listens.
    package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    package var rawValue: Int32 { descriptor.rawValue }

    package func accept() throws(SystemError) -> Arrival? {
        guard let accepted = try UnixSocket.accept(descriptor) else { return nil }
        let user = try? UnixSocket.peerCredentials(of: accepted).userID
        return Arrival(channel: DescriptorChannel(accepted), userID: user)
    }
}
