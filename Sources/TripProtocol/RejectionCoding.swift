import TripModel

extension WireError {
    /// The error of a refused place.
    package init(_ refusal: PlaceRefusal, in trip: Trip) {
        let message = trip.explanation(of: refusal)
        switch refusal {
        case .gameImmovable: self.init(.gameImmovable, message)
        case .dayOutOfRange: self.init(.dayOutOfRange, message)
        case .outsideValidDays(let days): self.init(.outsideValidDays, message, .validDays(days))
        case .beforeDepartureGame(let games): self.init(.beforeDepartureGame, message, .games(games))
        case .afterArrivalGame(let games): self.init(.afterArrivalGame, message, .games(games))
        case .noValidPosition(let after, let before):
            self.init(.noValidPosition, message, .between(after: after, before: before))
        }
    }

    /// The error of a refused edit.
    ///
    /// - Parameters:
    ///   - prefix: the path of the edit's fields in the request, `item.` or `set.`.
    ///   - holder: returns the name of the user who is dragging an item.
    package init(_ rejection: Rejection, in trip: Trip, prefix: String, holder: (ItemID) -> String) {
        switch rejection {
        case .place(let refusal): self.init(refusal, in: trip)
        case .itemNotFound(let id): self.init(.itemNotFound, "the trip has no item \(id)")
        case .readOnly: self = .viewersMayNotChange
        case .itemHeld(let id):
            let holder = holder(id)
            self.init(.itemHeld, "\(holder) is dragging it", .by(holder))
        case .versionConflict(let expected, let actual):
            self = .versionConflict(expected: expected, actual: actual)
        case .anchorNotFound(let id, let day):
            self.init(.itemNotFound, "the trip has no item \(id)", .day(day))
        case .anchorMoved(let id, let day):
            self.init(
                .anchorMoved, "\(trip[id]?.content.title ?? "the anchor") is on day \(day) now", .day(day))
        case .overtaken(let why): self.init(.undoConflict, why)
        case .duplicateItemID(let id): self.init(.duplicateID, "the trip has an item \(id) already")
        case .duplicateGameID(let id): self.init(.duplicateID, "the trip has an event \(id) already")
        case .slugTaken(let slug): self.init(.slugTaken, "another trip has the slug \(slug)")
        case .textNotAllowed(let field, let scalar): self = .text(prefix + field, scalar)
        case .limitExceeded(let limit, let field): self = .limit(limit, prefix + field)
        case .invalid(let field, let message):
            // The placement is beside the item, not in it.
            let isBeside = field == "to" && prefix.hasSuffix("item.")
            self = .invalid((isBeside ? String(prefix.dropLast("item.".count)) : prefix) + field, message)
        }
    }

    /// The error of an invalid text, without a trip.
    package init(textual rejection: Rejection) {
        switch rejection {
        case .textNotAllowed(let field, let scalar): self = .text(field, scalar)
        case .limitExceeded(let limit, let field): self = .limit(limit, field)
        case .invalid(let field, let message): self = .invalid(field, message)
        default: preconditionFailure("a text is refused only for its content: \(rejection)")
        }
    }

    private static func text(_ field: String, _ scalar: UInt32) -> WireError {
        let code = String(scalar, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
        return WireError(.textNotAllowed, "\(field): U+\(padded) is not allowed in text", .field(field))
    }

    private static func limit(_ limit: Limit, _ field: String) -> WireError {
        // The limit concerns all operations together, not a field of one of them.
        if limit == .rearrangements {
            return .limit(
                limit.rawValue, max: limit.maximum,
                "one change re-spaces or reschedules at most \(limit.maximum) items, each counted for each operation; "
                    + "send it as several changes")
        }
        return WireError(
            .limitExceeded, "\(field): at most \(limit.maximum) \(limit.unit)",
            .limit(limit.rawValue, max: limit.maximum), .field(field))
    }

    /// The error of a trip or item without the expected version.
    package static func versionConflict(expected: Int, actual: Int) -> WireError {
        WireError(
            .versionConflict, "expected version \(expected), but it is at \(actual)", .expected(expected),
            .actual(actual))
    }

    /// The error of a change by a viewer.
    package static let viewersMayNotChange = WireError(
        .readOnly, "a viewer cannot change a trip")

    /// The error of an irreversible change by an editor.
    package static let ownersOnly = WireError(.readOnly, "only an owner may do that; you are an editor here")

    /// The error of a request that an access does not allow.
    package static func notAllowed(_ access: Access) -> WireError {
        access == .viewer ? viewersMayNotChange : ownersOnly
    }

    /// The error of an account without any access.
    package static func accessDenied(_ account: String) -> WireError {
        WireError(
            .accessDenied,
            "\(account) has no access; the owner of this daemon can grant it in the file access of the data directory"
        )
    }
}

extension PlaceRefusal {
    /// The reason code.
    public var reason: ErrorReason {
        switch self {
        case .gameImmovable: .gameImmovable
        case .dayOutOfRange: .dayOutOfRange
        case .outsideValidDays: .outsideValidDays
        case .beforeDepartureGame: .beforeDepartureGame
        case .afterArrivalGame: .afterArrivalGame
        case .noValidPosition: .noValidPosition
        }
    }
}

extension WireError {
    /// The error of a trip that cannot be created.
    package init(creation failure: EditFailure, of header: TripHeader) {
        // The trip does not exist, so its header must suffice.
        guard failure.index >= 0 else {
            self.init(textual: failure.rejection)
            return
        }
        let error = WireError(
            failure.rejection, in: Trip(empty: header), prefix: "items[\(failure.index)].item."
        ) { _ in "" }
        self = error.with(.opIndex(failure.index))
    }
}
