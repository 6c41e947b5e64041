import TripModel
import TripProtocol

/// The user's drag. While it lasts, what is shown stays as it is.
extension LiveTripCore {
    mutating func beginDrag(of item: ItemID, number: Int) {
        if let error = objectionToDrag() {
            drags.refuse(item, .notBegun("\(error)"))
            note()
            return settle(number, .failed(error))
        }
        drags.begin(item, number: number, at: now)
        holdScreen()
        pump()
    }

    /// Something that is not of the trip yet is in the user's hand.
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
        if held == nil { held = confirmed }
        note()
    }

    private func objectionToDrag() -> ClientError? {
        if case .ended(let error) = connection { return .notMade("\(error)") }
        if isFinishing { return .notMade("the trip is being closed") }
        if drags.holdsScreen { return .notMade("another item is in hand") }
        // A drag lives on one connection, which there has to be.
        if connection != .connected { return .notMade("there is no connection to the daemon") }
        return nil
    }

    mutating func hover(_ placement: Placement?) {
        drags.hover(placement, at: now)
        pump()
    }

    /// When the drag counts as abandoned; nil if no item is in hand.
    var endOfDrag: Duration? { drags.inHand.map { $0.lastSign + configuration.dragTimeout } }

    /// Ends a drag that the app has not hovered for too long: a toolkit may not report the end of a drag that was dropped
    /// outside of the app, and nobody else can change the item meanwhile.
    mutating func endAbandonedDrag() {
        guard let end = endOfDrag, end <= now, let drag = drags.inHand else { return }
        if drags.settle(drag.number) {
            settle(
                drag.number,
                .failed(.notMade("the drag was abandoned: the app reported no hover for too long")))
        }
        drags.lose(.abandoned)
        release()
        pump()
    }

    /// The user puts the item down: from now on the newest state is shown, with the item where it is put.
    mutating func drop(_ placement: Placement, _ intent: Int, _ at: Timestamp, _ options: LiveChangeOptions) {
        guard let drag = drags.inHand else {
            return settle(intent, .failed(.notMade("no item is in hand")))
        }
        let shown = shownTrip
        let firm = shown.map { placement.firm(in: $0, without: drag.item) } ?? placement
        drags.letGo()
        let body = PendingChange.Body.drop(drag.item, firm, number: drag.number, drag: nil)
        release()
        // What is not taken leaves a drag that nobody wants.
        if !change(body, intent, at, options, upon: shown) { pump() }
    }

    mutating func cancelDrag() {
        guard let drag = drags.inHand else { return }
        drags.letGo()
        if drags.settle(drag.number) {
            settle(drag.number, .failed(.notMade("the drag was cancelled")))
        }
        release()
        pump()
    }

    /// Shows the newest state again.
    private mutating func release() {
        if drags.holdsScreen { return }
        held = nil
        showNewest()
    }

    // MARK: Asking and giving back

    mutating func ask(for item: ItemID, _ number: Int) {
        drags.asked(number)
        // What is shown has its own gaps, which go with it.
        send(.beginDrag(reference, item, tellsGaps: false), expecting: .drag(number: number))
    }

    /// Asks for what the user has in hand, if that is not asked for yet.
    ///
    /// - Parameter isAbsent: whether an item may not be there yet.
    mutating func askForWanted(unless isAbsent: (ItemID) -> Bool) {
        guard let wanted = drags.inHand, drags.isFree, !isAbsent(wanted.item) else { return }
        ask(for: wanted.item, wanted.number)
    }

    /// Gives back what was granted when the user had let go of it already.
    mutating func giveBackUnwanted() {
        guard case .held(let number, _) = drags.onWire, drags.inHand?.number != number,
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

    mutating func tellHover() {
        guard let (drag, over) = drags.hoverToSend(at: now) else { return }
        send(.hover(drag, over: takesBoth ? over : over?.leaning(.above)), expecting: .hover)
    }

    /// Keeps a drag that rests from running out.
    mutating func renewDrag() {
        if isOpen { tellHover() }
    }

    // MARK: What the daemon says

    mutating func granted(_ number: Int, _ start: DragStart) {
        drags.granted(number, start, at: now)
        if drags.settle(number) { settle(number, .granted(start)) }
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

    /// The connection's drag is no more.
    private mutating func over(_ number: Int, _ loss: LiveDragLoss, _ error: ClientError) {
        drags.clearWire()
        if drags.settle(number) { settle(number, .failed(error)) }
        if drags.inHand?.number == number {
            drags.lose(loss)
            release()
        }
        if let index = waitingDrop(of: number) { giveUp(pending[index].intent, error) }
        note()
        pump()
    }

    /// All drags are over; what was to be put down and is not on its way stays where it is.
    mutating func loseDrags(_ loss: LiveDragLoss, settlingAs error: ClientError) {
        drags.clearWire()
        if drags.inHand != nil {
            drags.lose(loss)
            release()
        }
        for number in drags.settleAll() { settle(number, .failed(error)) }
        // What was to be put down before it was granted goes there without a drag.
        for index in pending.indices {
            guard case .drop(let item, let placement, _, nil) = pending[index].body else { continue }
            pending[index].body = .edits([.move(item, to: placement)])
        }
        reshape()
    }
}

extension DragEnd {
    /// What happened to the drag, in words.
    public var explanation: String {
        switch self {
        case .expired: "the drag was let go: nothing was heard of it for too long"
        case .itemRemoved: "the item was removed"
        case .tripDeleted: "the trip was deleted"
        }
    }
}
