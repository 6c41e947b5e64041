import LocalSystem
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite(.timeLimit(.minutes(10))) struct EventLoopWatchTests {
    @Test func `a watch is called until its descriptor is read, and again if there is more`() async throws {
        let pair = try UnixSocket.pair()
        let end = pair.first.rawValue
        let probe = Probe<String>()
        try await withRunningLoop { loop in
            let came = AsyncStream.makeStream(of: Void.self)
            loop.execute {
                do {
                    try loop.watch(end, for: .read) { readiness in
                        #expect(readiness == .readable)
                        // One byte a call: level triggered, so the rest causes another event.
                        var byte: [UInt8] = [0]
                        guard let copy = try? Descriptor.duplicate(of: end),
                            (try? copy.read(into: &byte)) == .bytes(1)
                        else { return }
                        probe.note(String(decoding: byte, as: UTF8.self))
                        if byte == Array(".".utf8) { came.continuation.yield() }
                    }
                } catch {
                    Issue.record(error)
                }
            }
            var arrivals = came.stream.makeAsyncIterator()
            try pair.second.send("abc.")
            await arrivals.next()
            try pair.second.send("de.")
            await arrivals.next()
            loop.execute { loop.unwatch(end) }
        }
        #expect(probe.all.joined() == "abc.de.")
    }

    @Test func `interest can change, and only the requested events are delivered`() throws {
        let loop = try EventLoop()
        let pair = try UnixSocket.pair()
        let end = pair.first.rawValue
        try pair.second.send("x")
        let probe = Probe<Readiness>()
        try loop.watch(end, for: .write) { readiness in
            probe.note(readiness)
            switch probe.all.count {
            case 1: loop.changeInterest(end, to: .read)
            case 2: loop.changeInterest(end, to: [.read, .write])
            case 3:
                loop.changeInterest(end, to: [])
                // Three iterations later there was no further event; then the interest is set again.
                loop.execute { loop.execute { loop.execute { loop.changeInterest(end, to: .read) } } }
            default:
                loop.unwatch(end)
                loop.stop()
            }
        }
        loop.run()
        #expect(probe.all == [.writable, .readable, [.readable, .writable], .readable])
        withExtendedLifetime(pair) {}
    }

    @Test func `the end of the peer is delivered with any interest`() throws {
        for (interest, expected) in [
            (Interest.read, [.readable, .hangup] as Readiness), (.write, [.writable, .hangup]),
            ([.read, .write], [.readable, .writable, .hangup]),
        ] {
            let loop = try EventLoop()
            let pair = try UnixSocket.pair()
            let (number, other) = pair.release()
            close(other)
            let probe = Probe<Readiness>()
            try loop.watch(number, for: interest) { readiness in
                probe.note(readiness)
                loop.unwatch(number)
                loop.stop()
            }
            loop.run()
            #expect(probe.all == [expected])
            close(number)
        }
    }

    @Test func `a watch without interest is called once when the peer is gone`() throws {
        let loop = try EventLoop()
        let pair = try UnixSocket.pair()
        let (number, other) = pair.release()
        let probe = Probe<Readiness>()
        try loop.watch(number, for: .read) { readiness in
            probe.note(readiness)
            if probe.all.count == 1 { loop.changeInterest(number, to: []) }
        }
        // Half closed first, as by a client after its last request.
        shutdown(other, Int32(SHUT_WR))
        loop.execute {
            loop.execute {
                loop.execute {
                    close(other)
                    loop.execute { loop.execute { loop.execute { loop.stop() } } }
                }
            }
        }
        loop.run()
        #expect(probe.all.first?.contains(.readable) == true)
        #expect(probe.all.dropFirst() == [.hangup])
        close(number)
    }

    @Test func `a watch that was cancelled in this iteration gets no event fetched before`() throws {
        let loop = try EventLoop()
        let one = try UnixSocket.pair()
        let two = try UnixSocket.pair()
        try one.second.send("x")
        try two.second.send("x")
        let ends = [one.first.rawValue, two.first.rawValue]
        let probe = Probe<Int32>()
        for (own, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            try loop.watch(own, for: .read) { _ in
                probe.note(own)
                loop.unwatch(own)
                loop.unwatch(other)
                loop.execute { loop.execute { loop.stop() } }
            }
        }
        loop.run()
        #expect(probe.all.count == 1)
        withExtendedLifetime(one) {}
        withExtendedLifetime(two) {}
    }

    @Test func `an event of a cancelled watch is not delivered to the next watch of the same descriptor`()
        throws
    {
        let loop = try EventLoop()
        let one = try UnixSocket.pair()
        let two = try UnixSocket.pair()
        try one.second.send("x")
        try two.second.send("x")
        let ends = [one.first.rawValue, two.first.rawValue]
        let probe = Probe<String>()
        for (own, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            try loop.watch(own, for: .read) { _ in
                probe.note("first")
                loop.unwatch(own)
                loop.unwatch(other)
                do {
                    // Emptied and watched again: an event now would belong to the old watch.
                    _ = try Descriptor.duplicate(of: other).receive()
                    try loop.watch(other, for: .read) { _ in probe.note("successor") }
                } catch {
                    Issue.record(error)
                }
                loop.execute { loop.execute { loop.stop() } }
            }
        }
        loop.run()
        #expect(probe.all == ["first"])
        withExtendedLifetime(one) {}
        withExtendedLifetime(two) {}
    }

    @Test func `a regular file cannot be watched, and the loop keeps no entry for it`() throws {
        let directory = try TemporaryDirectory()
        let file = Descriptor(owning: open(directory.path + "/f", O_RDWR | O_CREAT, 0o600))
        let loop = try EventLoop()
        for _ in 0..<2 {
            #expect(throws: SystemError(call: "epoll_ctl", code: EPERM)) {
                try loop.watch(file.rawValue, for: .read) { _ in }
            }
        }
    }
}
