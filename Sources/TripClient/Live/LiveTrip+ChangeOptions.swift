import TripProtocol

extension LiveTrip {
    /// The preconditions of a change of a live trip, and its caller's timeout.
    public struct ChangeOptions: Equatable, Sendable {
        /// The daemon's version that the trip must have; otherwise the change is refused as `version_conflict`.
        /// Earlier changes of this client count too, so wait for their results first.
        public var ifVersion: Int?
        /// The version that the item must have, for a change of a single item.
        public var ifItemVersion: Int?
        /// The timeout for the daemon's answer; nil for none. After the timeout, a change that was never sent is
        /// cancelled and throws `notMade`. One that was sent throws `outcomeUnknown` and stays pending,
        /// because it is still delivered.
        public var timeout: Duration?

        /// Creates options; by default there are no preconditions and no timeout.
        public init(ifVersion: Int? = nil, ifItemVersion: Int? = nil, timeout: Duration? = nil) {
            self.ifVersion = ifVersion
            self.ifItemVersion = ifItemVersion
            self.timeout = timeout
        }
    }
}

extension LiveTripCore {
    /// The next deadline of a waiting caller; nil for none.
    var nextTimeout: Duration? {
        let ofChange = pending.lazy.filter { $0.isUnanswered || $0.unreported != nil }.compactMap(\.deadline)
            .min()
        let ofQuestion = questions.lazy.compactMap(\.deadline).min()
        return [ofChange, ofQuestion].compactMap { $0 }.min()
    }

    /// Ends the waits whose deadline has passed.
    mutating func endTimedOut() {
        reportReversals { [now] in $0.deadline.map { $0 <= now } == true }
        for change in pending where change.isUnanswered && change.deadline.map({ $0 <= now }) == true {
            guard let index = pending.firstIndex(where: { $0.intent == change.intent }) else { continue }
            if change.timesSent == 0, change.phase == .waiting {
                fail(change.intent, .notMade("it could not be sent in time: \(whyUnsent)"))
            } else {
                pending[index].deadline = nil
                resolve(change.intent, .failed(.outcomeUnknown("the daemon did not answer in time")))
            }
        }
        for question in questions where question.deadline.map({ $0 <= now }) == true {
            questions.removeAll { $0.intent == question.intent }
            resolve(question.intent, .failed(.unreachable("the daemon did not answer in time")))
        }
    }

    private var whyUnsent: String {
        if case .connecting(_, let reason?) = connection { return "\(reason)" }
        return connection == .connected ? "earlier changes wait for their answers" : "there is no connection"
    }
}
