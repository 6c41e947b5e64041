import Synchronization
import Testing

@testable import LocalSystem

@Suite(.timeLimit(.minutes(10))) struct TimerTests {
    @Test func `timers run by deadline, equal ones by age, never early, and not when cancelled`() throws {
        let loop = try EventLoop()
        let probe = Probe<String>()
        let began = MonotonicClock.nowNanoseconds
        loop.schedule(after: .milliseconds(30)) {
            probe.note("30")
            #expect(MonotonicClock.nowNanoseconds - began >= 30_000_000)
            #expect(loop.now >= .milliseconds(30))
            loop.stop()
        }
        let cancelled = loop.schedule(after: .milliseconds(15)) { probe.note("cancelled") }
        loop.schedule(after: .milliseconds(10)) {
            probe.note("10")
            loop.cancel(cancelled)
        }
        loop.schedule(after: .milliseconds(20)) { probe.note("20") }
        loop.schedule(after: .seconds(-5)) { probe.note("past") }
        loop.schedule(after: .seconds(Int64.max)) { probe.note("never") }
        loop.run()
        #expect(probe.all == ["past", "10", "20", "30"])
        // One wake-up for each, without spinning through the last millisecond.
        #expect(loop.statistics.iterations <= 8)
    }

    /// A kernel whose first wait with a timeout ends after all deadlines, because the process was stopped during it.
    /// Input arrives meanwhile.
    private final class StoppedKernel: LoopKernel {
        private let poller: Poller
        private let input: Int32
        /// Whether this wait reports the input; otherwise the stop has interrupted it.
        private let reportsInput: Bool
        private let stopped = Atomic<Int64>(0)

        init(_ poller: Poller, input: Int32, reportsInput: Bool) {
            self.poller = poller
            self.input = input
            self.reportsInput = reportsInput
        }

        var nowNanoseconds: Int64 { poller.nowNanoseconds + stopped.load(ordering: .relaxed) }

        func add(_ token: WatchToken, _ interest: Interest) throws(SystemError) {
            try poller.add(token, interest)
        }

        func change(_ token: WatchToken, from old: Interest, to new: Interest) throws(SystemError) {
            try poller.change(token, from: old, to: new)
        }

        func remove(_ descriptor: Int32, _ interest: Interest) throws(SystemError) {
            try poller.remove(descriptor, interest)
        }

        func wake() { poller.wake() }

        func wait(into events: inout [LoopEvent], milliseconds: Int32) {
            if milliseconds > 0, stopped.exchange(20_000_000_000, ordering: .relaxed) == 0 {
                _ = try? Descriptor.duplicate(of: input, kind: .socket).send("x")
                if reportsInput { poller.wait(into: &events, milliseconds: 0) }
                return
            }
            poller.wait(into: &events, milliseconds: milliseconds)
        }
    }

    @Test func `input that arrives during a stop of the process precedes the timers that are due after it`()
        throws
    {
        let pair = try UnixSocket.pair()
        let end = pair.first.rawValue
        let loop = EventLoop(
            on: StoppedKernel(try Poller(), input: pair.second.rawValue, reportsInput: false))
        let probe = Probe<String>()
        try loop.watch(end, for: .read) { _ in
            probe.note("input")
            loop.unwatch(end)
        }
        loop.schedule(after: .seconds(15)) {
            probe.note("timer")
            loop.stop()
        }
        loop.run()
        #expect(probe.all == ["input", "timer"])
        withExtendedLifetime(pair) {}
    }

    @Test func `an event is handled once in an iteration in which a timer is due`() throws {
        let pair = try UnixSocket.pair()
        let loop = EventLoop(
            on: StoppedKernel(try Poller(), input: pair.second.rawValue, reportsInput: true))
        let probe = Probe<String>()
        try loop.watch(pair.first.rawValue, for: .read) { _ in probe.note("input") }
        loop.schedule(after: .seconds(15)) {
            probe.note("timer")
            loop.stop()
        }
        loop.run()
        #expect(probe.all == ["input", "timer"])
        withExtendedLifetime(pair) {}
    }

    @Test func `a timer can cancel a timer that is due in the same iteration`() throws {
        let loop = try EventLoop()
        let probe = Probe<String>()
        let second = Probe<TimerID>()
        loop.schedule(after: .zero) {
            probe.note("first")
            for timer in second.all { loop.cancel(timer) }
            loop.execute { loop.stop() }
        }
        second.note(loop.schedule(after: .zero) { probe.note("second") })
        loop.run()
        #expect(probe.all == ["first"])
    }

    @Test func `a timer set by a timer runs in a later iteration`() throws {
        let loop = try EventLoop()
        let probe = Probe<Int>()
        loop.schedule(after: .zero) {
            probe.note(loop.statistics.iterations)
            loop.schedule(after: .zero) {
                probe.note(loop.statistics.iterations)
                loop.stop()
            }
        }
        loop.run()
        #expect(probe.all.count == 2)
        #expect(probe.all[0] < probe.all[1])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `the queue agrees with a sorted list`(seed: UInt64) {
        var random = SplitMix(state: seed)
        var queue = TimerQueue()
        let ran = Probe<Int>()
        var expected: [(deadline: Int64, number: Int, id: TimerID)] = []
        for number in 0..<2000 {
            switch random.next() % 4 {
            case 0, 1:
                let deadline = Int64(random.next() % 50)
                let id = queue.insert(deadline: deadline) { ran.note(number) }
                let place = expected.firstIndex { $0.deadline > deadline } ?? expected.endIndex
                expected.insert((deadline, number, id), at: place)
            case 2:
                guard let victim = expected.indices.randomElement(using: &random) else { continue }
                let id = expected.remove(at: victim).id
                queue.remove(id)
                queue.remove(id)
            default:
                let now = Int64(random.next() % 50)
                let work = queue.popDue(at: now)
                work?()
                let isDue = expected.first.map { $0.deadline <= now } ?? false
                #expect((work != nil) == isDue)
                if isDue { #expect(ran.all.last == expected.removeFirst().number) }
            }
            #expect(queue.count == expected.count)
            #expect(queue.nextDeadline == expected.first?.deadline)
        }
    }

    /// Pseudorandom numbers, the same each time.
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }
}
