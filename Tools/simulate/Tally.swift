import Foundation
import LocalSystem
import Simulation

/// Distributes seeds to several threads and counts the results.
final class Tally: Sendable {
    private struct State {
        var next = 0
        var sum = Simulation.Figures()
        var editors = EditorWorld.Figures()
        var undo = UndoHistory.Figures()
        var pipelined = PipelinedHistory.Figures()
        var failures = 0
        /// The number of failed seeds by broken promise.
        var broken: [String: Int] = [:]
        /// The sum of all hashes, independent of their order: equal runs have equal sums.
        var hash: UInt64 = 0
    }

    private let options: SimulateOptions
    private let state = Guarded(State())
    private let began = MonotonicClock.nowNanoseconds

    init(_ options: SimulateOptions) { self.options = options }

    var hasFailed: Bool { state.withLock { $0.failures > 0 } }

    /// Runs all seeds; returns when all are finished.
    func run() {
        let tally = self
        // Each thread is joined when its object is released.
        var threads: [JobThread] = []
        for _ in 1..<max(1, options.jobs) { threads.append(JobThread { tally.work() }) }
        work()
        threads.removeAll()
    }

    private func work() {
        while let seed = take() {
            if options.areEditors {
                runEditors(seed)
                continue
            }
            if options.isUndo {
                runUndo(seed)
                continue
            }
            let outcome = Simulation.run(
                seed: seed, steps: options.steps, breadth: options.breadth,
                isTraced: options.isTraced)
            for line in outcome.trace { print(line) }
            if let failure = outcome.failure {
                print(failure)
                // Otherwise the output would be lost if the process died in the next seed.
                fflush(nil)
            }
            state.withLock { state in
                state.sum += outcome.figures
                state.hash &+= outcome.hash
                if let failure = outcome.failure {
                    state.failures += 1
                    state.broken[failure.invariant, default: 0] += 1
                }
            }
        }
    }

    private func runEditors(_ seed: UInt64) {
        let outcome = EditorWorld.run(
            seed: seed, steps: options.steps, isTraced: options.isTraced)
        for line in outcome.trace { print(line) }
        if let failure = outcome.failure { print(failure) }
        state.withLock { state in
            state.editors += outcome.figures
            if outcome.failure != nil { state.failures += 1 }
        }
    }

    private func runUndo(_ seed: UInt64) {
        let (figures, failure) = UndoHistory.run(seed: seed, isTraced: options.isTraced)
        if let failure { print(failure) }
        state.withLock { state in
            state.undo += figures
            if failure != nil { state.failures += 1 }
        }
        guard seed.isMultiple(of: 10) else { return }
        let (pipelined, broken) = PipelinedHistory.run(seed: seed)
        if let broken { print(broken) }
        state.withLock { state in
            state.pipelined += pipelined
            if broken != nil { state.failures += 1 }
        }
    }

    /// The next seed; nil at the limit of seeds or time.
    private func take() -> UInt64? {
        if let minutes = options.minutes, seconds >= Double(minutes * 60) { return nil }
        return state.withLock { state in
            guard state.next < options.seedLimit else { return nil }
            if options.endsAtFailure, state.failures > 0 { return nil }
            defer { state.next += 1 }
            return options.start + UInt64(state.next)
        }
    }

    private var seconds: Double { Double(MonotonicClock.nowNanoseconds - began) / 1e9 }

    /// The results as text.
    var report: String {
        options.isUndo ? reportOfUndo : options.areEditors ? reportOfEditors : reportOfClients
    }

    private var reportOfUndo: String {
        let (sum, pipelined, failures) = state.withLock { ($0.undo, $0.pipelined, $0.failures) }
        return """
            histories    \(sum.seeds), of which \(failures) broke a promise
            changes      \(sum.changes)
            undos        \(sum.undos), \(sum.conflicts) conflicts
            redos        \(sum.redos)
            restarts     \(sum.restarts), \(sum.compactions) of them from a compacted journal
            pipelined    \(pipelined.histories) histories, \(pipelined.requests) requests, \(pipelined.acknowledged) acknowledged, \(pipelined.failures) failed writes
            time         \(Int(seconds)) s, hash \(String(sum.hash &+ pipelined.hash, radix: 16))
            """
    }

    private var reportOfEditors: String {
        let (sum, failures) = state.withLock { ($0.editors, $0.failures) }
        return """
            seeds        \(sum.seeds), of which \(failures) broke a promise
            steps        \(sum.steps), \(sum.inputs) keys and lines typed, \(sum.quits) editors left
            changes      \(sum.changes), \(sum.refused) refused, \(sum.unknown) unknown
            connections  \(sum.cuts) cut
            daemon       \(sum.lives) lives, \(sum.restores) restores from a backup
            rests        \(sum.rests) at which everything was compared
            time         \(Int(seconds)) s, hash \(String(sum.hash, radix: 16))
            """
    }

    private var reportOfClients: String {
        let (sum, failures, broken, hash) = state.withLock { ($0.sum, $0.failures, $0.broken, $0.hash) }
        let promises = broken.sorted { $0.value > $1.value }.map { "\n  \($0.value) × \($0.key)" }
        let seconds = max(seconds, 0.001)
        func rate(_ count: Int) -> String { "\(count) (\(Int(Double(count) / seconds))/s)" }
        return """
            seeds        \(rate(sum.seeds)), of which \(failures) broke a promise\(promises.joined())
            steps        \(rate(sum.steps))
            commits      \(rate(sum.commits))
            drags        \(rate(sum.drags))
            connections  \(rate(sum.drops)) ended
            trips        \(rate(sum.deletions)) deleted
            daemon       \(rate(sum.crashes)) crashes, \(sum.powerCuts) power cuts, \(sum.restarts) stops in order
            disk         \(sum.diskFaults) faults, \(sum.compactions) journals compacted
            longest step \(sum.longestStep.units) units of work on the loop, in \(sum.longestStep.name)
            rests        \(sum.rests) at which everything was compared
            time         \(Int(seconds)) s, hash \(String(hash, radix: 16))
            """
    }
}

/// A thread that is joined with its last reference.
private final class JobThread {
    private let thread: WorkerThread?

    init(_ work: @escaping @Sendable () -> Void) { thread = try? WorkerThread(work) }
}
