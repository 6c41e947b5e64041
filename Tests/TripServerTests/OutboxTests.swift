import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripServer

@Suite struct OutboxTests {
    private static let trip = TripID(high: 0, low: 1)
    private static let other = TripID(high: 0, low: 2)

    private static func line(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Takes everything that can be sent, and sends it.
    private static func drain(_ outbox: inout Outbox) -> [Outbox.Step] {
        var sent: [Outbox.Step] = []
        while let step = outbox.next() {
            sent.append(step)
            switch step {
            case .line, .late: break
            case .state(let trip):
                outbox.delivered(trip, version: (outbox.slots[trip]?.delivered ?? 0) + 1)
            case .presence(let trip): outbox.deliveredPresence(trip)
            }
        }
        #expect(!outbox.hasNext)
        return sent
    }

    private static func subscribed(defers: Bool = true, isDragging: Bool = false) -> Outbox {
        var outbox = Outbox()
        outbox.openSlot(
            trip, Subscribe(trip: .id(trip), defersWhileDragging: defers), isDragging: isDragging)
        outbox.delivered(trip, version: 1)
        return outbox
    }

    @Test func `answers leave in the order of their requests, notifications among them`() {
        var outbox = Outbox()
        let (a, b, c) = (outbox.reserve(), outbox.reserve(), outbox.reserve())
        outbox.append(Self.line("note"))
        #expect(outbox.inFlight == 4)
        outbox.fulfil(c, with: .line(Self.line("c")))
        outbox.fulfil(b, with: .nothing)
        #expect(!outbox.hasNext)
        #expect(Self.drain(&outbox).isEmpty)
        #expect(outbox.queuedBytes == 5)
        outbox.fulfil(a, with: .line(Self.line("a")))
        #expect(outbox.hasNext)
        #expect(
            Self.drain(&outbox) == [.line(Self.line("a")), .line(Self.line("c")), .line(Self.line("note"))])
        #expect(outbox.inFlight == 0)
        #expect(outbox.queuedBytes == 0)
    }

    @Test func `a state never overtakes an answer that stands ready, but passes one that is awaited`() {
        var outbox = Self.subscribed()
        let (a, b) = (outbox.reserve(), outbox.reserve())
        outbox.offer(Self.trip)
        #expect(Self.drain(&outbox) == [.state(Self.trip)])
        outbox.fulfil(b, with: .line(Self.line("b")))
        outbox.offer(Self.trip)
        outbox.offerPresence(Self.trip)
        #expect(Self.drain(&outbox).isEmpty)
        outbox.fulfil(a, with: .line(Self.line("a")))
        #expect(
            Self.drain(&outbox) == [
                .line(Self.line("a")), .line(Self.line("b")), .state(Self.trip), .presence(Self.trip),
            ])
    }

    @Test func `states of one trip replace each other`() {
        var outbox = Self.subscribed()
        for _ in 0..<5 { outbox.offer(Self.trip) }
        #expect(Self.drain(&outbox) == [.state(Self.trip)])
        #expect(Self.drain(&outbox).isEmpty)
        outbox.offer(Self.other)
        #expect(Self.drain(&outbox).isEmpty, "nobody subscribed to it")
    }

    @Test func `nothing comes before a subscription is answered`() {
        var outbox = Outbox()
        outbox.openSlot(Self.trip, Subscribe(trip: .id(Self.trip)), isDragging: false)
        outbox.offer(Self.trip)
        outbox.offerPresence(Self.trip)
        #expect(Self.drain(&outbox).isEmpty)
        outbox.delivered(Self.trip, version: 4)
        outbox.deliveredPresence(Self.trip)
        #expect(Self.drain(&outbox).isEmpty, "its answer told the state")
        outbox.offer(Self.trip)
        #expect(Self.drain(&outbox) == [.state(Self.trip)])
    }

    @Test(arguments: [true, false])
    func `a shut slot withholds the state, not presence, where that is wanted`(_ defers: Bool) {
        var outbox = Self.subscribed(defers: defers)
        outbox.shut(Self.trip)
        outbox.offer(Self.trip)
        outbox.offerPresence(Self.trip)
        #expect(
            Self.drain(&outbox)
                == (defers ? [.presence(Self.trip)] : [.state(Self.trip), .presence(Self.trip)]))
        outbox.open(Self.trip)
        #expect(Self.drain(&outbox) == (defers ? [.state(Self.trip)] : []))
    }

    @Test func `a slot that opens while dragging is shut, and closing it ends it`() {
        var outbox = Self.subscribed(isDragging: true)
        outbox.offer(Self.trip)
        #expect(Self.drain(&outbox).isEmpty)
        outbox.closeSlot(Self.trip)
        outbox.open(Self.trip)
        outbox.offer(Self.trip)
        #expect(Self.drain(&outbox).isEmpty)
    }

    @Test func `what holds back is over when its answer is taken`() {
        var outbox = Outbox()
        let first = outbox.reserve()
        #expect(!outbox.holdsBack)
        let barrier = outbox.reserve(isBarrier: true)
        #expect(outbox.holdsBack)
        outbox.fulfil(barrier, with: .late(.tripList, .number(1)))
        #expect(outbox.holdsBack)
        outbox.fulfil(first, with: .line(Self.line("a")))
        #expect(outbox.holdsBack)
        #expect(Self.drain(&outbox) == [.line(Self.line("a")), .late(.tripList, .number(1))])
        #expect(!outbox.holdsBack)
    }

    @Test func `what a drag deferred holds back until it is told, and so does the drop itself`() {
        for hasNewsBefore in [true, false] {
            var outbox = Self.subscribed(isDragging: true)
            if hasNewsBefore { outbox.offer(Self.trip) }
            #expect(!outbox.holdsBack)
            let drop = outbox.reserve(isBarrier: true)
            outbox.fulfil(drop, with: .line(Self.line("dropped")))
            outbox.open(Self.trip)
            outbox.offer(Self.trip)
            guard case .line? = outbox.next() else {
                Issue.record("the answer comes first")
                return
            }
            #expect(outbox.holdsBack, "the answer is taken, what follows it is not")
            #expect(outbox.slots[Self.trip]?.wantsOneStep == true)
            #expect(Self.drain(&outbox) == [.state(Self.trip)])
            #expect(!outbox.holdsBack)
        }
    }

    @Test func `a drag that ends without news holds back nothing`() {
        var outbox = Self.subscribed(isDragging: true)
        outbox.open(Self.trip)
        outbox.offerPresence(Self.trip)
        #expect(!outbox.holdsBack)
        outbox.shut(Self.trip)
        outbox.offer(Self.trip)
        outbox.open(Self.trip)
        #expect(outbox.holdsBack)
        outbox.clearNews(Self.trip)
        #expect(!outbox.holdsBack, "there was nothing newer")
        outbox.offer(Self.trip)
        outbox.shut(Self.trip)
        outbox.open(Self.trip)
        outbox.closeSlot(Self.trip)
        #expect(!outbox.holdsBack, "nobody is to be told")
    }

    /// Random sequences against the plainest model there is.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `random sequences agree with a simple model`(_ seed: UInt64) {
        enum Cell {
            case awaiting(Int)
            case ready(String)
            case nothing
        }
        var random = SplitMix64(seed: seed)
        var outbox = Self.subscribed()
        var queue: [Cell] = []
        var (hasNews, hasPresence, isShut) = (false, false, false)
        for step in 0..<3000 {
            switch random.below(8) {
            case 0, 1: queue.append(.awaiting(outbox.reserve()))
            case 2:
                outbox.append(Self.line("n\(step)"))
                queue.append(.ready("n\(step)"))
            case 3, 4:
                let waiting = queue.indices.filter { if case .awaiting = queue[$0] { true } else { false } }
                guard let index = waiting.randomElement(using: &random),
                    case .awaiting(let number) = queue[index]
                else { continue }
                let isSilent = random.chance(20)
                outbox.fulfil(number, with: isSilent ? .nothing : .line(Self.line("a\(step)")))
                queue[index] = isSilent ? .nothing : .ready("a\(step)")
            case 5:
                outbox.offer(Self.trip)
                hasNews = true
            case 6:
                outbox.offerPresence(Self.trip)
                hasPresence = true
            default:
                isShut.toggle()
                if isShut { outbox.shut(Self.trip) } else { outbox.open(Self.trip) }
            }
            guard random.chance(30) else { continue }
            var expected: [Outbox.Step] = []
            while let cell = queue.first {
                if case .awaiting = cell { break }
                queue.removeFirst()
                if case .ready(let text) = cell { expected.append(.line(Self.line(text))) }
            }
            let isReadyBehind = queue.contains { if case .awaiting = $0 { false } else { true } }
            if !isReadyBehind {
                if hasNews, !isShut {
                    expected.append(.state(Self.trip))
                    hasNews = false
                }
                if hasPresence {
                    expected.append(.presence(Self.trip))
                    hasPresence = false
                }
            }
            #expect(Self.drain(&outbox) == expected, "seed \(seed), step \(step)")
            #expect(outbox.inFlight == queue.count)
        }
    }
}
