/// The access of a connection, in ascending order.
public enum Access: String, CaseIterable, Comparable, Sendable {
    /// May read.
    case viewer
    /// May change everything that can be undone.
    case editor
    /// May also delete and restore trips and stop the daemon.
    case owner

    /// Compares by permissions.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    /// The role in hello, which distinguishes only viewers and editors.
    public var role: Hello.Role { self == .viewer ? .viewer : .editor }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .editor: 1
        case .owner: 2
        }
    }
}

/// The properties of a method that do not depend on its parameters. They determine dispatch, the access check
/// and the tests of the document.
package struct MethodTraits: Sendable {
    /// When it may be called on a connection.
    package enum Moment: Sendable {
        case always, beforeHello, afterHello
    }

    /// The subject of a request, which must exist.
    package enum Scope: Sendable {
        /// No trip, or one to be created.
        case none
        /// The trip in `trip`, which must exist and be undamaged.
        case trip
        /// A drag of this connection, which needs at least the role of an editor.
        case drag
        /// A batch of this connection, which needs at least the role of an editor.
        case batch
    }

    /// Whether later requests of the connection wait until its answer is sent.
    package enum Holding: Sendable {
        case never, always
        /// Only if it changes the trip's slug: the old slug is free for later requests.
        case renames
    }

    /// When a request is executed under memory pressure.
    package enum Admission: Sendable {
        /// At once: it needs little memory, or has its own limit.
        case always
        /// At once if little output waits for its own connection.
        case withinShare
        /// When the pressure is over: its answer may be as large as a trip.
        case withRoom
    }

    /// When it may be called.
    package let moment: Moment
    /// The subject.
    package let scope: Scope
    /// The required access.
    package let needs: Access
    /// Whether later requests wait.
    package let blocksLater: Holding
    /// Whether it is executed even if its connection is closed.
    package let outlivesConnection: Bool
    /// When it is executed under memory pressure.
    package let admission: Admission

    fileprivate init(
        _ moment: Moment = .afterHello, _ scope: Scope, needs: Access, blocksLater: Holding = .never,
        outlivesConnection: Bool = false, admission: Admission = .always
    ) {
        self.moment = moment
        self.scope = scope
        self.needs = needs
        self.blocksLater = blocksLater
        self.outlivesConnection = outlivesConnection
        self.admission = admission
    }

    /// The traits shared by all changes of a trip.
    fileprivate static let change = MethodTraits(
        .trip, needs: .editor, blocksLater: .renames, outlivesConnection: true, admission: .withinShare)

    fileprivate init(
        _ scope: Scope, needs: Access, blocksLater: Holding = .never,
        outlivesConnection: Bool = false, admission: Admission = .always
    ) {
        self.init(
            .afterHello, scope, needs: needs, blocksLater: blocksLater,
            outlivesConnection: outlivesConnection,
            admission: admission)
    }
}

extension Method {
    /// The traits of the method.
    package var traits: MethodTraits {
        switch self {
        case .ping, .discover: MethodTraits(.always, .none, needs: .viewer)
        case .hello, .restrict: MethodTraits(.beforeHello, .none, needs: .viewer)
        // These answer with the state at the time of sending, or decide the meaning of names. Later requests
        // must wait, because otherwise these answers could contain their effects.
        case .createTrip:
            MethodTraits(
                .none, needs: .editor, blocksLater: .always, outlivesConnection: true, admission: .withinShare
            )
        case .deleteTrip:
            MethodTraits(.trip, needs: .owner, blocksLater: .always, outlivesConnection: true)
        case .restoreTrip:
            MethodTraits(
                .none, needs: .owner, blocksLater: .always, outlivesConnection: true, admission: .withRoom)
        case .listTrips, .listTrash: MethodTraits(.none, needs: .viewer, blocksLater: .always)
        case .getTrip, .subscribe, .history, .removedItems:
            MethodTraits(.trip, needs: .viewer, blocksLater: .always, admission: .withRoom)
        case .sync: MethodTraits(.trip, needs: .viewer, blocksLater: .always)
        case .unsubscribe, .focus: MethodTraits(.trip, needs: .viewer)
        case .updateTrip, .accept, .todo, .apply, .addItem, .moveItem, .updateItem, .removeItem, .undo, .redo:
            .change
        case .openBatch: MethodTraits(.trip, needs: .editor)
        // The memory of batches has its own limit, beyond which additions are refused.
        case .addToBatch, .dropBatch: MethodTraits(.batch, needs: .editor)
        case .commitBatch:
            MethodTraits(
                .batch, needs: .editor, blocksLater: .renames, outlivesConnection: true,
                admission: .withinShare
            )
        // Their answers are large, and wait like any other until earlier commits are durable.
        case .gaps: MethodTraits(.trip, needs: .viewer, blocksLater: .always, admission: .withinShare)
        case .beginDrag: MethodTraits(.trip, needs: .editor, blocksLater: .always, admission: .withinShare)
        case .hover: MethodTraits(.drag, needs: .editor)
        // The deferred updates follow their answer directly, before any later request is executed.
        case .drop: MethodTraits(.drag, needs: .editor, blocksLater: .always, admission: .withinShare)
        case .cancelDrag: MethodTraits(.drag, needs: .editor, blocksLater: .always)
        case .stats: MethodTraits(.none, needs: .viewer)
        case .shutdown: MethodTraits(.none, needs: .owner)
        }
    }
}
