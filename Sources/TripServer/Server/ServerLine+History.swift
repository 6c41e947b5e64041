import JSONLine
import TripProtocol

extension ServerLine {
    /// The answer to trip.history.
    static func history(_ id: RequestID?, _ lines: [EditLog.Line]) -> [UInt8] {
        reply(id, reserving: 64 + 256 * lines.count) { json in
            json.beginObject()
            json.key("entries")
            json.beginArray()
            for line in lines {
                json.beginObject()
                json.member("version", line.version)
                json.member("at", line.at.description)
                json.member("user", line.user)
                json.member("summary", line.summary)
                json.key("ops")
                json.beginArray()
                for operation in line.operations {
                    json.beginObject()
                    json.member("op", operation.name)
                    json.member("item", operation.item)
                    json.member("title", operation.title)
                    json.endObject()
                }
                json.endArray()
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
    }
}
