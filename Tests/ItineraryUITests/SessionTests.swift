import EditorSessions
import Foundation
import Testing

/// Runs the scripted sessions of `Sessions/` and compares their frames with the recorded ones.
///
/// With `RECORD_FRAMES` in the environment the files are rewritten; review the changes with `git diff`.
@Suite struct SessionTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Sessions")

    static var names: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".session") }.map { String($0.dropLast(".session".count)) }
            .sorted()
    }

    @Test func `there are sessions, and each has recorded frames`() throws {
        #expect(Self.names.count >= 5)
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.count { $0.hasSuffix(".frames") } == Self.names.count)
    }

    @Test(arguments: names)
    func `a scripted session shows its recorded frames`(name: String) throws {
        let script = try String(contentsOf: Self.folder.appending(path: "\(name).session"), encoding: .utf8)
        let actual = FrameFile.text(of: try SessionRun(script).pictures)
        let file = Self.folder.appending(path: "\(name).frames")
        if ProcessInfo.processInfo.environment["RECORD_FRAMES"] != nil {
            try Data(actual.utf8).write(to: file)
            return
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        guard actual != expected else { return }
        var title = ""
        let (lines, wanted) = (
            actual.split(separator: "\n", omittingEmptySubsequences: false),
            expected.split(separator: "\n", omittingEmptySubsequences: false)
        )
        for index in 0..<max(lines.count, wanted.count) {
            let line = index < lines.count ? lines[index] : "(no line)"
            let want = index < wanted.count ? wanted[index] : "(no line)"
            if want.hasPrefix("== ") { title = String(want) }
            #expect(line == want, "\(name).frames:\(index + 1), \(title)")
            if line != want { return }
        }
    }

    @Test(arguments: [
        ("jump", "line 1: there is no command jump"), ("\n\nkey Hyper", "line 3: Hyper is no key"),
        ("size 80", "line 1: rows is missing"),
        ("wait soon", "line 1: milliseconds is a number, not soon"),
        ("type \"x", "line 1: a quote is not closed"),
        ("frame x", "line 1: there is no editor yet: `open` begins one"),
        ("add custom x day 1 end", "line 1: there is no trip yet"),
    ])
    func `an invalid line of a script is reported with its number`(script: String, reason: String) {
        #expect { try SessionRun(script) } throws: { "\($0)" == reason }
    }
}
