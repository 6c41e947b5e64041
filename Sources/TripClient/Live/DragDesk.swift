import TripModel
import TripProtocol

/// A client's drags: the user's drag, and the drag that the daemon has granted to the connection. After a new drag
/// begins, the daemon may still have the previous one. A drag has the number of the intent that began it.
struct DragDesk: Sendable {
    /// The user's drag.
    struct UserDrag: Sendable {
        let number: Int
        let item: ItemID
        var over: Placement?
        /// The time of the app's last call for this drag.
        var lastSign: Duration
    }

    /// The connection's drag.
    enum OnWire: Equatable, Sendable {
        case none
        case asked(number: Int)
        case held(number: Int, DragID)
    }

    private(set) var userDrag: UserDrag?
    /// The user drags something that is not in the trip yet.
    var hasNewItem = false
    private(set) var onWire = OnWire.none
    /// The reason why the last drag ended unexpectedly.
    private var loss: (item: ItemID, reason: LiveTrip.DragLoss)?
    /// Numbers of `beginDrag` calls that have no result yet.
    private var unresolved: Set<Int> = []

    private var lease = Duration.zero
    private var due: Duration?
    private var isHovering = false
    private var sent: Placement?

    /// The drag as the app sees it.
    var shown: LiveTrip.Drag {
        if let userDrag {
            if case .held(userDrag.number, _) = onWire { return .held(userDrag.item) }
            return .asked(userDrag.item)
        }
        return loss.map { .lost($0.item, reason: $0.reason) } ?? .none
    }

    /// True if the shown trip must not change.
    var pausesScreen: Bool { userDrag != nil || hasNewItem }

    /// True if the connection has neither a drag nor a pending request for one.
    var isFree: Bool { onWire == .none }

    /// True if the user's drag is not granted yet.
    var isAsking: Bool {
        if case .asked = shown { true } else { false }
    }

    // MARK: The user

    mutating func begin(_ item: ItemID, number: Int, at now: Duration) {
        userDrag = UserDrag(number: number, item: item, lastSign: now)
        loss = nil
        unresolved.insert(number)
    }

    mutating func hover(_ placement: Placement?, at now: Duration) {
        userDrag?.over = placement
        userDrag?.lastSign = now
    }

    /// The user has ended the drag.
    mutating func endUserDrag() { userDrag = nil }

    /// Marks a `beginDrag` call as answered; false if it is answered already.
    mutating func resolve(_ number: Int) -> Bool { unresolved.remove(number) != nil }

    // MARK: The connection

    mutating func asked(_ number: Int) { onWire = .asked(number: number) }

    mutating func granted(_ number: Int, _ start: DragStart, at now: Duration) {
        onWire = .held(number: number, start.drag)
        lease = .milliseconds(start.leaseMilliseconds)
        (isHovering, sent) = (false, nil)
        due = now + lease / 3
    }

    /// Removes the connection's drag by its number, because its drop or cancellation is being sent.
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

    /// Ends the user's drag with a reason.
    mutating func lose(_ reason: LiveTrip.DragLoss) {
        if let userDrag { loss = (userDrag.item, reason) }
        userDrag = nil
    }

    /// Reports a drag that could not begin.
    mutating func refuse(_ item: ItemID, _ reason: LiveTrip.DragLoss) {
        if userDrag == nil { loss = (item, reason) }
    }

    /// Marks all `beginDrag` calls as answered, and returns the pending ones.
    mutating func resolveAll() -> [Int] {
        defer { unresolved = [] }
        return unresolved.sorted()
    }

    // MARK: Hovering

    /// The next hover to send, if any: one at a time, and only if the place has changed or the lease must be renewed.
    mutating func hoverToSend(at now: Duration) -> (drag: DragID, over: Placement?)? {
        guard case .held(let number, let drag) = onWire, !isHovering, let deadline = due else { return nil }
        let over = userDrag?.number == number ? userDrag?.over : sent
        guard over != sent || deadline <= now else { return nil }
        (isHovering, sent) = (true, over)
        due = now + lease / 3
        return (drag, over)
    }

    mutating func hovered() { isHovering = false }

    /// The time of the next renewal of the lease; nil while a hover is in flight.
    var renewal: Duration? { isHovering ? nil : due }
}
