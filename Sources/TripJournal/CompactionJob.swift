import JSONLine
import LocalSystem
import TripModel

/// Encodes the state of a trip at one position of its journal; called on the compaction thread.
package typealias CompactedState = @Sendable () throws(CompactionFailure) -> JournalSnapshot

/// The part of a compaction that runs concurrently with the writer: it writes the trip's state to a draft
/// beside the journal, syncs it and reads it back. It does not write to the journal.
struct CompactionJob: Sendable {
    let store: JournalStore
    let plan: CompactionPlan
    /// The old journal's header, which seeds its checksums.
    let header: JournalHeader
    let ticket: CompactionTicket

    private var path: String { store.journal(of: header.tripID) }
    private var draftPath: String { store.compactionDraft(of: header.tripID) }

    /// Writes a draft that begins with a state.
    ///
    /// - Parameters:
    ///   - end: the number of the journal's bytes that the state includes.
    ///   - checkpoint: the position in the journal after these records.
    ///   - state: encodes the state.
    ///   - isDecoded: whether the state is also decoded from the draft.
    func begin(
        upTo end: Int, _ checkpoint: JournalCheckpoint, _ state: CompactedState, isDecoded: Bool
    ) throws(CompactionFailure) -> CompactionDraft {
        try removingDraftIfFailing { () throws(CompactionFailure) in
            try checkTicket()
            let draft = try make(upTo: end, checkpoint, state)
            try checkTicket()
            // The image is freed before the draft is decoded, which takes as much memory again.
            if isDecoded { try decode(draft) }
            return draft
        }
    }

    private func make(
        upTo end: Int, _ checkpoint: JournalCheckpoint, _ state: CompactedState
    ) throws(CompactionFailure) -> CompactionDraft {
        var image = JournalImage(header.renewed, compacted: try state(), at: checkpoint)
        image.seal()
        try checkTicket()
        try system { () throws(SystemError) in
            if try store.fileSystem.status(draftPath) != nil { try store.fileSystem.unlink(draftPath) }
            try store.writeNewFile(draftPath, image.bytes)
        }
        try compare(image.bytes)
        return CompactionDraft(
            copiedEnd: end, checkpoint: checkpoint, size: image.bytes.count, baseEnd: image.baseEnd)
    }

    /// Copies the records that were written during the compaction.
    func resume(_ draft: CompactionDraft, upTo end: Int) throws(CompactionFailure) -> CompactionDraft {
        try removingDraftIfFailing { () throws(CompactionFailure) in
            try checkTicket()
            var draft = draft
            try append(upTo: end, to: &draft)
            draft.passes += 1
            return draft
        }
    }

    /// Appends the old file's records up to an offset to the draft with a sync mark for all of it, and syncs.
    func append(upTo end: Int, to draft: inout CompactionDraft) throws(CompactionFailure) {
        guard end > draft.copiedEnd else { return }
        let (start, size) = (draft.copiedEnd, draft.size)
        let file = try system { () throws(SystemError) in
            let file = try OpenFile(draftPath, .append, in: store.fileSystem)
            guard try file.size() == Int64(size) else { throw .changedByOthers(draftPath) }
            return file
        }
        while draft.copiedEnd < end { try copyPiece(upTo: end, to: &draft, file) }
        // Sync marks are not copied, so there may be nothing to copy between two of them.
        guard draft.size > size else { return }
        var mark: [UInt8] = []
        SyncMark.append(end: draft.size, seed: header.renewed.checksum, to: &mark)
        try system { () throws(SystemError) in
            try file.writeAll(mark)
            try file.sync()
        }
        draft.size += mark.count
        assert(draft.copiedEnd == end && start < end)
    }

    /// Copies about one piece of whole lines.
    private func copyPiece(
        upTo end: Int, to draft: inout CompactionDraft, _ file: borrowing OpenFile
    ) throws(CompactionFailure) {
        let start = draft.copiedEnd
        var bytes = try read(path, start..<min(start + Self.pieceBytes, end))
        if start + bytes.count < end {
            // A record that is longer than a piece is read whole.
            var length = Self.pieceBytes
            while !ByteScan.hasNewline(bytes), start + bytes.count < end {
                length *= 2
                bytes = try read(path, start..<min(start + length, end))
            }
            if let newline = bytes.lastIndex(of: .newline) { bytes.removeSubrange((newline + 1)...) }
        }
        guard !bytes.isEmpty,
            let (lines, checkpoint) = JournalScanner.records(
                in: bytes, after: draft.checkpoint, seed: header.checksum)
        else { throw .damaged("the journal differs from the written data") }
        try system { () throws(SystemError) in try file.writeAll(lines) }
        draft.copiedEnd += bytes.count
        draft.checkpoint = checkpoint
        draft.size += lines.count
    }

    /// Reads the draft back, and checks that it has the written bytes.
    private func compare(_ bytes: [UInt8]) throws(CompactionFailure) {
        for start in stride(from: 0, through: bytes.count, by: Self.pieceBytes) {
            // One byte more than was written shows that the file is longer.
            let read = try read(draftPath, start..<min(start + Self.pieceBytes, bytes.count + 1))
            guard read[...] == bytes[start...].prefix(Self.pieceBytes) else { throw Self.notReadBack }
        }
    }

    /// Reads the draft as at a start, and checks that the resulting state gives the same journal again.
    private func decode(_ draft: CompactionDraft) throws(CompactionFailure) {
        let bytes = try read(draftPath, 0..<draft.size + 1)
        guard case .whole(let contents) = JournalScanner.scan(bytes), contents.checkpoint == draft.checkpoint,
            contents.end == bytes.count
        else { throw Self.notReadBack }
        let snapshot = try plan.summarize(OpenedJournal(contents, in: bytes))
        var again = JournalImage(header.renewed, compacted: snapshot, at: draft.checkpoint)
        again.seal()
        guard again.bytes == bytes else { throw Self.notReadBack }
    }

    /// The approximate number of bytes that are held while records are copied.
    private static let pieceBytes = 1 << 20
    private static let notReadBack = CompactionFailure.damaged(
        "the new file does not read back as it was written")

    private func read(_ path: String, _ range: Range<Int>) throws(CompactionFailure) -> [UInt8] {
        try system { () throws(SystemError) in
            try OpenFile(path, .read, in: store.fileSystem).read(
                at: Int64(range.lowerBound), count: range.count)
        }
    }

    private func checkTicket() throws(CompactionFailure) {
        if ticket.isCancelled { throw .cancelled }
    }

    private func system<Value: ~Copyable>(
        _ body: () throws(SystemError) -> Value
    ) throws(CompactionFailure) -> Value {
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

    /// A draft that cannot be removed now is removed when the trip is opened the next time.
    func removeDraft() {
        do throws(SystemError) { try store.fileSystem.unlink(draftPath) } catch {}
    }
}
