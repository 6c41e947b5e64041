import JSONLine
import LocalSystem

/// What commands print of the daemon's answers.
enum Answer {
    /// An answer as it came: one JSON document.
    static func print(_ answer: JSONNode) {
        StandardStream.output.write(Array(answer.rawBytes) + [UInt8(ascii: "\n")])
    }

    /// A JSON object that is made here.
    static func print(_ members: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.beginObject()
        members(&json)
        json.endObject()
        json.endLine()
        StandardStream.output.write(json.take())
    }

    /// Params of a request, as JSON text.
    static func params(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        members(&json)
        json.endObject()
        return json.take()
    }
}
