import TripModel
import TripProtocol

/// The open batches of one connection: changes that are too long for one line and not yet committed.
struct BatchTable {
    /// The operations of one batch so far.
    struct Batch {
        let trip: TripID
        fileprivate(set) var edits: [Edit] = []
        /// A hash of the operations, independent of how they were spread over lines.
        fileprivate(set) var hash: UInt64 = 0
        /// The bytes of their lines.
        fileprivate(set) var lineBytes = 0
        /// When the batch is discarded, on the daemon's monotonic clock.
        fileprivate(set) var deadline: Duration

        /// Identifies the trip and the operations, independent of the batch id and of the lines.
        var operations: String { "\(trip) \(edits.count) \(hash)" }

        /// The approximate memory size: the texts of the lines and the operations.
        var heldBytes: Int { 256 + lineBytes + edits.count * MemoryLayout<Edit>.stride }
    }

    /// Identifies a committed batch, so that a repeated commit is recognized after its operations are freed.
    struct Committed {
        let trip: TripID
        let operations: String
    }

    /// The number of committed batches that are remembered.
    static let remembered = 64

    private var batches: [BatchID: Batch] = [:]
    private var committed: [BatchID: Committed] = [:]
    /// The keys of `committed`, the oldest first.
    private var committedOrder: [BatchID] = []
    /// The approximate memory size of all batches.
    private(set) var heldBytes = 0

    var count: Int { batches.count }

    /// The bytes of the lines of all batches.
    private var lineBytes: Int { batches.values.reduce(0) { $0 + $1.lineBytes } }

    /// The earliest deadline of all batches.
    var deadline: Duration? { batches.values.lazy.map(\.deadline).min() }

    subscript(id: BatchID) -> Batch? { batches[id] }

    mutating func open(_ id: BatchID, on trip: TripID, until deadline: Duration) {
        put(Batch(trip: trip, deadline: deadline), id)
    }

    /// Returns the reason why the batch cannot accept more operations; nil if it can.
    func objection(to edits: [Edit], of lineBytes: Int, in batch: Batch) -> WireError? {
        let count = batch.edits.count + edits.count
        guard count <= WireLimits.batchOperations else {
            return .limit(
                "batchOps", max: WireLimits.batchOperations,
                "a batch has at most \(WireLimits.batchOperations) operations, not \(count)")
        }
        let size = self.lineBytes + lineBytes
        guard size <= WireLimits.changeBytes else {
            return .limit(
                "changeBytes", max: WireLimits.changeBytes,
                "the batches of a connection have at most \(WireLimits.changeBytes) bytes together, not \(size)"
            )
        }
        return nil
    }

    /// Appends operations.
    ///
    /// - Parameter mark: the hash of the new operations, from `Request.operationsMark`.
    mutating func add(
        _ edits: [Edit], hash: UInt64, lineBytes: Int, to id: BatchID, until deadline: Duration
    ) {
        guard var batch = batches.removeValue(forKey: id) else {
            preconditionFailure("operations are added to an open batch")
        }
        heldBytes -= batch.heldBytes
        batch.edits += edits
        batch.hash = OperationsHash.joined(batch.hash, with: hash, count: edits.count)
        batch.lineBytes += lineBytes
        batch.deadline = deadline
        put(batch, id)
    }

    @discardableResult
    mutating func remove(_ id: BatchID) -> Batch? {
        guard let batch = batches.removeValue(forKey: id) else { return nil }
        heldBytes -= batch.heldBytes
        return batch
    }

    /// Removes a batch that was committed with an idempotency key, and remembers its identity for a repeated commit.
    mutating func commit(_ id: BatchID) {
        guard let batch = remove(id) else { return }
        committed[id] = Committed(trip: batch.trip, operations: batch.operations)
        committedOrder.append(id)
        if committedOrder.count > Self.remembered { committed[committedOrder.removeFirst()] = nil }
    }

    /// The identity of a batch that was committed before.
    func committed(_ id: BatchID) -> Committed? { committed[id] }

    /// Discards all batches whose deadline has passed.
    mutating func expire(at now: Duration) {
        for (id, batch) in batches where batch.deadline <= now { remove(id) }
    }

    private mutating func put(_ batch: Batch, _ id: BatchID) {
        heldBytes += batch.heldBytes
        batches[id] = batch
    }
}

/// A hash of a list of operations that does not depend on how the list is split.
enum OperationsHash {
    private static let base: UInt64 = 0x100_0000_01B3

    /// The hash of a list, from the hashes of its operations.
    static func list(_ hashes: some Sequence<UInt64>) -> UInt64 { hashes.reduce(0) { $0 &* base &+ $1 } }

    /// The hash of two lists in sequence, of which the second has `count` operations.
    static func joined(_ first: UInt64, with second: UInt64, count: Int) -> UInt64 {
        (0..<count).reduce(first) { product, _ in product &* base } &+ second
    }
}
