import JSONLine
import TripModel

/// How the daemon writes its lines. `version` always comes before any item.
package enum ServerLine {
    /// A reply whose result is written by `body`, as one whole value.
    package static func reply(
        _ id: RequestID?, reserving capacity: Int = 512, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(reserving: capacity)
        json.beginObject()
        json.member("jsonrpc", "2.0")
        json.key("id")
        json.encode(id)
        json.key("result")
        body(&json)
        json.endObject()
        json.endLine()
        return json.take()
    }

    /// A reply with a result that has been encoded before.
    package static func reply(_ id: RequestID?, encoded result: [UInt8]) -> [UInt8] {
        reply(id, reserving: result.count + 64) { $0.raw(result) }
    }

    /// An error.
    package static func error(_ id: RequestID?, _ error: WireError) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("jsonrpc", "2.0")
        json.key("id")
        json.encode(id)
        json.key("error")
        error.encode(into: &json)
        json.endObject()
        json.endLine()
        return json.take()
    }

    /// A notification whose params are written by `members`.
    ///
    /// - Parameter reserving: bytes that it will have, about.
    package static func notification(
        _ method: StaticString, reserving: Int = 256, _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(reserving: reserving)
        json.beginObject()
        json.member("jsonrpc", "2.0")
        json.key("method")
        json.value("\(method)")
        json.key("params")
        json.beginObject()
        members(&json)
        json.endObject()
        json.endObject()
        json.endLine()
        return json.take()
    }

    /// The last line of a connection.
    package static func goodbye(_ reason: GoodbyeReason) -> [UInt8] {
        notification("goodbye") { $0.member("reason", reason.rawValue) }
    }

    /// The end of a drag that its owner did not end.
    package static func dragEnded(_ drag: DragID, item: ItemID, reason: DragEnd) -> [UInt8] {
        notification("drag.ended") { json in
            json.member("drag", drag.text)
            json.member("item", item)
            json.member("reason", reason.rawValue)
        }
    }

    /// A trip is gone.
    package static func tripDeleted(_ trip: TripID) -> [UInt8] {
        notification("trip.deleted") { $0.member("trip", trip) }
    }

    /// Who has a trip open.
    package static func presence(_ trip: TripID, _ users: [PresentUser]) -> [UInt8] {
        notification("trip.presence") { json in
            json.member("trip", trip)
            json.key("users")
            json.encode(users)
        }
    }

    /// The answer to batch.open.
    package static func batch(_ id: RequestID?, _ batch: BatchID) -> [UInt8] {
        reply(id, reserving: 96) { json in
            json.beginObject()
            json.member("batch", batch.text)
            json.endObject()
        }
    }

    /// The answer to hello.
    package static func welcome(_ id: RequestID?, _ welcome: Welcome, capabilities: [String]) -> [UInt8] {
        reply(id) { json in
            json.beginObject()
            json.key("protocol")
            json.encode(welcome.version)
            json.key("server")
            json.beginObject()
            json.member("name", "itineraryd")
            json.member("version", ProtocolVersion.program)
            json.member("pid", welcome.serverProcess)
            json.endObject()
            json.member("clientId", welcome.clientID)
            json.member("connectionId", welcome.connectionID)
            json.member("role", welcome.role.rawValue)
            json.member("user", welcome.user)
            json.member("access", welcome.access.rawValue)
            json.member("verified", welcome.isVerified)
            json.member("durability", welcome.durability)
            json.key("limits")
            json.beginObject()
            for limit in WireLimits.announced {
                json.key(limit.name)
                json.value(limit.value)
            }
            json.endObject()
            json.key("capabilities")
            json.beginArray()
            for capability in capabilities { json.value(capability) }
            json.endArray()
            json.endObject()
        }
    }
}

extension JSONWriter {
    package mutating func encode(_ users: [PresentUser]) {
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
            member("focus", user.focus)
            endObject()
        }
        endArray()
    }

    package mutating func encode(_ cause: Cause) {
        beginObject()
        member("user", cause.user)
        member("clientId", cause.clientID)
        member("method", cause.method)
        endObject()
    }
}
