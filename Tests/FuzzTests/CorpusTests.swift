import Foundation
import Testing

/// The stored inputs, run through the functions that libFuzzer calls.
@Suite struct CorpusTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    private static let corpus = root.appending(path: "Corpus")
    private static let dictionaries = root.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Tools/fuzz/dictionaries")

    private static func inputs(of target: FuzzTarget) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: corpus.appending(path: target.rawValue), includingPropertiesForKeys: nil)
    }

    @Test(arguments: FuzzTarget.allCases)
    func `the invariants hold for every stored input`(_ target: FuzzTarget) throws {
        let inputs = try Self.inputs(of: target)
        try #require(inputs.count >= 3, "\(target) has inputs")
        for input in inputs {
            let bytes = Array(try Data(contentsOf: input))
            do throws(Finding) { try target.run(bytes) } catch {
                Issue.record("\(target), \(input.lastPathComponent): \(error)")
            }
        }
    }

    @Test func `exactly the targets have a folder of inputs and a dictionary`() throws {
        let names = FuzzTarget.allCases.map(\.rawValue).sorted()
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        #expect(folders.sorted() == names)
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.dictionaries.path)
        #expect(files.sorted() == names.map { $0 + ".txt" })
    }
}
