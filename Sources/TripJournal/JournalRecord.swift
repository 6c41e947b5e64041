/// A commit as read from a journal.
package struct JournalRecord: Equatable, Sendable {
    /// The trip's version after the commit, from 1.
    package let version: Int
    /// A slice of the journal's bytes, because many records are read and each is used once.
    private let line: ArraySlice<UInt8>

    package init(version: Int, payload: [UInt8]) { self.init(version: version, line: payload[...]) }

    /// A record within a journal's bytes, which it retains.
    init(version: Int, line: ArraySlice<UInt8>) {
        self.version = version
        self.line = line
    }

    /// A copy of the payload, one line of JSON without its newline.
    package var payload: [UInt8] { Array(line) }

    /// Calls `body` with the payload, without a copy.
    package func withPayload<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        line.withUnsafeBufferPointer(body)
    }
}

/// A position between two records of a journal, with all data needed to write the next one.
package struct JournalCheckpoint: Hashable, Sendable {
    /// The version of the record before this position; 0 if there is none.
    package let version: Int
    /// The running checksum up to this position.
    package let checksum: UInt32

    package init(version: Int, checksum: UInt32) {
        self.version = version
        self.checksum = checksum
    }
}

/// Encoded consecutive records, at least one, and their position in the journal.
package struct EncodedRecords: Equatable, Sendable {
    /// Their lines with newlines.
    package internal(set) var bytes: [UInt8]
    /// Their number.
    package internal(set) var count: Int
    /// The position that they continue; they are valid only there.
    package let base: JournalCheckpoint
    /// The position after the last record.
    package internal(set) var end: JournalCheckpoint
}

/// A payload that exceeds the limit of a journal.
package struct JournalPayloadTooLarge: Error, Equatable, Sendable {
    /// Its size in bytes.
    package let count: Int
    /// The limit in bytes.
    package let maximum: Int
}
