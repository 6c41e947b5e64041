import JSONLine
import LocalSystem
import TripModel
import TripProtocol

/// A connection to the daemon, for scripts and commands; an app shows a trip with a `LiveTrip`.
///
/// Requests are sent and answered in the order of the calls; no call blocks its thread. Unrequested messages
/// are available as `notifications`. The connection lasts until `close()`, until the daemon ends it, or until
/// there are no more references to the client.
///
/// A call that changes something throws `notMade` if its request was never sent, for example because the task
/// was cancelled before, and `outcomeUnknown` if the answer is missing, for example because the task was
/// cancelled while it waited. A call that only reads throws the reason itself; see `ClientError`.
public actor TripClient: LoopActor {
    private enum Phase {
        case open
        case closed(ClientError)
    }

    /// A call that waits for its answer.
    private struct Waiter {
        let mayChange: Bool
        let continuation: CheckedContinuation<Result<JSONNode, ClientError>, Never>

        /// Ends the call without an answer.
        func fail(because error: ClientError) {
            continuation.resume(
                returning: .failure(mayChange ? .outcomeUnknown(error.description) : error))
        }
    }

    /// The client's loop.
    package nonisolated let loop: EventLoop
    private var socket: LineSocket?
    private var waiting: [Int: Waiter] = [:]
    private var nextID = 1
    private var phase = Phase.open
    private var queue = NotificationQueue()
    private var listener: CheckedContinuation<TripNotification?, Never>?
    /// Identifies the current wait: a cancellation may arrive when the next wait has begun.
    private var listenerNumber = 0
    /// The iterator that reads the notifications, as long as it exists.
    private weak var reader: TripClient.Notifications.Reader?
    private var goodbye: GoodbyeReason?
    private var lineObserver: (@Sendable ([UInt8]?) -> Void)?

    /// The loop as the client's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private nonisolated let timeout: Duration?

    private init(on loop: EventLoop, timeout: Duration?) {
        self.loop = loop
        self.timeout = timeout
    }

    // MARK: Connecting

    /// Connects to the daemon at a socket and sends hello.
    ///
    /// - Parameters:
    ///   - socket: the path of the daemon's socket.
    ///   - hello: the identity of the client.
    ///   - restriction: an upper bound of the connection's access, whatever hello requests.
    ///   - timeout: the timeout for each answer, and for a place in a full backlog; then the connection is
    ///     closed. Nil for no timeout for answers, and ten seconds for the backlog.
    /// - Returns: the client, and the daemon's answer to hello.
    /// - Throws: `ClientError`; `noDaemon` if no process listens.
    package static func connect(
        to socket: String, saying hello: Hello, restrictedTo restriction: Restriction? = nil,
        timeout: Duration? = nil
    ) async throws(ClientError) -> (client: TripClient, welcome: Welcome) {
        try await connect(
            to: DaemonAddress(path: socket), saying: hello, restrictedTo: restriction, timeout: timeout)
    }

    /// Connects, calls `body` with the client and the answer to hello, and closes the client afterwards.
    ///
    /// - Throws: `ClientError` if there is no connection, otherwise the error of `body`.
    public static func withConnection<Value>(
        to address: DaemonAddress = .standard, saying hello: Hello, timeout: Duration? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (TripClient, Welcome) async throws -> Value
    ) async throws -> Value {
        let (client, welcome) = try await connect(to: address, saying: hello, timeout: timeout)
        do {
            let value = try await body(client, welcome)
            await client.close()
            return value
        } catch {
            await client.close()
            throw error
        }
    }

    /// Connects on a loop that the caller runs, or on the shared thread of all clients.
    package static func connect(
        to address: DaemonAddress, saying hello: Hello, restrictedTo restriction: Restriction? = nil,
        on loop: EventLoop? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> (client: TripClient, welcome: Welcome) {
        let client: TripClient
        if let loop {
            client = TripClient(on: loop, timeout: timeout)
        } else {
            client = TripClient(on: try ClientThread.start(), timeout: timeout)
        }
        let result = try await client.join(at: address, saying: hello, restrictedTo: restriction)
        let welcome = try decode { () throws(WireError) in try Welcome(result: result) }
        return (client, welcome)
    }

    /// Connects, and sends hello without leaving the loop in between: the daemon has a timeout for it, and
    /// the caller may have no thread free.
    ///
    /// - Returns: the answer to hello.
    private func join(
        at address: DaemonAddress, saying hello: Hello, restrictedTo restriction: Restriction?
    ) async throws(ClientError) -> JSONNode {
        try attach(to: address)
        if let restriction { _ = try await perform(.restrict(restriction)) }
        return try await perform(.hello(hello))
    }

    private func attach(to address: DaemonAddress) throws(ClientError) {
        let connection = try DaemonConnection.open(
            to: address, timeout: timeout ?? UnixSocket.defaultTimeout)
        // Weak, so that a client without other references closes its connection.
        socket = try LineSocket(connection, on: loop) { [weak self] readiness in
            self?.enter { $0.ready(readiness) }
        }
    }

    /// Ends the connection; calls that wait for an answer fail, later calls throw `notMade` or `clientClosed`.
    public func close() { end(.clientClosed) }

    // MARK: Requests

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: `ClientError`.
    package func perform(_ request: Request) async throws(ClientError) -> JSONNode {
        try await perform(mayChange: request.method.traits.needs > .viewer) { request.line(id: .number($0)) }
    }

    /// Sends a request of any method with params as JSON text, and waits for its answer.
    ///
    /// - Throws: `ClientError`.
    package func call(_ method: String, params: [UInt8]) async throws(ClientError) -> JSONNode {
        let known = Method(rawValue: method)
        return try await perform(mayChange: known.map { $0.traits.needs > .viewer } ?? true) {
            RequestEnvelope.line(id: .number($0), method, params: params)
        }
    }

    private func perform(
        mayChange: Bool, _ line: (Int) -> [UInt8]
    ) async throws(ClientError) -> JSONNode {
        if Task.isCancelled { throw mayChange ? .cancelledBefore : .cancelled }
        if case .closed(let error) = phase { throw mayChange ? .notMade("\(error)") : error }
        let id = nextID
        nextID += 1
        // The line is queued before anything else can run here, so requests are sent in the order of the calls.
        if let error = socket?.send(line(id)) { end(error) }
        // The write may have found the connection closed after it sent a part.
        if case .closed(let error) = phase { throw mayChange ? .outcomeUnknown("\(error)") : error }
        let timer = timeout.map { timeout in
            loop.schedule(after: timeout) { [self] in
                enter { $0.end(.unreachable("the daemon has not answered for \(timeout)")) }
            }
        }
        defer { if let timer { loop.cancel(timer) } }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiting[id] = Waiter(mayChange: mayChange, continuation: $0) }
        } onCancel: {
            // Runs after the wait has begun, because that happens on the loop without a suspension in between.
            loop.execute { [self] in
                enter { $0.waiting.removeValue(forKey: id)?.fail(because: .cancelled) }
            }
        }
        return try result.get()
    }

    // MARK: Notifications

    /// The daemon's unrequested messages until the connection ends; one iterator at a time reads them.
    ///
    /// A newer state of a trip replaces an unread one.
    public nonisolated var notifications: TripClient.Notifications { TripClient.Notifications(client: self) }

    func nextNotification(for reader: TripClient.Notifications.Reader) async throws(ClientError)
        -> TripNotification?
    {
        if let current = self.reader, current !== reader {
            throw .inUse("another iterator reads this client's notifications")
        }
        self.reader = reader
        if listener != nil { throw .inUse("another task reads this client's notifications") }
        if let next = queue.take() { return next }
        if case .closed = phase { return nil }
        listenerNumber += 1
        let number = listenerNumber
        return await withTaskCancellationHandler {
            await withCheckedContinuation { listener = $0 }
        } onCancel: {
            // Runs after the wait has begun, because that happens on the loop without a suspension in between.
            loop.execute { [self] in enter { $0.stopListening(number) } }
        }
    }

    private func stopListening(_ number: Int) {
        guard number == listenerNumber else { return }
        listener?.resume(returning: nil)
        listener = nil
    }

    /// The reason why the connection ended; nil while it is open.
    public var ending: ClientError? {
        if case .closed(let error) = phase { error } else { nil }
    }

    private func deliver(_ notification: TripNotification) {
        if case .goodbye(let reason) = notification { goodbye = reason }
        if lineObserver != nil { return }
        if let listener {
            self.listener = nil
            listener.resume(returning: notification)
        } else {
            queue.append(notification)
        }
    }

    /// Calls `hear` with every raw line that the daemon sends unrequested, from now on and instead of
    /// `notifications`, and with nil at the connection's end. Nothing more is read while it runs.
    package func observeLines(_ hear: @escaping @Sendable ([UInt8]?) -> Void) {
        lineObserver = hear
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
        if let lineObserver, message.isUnrequested { lineObserver(line) }
        switch message {
        case .notification(let notification): deliver(notification)
        case .reply(.number(let id)?, let result):
            waiting.removeValue(forKey: id)?.continuation
                .resume(returning: result.mapError(ClientError.refused))
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
        for waiter in abandoned.values { waiter.fail(because: error) }
        listener?.resume(returning: queue.take())
        listener = nil
        lineObserver?(nil)
    }
}
