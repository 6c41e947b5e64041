import JSONLine
import TripModel
import TripProtocol

/// What a line says, whoever said it: a value of its bytes alone, so that any thread can read it.
struct LineReading: Sendable {
    enum Content: Sendable {
        /// No line that can be read.
        case bad(WireError)
        /// JSON that is no request.
        case invalid(RequestEnvelope.Failure)
        case call(Call)
    }

    /// A request as it was read. Whether it may be asked at this point is for the session to say.
    struct Call: Sendable {
        let id: RequestID?
        let asked: Asked
    }

    enum Asked: Sendable {
        case known(Known)
        /// There is no method of this name.
        case unknown(String)
    }

    /// What is asked of a method that there is.
    struct Known: Sendable {
        let method: Method
        let request: Result<Request, WireError>
        /// See `ParkedRequest`.
        let fingerprint: UInt64
        /// Bytes of the parameters as they came.
        let byteCount: Int
    }

    let content: Content

    init(_ frame: LineFrame) {
        switch frame {
        case .tooLong:
            let message = "a line has at most \(WireLimits.lineBytes) bytes; its rest is skipped"
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

extension LineReading.Known {
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
