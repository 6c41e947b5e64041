import TripJournal
import TripModel

/// The loop's view of one journal: its position, and the records in flight.
///
/// Every record is resolved once: it becomes durable, or it fails together with all later ones. Records are
/// resolved in order, so two versions describe the records in flight.
struct JournalLedger {
    /// Distinguishes this journal from others of the same trip.
    let number: Int
    private(set) var encoder: JournalEncoder
    /// All records up to this version are resolved.
    private var resolvedVersion: Int

    /// A ledger of the journal that `encoder` continues.
    init(number: Int, _ encoder: JournalEncoder) {
        self.number = number
        self.encoder = encoder
        resolvedVersion = encoder.checkpoint.version
    }

    /// The position after the last record in flight.
    var place: JournalCheckpoint { encoder.checkpoint }

    /// True if nothing is in flight.
    var isResolved: Bool { resolvedVersion == place.version }

    /// Encodes a single record.
    mutating func record(_ version: Int, _ payload: [UInt8]) -> EncodedRecords {
        Self.small { () throws(JournalPayloadTooLarge) in
            try encoder.encode(version: version, payload: payload)
        }
    }

    /// Encodes a record into the current batch, and appends it to the previous one if that is of the same trip.
    mutating func append(
        _ version: Int, _ payload: [UInt8], of trip: TripID,
        to batch: inout [(records: EncodedRecords, trip: TripID)]
    ) {
        let last = batch.count - 1
        // After a failure the journal continues at another position; records encoded for the old one are dropped.
        if last >= 0, batch[last].trip == trip, batch[last].records.end == place {
            Self.small { () throws(JournalPayloadTooLarge) in
                try encoder.encode(version: version, payload: payload, behind: &batch[last].records)
            }
        } else {
            batch.append((record(version, payload), trip))
        }
    }

    /// Continues after records that were encoded for this position.
    mutating func accept(_ records: EncodedRecords) {
        precondition(records.base == place, "a trip appends nothing while a worker changes it")
        encoder = JournalEncoder(resuming: records.end)
    }

    private static func small<Made>(_ encode: () throws(JournalPayloadTooLarge) -> Made) -> Made {
        do throws(JournalPayloadTooLarge) { return try encode() } catch {
            // `TripCore` refuses changes that could be larger.
            preconditionFailure(
                "a commit stays under the journal's \(error.maximum) bytes, not \(error.count)")
        }
    }

    /// Resolves records.
    mutating func resolve(_ event: JournalEvent) {
        switch event {
        case .grown: break
        case .durable(let version):
            assert(version > resolvedVersion && version <= place.version, "a record is resolved once")
            resolvedVersion = version
        case .failed(.full(_, let checkpoint)):
            // The checksum chain continues at the end of the file.
            encoder = JournalEncoder(resuming: checkpoint)
            resolvedVersion = checkpoint.version
        case .failed(.outcomeUnknown), .failed(.readOnly):
            resolvedVersion = place.version
        }
    }
}
