import TripModel
import TripProtocol

/// What one connection has brought for changes that do not fit into one line, and has not committed.
struct BatchTable {
    /// Operations of one change to come.
    struct Batch {
        let trip: TripID
        fileprivate(set) var edits: [Edit] = []
        /// Tells these operations from others, however they were spread over lines.
        fileprivate(set) var mark: UInt64 = 0
        /// Bytes of their lines.
        fileprivate(set) var lineBytes = 0
        /// When it is given up, on the daemon's monotonic clock.
        fileprivate(set) var deadline: Duration

        /// Tells its trip and its operations from others, whatever it was called and however it was cut into lines.
        var operations: String { "\(trip) \(edits.count) \(mark)" }

        /// Bytes that it takes, about: the texts of the lines, and the operations as values.
        var heldBytes: Int { 256 + lineBytes + edits.count * MemoryLayout<Edit>.stride }
    }

    /// What the repeat of a commit is known by, when its operations have been let go.
    struct Committed {
        let trip: TripID
        /// Tells its operations from others.
        let operations: String
    }

    /// How many committed batches are remembered for the repeats of their commits.
    static let remembered = 64

    private var batches: [BatchID: Batch] = [:]
    private var committed: [BatchID: Committed] = [:]
    /// The keys of `committed`, the oldest first.
    private var committedOrder: [BatchID] = []
    /// Bytes that all of them take, about.
    private(set) var heldBytes = 0

    var count: Int { batches.count }

    /// Bytes of the lines of all of them.
    private var lineBytes: Int { batches.values.reduce(0) { $0 + $1.lineBytes } }

    /// When the first of them is given up.
    var deadline: Duration? { batches.values.lazy.map(\.deadline).min() }

    subscript(id: BatchID) -> Batch? { batches[id] }

    /// Begins one.
    mutating func open(_ id: BatchID, on trip: TripID, until deadline: Duration) {
        put(Batch(trip: trip, deadline: deadline), id)
    }

    /// Why a batch can take no more; nil where it can.
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

    /// Takes more operations.
    ///
    /// - Parameter mark: the sum of their own marks, as `Request.operationsMark` makes it.
    mutating func add(
        _ edits: [Edit], mark: UInt64, lineBytes: Int, to id: BatchID, until deadline: Duration
    ) {
        guard var batch = batches.removeValue(forKey: id) else {
            preconditionFailure("operations are added to a batch that is there")
        }
        heldBytes -= batch.heldBytes
        batch.edits += edits
        batch.mark = OperationsMark.joined(batch.mark, with: mark, count: edits.count)
        batch.lineBytes += lineBytes
        batch.deadline = deadline
        put(batch, id)
    }

    @discardableResult
    mutating func take(_ id: BatchID) -> Batch? {
        guard let batch = batches.removeValue(forKey: id) else { return nil }
        heldBytes -= batch.heldBytes
        return batch
    }

    /// Takes out a batch that is committed with a number, and keeps what a repeat of the commit is known by.
    mutating func commit(_ id: BatchID) {
        guard let batch = take(id) else { return }
        committed[id] = Committed(trip: batch.trip, operations: batch.operations)
        committedOrder.append(id)
        if committedOrder.count > Self.remembered { committed[committedOrder.removeFirst()] = nil }
    }

    /// The batch of a commit that was sent before.
    func committed(_ id: BatchID) -> Committed? { committed[id] }

    /// Gives up those whose time is over.
    mutating func expire(at now: Duration) {
        for (id, batch) in batches where batch.deadline <= now { take(id) }
    }

    private mutating func put(_ batch: Batch, _ id: BatchID) {
        heldBytes += batch.heldBytes
        batches[id] = batch
    }
}

/// Tells lists of operations apart by one number, which is the same however a list is cut into parts.
enum OperationsMark {
    private static let base: UInt64 = 0x100_0000_01B3

    /// The mark of a list of which the operations have these marks.
    static func list(_ marks: some Sequence<UInt64>) -> UInt64 { marks.reduce(0) { $0 &* base &+ $1 } }

    /// The mark of a list and another of so many operations behind it.
    static func joined(_ first: UInt64, with second: UInt64, count: Int) -> UInt64 {
        (0..<count).reduce(first) { product, _ in product &* base } &+ second
    }
}
