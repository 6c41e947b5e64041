import JSONLine
import LocalSystem
import TripModel
import TripProtocol

/// A connection to the daemon, for scripts and commands; `LiveTrip` is what an app shows a trip with.
///
/// An actor on a thread of its own: calls are answered in their order, and nothing of it blocks the caller's
/// thread. What the daemon says unasked comes by `notifications`. It stays connected until `close()` or until the
/// daemon goes. A caller that is cancelled waits no longer and gets `ClientError.cancelled`; what it asked for is
/// sent, and perhaps done, all the same.
public actor TripClient: LoopActor {
    private enum Phase {
        case open
        case closed(ClientError)
    }

    /// The loop that the client lives on.
    package nonisolated let loop: EventLoop
    private var socket: LineSocket?
    private var waiting: [Int: CheckedContinuation<Result<JSONNode, ClientError>, Never>] = [:]
    private var nextID = 1
    private var phase = Phase.open
    private var queue = NotificationQueue()
    private var listener: CheckedContinuation<Notification?, Never>?
    /// Tells the readers apart, one of which may be cancelled when the next one waits already.
    private var listenerNumber = 0
    private var goodbye: GoodbyeReason?
    private var listeningLine: (@Sendable ([UInt8]?) -> Void)?

    /// The loop, as the runtime wants it.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private nonisolated let patience: Duration?

    private init(on loop: EventLoop, patience: Duration?) {
        self.loop = loop
        self.patience = patience
    }

    // MARK: Connecting

    /// Connects to the daemon at a socket and says hello.
    ///
    /// - Parameters:
    ///   - socket: the path of the daemon's socket.
    ///   - hello: who is calling.
    ///   - restriction: what the connection is from then on at most, whatever hello says; the daemon holds to it.
    ///   - patience: how long an answer may take, hello's too, and before it the way into a daemon's full queue; then the
    ///     connection is given up. Without end for answers, and ten seconds for the queue, if left out.
    /// - Returns: the client, and what the daemon says of itself.
    /// - Throws: `ClientError`; `noDaemon` where nobody listens.
    public static func connect(
        to socket: String, saying hello: Hello, restrictedTo restriction: Restriction? = nil,
        patience: Duration? = nil
    ) async throws(ClientError) -> (client: TripClient, welcome: Welcome) {
        try await connect(
            to: DaemonAddress(path: socket), saying: hello, restrictedTo: restriction, patience: patience)
    }

    /// Connects, the client living on a loop that the caller runs, or on the thread of all clients.
    package static func connect(
        to address: DaemonAddress, saying hello: Hello, restrictedTo restriction: Restriction? = nil,
        on loop: EventLoop? = nil, patience: Duration? = nil
    ) async throws(ClientError) -> (client: TripClient, welcome: Welcome) {
        let client: TripClient
        if let loop {
            client = TripClient(on: loop, patience: patience)
        } else {
            client = TripClient(on: try ClientThread.start(), patience: patience)
        }
        do throws(ClientError) {
            let result = try await client.join(at: address, saying: hello, restrictedTo: restriction)
            let welcome = try decode { () throws(WireError) in try Welcome(result: result) }
            return (client, welcome)
        } catch {
            // Nobody else has it who could.
            await client.close()
            throw error
        }
    }

    /// Connects, and says hello without leaving the loop in between: the daemon waits for it only so long, and whoever
    /// connects may have no thread free.
    ///
    /// - Returns: what hello is answered.
    private func join(
        at address: DaemonAddress, saying hello: Hello, restrictedTo restriction: Restriction?
    ) async throws(ClientError) -> JSONNode {
        try attach(to: address)
        if let restriction { _ = try await perform(.restrict(restriction)) }
        return try await perform(.hello(hello))
    }

    private func attach(to address: DaemonAddress) throws(ClientError) {
        let connection = try DaemonConnection.open(
            to: address, patience: patience ?? UnixSocket.usualPatience)
        socket = try LineSocket(connection, on: loop) { [self] readiness in
            enter { $0.ready(readiness) }
        }
    }

    /// Ends the connection; what waits is told that it is closed.
    public func close() { end(.closed(nil)) }

    // MARK: Requests

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: `ClientError`.
    package func perform(_ request: Request) async throws(ClientError) -> JSONNode {
        try await perform { request.line(id: .number($0)) }
    }

    /// Sends a request of any method with params that are JSON text, and waits for its answer.
    ///
    /// - Throws: `ClientError`.
    package func call(_ method: String, params: [UInt8]) async throws(ClientError) -> JSONNode {
        try await perform { RequestEnvelope.line(id: .number($0), method, params: params) }
    }

    private func perform(_ line: (Int) -> [UInt8]) async throws(ClientError) -> JSONNode {
        if case .closed(let error) = phase { throw error }
        let id = nextID
        nextID += 1
        // The line is queued before anything else can run here, so requests leave in the order of the calls.
        if let error = socket?.send(line(id)) { end(error) }
        // Writing may have found that the connection is gone.
        if case .closed(let error) = phase { throw error }
        let timer = patience.map { patience in
            loop.schedule(after: patience) { [self] in
                enter { $0.end(.unreachable("the daemon has not answered for \(patience)")) }
            }
        }
        defer { if let timer { loop.cancel(timer) } }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiting[id] = $0 }
        } onCancel: {
            // Runs after the wait has begun: that happens on the loop without a pause in between.
            loop.execute { [self] in enter { $0.stopWaiting(for: id) } }
        }
        return try result.get()
    }

    private func stopWaiting(for id: Int) {
        waiting.removeValue(forKey: id)?.resume(returning: .failure(.cancelled))
    }

    // MARK: Notifications

    /// What the daemon says unasked, until the connection ends; for one reader at a time.
    ///
    /// A state of a trip that has not been read when a newer one comes is replaced by it.
    public nonisolated var notifications: Notifications { Notifications(client: self) }

    func nextNotification() async -> Notification? {
        if let next = queue.take() { return next }
        if case .closed = phase { return nil }
        precondition(listener == nil, "the notifications have one reader at a time")
        listenerNumber += 1
        let number = listenerNumber
        return await withTaskCancellationHandler {
            await withCheckedContinuation { listener = $0 }
        } onCancel: {
            // Runs after the wait has begun: that happens on the loop without a pause in between.
            loop.execute { [self] in enter { $0.stopListening(number) } }
        }
    }

    private func stopListening(_ number: Int) {
        guard number == listenerNumber else { return }
        listener?.resume(returning: nil)
        listener = nil
    }

    /// Why the connection ended; nil while it is open.
    public var ending: ClientError? {
        if case .closed(let error) = phase { error } else { nil }
    }

    private func tell(_ notification: Notification) {
        if case .goodbye(let reason) = notification { goodbye = reason }
        if listeningLine != nil { return }
        if let listener {
            self.listener = nil
            listener.resume(returning: notification)
        } else {
            queue.append(notification)
        }
    }

    /// Calls `hear` with every line that the daemon sends unasked, as it came, from now on and instead of keeping them
    /// for `notifications`, and with nil at the connection's end; nothing more is read while it runs.
    package func hearLines(_ hear: @escaping @Sendable ([UInt8]?) -> Void) {
        listeningLine = hear
        if case .closed = phase { hear(nil) }
    }

    // MARK: Socket

    private func ready(_ readiness: Readiness) {
        guard let received = socket?.ready(readiness) else { return }
        for line in received.lines {
            guard case .open = phase else { return }
            receive(line)
        }
        guard let ending = received.ending else { return }
        end(ending == .closed(nil) ? .closed(goodbye) : ending)
    }

    private func receive(_ line: [UInt8]) {
        let message: IncomingMessage
        do throws(WireError) { message = try IncomingMessage(line: line) } catch {
            return end(.garbled(error.message))
        }
        if let listeningLine, message.isUnasked { listeningLine(line) }
        switch message {
        case .notification(let notification): tell(notification)
        case .reply(.number(let id)?, let result):
            waiting.removeValue(forKey: id)?.resume(returning: result.mapError(ClientError.refused))
        case .reply(_, .failure(let error)): end(.refused(error))
        case .reply, .delta, .unknown: break
        }
    }

    private func end(_ error: ClientError) {
        guard case .open = phase else { return }
        phase = .closed(error)
        socket = nil
        let abandoned = waiting
        waiting = [:]
        for continuation in abandoned.values { continuation.resume(returning: .failure(error)) }
        listener?.resume(returning: queue.take())
        listener = nil
        listeningLine?(nil)
    }
}
