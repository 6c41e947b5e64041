/// The methods of the protocol.
package enum Method: String, CaseIterable, Sendable {
    /// Answered after all earlier requests.
    case ping
    /// The protocol as an OpenRPC document.
    case discover = "rpc.discover"
    /// Identifies the client.
    case hello
    /// Restricts the connection, before hello.
    case restrict = "session.restrict"
    /// Sends the item at the user's cursor.
    case focus = "session.focus"
    /// Creates a trip.
    case createTrip = "trip.create"
    /// Lists all trips.
    case listTrips = "trip.list"
    /// Returns a whole trip.
    case getTrip = "trip.get"
    /// Changes the trip's own fields.
    case updateTrip = "trip.update"
    /// Marks a problem as intended, or no longer.
    case accept = "trip.accept"
    /// Adds, changes or removes a thing to do.
    case todo = "trip.todo"
    /// Deletes a trip, which is kept for a while.
    case deleteTrip = "trip.delete"
    /// Returns the deleted trips that are kept.
    case listTrash = "trip.trash"
    /// Restores a deleted trip.
    case restoreTrip = "trip.restore"
    /// Subscribes to a trip's changes.
    case subscribe = "trip.subscribe"
    /// Ends the subscription.
    case unsubscribe = "trip.unsubscribe"
    /// Answered after everything up to now has been sent.
    case sync = "trip.sync"
    /// Applies several edits as one change.
    case apply = "trip.apply"
    /// Opens a batch for a change that does not fit into one line.
    case openBatch = "batch.open"
    /// Adds operations to a batch.
    case addToBatch = "batch.add"
    /// Applies a batch as one change.
    case commitBatch = "batch.commit"
    /// Discards a batch.
    case dropBatch = "batch.drop"
    /// Adds an item.
    case addItem = "item.add"
    /// Moves an item.
    case moveItem = "item.move"
    /// Changes fields of an item.
    case updateItem = "item.update"
    /// Removes an item.
    case removeItem = "item.remove"
    /// Returns the items that were removed from a trip.
    case removedItems = "item.trash"
    /// Returns all gaps for an item, each with its verdict.
    case gaps = "item.gaps"
    /// Begins to drag an item.
    case beginDrag = "drag.begin"
    /// Sends the place under a dragged item, and renews the lease.
    case hover = "drag.hover"
    /// Drops a dragged item.
    case drop = "drag.drop"
    /// Cancels a drag.
    case cancelDrag = "drag.cancel"
    /// Undoes the client's last change.
    case undo = "trip.undo"
    /// Redoes the last undo.
    case redo = "trip.redo"
    /// Returns the history of all users' changes.
    case history = "trip.history"
    /// Returns the daemon's counters.
    case stats = "daemon.stats"
    /// Stops the daemon.
    case shutdown = "daemon.shutdown"
}

extension Method {
    /// The method with this name in UTF-8; nil if there is none.
    package init?(utf8 name: UnsafeBufferPointer<UInt8>) {
        guard let words = Self.words(of: name), let known = Self.known.first(where: { $0.words == words })
        else { return nil }
        self = known.method
    }

    /// A name as two numbers, for a lookup without creating a string.
    private static let known = allCases.compactMap { method in
        var name = method.rawValue
        return name.withUTF8 { words(of: $0) }.map { (words: $0, method: method) }
    }

    /// A name of up to sixteen bytes, none of them 0, padded with zeros; nil for others, which are not methods.
    private static func words(of name: UnsafeBufferPointer<UInt8>) -> SIMD2<UInt64>? {
        guard name.count <= 16 else { return nil }
        var words = SIMD2<UInt64>(0, 0)
        for (index, byte) in name.enumerated() {
            if byte == 0 { return nil }
            words[index / 8] |= UInt64(byte) << UInt64(8 * (index % 8))
        }
        return words
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
