import TripModel
import TripProtocol

extension CommitRecord {
    /// True if the answer to the change follows from the record: one item was edited and nothing else changed, or only
    /// the header.
    ///
    /// - Parameter method: the record's method; nil if it is unknown to this version.
    func answerFollows(_ method: Method?) -> Bool {
        answerFollows(
            method, edited: upserts.count + moved.count, placed: placed.count, removed: removed.count)
    }

    /// The same for a record of so many items.
    func answerFollows(_ method: Method?, edited: Int, placed: Int, removed: Int) -> Bool {
        guard header == nil, undoes == nil, placed == 0 else { return false }
        return switch method {
        case .addItem?, .moveItem?, .updateItem?, .drop?:
            headerValues == nil && (edited, removed) == (1, 0)
        case .removeItem?: headerValues == nil && (edited, removed) == (0, 1)
        case .updateTrip?, .accept?, .todo?: headerValues != nil && (edited, removed) == (0, 0)
        default: false
        }
    }

    /// The cached answer to the change; nil if it has no number.
    ///
    /// - Parameter trip: the trip right after the change.
    func answer(in trip: Trip) -> RetryTable.Answer? {
        guard let retry else { return nil }
        let content: RetryTable.Answer.Content
        if let result = retry.result {
            content = .result(result)
        } else if headerValues != nil {
            content = .header(trip.header)
        } else {
            let item = (upserts.first?.id ?? moved.first?.id).flatMap { trip[$0] }
            content = item.map { .item($0) } ?? .nothing
        }
        return RetryTable.Answer(
            seq: retry.seq, fingerprint: retry.fingerprint, version: trip.version, content)
    }
}
