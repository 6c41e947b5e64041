import LocalSystem
import TripModel

/// A journal that the writer appends to. Belongs to the writer's thread.
final class ActiveJournal {
    enum Condition {
        case ready
        /// The last write found no room and was taken back.
        case full
        /// Nothing may be written any more; what is on the disk is not known.
        case broken(SystemError)
    }

    /// The file while it is open.
    final class File {
        let file: OpenFile
        /// As of when it was opened.
        let status: FileStatus

        init(_ path: String, in fileSystem: any FileSystem) throws(SystemError) {
            file = try OpenFile(path, .append, in: fileSystem)
            status = try file.status()
        }
    }

    /// What the file begins with.
    private(set) var header: JournalHeader
    var trip: TripID { header.tripID }
    let path: String
    private let sink: @Sendable (JournalEvent) -> Void
    private var markSeed: UInt32

    var condition = Condition.ready
    var file: File?
    /// The number of the round in which the file was last used.
    var lastRound = 0

    /// The file's size, counting whole writes only.
    private(set) var end: Int
    /// How much of that is synced.
    private(set) var syncedEnd: Int
    /// The place after the last record in the file.
    private(set) var checkpoint: JournalCheckpoint
    /// Records in the file that nobody has been told of.
    private(set) var unreported = 0
    /// Something was written since the journal was attached or sealed.
    private(set) var isUnsealed = false

    /// The records that wait for the next write, in order.
    private var pending: [EncodedRecords] = []
    /// The compaction that is on its way, if one is.
    var compaction: RunningCompaction?
    /// The size from which on a compaction is worth it.
    var compactionDue = Int.max
    /// Records came that the broken journal cannot take, and nobody has been told yet.
    var hasRefused = false
    /// Records that were enqueued and whose fate is not told yet; none at the end of a round.
    private(set) var unsettledCount = 0

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

    var hasWork: Bool { !pending.isEmpty || hasRefused }
    var isDirty: Bool { syncedEnd < end }

    /// Takes records for the next write.
    func enqueue(_ records: EncodedRecords) {
        let continues = records.base == (pending.last?.end ?? checkpoint)
        switch condition {
        case .broken:
            hasRefused = true
            unsettledCount += records.count
        case .full where !continues:
            // Appended before its owner knew that the records before it had failed; that event settles this one too.
            break
        case .full, .ready:
            precondition(continues, "records are appended in the order in which they were encoded")
            pending.append(records)
            unsettledCount += records.count
        }
    }

    /// Whether a request that rests on a place may be carried out: everything up to there is in the file, nothing
    /// after it is, and no failure is on its way to whoever gave the request.
    func stands(at place: JournalCheckpoint) -> Bool {
        if case .broken = condition { return false }
        return pending.isEmpty && checkpoint == place
    }

    /// Moves the waiting records to `buffer`, a mark before them; returns their number and the place after them.
    func takePending(into buffer: inout [UInt8]) -> (count: Int, end: JournalCheckpoint)? {
        guard let last = pending.last else { return nil }
        SyncMark.append(end: syncedEnd, seed: markSeed, to: &buffer)
        for records in pending { buffer += records.bytes }
        defer { pending.removeAll(keepingCapacity: true) }
        return (pending.reduce(0) { $0 + $1.count }, last.end)
    }

    /// Forgets the records that wait for the next write.
    func dropPending() { pending.removeAll() }

    /// The line that vouches for the whole file.
    func seal() -> [UInt8] {
        var line: [UInt8] = []
        SyncMark.append(end: end, seed: markSeed, to: &line)
        return line
    }

    /// A write of these bytes and records was taken; `checkpoint` is the place after it.
    func noteWritten(bytes: Int, records: Int, _ checkpoint: JournalCheckpoint) {
        end += bytes
        unreported += records
        self.checkpoint = checkpoint
        isUnsealed = true
        condition = .ready
    }

    /// Tells that everything written is durable; returns the number of records that this is news for.
    func report() -> Int {
        if unreported == 0 { return 0 }
        unsettledCount -= unreported
        sink(.durable(upTo: checkpoint.version))
        defer { unreported = 0 }
        return unreported
    }

    /// Tells that everything that was enqueued and not reported durable has failed.
    func report(_ failure: JournalFailure) {
        unsettledCount = 0
        unreported = 0
        hasRefused = false
        sink(.failed(failure))
    }

    /// Asks the owner for the trip's state.
    func askForState() { sink(.grown) }

    /// Another file has taken the journal's place, sealed and synced, with the same records at its end, of the format
    /// that is written now.
    func replaceFile(by file: File, size: Int) {
        self.file = file
        header = header.renewed
        markSeed = header.checksum
        end = size
        syncedEnd = size
        isUnsealed = false
    }

    /// Drops what waits; its owner is told that the journal takes nothing.
    func refusePending() {
        if !pending.isEmpty { hasRefused = true }
        pending = []
    }

    /// All that was written is synced.
    func noteSynced() { syncedEnd = end }
}
