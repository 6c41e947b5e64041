import Foundation
import Testing

/// Whole sessions of the plain editor: a file says what is typed and what happens, and what the editor says to it.
///
/// With `RECORD_FRAMES` in the environment the files are written instead; what has changed is then to be read in
/// the difference.
@Suite struct PlainSessionTests {
    @Test(
        "ACC-02: the plain editor says what its script has",
        arguments: [
            "browse", "move", "drag", "edit", "remote", "connection", "mistakes", "find", "trips", "plan",
        ])
    func script(name: String) throws {
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
