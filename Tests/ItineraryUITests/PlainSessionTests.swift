import Foundation
import Testing

/// Whole sessions of the plain editor: each file contains the typed lines, the events and the output.
///
/// With `RECORD_FRAMES` in the environment the files are rewritten; review the changes with `git diff`.
@Suite struct PlainSessionTests {
    @Test(arguments: [
        "browse", "move", "drag", "edit", "remote", "connection", "mistakes", "find", "trips", "plan",
    ])
    func `the plain editor prints the output of its script`(name: String) throws {
        let script = try TextFile.read("Plain/\(name).txt")
        var session = try PlainSession()
        try session.run(script)
        if ProcessInfo.processInfo.environment["RECORD_FRAMES"] != nil {
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "Plain/\(name).txt")
            try Data((session.transcript.joined(separator: "\n") + "\n").utf8).write(to: file)
            return
        }
        let wanted = script.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        for (number, (said, want)) in zip(session.transcript, wanted).enumerated() {
            try #require(said == want, "line \(number + 1)")
        }
        #expect(session.transcript.count == wanted.count)
    }
}
