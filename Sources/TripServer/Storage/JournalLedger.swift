import TripJournal
import TripModel

/// One journal as the loop sees it: the place that the next request rests on, and what was handed to the writer and
/// is not settled yet.
///
/// Every record is settled once: durable, or failed by the event that takes back everything behind it too. Both are
/// told in order, so two versions say which records are under way.
struct JournalLedger {
    /// Tells this journal from an earlier or later one of the same trip.
    let number: Int
    private var encoder: JournalEncoder
    /// The version up to which everything is settled.
    private var settledVersion: Int

    /// The journal whose next record `encoder` makes.
    init(number: Int, _ encoder: JournalEncoder) {
        self.number = number
        self.encoder = encoder
        settledVersion = encoder.checkpoint.version
    }

    /// The place after the last record that was handed over.
    var place: JournalCheckpoint { encoder.checkpoint }

    /// Whether nothing is under way.
    var isSettled: Bool { settledVersion == place.version }

    /// Encodes a record by itself.
    mutating func record(_ version: Int, _ payload: [UInt8]) -> EncodedRecords {
        Self.small { () throws(JournalPayloadTooLarge) in
            try encoder.encode(version: version, payload: payload)
        }
    }

    /// Encodes a record into what the round hands over: right behind the one before it, where that is the trip's too.
    mutating func append(
        _ version: Int, _ payload: [UInt8], of trip: TripID,
        to round: inout [(records: EncodedRecords, trip: TripID)]
    ) {
        let last = round.count - 1
        // After a failure the journal goes on elsewhere, and what is encoded for the old place is dropped.
        if last >= 0, round[last].trip == trip, round[last].records.end == place {
            Self.small { () throws(JournalPayloadTooLarge) in
                try encoder.encode(version: version, payload: payload, behind: &round[last].records)
            }
        } else {
            round.append((record(version, payload), trip))
        }
    }

    private static func small<Made>(_ encode: () throws(JournalPayloadTooLarge) -> Made) -> Made {
        do throws(JournalPayloadTooLarge) { return try encode() } catch {
            // `TripCore` refuses a change that could become larger.
            preconditionFailure(
                "a commit stays under the journal's \(error.maximum) bytes, not \(error.count)")
        }
    }

    /// Takes in what became of records.
    mutating func settle(_ event: JournalEvent) {
        switch event {
        case .grown: break
        case .durable(let version):
            assert(version > settledVersion && version <= place.version, "a record is settled once")
            settledVersion = version
        case .failed(.full(_, let checkpoint)):
            // The chain goes on where the file ends.
            encoder = JournalEncoder(resuming: checkpoint)
            settledVersion = checkpoint.version
        case .failed(.outcomeUnknown), .failed(.readOnly):
            settledVersion = place.version
        }
    }
}
