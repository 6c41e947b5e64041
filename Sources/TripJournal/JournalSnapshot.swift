import JSONLine

/// A trip's state at a version, at the beginning of a compacted journal.
package struct JournalSnapshot: Equatable, Sendable {
    /// The trip's version, from 1.
    package let version: Int
    /// One line of JSON each, without its newline; at least one.
    package let parts: [[UInt8]]

    package init(version: Int, parts: [[UInt8]]) {
        precondition(version > 0, "a trip's versions begin with 1")
        precondition(
            (1...JournalFormat.maximumParts).contains(parts.count),
            "a snapshot has a part, and not endlessly many")
        self.version = version
        self.parts = parts
    }

    /// Maximum bytes of its lines.
    private var lineBytes: Int { 64 + parts.reduce(0) { $0 + $1.count + 32 } }

    /// The beginning of a journal: the lines of the header and the snapshot, with capacity for a sync mark.
    ///
    /// - Parameter chain: the checksum of the record that created the version, which the next record continues.
    func encoded(under header: JournalHeader, chain: UInt32) -> [UInt8] {
        var bytes = header.encoded()
        // A snapshot may be large, and a growing buffer briefly exists twice.
        bytes.reserveCapacity(bytes.count + lineBytes + SyncMark.maximumBytes)
        let headerEnd = bytes.count
        bytes += JournalFormat.snapshotWord
        bytes.append(.space)
        bytes.appendDecimal(version)
        bytes.append(.space)
        bytes.appendChecksum(chain)
        bytes.append(.space)
        bytes.appendDecimal(parts.count)
        bytes.append(.space)
        var checksum = CRC32C(continuing: header.checksum)
        bytes[headerEnd...].withUnsafeBytes { checksum.update($0) }
        bytes.appendChecksum(checksum.value)
        bytes.append(.newline)
        for part in parts {
            precondition(
                !part.isEmpty && part.count <= JournalFormat.maximumPayload && !ByteScan.hasNewline(part),
                "a part is one line of bounded length, without its newline")
            let start = bytes.count
            bytes.append(contentsOf: JournalFormat.partWord)
            bytes.append(.space)
            bytes.appendDecimal(part.count)
            bytes.append(.space)
            bytes[start...].withUnsafeBytes { checksum.update($0) }
            checksum.update(part)
            bytes.appendChecksum(checksum.value)
            bytes.append(.space)
            bytes.append(contentsOf: part)
            bytes.append(.newline)
        }
        return bytes
    }
}
