import TripModel
import TripProtocol

/// What is known of a client's drags: the one that the user has in hand, and the one that the connection has, which
/// may still be that before it. A drag's number is that of the intent that began it.
struct DragDesk: Sendable {
    /// The user's.
    struct InHand: Sendable {
        let number: Int
        let item: ItemID
        var over: Placement?
        /// When the app last said anything about it.
        var lastSign: Duration
    }

    /// The connection's.
    enum OnWire: Equatable, Sendable {
        case none
        case asked(number: Int)
        case held(number: Int, DragID)
    }

    private(set) var inHand: InHand?
    /// Something that the daemon does not know of is in the user's hand.
    var hasNewItem = false
    private(set) var onWire = OnWire.none
    /// Why the last one ended by itself.
    private var loss: (item: ItemID, reason: LiveDragLoss)?
    /// Numbers whose beginning is not answered to the caller.
    private var unsettled: Set<Int> = []

    private var lease = Duration.zero
    private var due: Duration?
    private var isHovering = false
    private var told: Placement?

    /// As an app sees it.
    var shown: LiveDrag {
        if let inHand {
            if case .held(inHand.number, _) = onWire { return .held(inHand.item) }
            return .asked(inHand.item)
        }
        return loss.map { .lost($0.item, reason: $0.reason) } ?? .none
    }

    /// Whether what is shown is to stay as it is.
    var holdsScreen: Bool { inHand != nil || hasNewItem }

    /// Whether the connection holds and asks for nothing.
    var isFree: Bool { onWire == .none }

    /// Whether the user has an item in hand that is not granted yet.
    var isAsking: Bool {
        if case .asked = shown { true } else { false }
    }

    // MARK: The user

    mutating func begin(_ item: ItemID, number: Int, at now: Duration) {
        inHand = InHand(number: number, item: item, lastSign: now)
        loss = nil
        unsettled.insert(number)
    }

    mutating func hover(_ placement: Placement?, at now: Duration) {
        inHand?.over = placement
        inHand?.lastSign = now
    }

    /// The user's hand is empty.
    mutating func letGo() { inHand = nil }

    /// Whether the caller still waits to hear of a beginning; it is told now.
    mutating func settle(_ number: Int) -> Bool { unsettled.remove(number) != nil }

    // MARK: The connection

    mutating func asked(_ number: Int) { onWire = .asked(number: number) }

    mutating func granted(_ number: Int, _ start: DragStart, at now: Duration) {
        onWire = .held(number: number, start.drag)
        lease = .milliseconds(start.leaseMilliseconds)
        (isHovering, told) = (false, nil)
        due = now + lease / 3
    }

    /// Takes a drag off the connection, by its number: its drop or its cancelling is on the way.
    mutating func take(_ number: Int) -> DragID? {
        guard case .held(number, let drag) = onWire else { return nil }
        clearWire()
        return drag
    }

    /// The connection has no drag any more.
    mutating func clearWire() {
        onWire = .none
        due = nil
        isHovering = false
    }

    /// The user's drag is over, and why.
    mutating func lose(_ reason: LiveDragLoss) {
        if let inHand { loss = (inHand.item, reason) }
        inHand = nil
    }

    /// A drag that did not even begin.
    mutating func refuse(_ item: ItemID, _ reason: LiveDragLoss) {
        if inHand == nil { loss = (item, reason) }
    }

    /// All numbers whose beginning is not answered; they are answered now.
    mutating func settleAll() -> [Int] {
        defer { unsettled = [] }
        return unsettled.sorted()
    }

    // MARK: Hovering

    /// The hover to send now, if any: one at a time, and only where it tells something or the lease asks for it.
    mutating func hoverToSend(at now: Duration) -> (drag: DragID, over: Placement?)? {
        guard case .held(let number, let drag) = onWire, !isHovering, let deadline = due else { return nil }
        let over = inHand?.number == number ? inHand?.over : told
        guard over != told || deadline <= now else { return nil }
        (isHovering, told) = (true, over)
        due = now + lease / 3
        return (drag, over)
    }

    mutating func hovered() { isHovering = false }

    /// When the next hover is due for the lease's sake; nil while one is under way.
    var renewal: Duration? { isHovering ? nil : due }
}
