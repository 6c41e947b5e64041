import JSONLine
import TripModel
import TripProtocol

/// Messages of the daemon.
extension LiveTripCore {
    /// A line has arrived, without its newline.
    package mutating func receive(line: [UInt8], now: Duration) -> [Action] {
        handle(at: now) { core in
            guard core.isOpen else { return }
            do throws(WireError) {
                try core.handle(IncomingMessage(line: line))
            } catch {
                core.receivedGarbage(error)
            }
            if core.link.pulse.received(at: core.now, hasUnanswered: !core.link.expected.isEmpty) {
                core.note()
            }
        }
    }

    /// The daemon has sent an invalid message. Before its hello was answered it is not a daemon; later a
    /// retry may help.
    private mutating func receivedGarbage(_ error: WireError) {
        if case .greeting = phase { end(.garbled(error.message)) } else { drop(.garbled(error.message)) }
    }

    private mutating func handle(_ message: IncomingMessage) throws(WireError) {
        switch message {
        case .reply(.number(let id)?, let result):
            if let what = link.expected.removeValue(forKey: id) { try handle(result, for: what) }
        case .reply(nil, .failure(let error)):
            // Retrying does not help against denied access; other errors may be temporary.
            if error.known == .accessDenied { end(.refused(error)) } else { drop(.refused(error)) }
        case .reply, .unknown: break
        case .delta(let delta): handle(delta)
        case .notification(let notification): handle(notification)
        }
    }

    private mutating func handle(
        _ result: Result<JSONNode, RemoteError>, for what: Expected
    ) throws(WireError) {
        switch (what, result) {
        case (.hello, .success(let result)): welcomed(try Welcome(result: result))
        case (.subscription, .success(let result)): subscribed(try Subscription(result: result))
        case (.hello, .failure(let error)), (.subscription, .failure(let error)): connectionRefused(error)
        case (.change(let intent), .success(let result)): applied(intent, result)
        case (.change(let intent), .failure(let error)): refused(intent, error)
        case (.question(let intent), let result): answered(intent, result)
        case (.drag(let number), .success(let result)): granted(number, try DragStart(result: result))
        case (.drag(let number), .failure(let error)): refusedDrag(number, error)
        case (.batch(let intent), .success(let result)): opened(intent, try BatchID(result: result))
        case (.piece(let intent), .success): acceptedPiece(of: intent)
        case (.batch(let intent), .failure(let error)), (.piece(let intent), .failure(let error)):
            refusedPiece(of: intent, error)
        case (.hover, _): hovered()
        case (.focus, _):
            focus.answered()
            sendFocus()
        case (.ping, _), (.nothing, _): break
        }
    }

    private mutating func handle(_ delta: TripDelta) {
        // During a new subscription, remaining messages of the old one are ignored.
        guard phase == .live, confirmed?.trip.header.id == delta.trip else { return }
        do throws(ConfirmedTrip.Misfit) {
            let before = try confirmed?.apply(delta)
            if let before { note(delta, upon: before) }
            showNewest()
        } catch {
            switch error {
            case .gap: subscribe()
            case .contradiction: resubscribe()
            }
        }
    }

    /// Records the edits of other users in a delta.
    ///
    /// - Parameter before: the states of the delta's items before it.
    mutating func note(_ delta: TripDelta, upon before: [ItemID: Item]) {
        news.note(
            delta, upon: before, by: configuration.hello.clientID, ownName,
            open: openChanges(after: delta.from))
    }

    private mutating func handle(_ notification: TripNotification) {
        switch notification {
        case .snapshot(let snapshot, _, _, let cause):
            guard phase == .live, let known = confirmed, known.trip.header.id == snapshot.trip.header.id,
                snapshot.epoch != known.epoch || snapshot.trip.version > known.version
            else { return }
            confirmed = ConfirmedTrip(snapshot, cause: cause)
            showNewest()
        case .presence(let trip, let users):
            guard confirmed?.trip.header.id == trip else { return }
            link.people = users
            note()
        case .dragEnded(let drag, _, let reason): ended(drag, reason)
        case .tripDeleted(let trip):
            if confirmed?.trip.header.id == trip { end(.tripDeleted) }
        case .goodbye(let reason): link.farewell = reason
        }
    }

    /// The confirmed state is newer, or less is pending.
    mutating func showNewest() {
        removeContained()
        reshape()
    }
}
