import Foundation
import Testing

/// `Protocol/check`, which knows nothing of this daemon, finds that it keeps the protocol; the guide's recipes and the client
/// for Python run.
@Suite struct ProtocolCheckTests {
    /// What the check prints of a daemon that is started so.
    private static func check(_ start: String, _ groups: String...) throws -> (
        status: Int32, lines: [Substring]
    ) {
        try python("Protocol/check", ["--start", start] + groups.flatMap { ["--group", $0] })
    }

    /// What a program of the checkout prints, its errors too.
    private static func python(_ program: String, _ arguments: [String]) throws -> (
        status: Int32, lines: [Substring]
    ) {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", root.appending(path: program).path] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text.split(separator: "\n"))
    }

    private static let daemon = "'\(Programs.daemon)' serve --socket {socket} --data {data}"

    // Those of transcripts and load are held elsewhere, at less cost.
    @Test(arguments: ["core", "delta", "drag", "retry", "undo", "more", "restart", "guide"])
    func `the daemon keeps what it promises`(group: String) throws {
        let (status, lines) = try Self.check(Self.daemon, group)
        #expect(lines.filter { !$0.hasPrefix("ok ") }.dropLast() == [])
        #expect(lines.last?.hasSuffix(" kept, 0 not, 0 not tried") == true)
        #expect(status == 0)
        #expect(lines.count > 1)
    }

    @Test func `the client for Python does what it says, and its examples run as they stand`() throws {
        let (status, lines) = try Self.python("Tools/itinerary_test.py", [Programs.daemon])
        #expect(status == 0, "\(lines.joined(separator: "\n"))")
        #expect(lines.last == "OK")
    }

    @Test func `what is no daemon fails, and a command that does not listen is told so`() throws {
        let echo =
            "python3 -c \"import socket,sys,threading;s=socket.socket(socket.AF_UNIX);s.bind(sys.argv[1]);s.listen();"
            + "[(lambda c:threading.Thread(target=lambda:[c.sendall(d) for d in iter(lambda:c.recv(9999),b'')]).start())"
            + "(s.accept()[0]) for _ in iter(int,1)]\" {socket}"
        let (status, lines) = try Self.check(echo, "undo")
        #expect(status == 1)
        #expect(lines.dropLast().allSatisfy { $0.hasPrefix("FAIL") })
        #expect(try Self.check("true", "undo").status == 2)
    }
}
