import JSONLine
import LocalSystem

/// The messages that an assistant is sent, each one JSON object without a line end.
enum AssistantMessage {
    static func result(_ id: JSONNode, _ result: [UInt8]) -> [UInt8] {
        message { json in
            json.key("id")
            json.raw(id.rawBytes)
            json.key("result")
            json.raw(result)
        }
    }

    /// - Parameter id: that of the request; nil, and null, where it has none that can be.
    static func refusal(_ id: JSONNode?, _ code: Int, _ text: String) -> [UInt8] {
        message { json in
            json.key("id")
            if let id, id.string != nil || id.double != nil { json.raw(id.rawBytes) } else { json.null() }
            json.key("error")
            json.beginObject()
            json.member("code", code)
            json.member("message", text)
            json.endObject()
        }
    }

    /// Tells that a resource has changed.
    static func update(of uri: String) -> [UInt8] {
        message { json in
            json.member("method", "notifications/resources/updated")
            json.key("params")
            json.beginObject()
            json.member("uri", uri)
            json.endObject()
        }
    }

    /// Several messages as one.
    static func list(_ messages: [[UInt8]]) -> [UInt8] {
        Array("[".utf8) + Array(messages.joined(separator: Array(",".utf8))) + Array("]".utf8)
    }

    private static func message(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("jsonrpc", "2.0")
        members(&json)
        json.endObject()
        return json.take()
    }
}

/// Standard output in whole messages, from any thread.
final class AssistantOutput: Sendable {
    private let turn = Guarded(())

    func send(_ message: [UInt8]) {
        turn.withLock { _ in StandardStream.output.write(message + [UInt8(ascii: "\n")]) }
    }
}
