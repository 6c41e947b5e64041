import LocalSystem
import Simulation
import Testing

/// As many seeds of the simulation as a debug build has time for. `.ci/run` runs five hundred in a release
/// build; `swift run -c release simulate` runs any number.
@Suite struct SimulationTests {
    /// In two halves, for two processors.
    @Test("two hundred seeds break no promise", arguments: [1, 101] as [UInt64])
    func seeds(from first: UInt64) async throws {
        try await Self.expectNoFailure(of: Array(first..<first + 100), steps: 300, .small)
    }

    @Test("seeds with large trips break no promise")
    func largeTrips() async throws {
        try await Self.expectNoFailure(of: Array(1...6), steps: 200, .large)
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

    /// With this seed the loop itself writes a journal beside the writer, and the process dies in that call.
    /// The dead process must not send the disk's error.
    @Test("a process that has died sends nothing more")
    func diesInTheLoop() async throws {
        try await Self.expectNoFailure(of: [5_056_450], steps: 400, .mixed)
    }

    @Test("equal seeds give equal runs", .serialized, arguments: [1, 2, 3] as [UInt64])
    func replays(seed: UInt64) async throws {
        let hashes = try await Self.apart { [seed, seed, seed + 1].map { Simulation.run(seed: $0).hash } }
        #expect(hashes[1] == hashes[0])
        #expect(hashes[2] != hashes[0])
    }

    /// The number of seeds of which one must find a planted bug. Most are found within ten.
    static let timeout: UInt64 = 1000

    /// The features that a seed needs to find a bug; empty if any seed may.
    private static func ground(of bug: PlantedBug) -> Set<Simulation.Feature> {
        switch bug {
        case .deletionAfterFailure: [.nomads]
        case .listenedWhileStopping: [.lackOfDescriptors]
        case .draftLeftOnFullDisk: [.tightDisk]
        case .answersTrimmedTooEarly, .appliedForgottenWithAnswer: [.storm]
        default: []
        }
    }

    /// Seeds known to find bugs that the first few do not. The table only saves time: if an entry is
    /// outdated, the first thousand seeds are tried.
    private static let lastSeen: [PlantedBug: UInt64] = [
        .tornTailCutShort: 69, .deletionAfterFailure: 33, .leaseNotReleased: 15,
        .lineageForgotten: 49, .appliedForgottenWithAnswer: 63, .answersTrimmedTooEarly: 63,
    ]

    /// The first failure caused by a planted bug, as text, among the suitable seeds.
    private static func firstFailure(with bug: PlantedBug) -> String? {
        let likely = lastSeen[bug].map { [$0] } ?? []
        for seed in likely + Array(1...timeout)
        where ground(of: bug).isSubset(of: Simulation.features(of: seed, breadth: .small)) {
            if let failure = Simulation.run(seed: seed, breadth: .small, bug: bug).failure {
                return "\(failure)"
            }
        }
        return nil
    }

    @Test(
        "each planted bug is found", .serialized, .enabled(if: PlantedBug.canBePlanted),
        arguments: PlantedBug.allCases.filter {
            $0 != .listenedWhileStopping && !PlantedBug.ofEditors.contains($0)
        })
    func finds(bug: PlantedBug) async throws {
        let failure = try await Self.apart { Self.firstFailure(with: bug) }
        let found = try #require(failure, "\(bug) is not found by \(Self.timeout) seeds")
        #expect(found.contains("--bug \(bug)"), "the failure says how to see it again")
    }

    @Test("a trap prints the seed", .enabled(if: PlantedBug.canBePlanted))
    func trapNamesItsSeed() async throws {
        let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Self.firstFailure(with: .listenedWhileStopping)
        }
        let words = String(decoding: try #require(end).standardErrorContent, as: UTF8.self)
        #expect(words.contains("the process died"))
        #expect(words.contains("--bug listenedWhileStopping"), "it says how to see it again")
        #expect(words.contains("  in step "))
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
