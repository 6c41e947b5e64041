import LocalSystem
import TestSupport
import Testing
import TripProtocol

@testable import TripClient

#if !canImport(Darwin)
import Glibc

/// Elsewhere than on Linux a full queue refuses, and nobody waits.
@Suite(.timeLimit(.minutes(10))) struct FullQueueTests {
    @Test func `a client waits for room in a full queue as long as for an answer, and says so`() async throws
    {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        let listener = try UnixSocket.listen(path: path, backlog: 1)
        var waiting: [Int32] = []
        defer { for number in waiting { close(number) } }
        while waiting.count < 100, let next = try? UnixSocket.connect(path: path, patience: nil) {
            waiting.append(next.release())
        }
        let patience = Duration.milliseconds(20)
        let expected = ClientError.unreachable("\(UnixSocketError.notTaken(path: path, after: patience))")
        await #expect(throws: expected) {
            _ = try await TripClient.connect(
                to: path, saying: Hello(clientName: "t", clientVersion: "1"), patience: patience)
        }
        _ = listener.rawValue
    }
}
#endif
