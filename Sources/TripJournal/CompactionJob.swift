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
            let draft = try make(upTo: end, checkpoint)
            try checkTicket()
            // By now nothing is held any more of what it was made of.
            try verify(draft)
            return draft
        }
    }

    /// Writes the draft, and looks whether it is what was written.
    private func make(
        upTo end: Int, _ checkpoint: JournalCheckpoint
    ) throws(CompactionFailure) -> CompactionDraft {
        let image = try image(of: read(path, 0..<end), checkpoint)
        try checkTicket()
        try system { () throws(SystemError) in
            if try store.fileSystem.status(draftPath) != nil { try store.fileSystem.unlink(draftPath) }
            try store.writeNewFile(draftPath, image.bytes)
        }
        let size = image.bytes.count
        guard try read(draftPath, 0..<size + 1) == image.bytes else { throw Self.notReadBack }
        return CompactionDraft(copiedEnd: end, checkpoint: checkpoint, size: size, baseEnd: image.baseEnd)
    }

    /// The journal that begins with the state to which another one's bytes lead.
    private func image(
        of bytes: [UInt8], _ checkpoint: JournalCheckpoint
    ) throws(CompactionFailure) -> JournalImage {
        guard case .whole(let contents) = JournalScanner.scan(bytes), contents.checkpoint == checkpoint,
            contents.header == header
        else { throw .damaged("the journal is not what was written to it") }
        try checkTicket()
        let snapshot = try plan.summarize(OpenedJournal(contents, in: bytes))
        var image = JournalImage(header.renewed, compacted: snapshot, at: checkpoint)
        image.seal()
        return image
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

    /// Reads the draft as a start would, and makes the same journal once more of the state that comes of it.
    private func verify(_ draft: CompactionDraft) throws(CompactionFailure) {
        let bytes = try read(draftPath, 0..<draft.size + 1)
        guard case .whole(let contents) = JournalScanner.scan(bytes), contents.checkpoint == draft.checkpoint,
            contents.end == bytes.count
        else { throw Self.notReadBack }
        let snapshot = try plan.summarize(OpenedJournal(contents, in: bytes))
        var again = JournalImage(header.renewed, compacted: snapshot, at: draft.checkpoint)
        again.seal()
        guard again.bytes == bytes else { throw Self.notReadBack }
    }

    private static let notReadBack = CompactionFailure.damaged("what was written does not read back the same")

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
