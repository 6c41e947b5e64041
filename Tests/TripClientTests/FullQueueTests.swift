import LocalSystem
import TestSupport
import Testing
import TripProtocol

@testable import TripClient

#if !canImport(Darwin)
import Glibc

/// On systems other than Linux a full queue refuses at once.
@Suite(.timeLimit(.minutes(10))) struct FullQueueTests {
    @Test func `a client waits for space in a full queue until its timeout, then throws`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        let listener = try UnixSocket.listen(path: path, backlog: 1)
        var waiting: [Int32] = []
        defer { for number in waiting { close(number) } }
        while waiting.count < 100, let next = try? UnixSocket.connect(path: path, timeout: nil) {
            waiting.append(next.release())
        }
        let timeout = Duration.milliseconds(20)
        let expected = ClientError.unreachable("\(UnixSocketError.notTaken(path: path, after: timeout))")
        await #expect(throws: expected) {
            _ = try await TripClient.connect(
                to: path, saying: Hello(clientName: "t", clientVersion: "1"), timeout: timeout)
        }
        _ = listener.rawValue
    }
}
#endif
