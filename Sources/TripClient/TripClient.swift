import JSONLine
import LocalSystem
import TripModel
import TripProtocol

/// A connection to the daemon.
///
/// An actor on a thread of its own: calls are answered in their order, and nothing of it blocks the caller's
/// thread. What the daemon says unasked comes by `notifications`. It stays connected until `close()` or until the
/// daemon goes.
public actor TripClient {
    private enum Phase {
        case open
        case closed(ClientError)
    }

    private nonisolated let loop: EventLoop
    private var descriptor: Descriptor?
    private let number: Int32
    private var framer = LineFramer(limit: TripClient.maximumLine)
    private var outgoing: [UInt8] = []
    private var sent = 0
    private var waiting: [Int: CheckedContinuation<Result<JSONNode, ClientError>, Never>] = [:]
    private var nextID = 1
    private var phase = Phase.open
    private var queue = NotificationQueue()
    private var listener: CheckedContinuation<Notification?, Never>?
    /// Tells the readers apart, one of which may be cancelled when the next one waits already.
    private var listenerNumber = 0
    private var goodbye: GoodbyeReason?
    private var readBuffer = [UInt8](repeating: 0, count: 64 * 1024)

    /// Bytes of the longest line that a client takes: a trip of the most items with the longest notes.
    static let maximumLine = 256 << 20

    /// The loop that the client lives on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(_ descriptor: consuming Descriptor, on loop: EventLoop) {
        self.loop = loop
        number = descriptor.rawValue
        self.descriptor = consume descriptor
    }

    // MARK: Connecting

    /// Connects to the daemon at a socket and says hello.
    ///
    /// - Parameters:
    ///   - socket: the path of the daemon's socket.
    ///   - hello: who is calling.
    /// - Returns: the client, and what the daemon says of itself.
    /// - Throws: `ClientError`; `noDaemon` where nobody listens.
    public static func connect(
        to socket: String, saying hello: Hello
    ) async throws(ClientError) -> (client: TripClient, welcome: Welcome) {
        let loop = try ClientThread.start()
        return try await connect(to: socket, saying: hello, on: loop)
    }

    /// Connects, the client living on a loop that the caller runs.
    package static func connect(
        to socket: String, saying hello: Hello, on loop: EventLoop
    ) async throws(ClientError) -> (client: TripClient, welcome: Welcome) {
        let client: TripClient
        do throws(UnixSocketError) {
            client = TripClient(try UnixSocket.connect(path: socket), on: loop)
        } catch {
            throw ClientError(error, socket: socket)
        }
        try await client.watch()
        let result = try await client.perform(.hello(hello))
        let welcome = try decode { () throws(WireError) in try Welcome(result: result) }
        return (client, welcome)
    }

    private func watch() throws(ClientError) {
        do throws(SystemError) {
            try loop.watch(number, for: .read) { [self] readiness in
                assumeIsolated { $0.ready(readiness) }
            }
        } catch {
            throw .unreachable("\(error)")
        }
    }

    /// Ends the connection; what waits is told that it is closed.
    public func close() { end(.closed(nil)) }

    // MARK: Requests

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: `ClientError`.
    package func perform(_ request: Request) async throws(ClientError) -> JSONNode {
        if case .closed(let error) = phase { throw error }
        let id = nextID
        nextID += 1
        // The line is queued before anything else can run here, so requests leave in the order of the calls.
        outgoing += request.line(id: .number(id))
        if sent == 0 { write() }
        // Writing may have found that the connection is gone.
        if case .closed(let error) = phase { throw error }
        let result = await withCheckedContinuation { waiting[id] = $0 }
        return try result.get()
    }

    /// All trips of the daemon.
    public func trips() async throws(ClientError) -> [TripSummary] {
        let result = try await perform(.listTrips)
        return try Self.decode { () throws(WireError) in try TripSummary.list(result: result) }
    }

    /// A whole trip as it is now.
    public func snapshot(of trip: TripReference) async throws(ClientError) -> Snapshot {
        let result = try await perform(.getTrip(trip))
        return try Self.decode { () throws(WireError) in try Snapshot(result: result) }
    }

    /// Makes a trip.
    public func create(_ draft: TripDraft) async throws(ClientError) -> Snapshot {
        let result = try await perform(.createTrip(draft))
        return try Self.decode { () throws(WireError) in try Snapshot(result: result) }
    }

    /// Deletes a trip.
    public func delete(_ trip: TripReference) async throws(ClientError) {
        _ = try await perform(.deleteTrip(trip, ifVersion: nil, isDryRun: false))
    }

    /// Changes a trip: one edit by its own method, several as one batch.
    public func change(_ change: ChangeRequest) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.change(change))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Takes back this client's last change of a trip.
    public func undo(
        in trip: TripReference, _ options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.undo(trip, options))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Makes again what was last taken back.
    public func redo(
        in trip: TripReference, _ options: ChangeOptions = ChangeOptions()
    ) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.redo(trip, options))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Subscribes to a trip's changes.
    ///
    /// - Returns: the trip as it is now, which the notifications go on from, and who has it open.
    public func subscribe(
        _ subscribe: Subscribe
    ) async throws(ClientError) -> (snapshot: Snapshot, users: [PresentUser]) {
        let result = try await perform(.subscribe(subscribe))
        return try Self.decode { () throws(WireError) in
            guard let snapshot = result["snapshot"] else {
                throw WireError(.internalError, "a subscription without its snapshot")
            }
            return (try Snapshot(result: snapshot), try PresentUser.list(in: result))
        }
    }

    /// Takes hold of an item.
    public func beginDrag(of item: ItemID, in trip: TripReference) async throws(ClientError) -> DragStart {
        let result = try await perform(.beginDrag(trip, item))
        return try Self.decode { () throws(WireError) in try DragStart(result: result) }
    }

    /// Tells where the dragged item is held, and keeps the drag alive.
    public func hover(_ drag: DragID, over placement: Placement?) async throws(ClientError) {
        _ = try await perform(.hover(drag, over: placement))
    }

    /// Puts the dragged item down; the drag is over, whatever the answer.
    public func drop(_ drop: Drop) async throws(ClientError) -> ChangeResult {
        let result = try await perform(.drop(drop))
        return try Self.decode { () throws(WireError) in try ChangeResult(result: result) }
    }

    /// Lets go of the dragged item where it was.
    public func cancel(_ drag: DragID) async throws(ClientError) {
        _ = try await perform(.cancelDrag(drag))
    }

    private static func decode<Value>(
        _ body: () throws(WireError) -> Value
    ) throws(ClientError) -> Value {
        do throws(WireError) { return try body() } catch { throw .garbled(error.message) }
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
            loop.execute { [self] in assumeIsolated { $0.stopListening(number) } }
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
        if let listener {
            self.listener = nil
            listener.resume(returning: notification)
        } else {
            queue.append(notification)
        }
    }

    // MARK: Socket

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) { write() }
        if readiness.contains(.readable) || readiness.contains(.hangup) { read() }
    }

    private func read() {
        guard case .open = phase, descriptor != nil else { return }
        do throws(SystemError) {
            switch try readOnce() {
            case .bytes(let count):
                readBuffer.withUnsafeBytes { framer.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
                while case .open = phase, let frame = framer.next() { receive(frame) }
            case .wouldBlock: break
            case .end: end(.closed(goodbye))
            }
        } catch {
            end(.unreachable("\(error)"))
        }
    }

    private func readOnce() throws(SystemError) -> ReadResult {
        guard let result = try descriptor?.read(into: &readBuffer) else { return .end }
        return result
    }

    private func receive(_ frame: LineFrame) {
        guard case .line(let bytes) = frame else {
            return end(.garbled("a line over \(Self.maximumLine) bytes"))
        }
        let message: IncomingMessage
        do throws(WireError) { message = try IncomingMessage(line: bytes) } catch {
            return end(.garbled(error.message))
        }
        switch message {
        case .notification(let notification): tell(notification)
        case .reply(.number(let id)?, let result):
            waiting.removeValue(forKey: id)?.resume(returning: result.mapError(ClientError.refused))
        case .reply(_, .failure(let error)): end(.refused(error))
        // Its subscriptions are all to snapshots.
        case .reply, .delta, .unknown: break
        }
    }

    private func write() {
        guard case .open = phase, !outgoing.isEmpty else { return }
        do throws(SystemError) {
            while sent < outgoing.count {
                guard let result = try descriptor?.write(gathering: [outgoing], skipping: sent) else {
                    return
                }
                switch result {
                case .wrote(let count): sent += count
                case .wouldBlock:
                    loop.changeInterest(number, to: [.read, .write])
                    return
                case .closed:
                    // What the daemon said last may still be unread; reading finds the end.
                    outgoing = []
                    sent = 0
                    return loop.changeInterest(number, to: .read)
                }
            }
            outgoing.removeAll(keepingCapacity: outgoing.count <= 64 * 1024)
            sent = 0
            loop.changeInterest(number, to: .read)
        } catch {
            end(.unreachable("\(error)"))
        }
    }

    private func end(_ error: ClientError) {
        guard case .open = phase else { return }
        phase = .closed(error)
        loop.unwatch(number)
        descriptor = nil
        let abandoned = waiting
        waiting = [:]
        for continuation in abandoned.values { continuation.resume(returning: .failure(error)) }
        listener?.resume(returning: queue.take())
        listener = nil
    }
}

extension ClientError {
    init(_ error: UnixSocketError, socket: String) {
        if case .system(let error) = error, error.isNobodyListening {
            self = .noDaemon(socket: socket)
        } else {
            self = .unreachable("\(error)")
        }
    }
}
