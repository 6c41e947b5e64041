import JSONLine
import TripModel
import TripProtocol

/// Changes that do not fit into one line: brought in pieces, and made as one by their commit.
extension LiveTripCore {
    /// A change that is being brought. Nothing else is sent before its commit, so that changes are made in their order.
    struct Bringing {
        let intent: Int
        /// What the daemon calls it; nil until it has answered.
        var batch: BatchID?
        /// What is still to be sent.
        var pieces: ArraySlice<[Edit]>
        /// Pieces that are sent and not answered.
        var underWay = 0
    }

    /// Pieces that are sent before the first of them is answered.
    private static let piecesUnderWay = 8

    /// Why a change cannot be brought in pieces; nil where it can.
    func objectionToBringing(_ change: PendingChange, of size: Int) -> ClientError? {
        // Which daemon it is may not be known yet: then it is found out when the change is to be sent.
        guard welcome == nil || takesBatches else { return Self.tooLong(size, for: welcome) }
        guard change.edits.count <= WireLimits.batchOperations else {
            return .notMade(
                "it is \(change.edits.count) changes at once, and the daemon takes \(WireLimits.batchOperations)"
            )
        }
        guard size <= WireLimits.changeBytes else {
            return .notMade("it takes \(size) bytes at once, and the daemon takes \(WireLimits.changeBytes)")
        }
        return nil
    }

    private static func tooLong(_ size: Int, for welcome: Welcome?) -> ClientError {
        let limit = welcome?.limits["lineBytes"] ?? WireLimits.lineBytes
        guard size <= limit else {
            return .notMade("it takes \(size) bytes at once, and the daemon takes \(limit); do it in parts")
        }
        return .notMade(
            "it is more than \(TripLimits.operations) changes at once, and the daemon takes no more; do it in parts"
        )
    }

    /// Whether the daemon takes a change in pieces.
    private var takesBatches: Bool { (welcome?.version.minor ?? 0) >= 1 }

    /// Begins to bring a change.
    mutating func bring(_ index: Int, _ edits: [Edit]) {
        let intent = pending[index].intent
        guard takesBatches else {
            giveUp(intent, Self.tooLong(0, for: welcome))
            return pump()
        }
        pending[index].phase = .sent
        bringing = Bringing(intent: intent, pieces: TripClient.pieces(of: edits)[...])
        send(.openBatch(reference), expecting: .batch(intent: intent))
        note()
    }

    /// The daemon holds a place for it.
    mutating func opened(_ intent: Int, _ batch: BatchID) {
        guard bringing?.intent == intent else { return send(.dropBatch(batch), expecting: .nothing) }
        bringing?.batch = batch
        sendPieces()
    }

    /// The daemon holds one more piece.
    mutating func tookPiece(of intent: Int) {
        guard bringing?.intent == intent else { return }
        bringing?.underWay -= 1
        sendPieces()
    }

    private mutating func sendPieces() {
        guard var work = bringing, let batch = work.batch else { return }
        while work.underWay < Self.piecesUnderWay, let piece = work.pieces.popFirst() {
            send(.addToBatch(batch, piece), expecting: .piece(intent: work.intent))
            work.underWay += 1
        }
        bringing = work
        // Only a whole change is made: a piece may yet be refused.
        guard work.underWay == 0 else { return }
        bringing = nil
        guard let index = pending.firstIndex(where: { $0.intent == work.intent }) else {
            return send(.dropBatch(batch), expecting: .nothing)
        }
        let options = pending[index].wireOptions
        pending[index].timesSent += 1
        send(.commitBatch(batch, options), expecting: .change(intent: work.intent))
        pump()
    }

    /// The daemon takes no batch, or a piece of it not: nothing of it is made now.
    mutating func refusedPiece(of intent: Int, _ error: RemoteError) {
        guard let work = bringing, work.intent == intent else { return }
        bringing = nil
        if let batch = work.batch { send(.dropBatch(batch), expecting: .nothing) }
        if let index = pending.firstIndex(where: { $0.intent == intent }) {
            // A commit that was sent on a connection before may have been made.
            let isOpen = pending[index].timesSent > 0
            giveUp(intent, isOpen ? .outcomeUnknown(error.message) : .refused(error))
        }
        pump()
    }
}
