import TripModel
import TripProtocol

/// What the owner of the connections has to do after a step of a trip, in this order.
enum Effect: Equatable, Sendable {
    /// Sends an answer.
    case answer(Ticket, [UInt8])
    /// An answer is made, of `bytes` bytes, and follows when the disk has what it rests on.
    case owe(Ticket, bytes: Int)
    /// Sends an answer that is made when its turn comes.
    indirect case answerLate(Ticket, LateAnswer)
    /// Sends a notification to one connection.
    case notify(ConnectionID, [UInt8])
    /// Begins a subscription, its answer following.
    indirect case subscribe(Ticket, Subscribe, isDragging: Bool)
    /// Ends one.
    case unsubscribe(ConnectionID)
    /// Withholds the trip's state from a connection.
    case shut(ConnectionID)
    /// Lets it through again.
    case open(ConnectionID)
    /// A connection holds a drag.
    case dragBegan(ConnectionID, DragID)
    /// A drag of a connection is over.
    case dragOver(ConnectionID, DragID, expired: Bool)
    /// A newer version can be had.
    case offer([ConnectionID])
    /// Presence has changed.
    case offerPresence([ConnectionID])
    /// Carries out a request that has waited to learn what the trip is called.
    indirect case resume(ParkedRequest)
    /// Nothing of the trip is in flight: starts the long change that has waited for that.
    indirect case settled(ParkedRequest)
    /// The trip came to nothing, or is gone.
    case removed
}

extension Effect {
    /// Whether it ends a subscription.
    var isUnsubscription: Bool {
        if case .unsubscribe = self { true } else { false }
    }
}

/// What a trip asks of its journal; done in order, never blocking the caller.
enum StorageRequest: Equatable, Sendable {
    case create(version: Int, payload: [UInt8])
    case append(version: Int, payload: [UInt8])
    case delete(version: Int)
}
