import JSONLine
import TripModel
import TripProtocol

/// Changes that do not fit into one line are sent in pieces, and applied by their commit.
extension LiveTripCore {
    /// A change that is being sent in pieces. Nothing else is sent before its commit, so that changes are
    /// applied in order.
    struct Upload {
        let intent: Int
        /// The daemon's id for the batch; nil until it has answered.
        var batch: BatchID?
        /// The remaining pieces.
        var pieces: ArraySlice<[Edit]>
        /// The number of pieces in flight.
        var inFlight = 0
    }

    /// Maximum number of pieces in flight.
    private static let piecesInFlight = 8

    /// The reason why a change cannot be sent in pieces; nil if it can.
    func objectionToUpload(_ change: PendingChange, of size: Int) -> ClientError? {
        // If the daemon's version is unknown yet, this is checked when the change is sent.
        guard link.welcome == nil || takesBatches else { return Self.tooLong(size, for: link.welcome) }
        guard change.edits.count <= WireLimits.batchOperations else {
            return .notMade(
                "it has \(change.edits.count) changes, and the daemon accepts at most \(WireLimits.batchOperations)"
            )
        }
        guard size <= WireLimits.changeBytes else {
            return .notMade("it has \(size) bytes, and the daemon accepts at most \(WireLimits.changeBytes)")
        }
        return nil
    }

    private static func tooLong(_ size: Int, for welcome: Welcome?) -> ClientError {
        let limit = welcome?.limits["lineBytes"] ?? WireLimits.lineBytes
        guard size <= limit else {
            return .notMade("it has \(size) bytes, and the daemon accepts at most \(limit); do it in parts")
        }
        return .notMade(
            "it has more than \(TripLimits.operations) changes, and the daemon accepts no more; do it in parts"
        )
    }

    /// True if the daemon supports batches.
    private var takesBatches: Bool { (link.welcome?.version.minor ?? 0) >= 1 }

    /// Starts to send a change in pieces.
    mutating func uploadChange(_ index: Int, _ edits: [Edit]) {
        let intent = pending[index].intent
        guard takesBatches else {
            fail(intent, Self.tooLong(0, for: link.welcome))
            return pump()
        }
        pending[index].phase = .sent
        link.upload = Upload(intent: intent, pieces: TripClient.pieces(of: edits)[...])
        send(.openBatch(reference), expecting: .batch(intent: intent))
        note()
    }

    /// The daemon has opened the batch.
    mutating func opened(_ intent: Int, _ batch: BatchID) {
        guard link.upload?.intent == intent else { return send(.dropBatch(batch), expecting: .nothing) }
        link.upload?.batch = batch
        sendPieces()
    }

    /// The daemon has accepted a piece.
    mutating func acceptedPiece(of intent: Int) {
        guard link.upload?.intent == intent else { return }
        link.upload?.inFlight -= 1
        sendPieces()
    }

    private mutating func sendPieces() {
        guard var work = link.upload, let batch = work.batch else { return }
        while work.inFlight < Self.piecesInFlight, let piece = work.pieces.popFirst() {
            send(.addToBatch(batch, piece), expecting: .piece(intent: work.intent))
            work.inFlight += 1
        }
        link.upload = work
        // Only a complete batch is committed, because a piece may still be refused.
        guard work.inFlight == 0 else { return }
        link.upload = nil
        guard let index = pending.firstIndex(where: { $0.intent == work.intent }) else {
            return send(.dropBatch(batch), expecting: .nothing)
        }
        let options = pending[index].wireOptions
        pending[index].timesSent += 1
        send(.commitBatch(batch, options), expecting: .change(intent: work.intent))
        pump()
    }

    /// The daemon has refused the batch or a piece; nothing of it is applied now.
    mutating func refusedPiece(of intent: Int, _ error: RemoteError) {
        guard let work = link.upload, work.intent == intent else { return }
        link.upload = nil
        if let batch = work.batch { send(.dropBatch(batch), expecting: .nothing) }
        if let index = pending.firstIndex(where: { $0.intent == intent }) {
            // A commit that was sent on an earlier connection may have been applied.
            let isOpen = pending[index].timesSent > 0
            fail(intent, isOpen ? .outcomeUnknown(error.message) : .refused(error))
        }
        pump()
    }
}
