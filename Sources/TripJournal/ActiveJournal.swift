import LocalSystem
import TripModel

/// A journal that the writer appends to. Only the writer's thread uses it.
final class ActiveJournal {
    enum Condition {
        case ready
        /// The last write found no space and was rolled back.
        case full
        /// Nothing may be written any more, because the state on disk is unknown.
        case broken(SystemError)
    }

    /// The open file.
    final class File: Sendable {
        let file: OpenFile
        /// The file's identity at the time of opening.
        let status: FileStatus

        init(_ path: String, in fileSystem: any FileSystem) throws(SystemError) {
            file = try OpenFile(path, .append, in: fileSystem)
            status = try file.status()
        }
    }

    private(set) var header: JournalHeader
    var trip: TripID { header.tripID }
    let path: String
    private let sink: @Sendable (JournalEvent) -> Void
    private var markSeed: UInt32

    var condition = Condition.ready
    var file: File?
    /// The number of the batch in which the file was last used.
    var lastBatch = 0

    /// The file's size, counting complete writes only.
    private(set) var end: Int
    /// The synced part of the file.
    private(set) var syncedEnd: Int
    /// The position in the last mark of the file, and in that of the write under way; nil if unknown.
    private var (markedEnd, nextMarkedEnd): (Int?, Int?) = (nil, nil)
    /// The position after the last record in the file.
    private(set) var checkpoint: JournalCheckpoint
    /// Records in the file that are not yet reported.
    private(set) var unreported = 0
    /// Something was written since the journal was attached or sealed.
    private(set) var isUnsealed = false

    /// The records for the next write, in order.
    private var pending: [EncodedRecords] = []
    /// The running compaction, if any.
    var compaction: RunningCompaction?
    /// The number of compactions since it was opened.
    var compactionCount = 0
    /// The file size from which a compaction is worthwhile.
    var compactionDue = Int.max
    /// The broken journal has rejected records, and this is not yet reported.
    var hasRejected = false
    /// The number of enqueued records that are not resolved; zero at the end of a batch.
    private(set) var unresolvedCount = 0

    init(
        _ header: JournalHeader, path: String, end: Int, checkpoint: JournalCheckpoint,
        sink: @escaping @Sendable (JournalEvent) -> Void
    ) {
        self.header = header
        markSeed = header.checksum
        self.path = path
        self.end = end
        syncedEnd = end
        self.checkpoint = checkpoint
        self.sink = sink
    }

    var hasWork: Bool { !pending.isEmpty || hasRejected }
    var isDirty: Bool { syncedEnd < end }
    var unsyncedBytes: Int { end - syncedEnd }

    /// Enqueues records for the next write.
    func enqueue(_ records: EncodedRecords) {
        let continues = records.base == (pending.last?.end ?? checkpoint)
        switch condition {
        case .broken:
            hasRejected = true
            unresolvedCount += records.count
        case .full where !continues:
            // These records were appended before the owner knew about the previous failure, which resolves them, too.
            break
        case .full, .ready:
            precondition(continues, "records are appended in the order in which they were encoded")
            pending.append(records)
            unresolvedCount += records.count
        }
    }

    /// True if a request that depends on `place` may run: the file ends exactly there, and no failure is unreported.
    func ends(at place: JournalCheckpoint) -> Bool {
        if case .broken = condition { return false }
        return pending.isEmpty && checkpoint == place
    }

    /// Moves the pending records to `buffer`, after a sync mark that says more than the last one. Returns their number and the position after them.
    func takePending(into buffer: inout [UInt8]) -> (count: Int, end: JournalCheckpoint)? {
        guard let last = pending.last else { return nil }
        if markedEnd != syncedEnd { SyncMark.append(end: syncedEnd, seed: markSeed, to: &buffer) }
        nextMarkedEnd = syncedEnd
        for records in pending { buffer += records.bytes }
        defer { pending.removeAll(keepingCapacity: true) }
        return (pending.reduce(0) { $0 + $1.count }, last.end)
    }

    /// Drops the records for the next write.
    func dropPending() { pending.removeAll() }

    /// The checksum footer for the whole file.
    func seal() -> [UInt8] {
        var line: [UInt8] = []
        SyncMark.append(end: end, seed: markSeed, to: &line)
        return line
    }

    /// Records a complete write; `checkpoint` is the position after it.
    func noteWritten(bytes: Int, records: Int, _ checkpoint: JournalCheckpoint) {
        end += bytes
        unreported += records
        markedEnd = nextMarkedEnd
        self.checkpoint = checkpoint
        isUnsealed = true
        condition = .ready
    }

    /// Reports that everything written is durable. Returns the number of newly durable records.
    func report() -> Int {
        if unreported == 0 { return 0 }
        unresolvedCount -= unreported
        sink(.durable(upTo: checkpoint.version))
        defer { unreported = 0 }
        return unreported
    }

    /// Reports that all records which are not durable have failed.
    func report(_ failure: JournalFailure) {
        unresolvedCount = 0
        unreported = 0
        hasRejected = false
        sink(.failed(failure))
    }

    /// Requests the trip's state from the owner.
    func requestState() { sink(.grown) }

    /// Records that a compacted file has replaced the journal. It is sealed and synced, ends with the same
    /// records, and has the current format.
    func replaceFile(by file: File, size: Int) {
        self.file = file
        header = header.renewed
        markSeed = header.checksum
        end = size
        syncedEnd = size
        markedEnd = nil
        isUnsealed = false
    }

    /// Drops the pending records; the owner is informed that the journal rejects them.
    func refusePending() {
        if !pending.isEmpty { hasRejected = true }
        pending = []
    }

    func noteSynced() { syncedEnd = end }
}

/// The line before a write, which contains the synced size of the file at that time.
///
/// It limits the part that a power failure may have torn: bytes covered by a mark were synced, so a bad one
/// among them was damaged later and must not be cut. Marks are not part of the records' checksum chain,
/// because the encoder does not know the boundaries of writes.
enum SyncMark {
    /// Maximum bytes of a mark.
    static let maximumBytes = JournalFormat.markWord.count + 32

    /// Appends a mark: all bytes before `end` are synced. `seed` is the checksum of the journal's header.
    static func append(end: Int, seed: UInt32, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: JournalFormat.markWord)
        bytes.append(.space)
        bytes.appendDecimal(end)
        bytes.append(.space)
        var checksum = CRC32C(continuing: seed)
        bytes[start...].withUnsafeBytes { checksum.update($0) }
        bytes.appendChecksum(checksum.value)
        bytes.append(.newline)
    }
}
