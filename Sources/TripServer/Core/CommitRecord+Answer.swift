import TripModel
import TripProtocol

extension CommitRecord {
    /// Whether the answer to the change says no more than the record does: it is about one item, and nothing else was
    /// touched.
    ///
    /// - Parameter method: its own; nil where that is unknown here.
    func answerFollows(_ method: Method?) -> Bool {
        guard header == nil, undoes == nil, placed.isEmpty else { return false }
        switch method {
        case .addItem?, .moveItem?, .updateItem?, .drop?:
            return removed.isEmpty && upserts.count + moved.count == 1
        case .removeItem?: return removed.count == 1 && upserts.isEmpty && moved.isEmpty
        default: return false
        }
    }

    /// What the change was answered, kept or made of the record again.
    ///
    /// - Parameter trip: the trip right after it.
    func answer(in trip: Trip) -> [UInt8]? {
        guard let retry else { return nil }
        if let result = retry.result { return result }
        let body: EncodedChange.Body =
            if let id = upserts.first?.id ?? moved.first?.id { .item(trip[id]?.encoded()) } else { .nothing }
        return EncodedChange(version: trip.version, isNoop: false, body: body, respacedDays: []).result()
    }
}
