import TripModel

/// What makes a journal unusable, and where.
package struct JournalDamage: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: Equatable, Sendable {
        /// There is no journal in the trip's directory.
        case missing
        /// The directory or the journal is something else, such as a symbolic link.
        case notAFile
        case headerMalformed
        case headerChecksum
        /// The journal of another trip.
        case foreignTrip(TripID)
        /// There is no whole first record, without which no journal ever gets its name.
        case firstRecordMissing
        /// The state that a compacted journal begins with is not whole.
        case snapshotMalformed
        case snapshotChecksum
        case lineMalformed
        case recordChecksum
        case payloadTooLarge(Int)
        /// A whole record whose version is not above the one before.
        case versionNotRising(Int)
        /// A mark that vouches for bytes beyond itself, or for fewer than the one before.
        case markImpossible(Int)
        /// It ends before a version that the same history had reached.
        case older(known: Int, found: Int)
        /// A version that had been stored is not the same here.
        case otherRecord(Int)
        /// It has another epoch than the one that was known, and nothing tells why.
        case otherHistory(known: String)
    }

    /// Byte offset of the first bad line in the journal.
    package let offset: Int
    /// What is wrong there.
    package let reason: Reason

    /// Damage at a place.
    package init(offset: Int, reason: Reason) {
        self.offset = offset
        self.reason = reason
    }

    /// Whether the file is good in itself, and not the one that was here.
    package var isOtherFile: Bool {
        switch reason {
        case .older, .otherRecord, .otherHistory: true
        default: false
        }
    }

    /// One sentence for a person, without the file's name.
    package var description: String { "at byte \(offset): \(sentence)" }

    /// What is wrong, without the place.
    package var sentence: String {
        switch reason {
        case .missing: "there is no journal"
        case .notAFile: "it is not a regular file in a directory of its own"
        case .headerMalformed: "the header cannot be read"
        case .headerChecksum: "the header's checksum is wrong"
        case .foreignTrip(let trip): "it is the journal of trip \(trip)"
        case .firstRecordMissing: "the first record is not whole"
        case .snapshotMalformed: "the snapshot cannot be read"
        case .snapshotChecksum: "the snapshot's checksum is wrong"
        case .lineMalformed: "the line cannot be read"
        case .recordChecksum: "the record's checksum is wrong"
        case .payloadTooLarge(let count): "the record claims \(count) bytes, which is over the limit"
        case .versionNotRising(let version): "version \(version) is not above the one before"
        case .markImpossible(let end): "the sync mark for \(end) bytes cannot stand here"
        case .older(let known, let found):
            "it ends with version \(found), and version \(known) had been stored; this is an older file"
        case .otherRecord(let version):
            "version \(version) is not the one that had been stored; this is another file"
        case .otherHistory(let known): "the history \(known) had been stored; this is another file"
        }
    }
}
