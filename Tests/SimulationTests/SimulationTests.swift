import LocalSystem
import Simulation
import Testing

/// Seeds of the simulation; `swift run -c release simulate` runs as many more as one has time for.
@Suite struct SimulationTests {
    /// In two halves, for two processors.
    @Test("a thousand seeds break no promise", arguments: [1, 501] as [UInt64])
    func seeds(from first: UInt64) async throws {
        let failures = try await Self.apart {
            (first..<first + 500).compactMap { Simulation.run(seed: $0, steps: 300).failure.map { "\($0)" } }
        }
        for failure in failures { Issue.record("\(failure)") }
    }

    @Test("a seed is one run, every time", .serialized, arguments: [1, 2, 3] as [UInt64])
    func replays(seed: UInt64) async throws {
        let hashes = try await Self.apart { [seed, seed, seed + 1].map { Simulation.run(seed: $0).hash } }
        #expect(hashes[1] == hashes[0])
        #expect(hashes[2] != hashes[0])
    }

    /// Seeds of which one must show a planted bug; most are found by the first ten.
    static let patience: UInt64 = 150

    @Test(
        "each planted bug is found", .serialized, .enabled(if: PlantedBug.canBePlanted),
        arguments: PlantedBug.allCases.filter { !PlantedBug.ofEditors.contains($0) })
    func finds(bug: PlantedBug) async throws {
        let failure = try await Self.apart {
            (1...Self.patience).lazy.compactMap { Simulation.run(seed: $0, bug: bug).failure }.first
                .map { "\($0)" }
        }
        let found = try #require(failure, "\(bug) is not found by \(Self.patience) seeds")
        #expect(found.contains("--bug \(bug)"), "the failure says how to see it again")
    }

    /// Runs for a while on a thread of its own: the tests beside these need the threads of Concurrency.
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
