import TripModel
import TripProtocol

/// The user's drag, during which the shown state does not change.
extension LiveTripCore {
    mutating func beginDrag(of item: ItemID, number: Int) {
        if let error = objectionToDrag() {
            drags.refuse(item, .notBegun("\(error)"))
            note()
            return resolve(number, .failed(error))
        }
        drags.begin(item, number: number, at: now)
        holdScreen()
        pump()
    }

    /// The user drags something that is not in the trip yet.
    mutating func hold() {
        drags.hasNewItem = true
        holdScreen()
    }

    mutating func releaseHold() {
        drags.hasNewItem = false
        release()
        pump()
    }

    private mutating func holdScreen() {
        // Until the end of the drag, which may take minutes, no answered undo is shown.
        reportReversals()
        if held == nil { held = confirmed }
        note()
    }

    private func objectionToDrag() -> ClientError? {
        if case .ended(let error) = connection { return .notMade("\(error)") }
        if isFinishing { return .notMade("the trip is being closed") }
        if drags.pausesScreen { return .notMade("another item is being dragged") }
        // A drag belongs to one connection, which must exist.
        if connection != .connected { return .notMade("there is no connection to the daemon") }
        return nil
    }

    mutating func hover(_ placement: Placement?) {
        drags.hover(placement, at: now)
        pump()
    }

    /// The time at which the drag is abandoned; nil without a drag.
    var endOfDrag: Duration? { drags.userDrag.map { $0.lastSign + configuration.dragTimeout } }

    /// Ends a drag without a recent hover: a toolkit may not report that a drag ended outside the app, and
    /// no other client can change the item during the drag.
    mutating func endAbandonedDrag() {
        guard let end = endOfDrag, end <= now, let drag = drags.userDrag else { return }
        if drags.resolve(drag.number) {
            resolve(
                drag.number,
                .failed(.notMade("the drag was abandoned: the app reported no hover for too long")))
        }
        drags.lose(.abandoned)
        release()
        pump()
    }

    /// The user drops the item: from now on the newest state is shown, with the item at its new place.
    mutating func drop(
        _ placement: Placement, _ intent: Int, _ at: Timestamp, _ options: LiveTrip.ChangeOptions
    ) {
        guard let drag = drags.userDrag else {
            return resolve(intent, .failed(.notMade("no item is being dragged")))
        }
        let shown = shownTrip
        let firm = shown.map { placement.anchored(in: $0, without: drag.item) } ?? placement
        drags.endUserDrag()
        let body = PendingChange.Body.drop(drag.item, firm, number: drag.number, drag: nil)
        release()
        // After a refusal the drag is no longer needed, and must be cancelled.
        if !change(body, intent, at, options, upon: shown) { pump() }
    }

    mutating func cancelDrag() {
        guard let drag = drags.userDrag else { return }
        drags.endUserDrag()
        if drags.resolve(drag.number) {
            resolve(drag.number, .failed(.notMade("the drag was cancelled")))
        }
        release()
        pump()
    }

    /// Shows the newest state again.
    private mutating func release() {
        if drags.pausesScreen { return }
        held = nil
        showNewest()
    }

    // MARK: Asking and giving back

    mutating func ask(for item: ItemID, _ number: Int) {
        drags.asked(number)
        // The shown trip has its own gaps, which are consistent with it.
        send(.beginDrag(reference, item, includesGaps: false), expecting: .drag(number: number))
    }

    /// Requests the lease for the user's drag, unless it is requested already.
    ///
    /// - Parameter isAbsent: whether an item may not exist in the daemon's trip yet.
    mutating func askForWanted(unless isAbsent: (ItemID) -> Bool) {
        guard let wanted = drags.userDrag, drags.isFree, !isAbsent(wanted.item) else { return }
        ask(for: wanted.item, wanted.number)
    }

    /// Cancels a granted drag that the user has ended before.
    mutating func cancelUnwanted() {
        guard case .held(let number, _) = drags.onWire, drags.userDrag?.number != number,
            waitingDrop(of: number) == nil, let drag = drags.take(number)
        else { return }
        send(.cancelDrag(drag), expecting: .nothing)
        note()
    }

    private func waitingDrop(of number: Int) -> Int? {
        pending.firstIndex { change in
            if case .drop(_, _, number, nil) = change.body { true } else { false }
        }
    }

    mutating func sendHover() {
        guard let (drag, over) = drags.hoverToSend(at: now) else { return }
        send(.hover(drag, over: acceptsBetween ? over : over?.anchored(.above)), expecting: .hover)
    }

    /// Renews the lease of a drag that does not move.
    mutating func renewDrag() {
        if isOpen { sendHover() }
    }

    // MARK: Messages of the daemon

    mutating func granted(_ number: Int, _ start: DragStart) {
        drags.granted(number, start, at: now)
        if drags.resolve(number) { resolve(number, .granted(start)) }
        note()
        pump()
    }

    mutating func refusedDrag(_ number: Int, _ error: RemoteError) {
        over(number, .refused(error), .refused(error))
    }

    mutating func hovered() {
        drags.hovered()
        pump()
    }

    /// The daemon has ended a drag of this connection.
    mutating func ended(_ drag: DragID, _ reason: DragEnd) {
        guard case .held(let number, drag) = drags.onWire else { return }
        over(number, .ended(reason), .notMade(reason.explanation))
    }

    /// The connection's drag has ended.
    private mutating func over(_ number: Int, _ loss: LiveTrip.DragLoss, _ error: ClientError) {
        drags.clearWire()
        if drags.resolve(number) { resolve(number, .failed(error)) }
        if drags.userDrag?.number == number {
            drags.lose(loss)
            release()
        }
        if let index = waitingDrop(of: number) { fail(pending[index].intent, error) }
        note()
        pump()
    }

    /// Ends all drags; a drop that was not sent yet becomes a move.
    mutating func loseDrags(_ loss: LiveTrip.DragLoss, resolvingAs error: ClientError) {
        drags.clearWire()
        if drags.userDrag != nil {
            drags.lose(loss)
            release()
        }
        for number in drags.resolveAll() { resolve(number, .failed(error)) }
        // A drop without a granted drag becomes a plain move.
        for index in pending.indices {
            guard case .drop(let item, let placement, _, nil) = pending[index].body else { continue }
            pending[index].body = .edits([.move(item, to: placement)])
        }
        reshape()
    }
}

extension DragEnd {
    /// The reason why the drag ended, in words.
    public var explanation: String {
        switch self {
        case .expired: "the drag has expired: there was no hover for too long"
        case .itemRemoved: "the item was removed"
        case .tripDeleted: "the trip was deleted"
        }
    }
}
