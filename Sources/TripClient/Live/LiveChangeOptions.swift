import TripProtocol

/// What a change of a live trip requires, and how long its caller waits.
public struct LiveChangeOptions: Equatable, Sendable {
    /// The version of the daemon's that the trip must have; else the change is refused as `version_conflict`. Earlier
    /// changes of this client count too, so wait for their results first.
    public var ifVersion: Int?
    /// The version that the item must have, for a change of a single item.
    public var ifItemVersion: Int?
    /// How long to wait for the daemon's answer; nil: as long as it takes. After that time a change that was never sent is
    /// withdrawn (`ClientError.notMade`); one that was sent throws `outcomeUnknown` and stays pending, as it is still
    /// delivered.
    public var timeout: Duration?

    /// Makes options; by default a change requires nothing and its caller waits as long as it takes.
    public init(ifVersion: Int? = nil, ifItemVersion: Int? = nil, timeout: Duration? = nil) {
        self.ifVersion = ifVersion
        self.ifItemVersion = ifItemVersion
        self.timeout = timeout
    }
}

extension LiveTripCore {
    /// When the next caller stops waiting; nil if all wait as long as it takes.
    var nextTimeout: Duration? {
        let ofChange = pending.lazy.filter(\.isUnanswered).compactMap(\.deadline).min()
        let ofQuestion = questions.lazy.compactMap(\.deadline).min()
        return [ofChange, ofQuestion].compactMap { $0 }.min()
    }

    /// Ends the waits that have taken too long.
    mutating func endTimedOut() {
        for change in pending where change.isUnanswered && change.deadline.map({ $0 <= now }) == true {
            guard let index = pending.firstIndex(where: { $0.intent == change.intent }) else { continue }
            if change.timesSent == 0, change.phase == .waiting {
                giveUp(change.intent, .notMade("it could not be sent in time: \(whyUnsent)"))
            } else {
                pending[index].deadline = nil
                settle(change.intent, .failed(.outcomeUnknown("the daemon did not answer in time")))
            }
        }
        for question in questions where question.deadline.map({ $0 <= now }) == true {
            questions.removeAll { $0.intent == question.intent }
            settle(question.intent, .failed(.unreachable("the daemon did not answer in time")))
        }
    }

    private var whyUnsent: String {
        if case .connecting(_, let reason?) = connection { return "\(reason)" }
        return connection == .connected ? "earlier changes wait for their answers" : "there is no connection"
    }
}
