import JSONLine
import TripProtocol

extension ServerLine {
    /// Bytes of an answer after which no further line is told; who wants them asks for those before the last.
    private static let historyBytes = 1 << 20

    /// The answer to trip.history: as many of the lines as it may hold, and one at least.
    static func history(_ id: RequestID?, _ lines: [EditLog.Line]) -> [UInt8] {
        reply(id, reserving: 64 + 256 * lines.count) { json in
            json.beginObject()
            json.key("entries")
            json.beginArray()
            for line in lines where json.byteCount < historyBytes {
                json.encode(
                    history: line.version, at: line.at, user: line.user, summary: line.summary,
                    line.operations)
            }
            json.endArray()
            json.endObject()
        }
    }
}
