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
