import Foundation
import Testing

/// `Protocol/check` finds that the daemon keeps the protocol. It fails nothing that the protocol allows, and it finds
/// violations. The guide's recipes and the client for Python run.
@Suite(.onOwnThread) struct ProtocolCheckTests {
    /// The output of the check for a daemon that a command starts.
    private static func check(_ start: String, _ options: String...) throws -> (
        status: Int32, lines: [Substring]
    ) {
        try python("Protocol/check", ["--start", start] + options)
    }

    private static func path(_ file: String) -> String {
        URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: file).path
    }

    /// The output of a program of the checkout, including its errors.
    private static func python(_ program: String, _ arguments: [String]) throws -> (
        status: Int32, lines: [Substring]
    ) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", path(program)] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text.split(separator: "\n"))
    }

    private static let serve = "'\(Programs.daemon)' serve"
    private static let daemon = "\(serve) --socket {socket} --data {data}"

    // Transcripts and load have their own, cheaper tests.
    @Test(arguments: ["core", "delta", "drag", "retry", "undo", "more", "wait", "restart", "guide"])
    func `the daemon passes the protocol check`(group: String) throws {
        let (status, lines) = try Self.check(Self.daemon, "--group", group)
        // Only root can make a small disk.
        #expect(lines.filter { !$0.hasPrefix("ok ") && !$0.contains("needs root") }.dropLast() == [])
        #expect(lines.last?.contains(" kept, 0 not, ") == true)
        #expect(status == 0)
        #expect(lines.count > 1)
    }

    /// Daemons that differ within the protocol: in durability, of 1.1, 1.0 and 1.2 without capabilities, in another order,
    /// with all texts and meaningless orders changed, with one capability less.
    private static let others = [
        "\(daemon) --durability relaxed",
        "'\(path("Tests/EndToEndTests/OtherDaemon/minimal-daemon"))' {socket} {data}",
        "'\(path("Tests/EndToEndTests/OtherDaemon/minimal-daemon"))' {socket} {data} 0",
        proxied("of-1.2"), proxied("otherwise"), proxied("without-retry"),
    ]

    private static func proxied(_ name: String) -> String {
        "'\(path("Tools/planted/violations"))' --serve \(name) \"\(serve)\" {socket} {data}"
    }

    @Test(
        arguments: others,
        ["core", "delta", "drag", "create.jsonl", "hello.jsonl", "catch-up.jsonl", "respacing.jsonl"])
    func `the check accepts everything that the protocol allows`(start: String, part: String) throws {
        let options = part.hasSuffix("jsonl") ? ["--only", part] : ["--group", part]
        let (status, lines) = try Self.python("Protocol/check", ["--start", start] + options)
        #expect(lines.filter { $0.hasPrefix("FAIL") } == [])
        #expect(status == 0)
    }

    /// Some of the violations of `Tools/planted/violations`, which an earlier version of the check accepted.
    @Test func `the check finds a daemon that violates the protocol`() throws {
        let (status, lines) = try Self.python(
            "Tools/planted/violations",
            [
                Self.serve, "unknown-fields-are-refused", "own-connections-share-drags", "escaped",
                "midpoint-is-a-third", "if-version-is-ignored", "no-disk", "new-epoch-at-each-start",
                "entries-are-added-twice", "kill-loses-ticks", "cities-end-no-acceptance", "who-is-lost",
                "negative-nights", "hints-are-problems", "restored-trips-forget-their-repeats",
            ])
        #expect(lines.filter { $0.contains("NOT FOUND") } == [])
        #expect(lines.count == 14)
        #expect(status == 0)
    }

    @Test func `the Python client behaves as documented, and its examples run unchanged`() throws {
        let (status, lines) = try Self.python("Tools/itinerary_test.py", [Programs.daemon])
        #expect(status == 0, "\(lines.joined(separator: "\n"))")
        #expect(lines.last == "OK")
    }

    @Test func `a check of a program that is not a daemon, or does not listen, fails with a clear message`()
        throws
    {
        let echo =
            "python3 -c \"import socket,sys,threading;s=socket.socket(socket.AF_UNIX);s.bind(sys.argv[1]);s.listen();"
            + "[(lambda c:threading.Thread(target=lambda:[c.sendall(d) for d in iter(lambda:c.recv(9999),b'')]).start())"
            + "(s.accept()[0]) for _ in iter(int,1)]\" {socket}"
        let (status, lines) = try Self.check(echo, "--group", "undo")
        #expect(status == 1)
        #expect(lines.dropLast().allSatisfy { $0.hasPrefix("FAIL") })
        #expect(try Self.check("true", "--group", "undo").status == 2)
    }
}
