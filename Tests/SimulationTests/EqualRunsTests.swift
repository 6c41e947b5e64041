import Foundation
import LocalSystem
import Testing

/// Equal seeds give equal runs, also in another process and under load.
@Suite struct EqualRunsTests {
    @Test(arguments: [[], ["--editors"], ["--undo"]])
    func `forty seeds give one hash in two processes`(_ kind: [String]) async throws {
        // The two processes load each other.
        let hashes = try await SimulationTests.apart {
            Result { try [Self.start(kind), Self.start(kind)].map(Self.hash) }
        }.get()
        #expect(hashes[0] == hashes[1])
        #expect(hashes[0].count > 8, "\(hashes)")
    }

    private static func start(_ kind: [String]) throws -> (process: Process, output: Foundation.Pipe) {
        let program = try #require(ExecutablePath.current).split(separator: "/").dropLast()
        let (process, output) = (Process(), Foundation.Pipe())
        process.executableURL = URL(filePath: "/" + program.joined(separator: "/") + "/simulate")
        process.arguments = kind + ["--seeds", "40", "--start", "50", "--steps", "50", "--trips", "small"]
        process.standardOutput = output
        try process.run()
        return (process, output)
    }

    private static func hash(of run: (process: Process, output: Foundation.Pipe)) throws -> String {
        let text = String(decoding: run.output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        run.process.waitUntilExit()
        #expect(run.process.terminationStatus == 0, "\(text)")
        return text.split(separator: "hash ").last.map(String.init) ?? ""
    }
}
