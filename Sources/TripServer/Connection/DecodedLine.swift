import JSONLine
import TripProtocol

/// A parsed line. It depends on the bytes alone, so any thread can parse it.
enum DecodedLine: Equatable, Sendable {
    /// The line could not be parsed.
    case bad(WireError)
    /// JSON that is not a request.
    case invalid(RequestEnvelope.Failure)
    /// A request. The session decides whether it is allowed at this point.
    case request(RequestID?, MethodTraits.Moment, Result<ParsedRequest, WireError>)

    init(_ frame: LineFrame) {
        switch frame {
        case .tooLong:
            let message = "a line has at most \(WireLimits.lineBytes) bytes; the rest of this one is skipped"
            self = .bad(WireError(.lineTooLong, message))
        case .line(let bytes): self.init(bytes)
        }
    }

    private init(_ bytes: [UInt8]) {
        if let move = bytes.withUnsafeBufferPointer({ Self(move: $0) }) {
            self = move
            assert(self == Self(general: bytes), "both readers read the same")
        } else {
            self.init(general: bytes)
        }
    }

    /// Reads any line.
    init(general bytes: [UInt8]) {
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONDocument(parsing: bytes, maximumDepth: WireLimits.depth).root
        } catch {
            self = .bad(WireError(.parseError, "\(error)", .offset(error.offset)))
            return
        }
        do throws(RequestEnvelope.Failure) {
            let envelope = try RequestEnvelope(root)
            let moment = envelope.method?.traits.moment ?? .afterHello
            self = .request(envelope.id, moment, ParsedRequest.parse(envelope))
        } catch {
            self = .invalid(error)
        }
    }
}

/// The request of a line, with everything that depends on its text.
struct ParsedRequest: Equatable, Sendable {
    let request: Request
    /// Identifies the request for retries; 0 if it cannot be retried.
    let fingerprint: UInt64
    /// The size of the encoded parameters in bytes.
    let byteCount: Int

    fileprivate static func parse(_ envelope: RequestEnvelope) -> Result<Self, WireError> {
        guard let method = envelope.method else {
            return .failure(WireError(.methodNotFound, "there is no method \(envelope.name)"))
        }
        let params = envelope.params
        do throws(WireError) {
            let request = try Request(method, params: params)
            let fingerprint = request.fingerprint(method, params)
            return .success(
                Self(request: request, fingerprint: fingerprint, byteCount: params?.rawBytes.count ?? 0))
        } catch {
            return .failure(error)
        }
    }
}

extension DecodedLine {
    /// Reads an `item.move` in the form in which clients write it, in one pass; nil for any other line. The result is that
    /// of `init(general:)`.
    init?(move line: UnsafeBufferPointer<UInt8>) {
        guard let move = MoveLine(line) else { return nil }
        let request = ParsedRequest(
            request: .change(move.change), fingerprint: move.options.seq == nil ? 0 : move.fingerprint,
            byteCount: move.byteCount)
        self = .request(.number(move.id), Method.moveItem.traits.moment, .success(request))
    }
}
