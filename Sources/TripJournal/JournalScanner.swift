import JSONLine

/// Scans a journal's bytes, and distinguishes a torn end from damage. Pure.
///
/// The writer appends one write at a time, and syncs before it acknowledges. So a power failure can affect
/// only the writes since the last sync. They may be missing from some point on. Because a disk writes sectors
/// in any order, single sectors may also be missing in the middle; these read as zero, which no line of text
/// contains. Any other bad line was good once and has been damaged since, for example by a flipped bit, an
/// editor or a lost block. Cutting it would lose acknowledged data. The rules for the first bad line are:
///
/// - A sync mark anywhere covers it: *damaged*.
/// - Otherwise the last line has no newline, or a whole sector from there on is zero: *torn*.
/// - Otherwise *damaged*. This includes a complete last line with a wrong checksum: an interrupted write does
///   not produce it, and it may have been acknowledged. A file system without journalling may show old bytes
///   in lost sectors. Then the trip is refused although it could be used, which loses nothing.
///
/// A line with a valid checksum and an invalid version is damage at any position.
package struct JournalScanner {
    private var cursor: JournalCursor

    /// Scans all bytes of a journal; time and memory are linear in their number.
    package static func scan(_ bytes: [UInt8]) -> JournalScan {
        bytes.withUnsafeBufferPointer { bytes in
            var scanner = Self(cursor: JournalCursor(bytes: bytes, position: 0))
            return scanner.scan()
        }
    }

    /// The highest version in a line with the form of a record, from an offset on. It is unverified, and only
    /// used to describe a possible loss.
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
                guard let newline = ByteScan.firstNewline(in: bytes, from: cursor.position) else { break }
                cursor.position = newline + 1
            }
            return highest
        }
    }

    /// The record lines in bytes that follow a position in a journal, without sync marks, and the position
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
                    return Self.damaged(contents, .versionNotAscending(version))
                }
                contents.entries.append(.init(offset: offset, version: version, payload: payload))
                contents.checkpoint = JournalCheckpoint(version: version, checksum: checksum)
                // A journal gets its name only after its first record is on disk.
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

    /// Decides whether the bad line after `contents` is torn or damaged.
    private func judge(_ contents: JournalContents, _ reason: JournalDamage.Reason, seed: UInt32)
        -> JournalScan
    {
        if contents.isEmpty { return Self.damaged(contents, .firstRecordMissing) }
        if isCovered(contents.end, seed: seed) { return Self.damaged(contents, reason) }
        if cursor.bytes.last != .newline {
            return .torn(contents, TornTail(offset: contents.end, evidence: .lastLineIncomplete))
        }
        if hasLostSector(from: contents.end) {
            return .torn(contents, TornTail(offset: contents.end, evidence: .sectorLost))
        }
        return Self.damaged(contents, reason)
    }

    /// True if a sync mark after `offset` covers the byte there.
    ///
    /// Marks are searched at any position, because the newline before a mark may be the bad byte. No payload can look
    /// like a mark: a mark ends with a newline, and the only newline of a record follows the closing brace of its JSON.
    private func isCovered(_ offset: Int, seed: UInt32) -> Bool {
        let bytes = cursor.bytes
        var rest = bytes[offset...]
        while let start = rest.firstIndex(of: JournalFormat.markWord[0]) {
            var probe = JournalCursor(bytes: bytes, position: start)
            if case .mark(let end) = probe.mark(seed: seed), end > offset, end <= start { return true }
            rest = bytes[(start + 1)...]
        }
        return false
    }

    /// True if a sector, as far as it is in `start...`, contains only zeros.
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
