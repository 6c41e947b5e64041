/// A connection's two streams of bytes, as its owner sees them: a socket, or a simulation of one.
package protocol ByteChannel: ~Copyable, Sendable {
    /// The number, for `EventLoop.watch`.
    var rawValue: Int32 { get }
    /// Reads up to `buffer.count` bytes to the beginning of `buffer`, whose size does not change.
    func read(into buffer: inout [UInt8]) throws(SystemError) -> ReadResult
    /// Writes at most `Descriptor.maximumPieces` pieces one after the other, the first `offset` bytes of the first
    /// one left out.
    func write(gathering pieces: ArraySlice<[UInt8]>, skipping offset: Int) throws(SystemError) -> WriteResult
}

extension Descriptor: ByteChannel {}

/// A descriptor behind a reference; it is closed with the last one.
package final class DescriptorChannel: ByteChannel {
    private let descriptor: Descriptor

    /// Takes over a descriptor.
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
