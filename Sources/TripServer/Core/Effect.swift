import TripJournal
import TripModel
import TripProtocol

/// The actions that the server runs after a step of a trip, in order.
enum Effect: Equatable, Sendable {
    /// Sends an answer, or those to several consecutive requests, which all have an id.
    case answer(Ticket, [UInt8], count: Int = 1)
    /// Reserves the bytes of an answer that waits for the disk.
    case reserveBytes(Ticket, bytes: Int)
    /// Sends an answer that is encoded when it is sent.
    indirect case answerLate(Ticket, LateAnswer)
    /// Sends a notification to one connection.
    case notify(ConnectionID, [UInt8])
    /// Begins a subscription; its answer follows.
    indirect case subscribe(Ticket, Subscribe, isDragging: Bool)
    /// Ends a subscription.
    case unsubscribe(ConnectionID)
    /// Pauses the trip's updates to a connection.
    case pauseUpdates(ConnectionID)
    /// Resumes them.
    case resumeUpdates(ConnectionID)
    /// A drag of the connection has begun.
    case dragBegan(ConnectionID, DragID)
    /// A drag of the connection has ended.
    case dragOver(ConnectionID, DragID, expired: Bool)
    /// Schedules an update: a newer version exists.
    case scheduleUpdate([ConnectionID])
    /// Schedules a presence update.
    case schedulePresenceUpdate([ConnectionID])
    /// Resumes a request that waited until the name of the trip is known.
    indirect case resume(Call)
    /// Nothing of the trip is in flight: starts the long change that waited for that.
    indirect case drained(Call)
    /// The trip's creation failed, or the trip is deleted.
    case removed
}

extension Effect {
    /// True if it ends a subscription.
    var isUnsubscription: Bool {
        if case .unsubscribe = self { true } else { false }
    }
}

extension [Effect] {
    /// Appends an answer, joined with the effect before it if that answers the request before.
    mutating func append(answer line: [UInt8], to ticket: Ticket) {
        guard case .answer(let first, _, let count)? = last, ticket.follows(first, by: count),
            case .answer(_, var bytes, _)? = popLast()
        else { return append(.answer(ticket, line)) }
        bytes += line
        append(.answer(first, bytes, count: count + 1))
    }
}

extension Ticket {
    /// True if it is so many requests behind another one of its connection, and both get an answer.
    fileprivate func follows(_ first: Ticket, by count: Int) -> Bool {
        connection == first.connection && number == first.number + count && request != nil
            && first.request != nil
    }
}

/// What happens to a trip besides its requests: values, because they wait while a worker has the trip.
enum TripEvent: Sendable {
    /// The journal has stored everything up to a version.
    case stored(upTo: Int)
    /// The journal could not store the changes in flight.
    case failed(ErrorReason, String, isForGood: Bool)
    /// The trip's deadline has passed.
    case tick
    /// A connection has ended.
    case left(ConnectionID)
    /// A request of a drag has arrived in time, however long it waits for the trip.
    case renewed(DragID, by: ConnectionID)
}

extension TripCore {
    mutating func handle(_ event: TripEvent, now: Duration) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .stored(let version): effects = stored(upTo: version, now: now)
        case .failed(let reason, let message, let isForGood):
            effects = failed(reason, message, isForGood: isForGood, now: now)
        case .tick: return tick(now: now)
        case .left(let connection): leave(connection, now: now)
        case .renewed(let drag, let connection):
            renew(drag, heldBy: connection, at: now)
            return []
        }
        effects += presenceEffects(now: now)
        return effects
    }
}

/// A trip's request to its journal; requests run in order and never block the caller.
enum StorageRequest: Equatable, Sendable {
    case create(version: Int, payload: [UInt8])
    case append(version: Int, payload: [UInt8])
    /// Creates a journal with a record that was encoded for its beginning.
    case createEncoded(EncodedRecords)
    /// Appends a record that was encoded for the end of the journal.
    case appendEncoded(EncodedRecords)
    case delete(version: Int)

    /// The same request, with a record encoded for its place in the journal.
    func encoded(by encoder: JournalEncoder) -> StorageRequest {
        var encoder = encoder
        do throws(JournalPayloadTooLarge) {
            switch self {
            case .create(let version, let payload):
                return .createEncoded(try encoder.encode(version: version, payload: payload))
            case .append(let version, let payload):
                return .appendEncoded(try encoder.encode(version: version, payload: payload))
            case .createEncoded, .appendEncoded, .delete: return self
            }
        } catch {
            // The journal refuses the record itself.
            return self
        }
    }
}
