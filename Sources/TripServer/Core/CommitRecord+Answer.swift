import TripModel
import TripProtocol

extension CommitRecord {
    /// True if the answer to the change follows from the record: one item was edited, and nothing else changed.
    ///
    /// - Parameter method: the record's method; nil if it is unknown to this version.
    func answerFollows(_ method: Method?) -> Bool {
        guard header == nil, headerValues == nil, undoes == nil, placed.isEmpty else { return false }
        switch method {
        case .addItem?, .moveItem?, .updateItem?, .drop?:
            return removed.isEmpty && upserts.count + moved.count == 1
        case .removeItem?: return removed.count == 1 && upserts.isEmpty && moved.isEmpty
        default: return false
        }
    }

    /// The answer to the change: the stored one, or one encoded from the record.
    ///
    /// - Parameter trip: the trip right after the change.
    func answer(in trip: Trip) -> [UInt8]? {
        guard let retry else { return nil }
        if let result = retry.result { return result }
        let body: EncodedChange.Body =
            if let id = upserts.first?.id ?? moved.first?.id { .item(trip[id]?.encoded()) } else { .nothing }
        return EncodedChange(version: trip.version, isNoop: false, body: body, respacedDays: []).result()
    }
}
