import JSONLine
import TripModel

// The daemon's notifications. The members of snapshots and deltas are encoded with these.

extension TripNotification {
    /// Decodes a notification; nil for one of a newer minor version.
    init?(_ method: String, _ fields: Fields) throws(WireError) {
        switch method {
        case "trip.snapshot":
            self = .snapshot(
                try Snapshot(fields), previous: try fields.required("previous"),
                skipped: try fields.required("skipped"), cause: try fields.optional("cause"))
        case "trip.presence":
            self = .presence(try fields.required("trip"), try fields.required("users"))
        case "drag.ended":
            guard let reason = DragEnd(rawValue: try fields.required("reason")) else { return nil }
            self = .dragEnded(
                try fields.required("drag"), item: try fields.required("item"), reason: reason)
        case "trip.deleted": self = .tripDeleted(try fields.required("trip"))
        case "goodbye":
            guard let reason = GoodbyeReason(rawValue: try fields.required("reason")) else { return nil }
            self = .goodbye(reason)
        default: return nil
        }
    }
}

extension ServerLine {
    /// trip.presence: the users who have a trip open.
    package static func presence(_ trip: TripID, _ users: [PresentUser]) -> [UInt8] {
        notification("trip.presence") { json in
            json.member("trip", trip)
            _ = json.required("users", users)
        }
    }

    /// trip.presence, with already encoded users.
    package static func presence(_ trip: TripID, encoded users: ArraySlice<UInt8>) -> [UInt8] {
        notification("trip.presence", reserving: users.count + 128) { json in
            json.member("trip", trip)
            json.key("users")
            json.raw(users)
        }
    }

    /// drag.ended: the daemon has ended a drag.
    package static func dragEnded(_ drag: DragID, item: ItemID, reason: DragEnd) -> [UInt8] {
        notification("drag.ended") { json in
            json.member("drag", drag.text)
            json.member("item", item)
            json.member("reason", reason.rawValue)
        }
    }

    /// trip.deleted: a trip was deleted.
    package static func tripDeleted(_ trip: TripID) -> [UInt8] {
        notification("trip.deleted") { $0.member("trip", trip) }
    }

    /// goodbye: the last line of a connection.
    package static func goodbye(_ reason: GoodbyeReason) -> [UInt8] {
        notification("goodbye") { $0.member("reason", reason.rawValue) }
    }
}

// MARK: Presence

extension PresentUser: WireObject {
    private struct Dragging: WireObject {
        let item: ItemID
        let over: Placement?

        init(_ item: ItemID, over: Placement?) { (self.item, self.over) = (item, over) }

        init<Coder: MemberCoder>(_ coder: inout Coder, encoding drag: Dragging?) throws(Coder.Failure) {
            self.init(
                try coder.required("item", drag?.item), over: try coder.optional("over", drag?.over))
        }
    }

    init<Coder: MemberCoder>(_ coder: inout Coder, encoding user: PresentUser?) throws(Coder.Failure) {
        let connectionID = try coder.required("connectionId", user?.connectionID)
        let name = try coder.required("user", user?.user)
        let role = try coder.required("role", user?.role.rawValue)
        let drag = try coder.optional(
            "drag", user.flatMap { user in user.dragging.map { Dragging($0, over: user.over) } })
        self.init(
            connectionID: connectionID, user: name, role: Hello.Role(rawValue: role) ?? .editor,
            dragging: drag?.item, over: drag?.over,
            focus: try coder.row(item: "focus", day: "focusDay", user?.focus))
    }
}

/// A decoded line of the daemon.
package enum IncomingMessage: Sendable {
    case reply(id: RequestID?, Result<JSONNode, RemoteError>)
    case notification(TripNotification)
    /// The changes since the last version sent, for a subscription to deltas.
    case delta(TripDelta)
    /// A notification of a newer minor version.
    case unknown

    /// True if it is not the answer to a request.
    package var isUnrequested: Bool {
        if case .reply = self { false } else { true }
    }

    /// Decodes a line.
    ///
    /// - Throws: `WireError` if it is not a line of the protocol.
    package init(line: [UInt8]) throws(WireError) {
        let document: JSONDocument
        do throws(JSONSyntaxError) { document = try JSONDocument(parsing: line) } catch {
            throw WireError(.parseError, "\(error.reason)", .offset(error.offset))
        }
        let root = document.root
        if let method = root["method"]?.string {
            let fields = try Fields(root["params"])
            if method == "trip.delta" {
                self = .delta(try TripDelta(fields))
                return
            }
            self = try TripNotification(method, fields).map(IncomingMessage.notification) ?? .unknown
            return
        }
        let id: RequestID? =
            root["id"].flatMap { $0.int.map(RequestID.number) ?? $0.string.map(RequestID.string) }
        if let error = root["error"] {
            self = .reply(
                id: id,
                .failure(
                    RemoteError(
                        code: error["code"]?.int ?? 0,
                        reason: error["data"]?["reason"]?.string ?? "",
                        message: error["message"]?.string ?? "",
                        data: error["data"].map { Array($0.rawBytes) })))
        } else if let result = root["result"] {
            self = .reply(id: id, .success(result))
        } else {
            throw WireError(.invalidRequest, "a line with neither method, result nor error")
        }
    }
}
