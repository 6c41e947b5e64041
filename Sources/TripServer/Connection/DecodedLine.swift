import JSONLine
import TripModel
import TripProtocol

/// A parsed line. It depends on the bytes alone, so any thread can parse it.
struct DecodedLine: Sendable {
    enum Content: Sendable {
        /// The line could not be parsed.
        case bad(WireError)
        /// JSON that is not a request.
        case invalid(RequestEnvelope.Failure)
        case call(Call)
    }

    /// A parsed request. The session decides whether it is allowed at this point.
    struct Call: Sendable {
        let id: RequestID?
        let asked: Asked
    }

    enum Asked: Sendable {
        case known(Known)
        /// An unknown method.
        case unknown(String)
    }

    /// A request of a known method.
    struct Known: Sendable {
        let method: Method
        let request: Result<Request, WireError>
        /// See `ParkedRequest`.
        let fingerprint: UInt64
        /// The size of the encoded parameters in bytes.
        let byteCount: Int
    }

    let content: Content

    init(_ frame: LineFrame) {
        switch frame {
        case .tooLong:
            let message = "a line has at most \(WireLimits.lineBytes) bytes; the rest of this one is skipped"
            content = .bad(WireError(.lineTooLong, message))
        case .line(let bytes): content = Self.content(of: bytes)
        }
    }

    private static func content(of bytes: [UInt8]) -> Content {
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONDocument(parsing: bytes, maximumDepth: WireLimits.depth).root
        } catch {
            return .bad(WireError(.parseError, "\(error)", .offset(error.offset)))
        }
        do throws(RequestEnvelope.Failure) {
            let envelope = try RequestEnvelope(root)
            let asked: Asked =
                if let method = envelope.method { .known(Known(method, envelope.params)) } else {
                    .unknown(envelope.name)
                }
            return .call(Call(id: envelope.id, asked: asked))
        } catch {
            return .invalid(error)
        }
    }
}

extension DecodedLine.Known {
    fileprivate init(_ method: Method, _ params: JSONNode?) {
        self.method = method
        byteCount = params?.rawBytes.count ?? 0
        do throws(WireError) {
            let request = try Request(method, params: params)
            self.request = .success(request)
            fingerprint = request.fingerprint(method, params)
        } catch {
            request = .failure(error)
            fingerprint = 0
        }
    }
}
