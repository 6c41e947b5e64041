/// What somebody may do on a connection; each may all that those before it may.
public enum Access: String, CaseIterable, Comparable, Sendable {
    /// Looks, and changes nothing.
    case viewer
    /// Changes what can be changed back.
    case editor
    /// Does what nobody can take back, too: deletes trips and ends the daemon.
    case owner

    /// Orders by what is allowed.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    /// What it is called where only lookers and editors are told apart.
    public var role: Hello.Role { self == .viewer ? .viewer : .editor }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .editor: 1
        case .owner: 2
        }
    }
}

/// What is true of a method whatever its parameters are. Dispatch, the check of roles and the tests of the document
/// follow from it; nothing else says so again.
package struct MethodTraits: Sendable {
    /// When in the life of a connection it may be called.
    package enum Moment: Sendable {
        case always, beforeHello, afterHello
    }

    /// What a request by it is about, and what must be found first.
    package enum Scope: Sendable {
        /// No trip, or one that is to be made.
        case none
        /// The trip that `trip` names, which must be there and fit to be served.
        case trip
        /// A drag of this connection; somebody who may not change anything never has one.
        case drag
        /// A batch of this connection; the same holds.
        case batch
    }

    /// Whether what the same connection asks behind it waits until its answer leaves.
    package enum Holding: Sendable {
        case never, always
        /// Only where it gives the trip a slug: the name that it gives up is free behind it.
        case renames
    }

    /// When a request is carried out while the daemon holds too much for all connections.
    package enum Admission: Sendable {
        /// At once: it holds little, or has a bound of its own.
        case always
        /// At once while little waits for its own connection.
        case withinShare
        /// When less is held: its answer may be as large as a trip.
        case withRoom
    }

    /// When it may come.
    package let moment: Moment
    /// What it is about.
    package let scope: Scope
    /// Who may.
    package let needs: Access
    /// Whether what comes behind it waits.
    package let holdsBack: Holding
    /// Whether it is carried out even when nobody is there to be answered any more.
    package let outlivesConnection: Bool
    /// When it is carried out while the daemon holds too much for all connections.
    package let admission: Admission

    fileprivate init(
        _ moment: Moment = .afterHello, _ scope: Scope, needs: Access, holdsBack: Holding = .never,
        outlivesConnection: Bool = false, admission: Admission = .always
    ) {
        self.moment = moment
        self.scope = scope
        self.needs = needs
        self.holdsBack = holdsBack
        self.outlivesConnection = outlivesConnection
        self.admission = admission
    }

    /// A change of a trip: one row for all of them.
    fileprivate static let change = MethodTraits(
        .trip, needs: .editor, holdsBack: .renames, outlivesConnection: true, admission: .withinShare)

    fileprivate init(
        _ scope: Scope, needs: Access, holdsBack: Holding = .never,
        outlivesConnection: Bool = false, admission: Admission = .always
    ) {
        self.init(
            .afterHello, scope, needs: needs, holdsBack: holdsBack, outlivesConnection: outlivesConnection,
            admission: admission)
    }
}

extension Method {
    /// The one table of all methods.
    package var traits: MethodTraits {
        switch self {
        case .ping, .discover: MethodTraits(.always, .none, needs: .viewer)
        case .hello, .restrict: MethodTraits(.beforeHello, .none, needs: .viewer)
        // What they tell is the state as of when it is sent, or they decide what names mean: what is asked behind
        // them is carried out only then, or their answers would show it before its own (promise 2).
        case .createTrip:
            MethodTraits(
                .none, needs: .editor, holdsBack: .always, outlivesConnection: true, admission: .withinShare)
        case .deleteTrip:
            // The one change that nothing takes back.
            MethodTraits(.trip, needs: .owner, holdsBack: .always, outlivesConnection: true)
        case .listTrips: MethodTraits(.none, needs: .viewer, holdsBack: .always)
        case .getTrip, .subscribe, .history:
            MethodTraits(.trip, needs: .viewer, holdsBack: .always, admission: .withRoom)
        case .sync: MethodTraits(.trip, needs: .viewer, holdsBack: .always)
        case .unsubscribe, .focus: MethodTraits(.trip, needs: .viewer)
        case .updateTrip, .apply, .addItem, .moveItem, .updateItem, .removeItem, .undo, .redo: .change
        case .openBatch: MethodTraits(.trip, needs: .editor)
        // What is held for batches has a bound of its own, and is refused past it.
        case .addToBatch, .dropBatch: MethodTraits(.batch, needs: .editor)
        case .commitBatch:
            MethodTraits(
                .batch, needs: .editor, holdsBack: .renames, outlivesConnection: true, admission: .withinShare
            )
        // Their answers are large, and held back with every other until a commit before them is durable.
        case .gaps: MethodTraits(.trip, needs: .viewer, holdsBack: .always, admission: .withinShare)
        case .beginDrag: MethodTraits(.trip, needs: .editor, holdsBack: .always, admission: .withinShare)
        case .hover: MethodTraits(.drag, needs: .editor)
        // What was deferred follows their answer at once, before anything that is asked behind them (promise 6).
        case .drop: MethodTraits(.drag, needs: .editor, holdsBack: .always, admission: .withinShare)
        case .cancelDrag: MethodTraits(.drag, needs: .editor, holdsBack: .always)
        case .stats: MethodTraits(.none, needs: .viewer)
        case .shutdown: MethodTraits(.none, needs: .owner)
        }
    }
}
