import JSONLine
import LocalSystem

/// Prints the daemon's answers.
enum Answer {
    /// Prints an answer unchanged, as one JSON document.
    static func print(_ answer: JSONNode) {
        StandardStream.output.write(Array(answer.rawBytes) + [UInt8(ascii: "\n")])
    }

    /// Prints a JSON object made here.
    static func print(_ members: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.beginObject()
        members(&json)
        json.endObject()
        json.endLine()
        StandardStream.output.write(json.take())
    }

    /// The params of a request, as JSON text.
    static func params(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        members(&json)
        json.endObject()
        return json.take()
    }
}
