import Testing
import TripModel

@Suite struct RandomEditTests {
    /// A failure names the seed and the step, to reproduce it.
    @Test(arguments: 0..<32)
    func `R-DATA-05, R-FLAT-02, R-NORM, R-EDIT: random edits never break the trip's rules`(seed: UInt64)
        throws
    {
        var workload = Workload(seed: seed)
        var invariants = TripInvariants()
        var trip = try workload.makeTrip()
        for step in 0..<150 {
            let before = trip
            let edits = workload.makeBatch(for: trip)
            let probes = (0..<2).map { _ in workload.makeTravel(for: trip) }
            let gaps = probes.map { trip.gaps(for: $0) }

            let rehearsed = outcome { () throws(EditFailure) -> Commit in
                try trip.rehearse(edits, by: workload.author)
            }
            try #require(
                trip == before && trip.shownIDs == before.shownIDs, "rehearsal, seed \(seed) step \(step)")
            let applied = outcome { () throws(EditFailure) -> Commit in
                try trip.apply(edits, by: workload.author)
            }
            try #require(rehearsed == applied, "the dry run gave another result, seed \(seed) step \(step)")

            switch applied {
            case .success(let commit):
                let check = CommitInvariants(
                    before: before, after: trip, edits: edits, commit: commit, author: workload.author)
                let violation = try check.violation()
                try #require(violation == nil, "seed \(seed) step \(step): \(edits)")
            case .failure(let failure):
                try #require(edits.indices.contains(failure.index))
                try #require(
                    trip == before && trip.shownIDs == before.shownIDs, "seed \(seed) step \(step): \(edits)")
                try #require(probes.map { trip.gaps(for: $0) } == gaps, "seed \(seed) step \(step): \(edits)")
            }
            let violation = try invariants.violation(
                in: trip, shuffled: workload.shuffled(trip.items), probes: probes)
            try #require(violation == nil, "seed \(seed) step \(step): \(edits)")
        }
    }

    @Test(arguments: 100..<108)
    func `R-GAPS: a move into a gap is accepted exactly if the gap is valid`(seed: UInt64) throws {
        var workload = Workload(seed: seed)
        var trip = try workload.makeTrip()
        var verdicts = [true: 0, false: 0]
        for step in 0..<150 {
            _ = try? trip.apply([workload.makeEdit(for: trip)], by: workload.author)
            guard step % 10 == 9, let item = trip[workload.pickItem(of: trip)] else { continue }
            let report = try #require(trip.gaps(for: item.id))
            try #require(report == trip.gaps(for: item.content, without: item.id))
            try #require(report.validDays == trip.validDays(for: item.content))
            try #require(report.barriers == trip.barriers(for: item.content))
            let own = neighbours(of: item.id, in: trip)
            for gap in report.gaps {
                verdicts[gap.isValid, default: 0] += 1
                let here = Neighbours(above: gap.after, below: gap.before)
                for placement in Self.placements(meaning: gap) {
                    var copy = trip
                    let outcome = outcome { () throws(EditFailure) -> Commit in
                        try copy.apply([.move(item.id, to: placement)], by: workload.author)
                    }
                    switch outcome {
                    case .success(let commit):
                        let isOwn = item.position.day == gap.day && here == own
                        try #require(commit.isNoop == isOwn, "seed \(seed) step \(step) \(gap)")
                        try #require(gap.isValid || isOwn, "seed \(seed) step \(step) \(gap)")
                        try #require(
                            neighbours(of: item.id, in: copy) == here, "seed \(seed) step \(step) \(gap)")
                        let position = try #require(copy[item.id]?.position)
                        try #require(position.day == gap.day)
                        try #require(copy.refusal(of: item.content, at: position) == nil || isOwn)
                    case .failure(let failure):
                        let refusal = try #require(gap.refusal, "seed \(seed) step \(step) \(gap)")
                        try #require(failure.rejection == .place(refusal))
                    }
                }
            }
        }
        #expect(verdicts.values.allSatisfy { $0 > 0 }, "gaps of both kinds were tried")
    }

    @Test(arguments: 200..<208)
    func `R-GAPS: each day has one gap more than items`(seed: UInt64) throws {
        var workload = Workload(seed: seed)
        var trip = try workload.makeTrip()
        for _ in 0..<80 { _ = try? trip.apply([workload.makeEdit(for: trip)], by: workload.author) }
        for item in trip.items {
            let gaps = try #require(trip.gaps(for: item.id)).gaps
            for day in 1...trip.header.dayCount {
                let others = trip.items(onDay: day).map(\.id).filter { $0 != item.id }
                let ofDay = gaps.filter { $0.day == day }
                try #require(ofDay.map(\.after) == [nil] + others)
                try #require(ofDay.map(\.before) == others + [nil])
            }
            try #require(gaps.map(\.day) == gaps.map(\.day).sorted())
            try #require(Set(gaps.map(\.day)) == Set(1...trip.header.dayCount))
        }
    }

    private static func placements(meaning gap: Gap) -> [Placement] {
        var placements = [gap.placement]
        if let before = gap.before { placements.append(.before(before, day: gap.day)) }
        if gap.after == nil { placements.append(.start(day: gap.day)) }
        if gap.before == nil { placements.append(.end(day: gap.day)) }
        return placements
    }

    private func outcome(
        of body: () throws(EditFailure) -> Commit
    ) -> Result<Commit, EditFailure> {
        Result(catching: body)
    }
}
