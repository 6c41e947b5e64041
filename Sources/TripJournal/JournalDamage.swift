import TripModel

/// The reason why a journal is unusable, with its position.
package struct JournalDamage: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of damage.
    package enum Reason: Equatable, Sendable {
        /// The trip's directory has no journal.
        case missing
        /// The directory or the journal is something else, such as a symbolic link.
        case notAFile
        case headerMalformed
        case headerChecksum
        /// The journal of another trip.
        case foreignTrip(TripID)
        /// The first record is incomplete, although a journal is only created with one.
        case firstRecordMissing
        /// The snapshot of a compacted journal is incomplete.
        case snapshotMalformed
        case snapshotChecksum
        case lineMalformed
        case recordChecksum
        case payloadTooLarge(Int)
        /// A valid record whose version is not above the previous one.
        case versionNotAscending(Int)
        /// A sync mark for bytes beyond itself, or for fewer bytes than the previous mark.
        case markImpossible(Int)
        /// It ends before a version that the same epoch had reached.
        case older(known: Int, found: Int)
        /// The record of a version differs from the one that was stored.
        case otherRecord(Int)
        /// Its epoch differs from the known one without a recorded repair.
        case otherHistory(known: String)
    }

    /// Byte offset of the first bad line in the journal.
    package let offset: Int
    /// The kind of damage there.
    package let reason: Reason

    /// Damage at an offset.
    package init(offset: Int, reason: Reason) {
        self.offset = offset
        self.reason = reason
    }

    /// True if the file is valid, but is not the trip's current journal.
    package var isOtherFile: Bool {
        switch reason {
        case .older, .otherRecord, .otherHistory: true
        default: false
        }
    }

    /// One sentence for the user, without the file's name.
    package var description: String { "at byte \(offset): \(sentence)" }

    /// The kind of damage in words, without the offset.
    package var sentence: String {
        switch reason {
        case .missing: "there is no journal"
        case .notAFile: "it is not a regular file in a directory of its own"
        case .headerMalformed: "the header cannot be read"
        case .headerChecksum: "the header's checksum is wrong"
        case .foreignTrip(let trip): "it is the journal of trip \(trip)"
        case .firstRecordMissing: "the first record is incomplete"
        case .snapshotMalformed: "the snapshot cannot be read"
        case .snapshotChecksum: "the snapshot's checksum is wrong"
        case .lineMalformed: "the line cannot be read"
        case .recordChecksum: "the record's checksum is wrong"
        case .payloadTooLarge(let count): "the record has a length of \(count) bytes, which exceeds the limit"
        case .versionNotAscending(let version): "version \(version) is not above the one before"
        case .markImpossible(let end): "the sync mark for \(end) bytes is not valid here"
        case .older(let known, let found):
            "it ends with version \(found), but version \(known) was stored; this is an older file"
        case .otherRecord(let version):
            "version \(version) is not the one that was stored; this is another file"
        case .otherHistory(let known): "the history \(known) was stored; this is another file"
        }
    }
}
