import JSONLine
import TripModel

extension JournalCursor {
    enum HeaderLine {
        case header(JournalHeader, end: Int)
        case newerFormat(lowestReader: Int)
        case bad(JournalDamage.Reason)
    }

    enum SnapshotLines {
        case snapshot(JournalContents.Snapshot, JournalCheckpoint)
        case bad(JournalDamage.Reason, offset: Int)
    }

    enum Line {
        case record(version: Int, payload: Range<Int>, checksum: UInt32)
        case mark(end: Int)
        case bad(JournalDamage.Reason)
    }

    /// Reads the header. Its first three fields are the same in every format, so they are checked first: the
    /// rest may be valid although this version cannot read it.
    mutating func header() -> HeaderLine {
        guard skip(JournalFormat.magic), skip(.space), let format = decimal(), skip(.space),
            let lowestReader = decimal(), skip(.space), (1...max(format, 1)).contains(lowestReader)
        else { return .bad(.headerMalformed) }
        if lowestReader > JournalFormat.current { return .newerFormat(lowestReader: lowestReader) }
        guard let trip = word(limit: 36), let tripID = TripID(utf8: trip), skip(.space),
            let epochBytes = word(limit: JournalFormat.maximumEpochLength), skip(.space)
        else { return .bad(.headerMalformed) }
        let epoch = String(decoding: epochBytes, as: UTF8.self)
        let covered = 0..<position
        guard JournalFormat.isEpoch(epoch), let stored = checksum(), skip(.newline) else {
            return .bad(.headerMalformed)
        }
        var checksum = CRC32C()
        checksum.update(raw(covered))
        if checksum.value != stored { return .bad(.headerChecksum) }
        let header = JournalHeader(tripID: tripID, epoch: epoch, format: format, lowestReader: lowestReader)
        return .header(header, end: position)
    }

    /// Reads the snapshot at the cursor, and steps over it if it is valid; a failure names the line's offset.
    mutating func snapshot(seed: UInt32) -> SnapshotLines {
        let start = position
        guard skip(JournalFormat.snapshotWord), skip(.space), let version = decimal(), version > 0,
            skip(.space),
            let chain = checksum(), skip(.space), let count = decimal(), skip(.space),
            (1...JournalFormat.maximumParts).contains(count)
        else { return .bad(.snapshotMalformed, offset: start) }
        var running = CRC32C(continuing: seed)
        running.update(raw(start..<position))
        guard let stored = checksum(), skip(.newline) else { return .bad(.snapshotMalformed, offset: start) }
        if running.value != stored { return .bad(.snapshotChecksum, offset: start) }
        var snapshot = JournalContents.Snapshot(version: version, end: position)
        for _ in 0..<count {
            let start = position
            guard skip(JournalFormat.partWord), skip(.space), let length = decimal(), length > 0, skip(.space)
            else { return .bad(.snapshotMalformed, offset: start) }
            if length > JournalFormat.maximumPayload { return .bad(.payloadTooLarge(length), offset: start) }
            running.update(raw(start..<position))
            guard let stored = checksum(), skip(.space), bytes.count - position > length,
                bytes[position + length] == .newline
            else { return .bad(.snapshotMalformed, offset: start) }
            let payload = position..<position + length
            running.update(raw(payload))
            if running.value != stored { return .bad(.snapshotChecksum, offset: start) }
            if hasNewline(in: payload) { return .bad(.snapshotMalformed, offset: start) }
            snapshot.parts.append(payload)
            position = payload.upperBound + 1
        }
        snapshot.end = position
        return .snapshot(snapshot, JournalCheckpoint(version: version, checksum: chain))
    }

    /// Reads the line at the cursor, and steps over it if it is valid.
    mutating func line(after checkpoint: JournalCheckpoint, seed: UInt32) -> Line {
        let isMark = position < bytes.count && bytes[position] == JournalFormat.markWord[0]
        return isMark ? mark(seed: seed) : record(after: checkpoint)
    }

    private mutating func record(after checkpoint: JournalCheckpoint) -> Line {
        let start = position
        guard let length = decimal(), length > 0, skip(.space), let version = decimal(), skip(.space) else {
            return .bad(.lineMalformed)
        }
        if length > JournalFormat.maximumPayload {
            return .bad(.payloadTooLarge(length))
        }
        let prefix = start..<position
        guard let stored = checksum(), skip(.space), bytes.count - position > length,
            bytes[position + length] == .newline
        else { return .bad(.lineMalformed) }
        let payload = position..<position + length
        var checksum = CRC32C(continuing: checkpoint.checksum)
        checksum.update(raw(prefix))
        checksum.update(raw(payload))
        if checksum.value != stored { return .bad(.recordChecksum) }
        if hasNewline(in: payload) { return .bad(.lineMalformed) }
        position = payload.upperBound + 1
        return .record(version: version, payload: payload, checksum: stored)
    }

    private func hasNewline(in range: Range<Int>) -> Bool {
        ByteScan.firstNewline(in: UnsafeBufferPointer(rebasing: bytes[range]), from: 0) != nil
    }

    /// Reads the sync mark at the cursor, and steps over it if it is valid.
    mutating func mark(seed: UInt32) -> Line {
        let start = position
        guard skip(JournalFormat.markWord), skip(.space), let end = decimal(), skip(.space) else {
            return .bad(.lineMalformed)
        }
        var checksum = CRC32C(continuing: seed)
        checksum.update(raw(start..<position))
        guard let stored = self.checksum(), skip(.newline), checksum.value == stored else {
            return .bad(.lineMalformed)
        }
        return .mark(end: end)
    }
}
