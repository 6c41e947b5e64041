import TestSupport
import Testing
import TripClient
import TripProtocol

@Suite struct TripMirrorTests {
    enum Step: Sendable {
        case receive(Int, epoch: String = "a")
        case holdBack
        case letGo(after: Int? = nil)
    }

    /// What is seen after a step: the version shown, the number waiting, and whether the step changed what is shown.
    struct Seen: Equatable {
        let version: Int
        let waiting: Int
        let hasChanged: Bool

        init(_ version: Int, waiting: Int = 0, changed hasChanged: Bool = false) {
            self.version = version
            self.waiting = waiting
            self.hasChanged = hasChanged
        }
    }

    private func run(_ steps: [Step], from version: Int = 1) throws -> [Seen] {
        var mirror = TripMirror(try SampleTrip.snapshot(version))
        return try steps.map { step in
            let hasChanged: Bool
            switch step {
            case .receive(let version, let epoch):
                hasChanged = mirror.receive(try SampleTrip.snapshot(version, epoch: epoch))
            case .holdBack:
                mirror.holdBack()
                hasChanged = false
            case .letGo(let version): hasChanged = mirror.letGo(after: version)
            }
            return Seen(mirror.shown.trip.version, waiting: mirror.waitingCount, changed: hasChanged)
        }
    }

    @Test func `newer states are shown, others are ignored`() throws {
        let seen = try run([.receive(2), .receive(2), .receive(1), .receive(7), .receive(6)])
        #expect(seen == [Seen(2, changed: true), Seen(2), Seen(2), Seen(7, changed: true), Seen(7)])
    }

    @Test func `during a drag newer states wait and are counted`() throws {
        let seen = try run([.holdBack, .receive(2), .receive(4), .receive(3), .letGo(), .receive(5)])
        #expect(
            seen == [
                Seen(1), Seen(1, waiting: 1), Seen(1, waiting: 3), Seen(1, waiting: 3),
                Seen(4, changed: true),
                Seen(5, changed: true),
            ])
    }

    @Test func `letting go of nothing changes nothing`() throws {
        #expect(try run([.holdBack, .letGo(), .letGo()]) == [Seen(1), Seen(1), Seen(1)])
    }

    @Test func `after a drop nothing is shown before the drop's own version`() throws {
        let seen = try run([
            .holdBack, .receive(2), .letGo(after: 4), .receive(3), .receive(4), .receive(5),
        ])
        #expect(
            seen == [
                Seen(1), Seen(1, waiting: 1), Seen(1, waiting: 1), Seen(1, waiting: 2),
                Seen(4, changed: true),
                Seen(5, changed: true),
            ])
    }

    @Test func `a drop whose version is here already is shown at once`() throws {
        #expect(try run([.holdBack, .receive(4), .letGo(after: 3)]).last == Seen(4, changed: true))
        #expect(
            try run([.holdBack, .letGo(after: 1), .receive(2)]) == [Seen(1), Seen(1), Seen(2, changed: true)])
    }

    @Test func `another drag before the first one's version is here holds back again`() throws {
        let seen = try run([
            .holdBack, .letGo(after: 3), .holdBack, .receive(3), .receive(4), .letGo(after: 5), .receive(5),
        ])
        #expect(seen.map(\.version) == [1, 1, 1, 1, 1, 1, 5])
        #expect(seen.map(\.waiting) == [0, 0, 0, 2, 3, 3, 0])
    }

    @Test func `another history replaces this one, however low its version`() throws {
        let seen = try run([
            .receive(9), .receive(3, epoch: "b"), .receive(2, epoch: "b"), .receive(4, epoch: "b"),
        ])
        #expect(seen == [Seen(9, changed: true), Seen(3, changed: true), Seen(3), Seen(4, changed: true)])
    }

    @Test func `another history waits for the end of a drag, but not for a version of the old one`() throws {
        let held = try run([.holdBack, .receive(3, epoch: "b"), .receive(5, epoch: "b"), .letGo()], from: 9)
        #expect(held == [Seen(9), Seen(9, waiting: 1), Seen(9, waiting: 1), Seen(5, changed: true)])
        let dropped = try run([.holdBack, .letGo(after: 10), .receive(3, epoch: "b")], from: 9)
        #expect(dropped.last == Seen(3, changed: true))
        let both = try run([.holdBack, .receive(3, epoch: "b"), .letGo(after: 10)], from: 9)
        #expect(both.last == Seen(3, changed: true))
    }

    /// Everything that was received, and what follows from it by the promises alone.
    private struct Model {
        var received: [Snapshot]
        var shown: Snapshot
        var isHeld = false
        var awaited: Int?

        init(_ first: Snapshot) {
            received = [first]
            shown = first
        }

        var newest: Snapshot { received[received.count - 1] }

        mutating func take(_ snapshot: Snapshot) {
            if snapshot.epoch == newest.epoch, snapshot.trip.version <= newest.trip.version { return }
            received.append(snapshot)
            show()
        }

        mutating func show() {
            if isHeld { return }
            if let awaited, newest.epoch == shown.epoch, newest.trip.version < awaited { return }
            awaited = nil
            shown = newest
        }

        var waitingCount: Int {
            newest.epoch == shown.epoch ? newest.trip.version - shown.trip.version : 1
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `random sequences keep the promises`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var version = 5
        var epoch = 0
        let first = try SampleTrip.snapshot(version, epoch: "0")
        var mirror = TripMirror(first)
        var model = Model(first)
        for _ in 0..<100 {
            let before = mirror.shown
            var hasChanged = false
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                // Mostly newer, sometimes stale, rarely another history.
                if Int.random(in: 0..<30, using: &random) == 0 {
                    epoch += 1
                    version = Int.random(in: 1...8, using: &random)
                } else {
                    version = max(1, version + Int.random(in: -1...3, using: &random))
                }
                let snapshot = try SampleTrip.snapshot(version, epoch: "\(epoch)")
                hasChanged = mirror.receive(snapshot)
                model.take(snapshot)
            case 6, 7:
                mirror.holdBack()
                (model.isHeld, model.awaited) = (true, nil)
            case 8:
                hasChanged = mirror.letGo()
                (model.isHeld, model.awaited) = (false, nil)
                model.show()
            default:
                let own = model.newest.trip.version + Int.random(in: -1...2, using: &random)
                hasChanged = mirror.letGo(after: own)
                (model.isHeld, model.awaited) = (false, own)
                model.show()
            }
            #expect(mirror.shown == model.shown)
            #expect(mirror.waitingCount == model.waitingCount)
            #expect(hasChanged == (mirror.shown != before))
            if mirror.shown.epoch == before.epoch {
                #expect(mirror.shown.trip.version >= before.trip.version)
            }
        }
    }
}
