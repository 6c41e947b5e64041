import TripModel

@testable import TripJournal

/// The records and the bytes of a journal for tests.
struct JournalSample {
    static let tripID = TripID(high: 0x1111_2222_3333_4444, low: 0x8555_6666_7777_8888)
    static let otherTripID = TripID(high: 0x1111_2222_3333_4444, low: 0x8555_6666_7777_8889)

    let header: JournalHeader
    private(set) var encoder: JournalEncoder
    private(set) var records: [JournalRecord] = []
    private(set) var encoded: [EncodedRecords] = []
    private(set) var bytes: [UInt8]
    /// The offset of each record's line, and of the end of the last one.
    private(set) var offsets: [Int] = []

    init(trip: TripID = Self.tripID, epoch: String = "epoch-1", payloads: [String] = []) {
        header = JournalHeader(tripID: trip, epoch: epoch)
        encoder = JournalEncoder(header: header)
        bytes = header.encoded()
        offsets = [bytes.count]
        for payload in payloads { add(payload) }
    }

    /// Adds the record of the next version.
    @discardableResult
    mutating func add(_ payload: String) -> EncodedRecords {
        let record = JournalRecord(version: encoder.checkpoint.version + 1, payload: Array(payload.utf8))
        do {
            let line = try encoder.encode(version: record.version, payload: record.payload)
            records.append(record)
            encoded.append(line)
            bytes += line.bytes
            offsets.append(bytes.count)
            return line
        } catch {
            preconditionFailure("a sample's payloads are small")
        }
    }

    /// Adds the mark that begins a write.
    mutating func addMark() {
        SyncMark.append(end: bytes.count, seed: header.checksum, to: &bytes)
        offsets[offsets.count - 1] = bytes.count
    }
}

extension JournalScan {
    /// The result of the scan as text, with the offset of a defect.
    var summary: String {
        switch self {
        case .whole: "whole"
        case .torn(_, let tail): "torn at \(tail.offset)"
        case .damaged(let damage, _): "damaged at \(damage.offset)"
        case .newerFormat(let lowestReader): "newer \(lowestReader)"
        }
    }
}
