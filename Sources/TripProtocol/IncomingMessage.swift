import JSONLine
import TripModel

/// One line of the daemon, as a client reads it.
package enum IncomingMessage: Sendable {
    case reply(id: RequestID?, Result<JSONNode, RemoteError>)
    case notification(Notification)
    /// What leads on from the version told last, for a subscription to deltas.
    case delta(TripDelta)
    /// A notification of a newer minor version.
    case unknown

    /// Reads a line.
    ///
    /// - Throws: `WireError` if it is none of the protocol's.
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
            self = try Self.notification(method, fields).map(IncomingMessage.notification) ?? .unknown
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
                        message: error["message"]?.string ?? "")))
        } else if let result = root["result"] {
            self = .reply(id: id, .success(result))
        } else {
            throw WireError(.invalidRequest, "a line with neither method, result nor error")
        }
    }

    private static func notification(
        _ method: String, _ fields: Fields
    ) throws(WireError) -> Notification? {
        switch method {
        case "trip.snapshot":
            let cause = try fields.optional("cause") { node, field throws(WireError) in
                try Cause(try Fields(node, path: field))
            }
            return .snapshot(
                try Snapshot(fields), previous: try fields.required("previous", Read.int),
                skipped: try fields.required("skipped", Read.int), cause: cause)
        case "trip.presence":
            return .presence(
                try fields.required("trip", Read.identifier), try fields.required("users", Read.users))
        case "drag.ended":
            guard let reason = DragEnd(rawValue: try fields.required("reason", Read.string)) else {
                return nil
            }
            return .dragEnded(
                DragID(try fields.required("drag", Read.string)),
                item: try fields.required("item", Read.itemID), reason: reason)
        case "trip.deleted": return .tripDeleted(try fields.required("trip", Read.identifier))
        case "goodbye":
            return GoodbyeReason(rawValue: try fields.required("reason", Read.string)).map(
                Notification.goodbye)
        default: return nil
        }
    }
}

extension Cause {
    init(_ fields: Fields) throws(WireError) {
        self.init(
            user: try fields.required("user", Read.string),
            clientID: try fields.required("clientId", Read.identifier),
            method: try fields.required("method", Read.string))
    }
}

extension Snapshot {
    init(_ fields: Fields) throws(WireError) {
        let header = try fields.required("trip") { node, _ throws(WireError) in try TripHeader(node) }
        let version = try fields.required("version", Read.int)
        let items = try fields.required("items", Read.items)
        do throws(AdoptFailure) {
            trip = try Trip(header: header, version: version, items: items)
        } catch {
            throw WireError(.internalError, "the daemon's items do not make a trip: \(error)")
        }
        epoch = try fields.required("epoch", Read.string)
        problems = try fields.optional("problems", Read.problems) ?? []
    }

    package init(result: JSONNode) throws(WireError) {
        try self.init(try Fields(result))
    }
}

extension Read {
    static func items(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> [Item] {
        var items: [Item] = []
        items.reserveCapacity(node.count)
        for element in node.elements { items.append(try Item(element)) }
        return items
    }

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
                    focus: try fields.optional("focus", Read.itemID)))
        }
        return users
    }

    static func problems(_ node: JSONNode, _ field: FieldPath) throws(WireError) -> [Problem] {
        var problems: [Problem] = []
        for element in node.elements {
            let fields = try Fields(element, path: field)
            guard let kind = Problem.Kind(rawValue: try fields.required("kind", Read.string)) else {
                continue
            }
            problems.append(
                Problem(
                    kind: kind, items: try fields.required("items", Read.itemIDs),
                    day: try fields.required("day", Read.int),
                    message: try fields.required("message", Read.string)))
        }
        return problems
    }
}
