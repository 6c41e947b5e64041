import LocalSystem
import Testing

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
        // Woken for each of them, not turning through the last millisecond before.
        #expect(loop.statistics.rounds <= 8)
    }

    @Test func `a timer can cancel one that is due in the same round`() throws {
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

    @Test func `a timer set by a timer runs in a later round`() throws {
        let loop = try EventLoop()
        let probe = Probe<Int>()
        loop.schedule(after: .zero) {
            probe.note(loop.statistics.rounds)
            loop.schedule(after: .zero) {
                probe.note(loop.statistics.rounds)
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

    /// Numbers that look random and are the same each time.
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
