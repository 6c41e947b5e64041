import JSONLine
import TripModel

extension Welcome {
    /// Reads the answer to hello.
    package init(result: JSONNode) throws(WireError) {
        let fields = try Fields(result)
        version = try fields.required("protocol") { node, field throws(WireError) in
            let parts = try Fields(node, path: field)
            return ProtocolVersion(
                major: try parts.required("major", Read.int), minor: try parts.required("minor", Read.int))
        }
        let server = try Fields(fields.node("server"), path: "server")
        serverProcess = try server.required("pid", Read.int)
        clientID = try fields.required("clientId", Read.identifier)
        connectionID = try fields.required("connectionId", Read.int)
        role = Hello.Role(rawValue: try fields.required("role", Read.string)) ?? .editor
        user = try fields.optional("user", Read.string)
        let access = try fields.optional("access", Read.string).flatMap(Access.init)
        // A daemon of 1.0 restricts nobody but those who asked for it.
        self.access = access ?? (role == .viewer ? .viewer : .owner)
        isVerified = try fields.optional("verified", Read.bool) ?? false
        durability = try fields.optional("durability", Read.string) ?? "sync"
        var limits: [String: Int] = [:]
        // A limit of a newer daemon may be of another form; it is none that this client heeds.
        if let announced = fields.present("limits") {
            for (name, value) in announced.members { limits[name] = value.int }
        }
        self.limits = limits
    }
}

extension TripSummary {
    /// Reads the answer to trip.list.
    package static func list(result: JSONNode) throws(WireError) -> [TripSummary] {
        var trips: [TripSummary] = []
        for node in try Fields(result).required("trips", { node, _ in node }).elements {
            let fields = try Fields(node, path: "trips")
            trips.append(
                TripSummary(
                    header: try TripHeader(node), version: try fields.required("version", Read.int),
                    itemCount: try fields.required("itemCount", Read.int),
                    subscribers: try fields.required("subscribers", Read.int),
                    state: try fields.required("state", Read.string)))
        }
        return trips
    }
}

extension ChangeResult {
    /// Reads the answer to a change.
    package init(result: JSONNode) throws(WireError) {
        let fields = try Fields(result)
        version = try fields.required("version", Read.int)
        isNoop = try fields.optional("noop", Read.bool) ?? false
        if let item = fields.present("item") {
            items = [try Item(item)]
        } else {
            items = try fields.optional("items", Read.items) ?? []
        }
        moved = try fields.optional("moved", Read.items) ?? []
        header = try fields.optional("trip") { node, _ throws(WireError) in try TripHeader(node) }
        summary = try fields.optional("summary", Read.string)
        isRepeated = try fields.optional("repeated", Read.bool) ?? false
    }
}

extension DragStart {
    /// Reads the answer to drag.begin.
    package init(result: JSONNode) throws(WireError) {
        let fields = try Fields(result)
        drag = DragID(try fields.required("drag", Read.string))
        leaseMilliseconds = try fields.required("leaseMilliseconds", Read.int)
        version = try fields.required("version", Read.int)
    }
}

extension BatchID {
    /// Reads the answer to batch.open.
    package init(result: JSONNode) throws(WireError) {
        self.init(try Fields(result).required("batch", Read.string))
    }
}

extension PresentUser {
    /// Reads `presence` of the answer to trip.subscribe.
    package static func list(in result: JSONNode) throws(WireError) -> [PresentUser] {
        try Fields(result).optional("presence", Read.users) ?? []
    }
}
