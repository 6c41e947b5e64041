import LocalSystem
import TripModel

/// The bulk of a compaction, off the writer's thread: reads what the disk has, makes the state of it, writes that to a
/// file beside the journal, syncs it and reads it back. The journal itself is not touched.
struct CompactionJob: Sendable {
    let store: JournalStore
    let plan: CompactionPlan
    /// What the journal begins with, and with it all of its checksums.
    let header: JournalHeader
    let ticket: CompactionTicket

    private var path: String { store.journal(of: header.tripID) }
    private var draftPath: String { store.compactionDraft(of: header.tripID) }

    /// Makes a draft of the first `end` bytes of the journal, which lead to `checkpoint`.
    func begin(upTo end: Int, _ checkpoint: JournalCheckpoint) throws(CompactionFailure) -> CompactionDraft {
        try removingDraftIfFailing { () throws(CompactionFailure) in
            let bytes = try read(path, 0..<end)
            guard case .whole(let contents) = JournalScanner.scan(bytes), contents.checkpoint == checkpoint,
                contents.header == header
            else { throw .damaged("the journal is not what was written to it") }
            try checkTicket()
            let snapshot = try plan.summarize(OpenedJournal(contents, in: bytes))
            var image = JournalImage(header.renewed, compacted: snapshot, at: checkpoint)
            image.seal()
            try checkTicket()
            try system { () throws(SystemError) in
                if try store.fileSystem.status(draftPath) != nil { try store.fileSystem.unlink(draftPath) }
                try store.writeNewFile(draftPath, image.bytes)
            }
            try checkTicket()
            try verify(image, snapshot)
            return CompactionDraft(
                copiedEnd: end, checkpoint: checkpoint, size: image.bytes.count, baseEnd: image.baseEnd)
        }
    }

    /// Copies the records that were written meanwhile.
    func goOn(_ draft: CompactionDraft, upTo end: Int) throws(CompactionFailure) -> CompactionDraft {
        try removingDraftIfFailing { () throws(CompactionFailure) in
            try checkTicket()
            var draft = draft
            try append(upTo: end, to: &draft)
            draft.rounds += 1
            return draft
        }
    }

    /// Appends the old file's records up to a place to the draft, with a mark that vouches for all of it, and syncs.
    func append(upTo end: Int, to draft: inout CompactionDraft) throws(CompactionFailure) {
        guard end > draft.copiedEnd else { return }
        let bytes = try read(path, draft.copiedEnd..<end)
        guard
            let (lines, checkpoint) = JournalScanner.records(
                in: bytes, after: draft.checkpoint, seed: header.checksum)
        else { throw .damaged("the journal is not what was written to it") }
        guard !lines.isEmpty else { return draft.copiedEnd = end }
        var addition = lines
        SyncMark.append(end: draft.size + lines.count, seed: header.renewed.checksum, to: &addition)
        let size = draft.size
        try system { () throws(SystemError) in
            let file = try OpenFile(draftPath, .append, in: store.fileSystem)
            guard try file.size() == Int64(size) else { throw .changedByOthers(draftPath) }
            try file.writeAll(addition)
            try file.sync()
        }
        draft.copiedEnd = end
        draft.checkpoint = checkpoint
        draft.size += addition.count
    }

    /// Reads the draft as a start would, and compares the state that comes of it.
    private func verify(_ image: JournalImage, _ snapshot: JournalSnapshot) throws(CompactionFailure) {
        let bytes = try read(draftPath, 0..<image.bytes.count + 1)
        guard bytes == image.bytes, case .whole(let contents) = JournalScanner.scan(bytes),
            contents.checkpoint == image.checkpoint, contents.end == bytes.count,
            try plan.summarize(OpenedJournal(contents, in: bytes)) == snapshot
        else { throw .damaged("what was written does not read back the same") }
    }

    private func read(_ path: String, _ range: Range<Int>) throws(CompactionFailure) -> [UInt8] {
        try system { () throws(SystemError) in
            try OpenFile(path, .read, in: store.fileSystem).read(
                at: Int64(range.lowerBound), count: range.count)
        }
    }

    private func checkTicket() throws(CompactionFailure) {
        if ticket.isCancelled { throw .cancelled }
    }

    private func system<Value>(_ body: () throws(SystemError) -> Value) throws(CompactionFailure) -> Value {
        do throws(SystemError) { return try body() } catch { throw .system(error) }
    }

    private func removingDraftIfFailing<Value>(
        _ body: () throws(CompactionFailure) -> Value
    ) throws(CompactionFailure) -> Value {
        do throws(CompactionFailure) { return try body() } catch {
            removeDraft()
            throw error
        }
    }

    /// What is left over all the same is swept when the trip is opened the next time.
    func removeDraft() {
        do throws(SystemError) { try store.fileSystem.unlink(draftPath) } catch {}
    }
}
