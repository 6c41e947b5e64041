/// Reads a journal's bytes and tells a torn end from damage. Pure: it decides nothing and changes nothing.
///
/// The writer appends, one write at a time, and syncs before it tells anybody. So a power cut can spoil the bytes of
/// the last writes only, those since the last sync: they may be missing from some point on, or, since a disk writes
/// sectors in any order, single sectors of them may be missing in the middle; those read as zero, which no line of
/// text contains. Everything else that is bad was once good and has been damaged since: a flipped bit, an editor, a
/// lost block. Cutting that would lose what was acknowledged. Hence, at the first bad line:
///
/// - A sync mark anywhere that vouches for it: *damaged*.
/// - Else the last line has no newline, or a whole sector from there on is zero: *torn*.
/// - Else *damaged*. So is a complete last line with a wrong checksum: no interrupted write leaves it like that, and it
///   may well have been acknowledged. Should a file system show old bytes in place of lost sectors, which journalling
///   ones do not, the trip is refused where it could have been used: that way round nothing is lost.
///
/// A line that is chained and checked but impossible (its version does not rise) is damage wherever it stands.
package struct JournalScanner {
    private var cursor: JournalCursor

    /// Reads all bytes of a journal; time and memory are linear in their number.
    package static func scan(_ bytes: [UInt8]) -> JournalScan {
        bytes.withUnsafeBufferPointer { bytes in
            var scanner = Self(cursor: JournalCursor(bytes: bytes, position: 0))
            return scanner.scan()
        }
    }

    /// The highest version that a line of a record's form names, from an offset on. Nothing vouches for it: it only
    /// helps to say what may be lost.
    package static func highestVersionNamed(in bytes: [UInt8], from offset: Int) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var highest: Int?
            var cursor = JournalCursor(bytes: bytes, position: offset)
            while cursor.position < bytes.count {
                if cursor.decimal() != nil, cursor.skip(.space), let version = cursor.decimal(),
                    cursor.skip(.space), cursor.checksum() != nil, cursor.skip(.space)
                {
                    highest = max(highest ?? 0, version)
                }
                guard let newline = bytes[cursor.position...].firstIndex(of: .newline) else { break }
                cursor.position = newline + 1
            }
            return highest
        }
    }

    /// The record lines among bytes that follow a place in a journal, without the marks between them, and the place
    /// after them; nil if a line is bad.
    static func records(
        in bytes: [UInt8], after checkpoint: JournalCheckpoint, seed: UInt32
    ) -> (lines: [UInt8], checkpoint: JournalCheckpoint)? {
        bytes.withUnsafeBufferPointer { bytes in
            var cursor = JournalCursor(bytes: bytes, position: 0)
            var checkpoint = checkpoint
            var lines: [UInt8] = []
            while cursor.position < bytes.count {
                let start = cursor.position
                switch cursor.line(after: checkpoint, seed: seed) {
                case .bad: return nil
                case .mark: break
                case .record(let version, _, let checksum):
                    guard version > checkpoint.version else { return nil }
                    checkpoint = JournalCheckpoint(version: version, checksum: checksum)
                    lines += bytes[start..<cursor.position]
                }
            }
            return (lines, checkpoint)
        }
    }

    private mutating func scan() -> JournalScan {
        switch cursor.header() {
        case .newerFormat(let lowestReader): return .newerFormat(lowestReader: lowestReader)
        case .bad(let reason): return .damaged(JournalDamage(offset: 0, reason: reason), before: nil)
        case .header(let header, let end):
            let seed = header.checksum
            let contents = JournalContents(
                header: header, checkpoint: JournalCheckpoint(version: 0, checksum: seed), end: end,
                syncedEnd: end)
            return scanLines(of: contents, seed: seed)
        }
    }

    private mutating func scanLines(of empty: JournalContents, seed: UInt32) -> JournalScan {
        var contents = empty
        if cursor.isAt(JournalFormat.snapshotWord) {
            switch cursor.snapshot(seed: seed) {
            case .bad(let reason, let offset):
                return .damaged(JournalDamage(offset: offset, reason: reason), before: contents)
            case .snapshot(let snapshot, let checkpoint):
                contents.snapshot = snapshot
                contents.checkpoint = checkpoint
                contents.end = snapshot.end
                contents.syncedEnd = snapshot.end
            }
        }
        while contents.end < cursor.bytes.count {
            let offset = contents.end
            switch cursor.line(after: contents.checkpoint, seed: seed) {
            case .record(let version, let payload, let checksum):
                guard version > contents.checkpoint.version else {
                    return Self.damaged(contents, .versionNotRising(version))
                }
                contents.entries.append(.init(offset: offset, version: version, payload: payload))
                contents.checkpoint = JournalCheckpoint(version: version, checksum: checksum)
                // A journal gets its name only after its first record is on the disk.
                if contents.entries.count == 1, contents.snapshot == nil {
                    contents.syncedEnd = cursor.position
                }
            case .mark(let end):
                guard end >= contents.syncedEnd, end <= offset, !contents.isEmpty else {
                    return Self.damaged(contents, .markImpossible(end))
                }
                contents.syncedEnd = end
            case .bad(let reason):
                return judge(contents, reason, seed: seed)
            }
            contents.end = cursor.position
        }
        if contents.isEmpty { return Self.damaged(contents, .firstRecordMissing) }
        return .whole(contents)
    }

    private static func damaged(_ contents: JournalContents, _ reason: JournalDamage.Reason) -> JournalScan {
        .damaged(JournalDamage(offset: contents.end, reason: reason), before: contents)
    }

    /// Whether the bad line after `contents` is torn or damaged.
    private func judge(_ contents: JournalContents, _ reason: JournalDamage.Reason, seed: UInt32)
        -> JournalScan
    {
        if contents.isEmpty { return Self.damaged(contents, .firstRecordMissing) }
        if isVouchedFor(contents.end, seed: seed) { return Self.damaged(contents, reason) }
        if cursor.bytes.last != .newline {
            return .torn(contents, TornTail(offset: contents.end, evidence: .lastLineIncomplete))
        }
        if hasLostSector(from: contents.end) {
            return .torn(contents, TornTail(offset: contents.end, evidence: .sectorLost))
        }
        return Self.damaged(contents, reason)
    }

    /// Whether a mark after `offset` says that the byte there was synced.
    ///
    /// Any place will do, for the newline before a mark may be what is bad. No payload can pretend to be one: a mark
    /// ends with a newline, and the only newline of a record follows the brace that closes its JSON.
    private func isVouchedFor(_ offset: Int, seed: UInt32) -> Bool {
        let bytes = cursor.bytes
        var rest = bytes[offset...]
        while let start = rest.firstIndex(of: JournalFormat.markWord[0]) {
            var probe = JournalCursor(bytes: bytes, position: start)
            if case .mark(let end) = probe.mark(seed: seed), end > offset, end <= start { return true }
            rest = bytes[(start + 1)...]
        }
        return false
    }

    /// Whether some sector, as far as it lies in `start...`, is nothing but zeros.
    private func hasLostSector(from start: Int) -> Bool {
        let bytes = cursor.bytes
        var position = start
        while position < bytes.count {
            let next = min((position / JournalFormat.sectorSize + 1) * JournalFormat.sectorSize, bytes.count)
            if bytes[position..<next].allSatisfy({ $0 == 0 }) { return true }
            position = next
        }
        return false
    }
}
