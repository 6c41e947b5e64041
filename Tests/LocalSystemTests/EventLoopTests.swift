import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite(.timeLimit(.minutes(10))) struct EventLoopTests {
    @Test func `work from many threads runs on the loop, each job once, in the order of its thread`() throws {
        let loop = try EventLoop()
        let probe = Probe<(thread: Int, number: Int, isCurrent: Bool)>()
        let perThread = 2000
        let runner = try WorkerThread { loop.run() }
        for thread in 0..<4 {
            // Two at a time, so that queueing and running overlap.
            let first = try WorkerThread { post(2 * thread) }
            let second = try WorkerThread { post(2 * thread + 1) }
            first.join()
            second.join()
        }
        @Sendable func post(_ thread: Int) {
            for number in 0..<perThread {
                loop.execute { probe.note((thread, number, loop.isCurrent)) }
            }
        }
        loop.stop()
        runner.join()
        let all = probe.all
        #expect(all.count == 8 * perThread)
        #expect(all.allSatisfy { $0.isCurrent })
        for thread in 0..<8 {
            #expect(all.filter { $0.thread == thread }.map(\.number) == Array(0..<perThread))
        }
        #expect(!loop.isCurrent)
    }

    @Test func `queueing work on a loop that is awake writes no wake-up`() throws {
        let loop = try EventLoop()
        let entered = try Pipe()
        let leave = try Pipe()
        let (enteredEnd, leaveEnd) = (entered.writing.rawValue, leave.reading.rawValue)
        let runner = try WorkerThread { loop.run() }
        loop.execute {
            // The loop waits inside its queue until all work has been queued.
            try? Descriptor.duplicate(of: enteredEnd).send("x")
            _ = try? Descriptor.duplicate(of: leaveEnd).receive()
        }
        #expect(try entered.reading.receive() == "x")
        let before = loop.statistics
        let probe = Probe<Int>()
        for number in 0..<5000 { loop.execute { probe.note(number) } }
        #expect(loop.statistics == before)
        try leave.writing.send("x")
        loop.stop()
        runner.join()
        #expect(probe.all == Array(0..<5000))
    }

    @Test func `a sleeping loop is woken once and polls once`() async throws {
        try await withRunningLoop { loop in
            await loop.ping()
            let before = loop.statistics
            for _ in 0..<200 { await loop.ping() }
            let after = loop.statistics
            #expect(after.wakes - before.wakes <= 200)
            #expect(after.iterations - before.iterations <= 201)
            for _ in 0..<50 {
                // It sleeps again soon after each, and a burst finds it asleep at most once an iteration.
                await loop.ping()
                for _ in 0..<100 { loop.execute {} }
            }
            await loop.ping()
            let (rounds, wakes) = (loop.statistics.iterations, loop.statistics.wakes)
            #expect(wakes - after.wakes <= rounds - after.iterations + 1)
        }
    }

    @Test func `an idle loop does not iterate`() async throws {
        let quiet = try UnixSocket.pair()
        let hungUp = try UnixSocket.pair()
        let quietEnd = quiet.first.rawValue
        let (hungUpEnd, otherEnd) = hungUp.release()
        close(otherEnd)
        let probe = Probe<Readiness>()
        try await withRunningLoop { loop in
            loop.execute {
                do {
                    try loop.watch(quietEnd, for: .read) { probe.note($0) }
                    // Its other end is gone, but the watch has no interest.
                    try loop.watch(hungUpEnd, for: []) { probe.note($0) }
                    loop.schedule(after: .seconds(3600)) {}
                } catch {
                    Issue.record(error)
                }
            }
            await loop.ping()
            let before = loop.statistics.iterations
            for _ in 0..<100 { await loop.ping() }
            // One iteration a ping, and at most one for the single report that the other end is gone.
            #expect(loop.statistics.iterations - before <= 102)
        }
        #expect(probe.all == [.hangup])
        withExtendedLifetime(quiet) {}
        _ = Descriptor(owning: hungUpEnd)
    }

    @Test func `work queued while the queue runs waits for the next iteration, after the sockets`()
        throws
    {
        let loop = try EventLoop()
        let pair = try UnixSocket.pair()
        let end = pair.first.rawValue
        let writing = pair.second.rawValue
        let probe = Probe<String>()
        // Queues itself for ever; the data that it sends in its tenth run must still be seen.
        @Sendable func again(_ run: Int) {
            if run == 10 { try? Descriptor.duplicate(of: writing, kind: .socket).send("x") }
            if probe.all.isEmpty { loop.execute { again(run + 1) } }
        }
        try loop.watch(end, for: .read) { _ in
            probe.note("seen")
            loop.unwatch(end)
            loop.stop()
        }
        loop.execute { again(1) }
        loop.run()
        #expect(probe.all == ["seen"])
        withExtendedLifetime(pair) {}
    }

    @Test func `the end of an iteration is called once, after everything else in it`() throws {
        let loop = try EventLoop()
        let pair = try UnixSocket.pair()
        let end = pair.first.rawValue
        try pair.second.send("x")
        let probe = Probe<String>()
        try loop.watch(end, for: .read) { _ in
            loop.unwatch(end)
            probe.note("event")
            loop.atEndOfIteration {
                probe.note("end \(loop.statistics.iterations)")
                loop.atEndOfIteration {
                    probe.note("next end \(loop.statistics.iterations)")
                    loop.stop()
                }
            }
        }
        loop.schedule(after: .zero) { probe.note("timer") }
        loop.execute { probe.note("job 1") }
        loop.execute { probe.note("job 2 in \(loop.statistics.iterations)") }
        loop.run()
        #expect(probe.all == ["event", "timer", "job 1", "job 2 in 1", "end 1", "next end 2"])
        withExtendedLifetime(pair) {}
    }

    @Test func `stop runs the queued work, and the work that it queues`() throws {
        let loop = try EventLoop()
        let probe = Probe<String>()
        loop.execute {
            loop.stop()
            loop.execute {
                probe.note("queued after stop")
                loop.atEndOfIteration { probe.note("flushed") }
            }
        }
        loop.run()
        #expect(probe.all == ["queued after stop", "flushed"])
        // Nothing is left to do, and nothing traps.
        loop.stop()
        loop.unwatch(0)
    }

    @Test func `a finished loop releases its handlers`() throws {
        final class Token: Sendable {}
        let loop = try EventLoop()
        let pair = try UnixSocket.pair()
        weak var held: Token?
        do {
            let token = Token()
            held = token
            try loop.watch(pair.first.rawValue, for: .read) { _ in withExtendedLifetime(token) {} }
            loop.schedule(after: .seconds(100)) { withExtendedLifetime(token) {} }
        }
        #expect(held != nil)
        loop.stop()
        loop.run()
        #expect(held == nil)
        withExtendedLifetime(pair) {}
    }

    @Test func `a loop can be run only once`() async {
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop()
            loop.stop()
            loop.run()
            loop.run()
        }
    }

    @Test func `a registration from another thread traps`() async {
        await #expect(processExitsWith: .failure) {
            try await withRunningLoop { loop in
                await loop.ping()
                loop.schedule(after: .zero) {}
            }
        }
    }
}
