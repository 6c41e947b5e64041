import JSONLine
import TripModel

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
