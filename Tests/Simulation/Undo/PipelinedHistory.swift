import TestSupport
import TripModel
import TripServer

/// A random history of two people who do not wait for their answers, on a disk that fails now and then.
///
/// Each acknowledged request is also sent to a second trip, which stores it at once and never fails. Both must give
/// the same answers and the same trip: a rolled-back request leaves no trace.
package struct PipelinedHistory {
    /// Counters of a run.
    package struct Figures: Sendable, Equatable {
        package var histories = 0
        package var requests = 0
        package var acknowledged = 0
        package var failures = 0
        package var hash: UInt64 = 0

        package init() {}

        package static func += (sum: inout Figures, other: Figures) {
            sum.histories += other.histories
            sum.requests += other.requests
            sum.acknowledged += other.acknowledged
            sum.failures += other.failures
            sum.hash &+= other.hash
        }
    }

    private struct Sent {
        let request: DetachedTrip.Request
        let person: Int
        /// Its sequence number, and the number of the request that it repeats.
        let sequence: (seq: Int, fingerprint: UInt64)?
    }

    private static let requests = 500

    private var random: SplitMix64
    private var edits: UndoEdits
    private var daemon: DetachedTrip
    private var model: DetachedTrip
    private var sent: [Sent] = []
    private var lastSeq = [1: 0, 2: 0]
    private var figures = Figures()

    /// Runs the history of a seed.
    ///
    /// - Returns: the broken promise, if any.
    package static func run(seed: UInt64) -> (figures: Figures, failure: String?) {
        do {
            var history = try PipelinedHistory(seed: seed)
            do { try history.run() } catch let violation as Violation {
                return (history.figures, "seed \(seed): \(violation.invariant)\n  \(violation.facts)")
            }
            return (history.figures, nil)
        } catch { return (Figures(), "seed \(seed): \(error)") }
    }

    private init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        edits = UndoEdits(seed: seed &+ 0x51ED, isAlone: false)
        daemon = DetachedTrip(try edits.trip())
        model = daemon
        figures.histories = 1
    }

    private mutating func run() throws {
        let (storing, failing) = (5 + random.below(60), random.below(12))
        while sent.count < Self.requests {
            let next = next()
            sent.append(next)
            try check(
                daemon.send(next.request, number: sent.count, by: next.person, sequence: next.sequence))
            if random.chance(storing) {
                try check(daemon.store(upTo: random.pick(Array(daemon.versions)) ?? daemon.trip.version))
            }
            if random.chance(failing) { try fail() }
        }
        if random.chance(50) { try fail() }
        try check(daemon.store(upTo: daemon.trip.version))
        try compare("a failed write leaves what the acknowledged requests have made")
        (daemon, model) = (try daemon.restarted(compacting: nil), try model.restarted { $0 / 2 })
        try undoEverything()
        var trace = Trace(isKept: false)
        for item in daemon.trip.items { trace.note(item.encoded()) }
        figures.hash = trace.hash
    }

    private mutating func next() -> Sent {
        let person = 1 + random.below(2)
        let number = UInt64(sent.count + 1)
        let own = sent.filter { $0.person == person && $0.sequence != nil }
        if random.chance(8), let earlier = random.pick(own.suffix(20)), let sequence = earlier.sequence {
            // A retry, or now and then another request with the same number.
            return random.chance(90)
                ? earlier : Sent(request: .undo, person: person, sequence: (sequence.seq, number))
        }
        let request: DetachedTrip.Request =
            switch random.below(20) {
            case ..<6: .undo
            case ..<9: .redo
            default: .change(random.pick(edits.next(for: daemon.trip)) ?? [])
            }
        guard random.chance(70) else { return Sent(request: request, person: person, sequence: nil) }
        let seq = lastSeq[person, default: 0] + 1 + (random.chance(10) ? random.below(3) : 0)
        lastSeq[person] = seq
        return Sent(request: request, person: person, sequence: (seq, number))
    }

    private mutating func fail() throws {
        figures.failures += 1
        try check(daemon.fail())
        try compare("a failed write leaves what the acknowledged requests have made")
    }

    /// Repeats the acknowledged requests in the other trip, in the order of their answers.
    private mutating func check(_ answers: [DetachedTrip.Answer]) throws {
        for answer in answers {
            figures.requests += 1
            let text = String(decoding: answer.line, as: UTF8.self)
            if text.contains("\"storage_full\"") { continue }
            figures.acknowledged += 1
            let request = sent[answer.number - 1]
            let expected =
                model.send(
                    request.request, number: answer.number, by: request.person, sequence: request.sequence)
                + model.store(upTo: model.trip.version)
            guard expected == [answer] else {
                let lines = expected.map { String(decoding: $0.line, as: UTF8.self) }
                throw Violation("an answer depends only on acknowledged requests", "\(text)  \(lines)")
            }
        }
    }

    private func compare(_ promise: String) throws {
        guard daemon.trip == model.trip, daemon.trip.shownIDs == model.trip.shownIDs else {
            throw Violation(promise, "\(daemon.trip.items)\n  \(model.trip.items)")
        }
    }

    /// Undoes all that can be undone, in both restarted trips.
    private mutating func undoEverything() throws {
        for person in [1, 2] {
            for _ in 0..<Self.requests {
                let (left, right) = (daemon.undo(by: person), model.undo(by: person))
                guard left == right else {
                    throw Violation("a restart leaves the same undo entries", "\(left) \(right)")
                }
                if left == .refused("nothing_to_undo") { break }
            }
        }
        try compare("undoing everything gives the same trip")
    }
}
