import JSONLine
import TripModel

// The daemon's notifications. The members of snapshots and deltas are encoded with these.

extension TripNotification {
    /// Decodes a notification; nil for one of a newer minor version.
    init?(_ method: String, _ fields: Fields) throws(WireError) {
        switch method {
        case "trip.snapshot":
            let cause = try fields.optional("cause") { node, field throws(WireError) in
                try Cause(try Fields(node, path: field))
            }
            self = .snapshot(
                try Snapshot(fields), previous: try fields.required("previous", Read.int),
                skipped: try fields.required("skipped", Read.int), cause: cause)
        case "trip.presence":
            self = .presence(
                try fields.required("trip", Read.identifier), try fields.required("users", Read.users))
        case "drag.ended":
            guard let reason = DragEnd(rawValue: try fields.required("reason", Read.string)) else {
                return nil
            }
            self = .dragEnded(
                DragID(try fields.required("drag", Read.string)),
                item: try fields.required("item", Read.itemID), reason: reason)
        case "trip.deleted": self = .tripDeleted(try fields.required("trip", Read.identifier))
        case "goodbye":
            guard let reason = GoodbyeReason(rawValue: try fields.required("reason", Read.string)) else {
                return nil
            }
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
            json.member("users", users)
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

extension Read {
    static func users(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> [PresentUser] {
        var users: [PresentUser] = []
        for element in node.elements {
            let fields = try Fields(element, path: field)
            let drag = try fields.optional("drag") { node, field throws(WireError) in
                let drag = try Fields(node, path: field)
                return (
                    item: try drag.required("item", Read.itemID),
                    over: try drag.optional("over", Read.placement)
                )
            }
            users.append(
                PresentUser(
                    connectionID: try fields.required("connectionId", Read.int),
                    user: try fields.required("user", Read.string),
                    role: Hello.Role(rawValue: try fields.required("role", Read.string)) ?? .editor,
                    dragging: drag?.item, over: drag?.over,
                    focus: try Read.row(fields, item: "focus", day: "focusDay")))
        }
        return users
    }
}

extension JSONWriter {
    mutating func member(_ name: StaticString, _ users: [PresentUser]) {
        key(name)
        beginArray()
        for user in users {
            beginObject()
            member("connectionId", user.connectionID)
            member("user", user.user)
            member("role", user.role.rawValue)
            if let item = user.dragging {
                key("drag")
                beginObject()
                member("item", item)
                member("over", user.over)
                endObject()
            }
            member(user.focus, item: "focus", day: "focusDay")
            endObject()
        }
        endArray()
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
