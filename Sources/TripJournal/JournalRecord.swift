/// One commit, as read back.
package struct JournalRecord: Equatable, Sendable {
    /// The trip's version that the commit made, from 1.
    package let version: Int
    /// A part of the journal's bytes: many records are read, and each is looked at once.
    private let line: ArraySlice<UInt8>

    /// A record from its parts.
    package init(version: Int, payload: [UInt8]) { self.init(version: version, line: payload[...]) }

    /// A record within a journal's bytes, which it keeps.
    init(version: Int, line: ArraySlice<UInt8>) {
        self.version = version
        self.line = line
    }

    /// One line of JSON without its newline, copied; what it says is its writer's.
    package var payload: [UInt8] { Array(line) }
}

/// A place between two records of a journal: all that is needed to write the next one.
package struct JournalCheckpoint: Hashable, Sendable {
    /// The version of the record before this place, 0 if there is none.
    package let version: Int
    /// The running checksum up to this place.
    package let checksum: UInt32

    /// A place from its parts.
    package init(version: Int, checksum: UInt32) {
        self.version = version
        self.checksum = checksum
    }
}

/// The bytes of records in a row, one at least, and between which places of the journal they belong.
package struct EncodedRecords: Equatable, Sendable {
    /// Their lines, each with its newline.
    package internal(set) var bytes: [UInt8]
    /// How many they are.
    package internal(set) var count: Int
    /// The place that they continue from; nowhere else are they valid.
    package let base: JournalCheckpoint
    /// The place after the last one.
    package internal(set) var end: JournalCheckpoint
}

/// A payload that no journal takes: its size and the most that fits, in bytes.
package struct JournalPayloadTooLarge: Error, Equatable, Sendable {
    /// Its bytes.
    package let count: Int
    /// The most bytes that fit.
    package let maximum: Int
}
