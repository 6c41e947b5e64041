import LocalSystem
import TripModel
import TripProtocol

/// Changes that do not fit into one line: a connection collects their operations in a batch, and its commit
/// runs like any other change.
extension Server {
    // MARK: Adding operations

    func openBatch(_ call: Call, at place: Place) {
        guard let connection = connections[call.ticket.connection] else { return }
        guard connection.batches.count < WireLimits.batches else {
            let error = WireError.limit(
                "batches", max: WireLimits.batches,
                "a connection has at most \(WireLimits.batches) batches; commit or drop one first")
            return refuse(call, error)
        }
        let batch = BatchID("\(configuration.dragPrefix)-b\(counters.nextBatch())")
        run(call, at: place) { $0.openBatch(batch, call.ticket) }
        // A trip whose deletion is in flight counts as deleted.
        guard case .open(let actor) = place, !actor.read({ $0.isDeleted }) else { return }
        connection.batches.open(batch, on: actor.id, until: loop.now + configuration.batchTime)
        changedBatches(of: connection)
    }

    /// Adds operations to a batch.
    func add(_ edits: [Edit], to id: BatchID, _ call: Call) {
        let lineBytes = call.byteCount
        guard let connection = connections[call.ticket.connection] else { return }
        guard let batch = connection.batches[id] else { return refuse(call, .noBatch) }
        if let error = connection.batches.objection(to: edits, of: lineBytes, in: batch) {
            return refuse(call, error)
        }
        // Each batch is small, but all together are limited to a part of the memory.
        guard batchBytes + lineBytes + edits.count * MemoryLayout<Edit>.stride <= configuration.batchBytes
        else {
            return refuse(
                call,
                .limit(
                    "batchBytes", max: configuration.batchBytes,
                    "the batches of all connections use all the memory for batches; try again later"))
        }
        connection.batches.add(
            edits, hash: call.fingerprint, lineBytes: lineBytes, to: id,
            until: loop.now + configuration.batchTime)
        changedBatches(of: connection)
        answer(call.ticket, ServerLine.emptyReply(call.ticket.request))
    }

    func dropBatch(_ id: BatchID, _ call: Call) {
        guard let connection = connections[call.ticket.connection] else { return }
        guard connection.batches.remove(id) != nil else { return refuse(call, .noBatch) }
        changedBatches(of: connection)
        answer(call.ticket, ServerLine.emptyReply(call.ticket.request))
    }

    // MARK: Committing

    /// Turns the commit of a batch into its change, and removes the batch. Other requests are left unchanged.
    /// A repeated commit becomes a change without operations, which only looks up the first one's answer.
    ///
    /// - Returns: an error if there is nothing to commit.
    func resolveBatch(of call: inout Call, _ connection: Connection) -> WireError? {
        guard case .commitBatch(let id, let options) = call.request else { return nil }
        let isRepeatable = options.seq != nil && !options.isDryRun
        func become(_ edits: [Edit], on trip: TripID, _ operations: String) {
            call.request = .change(
                ChangeRequest(method: .commitBatch, trip: .id(trip), edits: edits, options: options))
            call.fingerprint = Fingerprint(of: "\(operations) \(call.fingerprint)".utf8).value
        }
        guard let batch = connection.batches[id] else {
            guard isRepeatable, let committed = connection.batches.committed(id) else { return .noBatch }
            become([], on: committed.trip, committed.operations)
            return nil
        }
        guard !batch.edits.isEmpty else {
            return WireError(.invalidParams, "batch: it has no operations", .field("batch"))
        }
        become(batch.edits, on: batch.trip, batch.operations)
        guard !options.isDryRun else { return nil }
        if isRepeatable { connection.batches.commit(id) } else { connection.batches.remove(id) }
        budget.hold(batchOf: batch.heldBytes, for: &call)
        changedBatches(of: connection)
        return nil
    }

    // MARK: Limits

    /// The size of all batches, including those whose commits wait for their trips.
    private var batchBytes: Int {
        connections.values.reduce(budget.committingBytes) { $0 + $1.batches.heldBytes }
    }

    private func changedBatches(of connection: Connection) {
        recount(connection)
        scheduleBatches(of: connection)
    }

    /// Keeps one timer per connection, for the earliest deadline of a batch.
    private func scheduleBatches(of connection: Connection) {
        // An addition extends the deadline: the old timer then fires early and finds nothing due.
        guard connection.timers.batches == nil, let deadline = connection.batches.deadline else { return }
        let id = connection.id
        connection.timers.batches = loop.schedule(after: max(.zero, deadline - loop.now)) { [self] in
            enter { server in
                guard let connection = server.connections[id] else { return }
                connection.timers.batches = nil
                connection.batches.expire(at: server.loop.now)
                server.changedBatches(of: connection)
            }
        }
    }
}

extension WireError {
    /// The error for an unknown batch.
    static let noBatch = WireError(
        .batchNotFound,
        "this connection has no such batch; one ends with its commit, and after \(WireLimits.batchSeconds) s without an addition"
    )
}
