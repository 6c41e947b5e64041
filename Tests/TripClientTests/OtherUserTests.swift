import LocalSystem
import TestSupport
import Testing

@testable import TripClient

/// In a directory writable by everyone, another user can serve at the path of one's own daemon.
@Suite(.timeLimit(.minutes(10))) struct OtherUserTests {
    @Test func `the client sends nothing to a daemon of another user`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        let listener = try UnixSocket.listen(path: path)
        func connect(ownedBy owner: String?) throws(ClientError) -> DaemonConnection {
            try DaemonConnection.open(to: DaemonAddress(path: path, owner: owner))
        }
        // The test's account cannot be both of them.
        let another = CurrentUser.id == 0 ? "nobody" : "root"
        let error = #expect(throws: ClientError.self) { _ = try connect(ownedBy: another).takeSocket() }
        guard case .otherUser(socket: path, _)? = error else {
            Issue.record("refused because of \(String(describing: error))")
            return
        }
        guard let refused = try UnixSocket.accept(listener) else {
            Issue.record("a client has connected")
            return
        }
        var buffer = [UInt8](repeating: 0, count: 16)
        #expect(try refused.read(into: &buffer) == .end, "without a byte")
        _ = try connect(ownedBy: nil).takeSocket()
    }
}
