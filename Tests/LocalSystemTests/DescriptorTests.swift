import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite struct DescriptorTests {
    @Test func `a descriptor is closed at the end of its owner's lifetime`() throws {
        let pipe = try Pipe()
        let (reading, writing) = pipe.release()
        let reader = Descriptor(owning: reading)
        try reader.setNonBlocking(true)
        var buffer = [UInt8](repeating: 0, count: 8)
        let writer = Descriptor(owning: writing)
        #expect(try reader.read(into: &buffer) == .wouldBlock)
        endLife(of: writer)
        waitForHangup(reader)
        #expect(try reader.read(into: &buffer) == .end)
    }

    @Test func `a released descriptor is not closed`() throws {
        let pipe = try Pipe()
        let (reading, writing) = pipe.release()
        let reader = Descriptor(owning: reading)
        let writer = Descriptor(owning: writing)
        try writer.send("still open")
        #expect(try reader.receive() == "still open")
    }

    @Test func `new descriptors are close-on-exec and sockets do not block`() throws {
        let pair = try UnixSocket.pair()
        let pipe = try Pipe()
        let copy = try Descriptor.duplicate(of: 0)
        for number in [
            pair.first.rawValue, pair.second.rawValue, pipe.reading.rawValue, pipe.writing.rawValue,
            copy.rawValue,
        ] {
            #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
        }
        #expect(fcntl(pair.first.rawValue, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(pipe.reading.rawValue, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test func `data of several buffers arrives joined, without the skipped prefix`() throws {
        let pair = try UnixSocket.pair()
        let pieces: [[UInt8]] = [Array("xxhello".utf8), [], Array(", ".utf8), Array("world".utf8)]
        #expect(try pair.first.write(gathering: pieces[...], skipping: 2) == .wrote(12))
        #expect(try pair.second.receive() == "hello, world")
        #expect(try pair.first.write(gathering: pieces[2...]) == .wrote(7))
        #expect(try pair.second.receive() == ", world")
        #expect(try pair.first.write(gathering: []) == .wrote(0))
    }

    @Test func `a gathering write accepts at most the limit of buffers`() throws {
        let pipe = try Pipe()
        let pieces = (0..<3000).map { [UInt8(truncatingIfNeeded: $0)] }
        #expect(try pipe.writing.write(gathering: pieces[...]) == .wrote(Descriptor.maximumPieces))
        var buffer = [UInt8](repeating: 0, count: 100)
        #expect(try pipe.reading.read(into: &buffer) == .bytes(Descriptor.maximumPieces))
        #expect(buffer.prefix(Descriptor.maximumPieces).elementsEqual(0..<UInt8(Descriptor.maximumPieces)))
    }

    @Test func `a full socket accepts part of a write, then the write would block`() throws {
        let pair = try UnixSocket.pair()
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        var sent = 0
        writing: while true {
            switch try pair.first.write(piece) {
            case .wrote(let count): sent += count
            case .wouldBlock: break writing
            case .closed:
                Issue.record("no call closed the descriptor")
                return
            }
        }
        #expect(sent > 0)
        var received = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case .bytes(let count) = try pair.second.read(into: &buffer) { received += count }
        #expect(received == sent)
    }

    @Test func `a write to a closed socket throws, without a signal`() throws {
        let pair = try UnixSocket.pair()
        let first = try Descriptor.duplicate(of: pair.first.rawValue, kind: .socket)
        endLife(of: pair)
        waitForHangup(first)
        #expect(try first.write([1]) == .closed)
    }

    @Test func `a connection that was closed with unread bytes reads as ended`() throws {
        let pair = try UnixSocket.pair()
        let second = try Descriptor.duplicate(of: pair.second.rawValue, kind: .socket)
        try second.send("never read")
        endLife(of: pair)
        waitForHangup(second)
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(try second.read(into: &buffer) == .end)
    }

    @Test func `the error of a failed call contains the call, its path and its reason`() throws {
        let error = #expect(throws: SystemError.self) {
            try RealFileSystem().open("/nowhere/at all", .read)
        }
        #expect(error?.description == "open /nowhere/at all: No such file or directory")
        #expect(error == SystemError(call: "open", path: "/nowhere/at all", code: ENOENT))
        let pipe = try Pipe()
        #expect(throws: SystemError(call: "read", code: EBADF)) {
            var buffer = [UInt8](repeating: 0, count: 1)
            _ = try pipe.writing.read(into: &buffer)
        }
    }

    @Test func `with SIGPIPE ignored, a pipe without a reader is reported as closed`() async {
        await #expect(processExitsWith: .success) {
            Signals.ignoreBrokenPipe()
            let pipe = try Pipe()
            let (reading, writing) = pipe.release()
            close(reading)
            exit(try Descriptor(owning: writing).write([1]) == .closed ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    /// Returns when every copy of the other end is closed, or after a timeout. A child that another test
    /// starts at this moment has a copy until it executes its program.
    private func waitForHangup(_ descriptor: borrowing Descriptor) {
        var entry = pollfd(fd: descriptor.rawValue, events: 0, revents: 0)
        while poll(&entry, 1, 10_000) < 0 {}
    }

    private func endLife(of descriptor: consuming Descriptor) {}

    private func endLife(of pair: consuming SocketPair) {}
}
