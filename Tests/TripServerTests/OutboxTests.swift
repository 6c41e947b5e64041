import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripServer

@Suite struct OutboxTests {
    private static let trip = TripID(high: 0, low: 1)
    private static let other = TripID(high: 0, low: 2)

    private static func line(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Takes and sends everything that can be sent.
    private static func drain(_ outbox: inout Outbox) -> [Outbox.Step] {
        var sent: [Outbox.Step] = []
        while let step = outbox.next() {
            sent.append(step)
            switch step {
            case .line, .late: break
            case .state(let trip):
                outbox.slots.delivered(trip, version: (outbox.slots[trip]?.delivered ?? 0) + 1)
            case .presence(let trip): outbox.slots.deliveredPresence(trip)
            }
        }
        #expect(!outbox.hasNext)
        return sent
    }

    private static func subscribed(defers: Bool = true, isDragging: Bool = false) -> Outbox {
        var outbox = Outbox()
        outbox.slots.open(
            trip, Subscribe(trip: .id(trip), defersWhileDragging: defers), isDragging: isDragging)
        outbox.slots.delivered(trip, version: 1)
        return outbox
    }

    @Test func `answers are sent in the order of their requests, with notifications among them`() {
        var outbox = Outbox()
        let (a, b, c) = (outbox.reserve(), outbox.reserve(), outbox.reserve())
        outbox.append(Self.line("note"))
        #expect(outbox.inFlight == 4)
        outbox.complete(c, with: .line(Self.line("c")))
        outbox.complete(b, with: .nothing)
        #expect(!outbox.hasNext)
        #expect(Self.drain(&outbox).isEmpty)
        #expect(outbox.queuedBytes == 5)
        outbox.complete(a, with: .line(Self.line("a")))
        #expect(outbox.hasNext)
        #expect(
            Self.drain(&outbox) == [.line(Self.line("a")), .line(Self.line("c")), .line(Self.line("note"))])
        #expect(outbox.inFlight == 0)
        #expect(outbox.queuedBytes == 0)
    }

    @Test func `the next version is sent directly only to a subscriber with nothing else to send`() {
        func subscribed(_ change: (inout Outbox) -> Void = { _ in }) -> Outbox {
            var outbox = Outbox()
            outbox.slots.open(Self.trip, Subscribe(trip: .id(Self.trip), mode: .delta), isDragging: false)
            outbox.slots.delivered(Self.trip, version: 4)
            change(&outbox)
            return outbox
        }
        var current = subscribed { _ = $0.reserve() }
        let delivers = [(Self.trip, 6), (Self.other, 5), (Self.trip, 5), (Self.trip, 5), (Self.trip, 6)].map {
            current.deliversNext($0, from: $1 - 1, to: $1)
        }
        #expect(delivers == [false, false, true, false, true])
        #expect(current.slots[Self.trip]?.delivered == 6)
        #expect(Self.drain(&current).isEmpty)

        let others: [(inout Outbox) -> Void] = [
            { $0.append(Self.line("first")) },
            {
                _ = $0.reserve()
                let number = $0.reserve()
                $0.complete(number, with: .line(Self.line("first")))
            },
            { $0.slots.scheduleUpdate(Self.trip) },
            { $0.slots.schedulePresenceUpdate(Self.trip) },
            { $0.slots.pause(Self.trip) },
            {
                $0.slots.pause(Self.trip)
                $0.slots.resume(Self.trip)
            },
            { $0.slots.open(Self.trip, Subscribe(trip: .id(Self.trip), mode: .delta), isDragging: false) },
            {
                $0.slots.open(Self.trip, Subscribe(trip: .id(Self.trip), mode: .snapshot), isDragging: false)
                $0.slots.delivered(Self.trip, version: 4)
            },
            { $0.discardAll() },
        ]
        for (index, change) in others.enumerated() {
            var outbox = subscribed(change)
            let delivers = outbox.deliversNext(Self.trip, from: 4, to: 5)
            #expect(!delivers, "\(index)")
        }
    }

    @Test func `a state does not overtake a finished answer, but passes an unfinished one`() {
        var outbox = Self.subscribed()
        let (a, b) = (outbox.reserve(), outbox.reserve())
        outbox.slots.scheduleUpdate(Self.trip)
        #expect(Self.drain(&outbox) == [.state(Self.trip)])
        outbox.complete(b, with: .line(Self.line("b")))
        outbox.slots.scheduleUpdate(Self.trip)
        outbox.slots.schedulePresenceUpdate(Self.trip)
        #expect(Self.drain(&outbox).isEmpty)
        outbox.complete(a, with: .line(Self.line("a")))
        #expect(
            Self.drain(&outbox) == [
                .line(Self.line("a")), .line(Self.line("b")), .state(Self.trip), .presence(Self.trip),
            ])
    }

    @Test func `a newer state of a trip replaces an older one`() {
        var outbox = Self.subscribed()
        for _ in 0..<5 { outbox.slots.scheduleUpdate(Self.trip) }
        #expect(Self.drain(&outbox) == [.state(Self.trip)])
        #expect(Self.drain(&outbox).isEmpty)
        outbox.slots.scheduleUpdate(Self.other)
        #expect(Self.drain(&outbox).isEmpty, "it has no subscriber")
    }

    @Test func `nothing is sent to a subscriber before its answer`() {
        var outbox = Outbox()
        outbox.slots.open(Self.trip, Subscribe(trip: .id(Self.trip)), isDragging: false)
        outbox.slots.scheduleUpdate(Self.trip)
        outbox.slots.schedulePresenceUpdate(Self.trip)
        #expect(Self.drain(&outbox).isEmpty)
        outbox.slots.delivered(Self.trip, version: 4)
        outbox.slots.deliveredPresence(Self.trip)
        #expect(Self.drain(&outbox).isEmpty, "its answer contained the state")
        outbox.slots.scheduleUpdate(Self.trip)
        #expect(Self.drain(&outbox) == [.state(Self.trip)])
    }

    @Test(arguments: [true, false])
    func `a paused slot defers states, not presence, if requested`(_ defers: Bool) {
        var outbox = Self.subscribed(defers: defers)
        outbox.slots.pause(Self.trip)
        outbox.slots.scheduleUpdate(Self.trip)
        outbox.slots.schedulePresenceUpdate(Self.trip)
        #expect(
            Self.drain(&outbox)
                == (defers ? [.presence(Self.trip)] : [.state(Self.trip), .presence(Self.trip)]))
        outbox.slots.resume(Self.trip)
        #expect(Self.drain(&outbox) == (defers ? [.state(Self.trip)] : []))
    }

    @Test func `a slot that is opened during a drag is paused, and closing it ends the pause`() {
        var outbox = Self.subscribed(isDragging: true)
        outbox.slots.scheduleUpdate(Self.trip)
        #expect(Self.drain(&outbox).isEmpty)
        outbox.slots.close(Self.trip)
        outbox.slots.resume(Self.trip)
        outbox.slots.scheduleUpdate(Self.trip)
        #expect(Self.drain(&outbox).isEmpty)
    }

    @Test func `a barrier ends when its answer is taken`() {
        var outbox = Outbox()
        let first = outbox.reserve()
        #expect(!outbox.blocksLater)
        let barrier = outbox.reserve(isBarrier: true)
        #expect(outbox.blocksLater)
        outbox.complete(barrier, with: .late(.tripList, .number(1), version: 0))
        #expect(outbox.blocksLater)
        outbox.complete(first, with: .line(Self.line("a")))
        #expect(outbox.blocksLater)
        #expect(Self.drain(&outbox) == [.line(Self.line("a")), .late(.tripList, .number(1))])
        #expect(!outbox.blocksLater)
    }

    @Test func `deferred updates block later requests until they are sent, and so does the drop`() {
        for hasNewsBefore in [true, false] {
            var outbox = Self.subscribed(isDragging: true)
            if hasNewsBefore { outbox.slots.scheduleUpdate(Self.trip) }
            #expect(!outbox.blocksLater)
            let drop = outbox.reserve(isBarrier: true)
            outbox.complete(drop, with: .line(Self.line("dropped")))
            outbox.slots.resume(Self.trip)
            outbox.slots.scheduleUpdate(Self.trip)
            guard case .line? = outbox.next() else {
                Issue.record("the answer comes first")
                return
            }
            #expect(outbox.blocksLater, "the answer is taken, what follows it is not")
            #expect(outbox.slots[Self.trip]?.wantsOneStep == true)
            #expect(Self.drain(&outbox) == [.state(Self.trip)])
            #expect(!outbox.blocksLater)
        }
    }

    @Test func `a drag without deferred updates blocks nothing`() {
        var outbox = Self.subscribed(isDragging: true)
        outbox.slots.resume(Self.trip)
        outbox.slots.schedulePresenceUpdate(Self.trip)
        #expect(!outbox.blocksLater)
        outbox.slots.pause(Self.trip)
        outbox.slots.scheduleUpdate(Self.trip)
        outbox.slots.resume(Self.trip)
        #expect(outbox.blocksLater)
        outbox.slots.clearUpdate(Self.trip)
        #expect(!outbox.blocksLater, "there was nothing newer")
        outbox.slots.scheduleUpdate(Self.trip)
        outbox.slots.pause(Self.trip)
        outbox.slots.resume(Self.trip)
        outbox.slots.close(Self.trip)
        #expect(!outbox.blocksLater, "no output waits")
    }

    /// Random sequences, compared with a simple model.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `random sequences match a simple model`(_ seed: UInt64) {
        enum Cell {
            case awaiting(Int)
            case ready(String)
            case nothing
        }
        var random = SplitMix64(seed: seed)
        var outbox = Self.subscribed()
        var queue: [Cell] = []
        var (hasUpdate, hasPresence, isPaused) = (false, false, false)
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
                outbox.complete(number, with: isSilent ? .nothing : .line(Self.line("a\(step)")))
                queue[index] = isSilent ? .nothing : .ready("a\(step)")
            case 5:
                outbox.slots.scheduleUpdate(Self.trip)
                hasUpdate = true
            case 6:
                outbox.slots.schedulePresenceUpdate(Self.trip)
                hasPresence = true
            default:
                isPaused.toggle()
                if isPaused { outbox.slots.pause(Self.trip) } else { outbox.slots.resume(Self.trip) }
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
                if hasUpdate, !isPaused {
                    expected.append(.state(Self.trip))
                    hasUpdate = false
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
