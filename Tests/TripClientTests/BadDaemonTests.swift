import LocalSystem
import Testing
import TripProtocol

@testable import TripClient

/// The client with a daemon that dies, sends garbage or is slow.
@Suite(.timeLimit(.minutes(10))) struct BadDaemonTests {
    private func connect(to daemon: FakeDaemon) async throws(ClientError) -> TripClient {
        try await TripClient.connect(
            to: daemon.socket, saying: Hello(clientName: "test", clientVersion: "1")
        ).client
    }

    @Test func `if the daemon dies, pending calls fail with a clear error`() async throws {
        let daemon = try FakeDaemon { peer in
            try peer.welcome()
            for _ in 0..<3 { _ = try peer.request() }
        }
        let client = try await connect(to: daemon)
        let results = await withTaskGroup(of: ClientError?.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    do throws(ClientError) { _ = try await client.trips() } catch { return error }
                    return nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == [.closed(nil), .closed(nil), .closed(nil)])
        #expect(await client.ending?.description == "the daemon closed the connection")
        for try await notification in client.notifications { Issue.record("\(notification)") }
        await #expect(throws: ClientError.closed(nil)) { try await client.trips() }
    }

    @Test func `connecting to a daemon that dies before its answer to hello fails`() async throws {
        let daemon = try FakeDaemon { peer in _ = try peer.request() }
        await #expect(throws: ClientError.closed(nil)) { try await connect(to: daemon) }
    }

    @Test func `a call that is cancelled while it waits ends, and the others continue`() async throws {
        let (asked, whenAsked) = AsyncStream.makeStream(of: Void.self)
        let daemon = try FakeDaemon { peer in
            try peer.welcome()
            for _ in 0..<2 {
                _ = try peer.request()
                whenAsked.yield()
            }
            try peer.answer(peer.request(), #"{"trips":[]}"#)
            _ = try? peer.request()
        }
        let client = try await connect(to: daemon)
        var requests = asked.makeAsyncIterator()
        let reading = Task { () async -> ClientError? in
            await failure { () async throws(ClientError) in _ = try await client.trips() }
        }
        _ = await requests.next()
        reading.cancel()
        #expect(await reading.value == .cancelled)
        let changing = Task { () async -> ClientError? in
            await failure { () async throws(ClientError) in try await client.delete(.slug("t")) }
        }
        _ = await requests.next()
        changing.cancel()
        #expect(await changing.value == .outcomeUnknown("the task was cancelled"))
        #expect(try await client.trips().isEmpty)
        await client.close()
    }

    @Test func `a call of a task that was cancelled before sends nothing and throws`() async throws {
        let daemon = try FakeDaemon { peer in
            try peer.welcome()
            // The first request after hello has the second id.
            let id = try peer.request()
            try peer.answer(id, #"{"trips":[]}"#)
            #expect(id == 2)
        }
        let client = try await connect(to: daemon)
        let calls = Task { () async -> [ClientError?] in
            withUnsafeCurrentTask { $0?.cancel() }
            return [
                await failure { () async throws(ClientError) in _ = try await client.trips() },
                await failure { () async throws(ClientError) in try await client.delete(.slug("t")) },
            ]
        }
        #expect(await calls.value == [.cancelled, .cancelledBefore])
        #expect(try await client.trips().isEmpty)
        await client.close()
        daemon.waitForEnd()
    }

    @Test
    func `a change on a lost connection has an unknown outcome if it was sent, else it was not applied`()
        async throws
    {
        let daemon = try FakeDaemon { peer in
            try peer.welcome()
            _ = try peer.request()
        }
        let client = try await connect(to: daemon)
        let first = await failure { () async throws(ClientError) in try await client.delete(.slug("t")) }
        let second = await failure { () async throws(ClientError) in try await client.delete(.slug("t")) }
        #expect(first == .outcomeUnknown("the daemon closed the connection"))
        #expect(second == .notMade("the daemon closed the connection"))
        #expect(await client.ending == .closed(nil))
    }

    @Test func `a second reader of the notifications gets an error, and the first continues`() async throws {
        let daemon = try FakeDaemon { peer in
            try peer.welcome()
            let id = try peer.request()
            try peer.send(
                #"{"jsonrpc":"2.0","method":"trip.deleted","params":{"trip":"00000000-0000-4000-8000-000000000001"}}"#
            )
            try peer.answer(id, #"{"trips":[]}"#)
            _ = try peer.request()
            try peer.send(#"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"shutting_down"}}"#)
        }
        let client = try await connect(to: daemon)
        _ = try await client.trips()
        let (first, second) = (
            client.notifications.makeAsyncIterator(), client.notifications.makeAsyncIterator()
        )
        guard case .tripDeleted? = try await first.next() else {
            Issue.record("the trip was deleted")
            return
        }
        let refusal = await failure { () async throws(ClientError) in _ = try await second.next() }
        guard case .inUse? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        _ = try? await client.trips()
        #expect(try await first.next() == .goodbye(.shuttingDown))
        #expect(try await first.next() == nil)
    }

    @Test func `a client without references closes its connection`() async throws {
        let isClosed = Guarded(false)
        let daemon = try FakeDaemon { peer in
            try peer.welcome()
            do { _ = try peer.request() } catch let end as FakeDaemon.Peer.Failed {
                isClosed.withLock { $0 = !end.isTimeout }
            }
        }
        _ = try await connect(to: daemon)
        daemon.waitForEnd()
        #expect(isClosed.withLock { $0 })
    }

    private func failure(_ body: () async throws(ClientError) -> Void) async -> ClientError? {
        do throws(ClientError) { try await body() } catch { return error }
        return nil
    }

    @Test func `a refused hello leaves no open connection`() async throws {
        let isClosed = Guarded(false)
        let daemon = try FakeDaemon { peer in
            let id = try peer.request()
            try peer.send(
                #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32602,"message":"no","data":{"reason":"invalid_params"}}}"#
            )
            do { _ = try peer.request() } catch let end as FakeDaemon.Peer.Failed {
                isClosed.withLock { $0 = !end.isTimeout }
            }
        }
        let refusal = RemoteError(
            code: -32602, reason: "invalid_params", message: "no",
            data: Array(#"{"reason":"invalid_params"}"#.utf8))
        await #expect(throws: ClientError.refused(refusal)) { try await connect(to: daemon) }
        daemon.waitForEnd()
        #expect(isClosed.withLock { $0 })
    }

    @Test func `the goodbye's reason is the reason of the end`() async throws {
        let daemon = try FakeDaemon { peer in
            try peer.welcome()
            _ = try peer.request()
            try peer.send(#"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"slow_consumer"}}"#)
        }
        let client = try await connect(to: daemon)
        await #expect(throws: ClientError.closed(.slowConsumer)) { try await client.trips() }
        var last: TripNotification?
        for try await notification in client.notifications { last = notification }
        #expect(last == .goodbye(.slowConsumer))
    }

    @Test(arguments: [
        "HTTP/1.1 400 Bad Request", "{", "[]", "7", #"{"jsonrpc":"2.0"}"#, #"{"jsonrpc":"2.0","id":2}"#,
        #"{"jsonrpc":"2.0","method":"trip.presence","params":{"trip":7}}"#,
        #"{"jsonrpc":"2.0","method":"trip.snapshot","params":{}}"#,
        #"{"jsonrpc":"2.0","method":"goodbye","params":[]}"#, "\u{0}", "\u{FEFF}{}",
    ])
    func `an invalid line ends the connection with a clear error`(line: String) async throws {
        let daemon = try FakeDaemon { peer in
            try peer.welcome()
            _ = try peer.request()
            try peer.send(line)
            _ = try? peer.request()
        }
        let client = try await connect(to: daemon)
        let error = await #expect(throws: ClientError.self) { try await client.trips() }
        guard case .garbled(let message)? = error else {
            Issue.record("it is garbage: \(String(describing: error))")
            return
        }
        #expect(!message.isEmpty)
        #expect(await client.ending == error)
        for try await notification in client.notifications { Issue.record("\(notification)") }
    }

    @Test(arguments: [
        "{}", "[]", "null", #"{"trips":7}"#, #"{"trips":[{}]}"#,
        #"{"trips":[{"id":"x","slug":"t","name":"T","startDate":"2026-06-11","timeZone":"UTC","dayCount":1}]}"#,
    ])
    func `an answer of the wrong type fails only its own call`(result: String)
        async throws
    {
        let daemon = try FakeDaemon { peer in
            try peer.welcome()
            try peer.answer(peer.request(), result)
            try peer.answer(peer.request(), #"{"trips":[]}"#)
        }
        let client = try await connect(to: daemon)
        if result == #"{"trips":7}"# {
            // The type is an array; another type counts as an empty one.
            _ = try? await client.trips()
        } else {
            let error = await #expect(throws: ClientError.self) { try await client.trips() }
            guard case .garbled? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(try await client.trips().isEmpty)
    }

    @Test func `unknown members and notifications of a newer daemon are ignored`() async throws {
        let daemon = try FakeDaemon { peer in
            try peer.welcome()
            let id = try peer.request()
            try peer.send(#"{"jsonrpc":"2.0","method":"trip.weather","params":{"trip":"t","sun":true}}"#)
            try peer.send(#"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"tea_time"}}"#)
            try peer.send(#"{"jsonrpc":"2.0","id":999,"result":{}}"#)
            try peer.send(#"{"jsonrpc":"2.0","id":"other","result":{}}"#)
            try peer.send("")
            try peer.answer(id, #"{"trips":[],"more":{"deep":[1,2]}}"# + "\r")
        }
        let client = try await connect(to: daemon)
        #expect(try await client.trips().isEmpty)
    }

    @Test func `an error that answers no request ends the connection with that error`() async throws {
        let daemon = try FakeDaemon { peer in
            try peer.send(
                #"{"jsonrpc":"2.0","id":null,"error":{"code":-32013,"message":"full","data":{"reason":"limit_exceeded"}}}"#
            )
        }
        let refusal = RemoteError(
            code: -32013, reason: "limit_exceeded", message: "full",
            data: Array(#"{"reason":"limit_exceeded"}"#.utf8))
        await #expect(throws: ClientError.refused(refusal)) { try await connect(to: daemon) }
    }

    @Test(arguments: [1, 2, 3, 7]) func `lines may arrive in pieces`(size: Int) async throws {
        let daemon = try FakeDaemon { peer in
            try peer.welcome(inPiecesOf: size)
            let id = try peer.request()
            try peer.send(
                #"{"jsonrpc":"2.0","method":"trip.presence","params":{"trip":"00000000-0000-4000-8000-000000000001","#
                    + #""users":[{"connectionId":3,"user":"Zoë 🛬","role":"viewer"}]}}"#, inPiecesOf: size)
            try peer.answer(id, #"{"trips":[]}"#, inPiecesOf: size)
            _ = try? peer.request()
        }
        let client = try await connect(to: daemon)
        #expect(try await client.trips().isEmpty)
        let notifications = client.notifications.makeAsyncIterator()
        guard case .presence(_, let users)? = try await notifications.next() else {
            Issue.record("presence is expected")
            return
        }
        #expect(users.map(\.user) == ["Zoë 🛬"])
        #expect(users.map(\.role) == [.viewer])
        await client.close()
    }

    @Test func `half a line before the end is dropped`() async throws {
        let daemon = try FakeDaemon { peer in
            try peer.welcome()
            let id = try peer.request()
            try peer.answer(id, #"{"trips":[]}"#)
            try peer.send(#"{"jsonrpc":"2.0","method":"trip.pre"#, endingWith: "")
        }
        let client = try await connect(to: daemon)
        #expect(try await client.trips().isEmpty)
        for try await notification in client.notifications { Issue.record("\(notification)") }
        #expect(await client.ending == .closed(nil))
    }
}
