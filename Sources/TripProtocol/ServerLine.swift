import JSONLine
import TripModel

/// Encodes the daemon's lines. `version` always precedes any item.
package enum ServerLine {
    /// The beginning of every line.
    private static let head: StaticString = #"{"jsonrpc":"2.0""#

    /// A reply whose result `body` writes as one value.
    package static func reply(
        _ id: RequestID?, reserving capacity: Int = 512, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(inside: head, reserving: capacity)
        json.member("id", id)
        json.key("result")
        body(&json)
        json.endObject()
        json.endLine()
        return json.take()
    }

    /// The answer `{}`.
    package static func emptyReply(_ id: RequestID?) -> [UInt8] {
        reply(id, reserving: 48) { json in
            json.beginObject()
            json.endObject()
        }
    }

    /// A reply with an already encoded result.
    package static func reply(_ id: RequestID?, encoded result: [UInt8]) -> [UInt8] {
        reply(id, reserving: result.count + 64) { $0.raw(result) }
    }

    /// An error.
    package static func error(_ id: RequestID?, _ error: WireError) -> [UInt8] {
        var json = JSONWriter(inside: head, reserving: 256)
        json.member("id", id)
        json.key("error")
        error.encode(into: &json)
        json.endObject()
        json.endLine()
        return json.take()
    }

    /// A notification whose params `members` writes.
    ///
    /// - Parameter reserving: its approximate size in bytes.
    package static func notification(
        _ method: StaticString, reserving: Int = 256, _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(inside: head, reserving: reserving)
        json.member("method", plain: method)
        json.key("params")
        json.beginObject()
        members(&json)
        json.endObject()
        json.endObject()
        json.endLine()
        return json.take()
    }

    /// A reply around an already encoded part; `body` returns the offset of that part.
    static func splitReply(_ id: RequestID?, _ body: (inout JSONWriter) -> Int) -> SplitLine {
        var place = 0
        let line = reply(id) { place = body(&$0) }
        return SplitLine(line, at: place)
    }

    /// A notification around already encoded members; `members` returns their offset.
    static func splitNotification(
        _ method: StaticString, _ members: (inout JSONWriter) -> Int
    ) -> SplitLine {
        var place = 0
        let line = notification(method) { place = members(&$0) }
        return SplitLine(line, at: place)
    }
}

/// A line without an already encoded part, which is sent between its head and its tail without copying.
package struct SplitLine: Sendable {
    /// The bytes before the part.
    package let head: [UInt8]
    /// The bytes after the part, with the newline.
    package let tail: [UInt8]

    fileprivate init(_ line: [UInt8], at place: Int) {
        head = Array(line[..<place])
        tail = Array(line[place...])
    }

    /// The whole line.
    package func around(_ encoded: [UInt8]) -> [UInt8] { head + encoded + tail }
}
