import LocalSystem
import Testing

@testable import Simulation

/// As many seeds of the simulation as a debug build has time for. `.ci/run` runs five hundred in a release
/// build; `swift run -c release simulate` runs any number.
@Suite struct SimulationTests {
    /// In two halves, for two processors.
    @Test(arguments: [1, 21] as [UInt64])
    func `forty seeds break no promise`(from first: UInt64) async throws {
        try await Self.expectNoFailure(of: Array(first..<first + 20), steps: 300, .small)
    }

    @Test func `seeds with large trips break no promise`() async throws {
        try await Self.expectNoFailure(of: Array(1...3), steps: 200, .large)
    }

    private static func expectNoFailure(
        of seeds: [UInt64], steps: Int, _ breadth: Simulation.Breadth
    ) async throws {
        let failures = try await apart {
            seeds.compactMap {
                Simulation.run(seed: $0, steps: steps, breadth: breadth).failure.map { "\($0)" }
            }
        }
        for failure in failures { Issue.record("\(failure)") }
    }

    /// In the first seed a trip is created and deleted by one batch of the writer while the catalogue cannot be written; in
    /// the second a trip is created again whose first creation may be on disk.
    @Test func `two trips never have one slug, and none is taken for an older file`() async throws {
        try await Self.expectNoFailure(of: [1_221_112, 1_219_707], steps: 400, .mixed)
    }

    /// With this seed the loop itself writes a journal beside the writer, and the process dies in that call.
    /// The dead process must not send the disk's error.
    @Test func `a process that has died sends nothing more`() async throws {
        try await Self.expectNoFailure(of: [5_056_450], steps: 400, .mixed)
    }

    /// With this seed workers free failed trips of many items one after another, while the loop has nothing to do and the
    /// line of the audit waits to be parsed behind them.
    @Test func `a daemon whose workers have jobs is not at rest`() async throws {
        try await Self.expectNoFailure(of: [9_300_989], steps: 400, .mixed)
    }

    @Test func `different seeds give different hashes`() {
        #expect(Simulation.run(seed: 1, steps: 20).hash != Simulation.run(seed: 2, steps: 20).hash)
    }

    @Test func `a trap prints the seed`() async throws {
        let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            LastWords.prepare(7, 300, .small)
            LastWords.note(step: 12)
            fatalError("a defect")
        }
        let words = String(decoding: try #require(end).standardErrorContent, as: UTF8.self)
        #expect(words.contains("seed 7: the process died"))
        #expect(words.contains("replay: swift run simulate --start 7 --seeds 1 --steps 300 --trips small"))
        #expect(words.contains("  in step 12"))
    }

    /// Runs on a thread of its own, because concurrent tests need the threads of the cooperative pool.
    static func apart<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) async throws -> Value {
        let (values, end) = AsyncStream.makeStream(of: Value.self)
        let thread = try WorkerThread {
            end.yield(work())
            end.finish()
        }
        var iterator = values.makeAsyncIterator()
        let value = await iterator.next()
        thread.join()
        return try #require(value)
    }
}
