import JSONLine
import TripModel
import TripProtocol

/// What one connection has said so far, as a value: each line returns what to do with it.
struct Session {
    /// What a line comes to.
    enum Action {
        /// An error for a line that is no request; after the last one that is borne the connection closes.
        case bad([UInt8], isLast: Bool)
        /// An answer that needs nothing but the session.
        case answer(RequestID?, [UInt8])
        /// An error for JSON that is no request; it is answered even without an id.
        case invalid([UInt8])
        /// A hello that is in order.
        case welcome(RequestID?, Principal)
        /// A request for the daemon.
        case request(Asked)
    }

    /// A request that was read, and is not carried out yet.
    struct Asked {
        let id: RequestID?
        let request: Request
        /// See `ParkedRequest`.
        let fingerprint: UInt64
        let principal: Principal
    }

    let connection: ConnectionID
    /// The name of a user who gives none.
    let account: String
    private(set) var principal: Principal?
    private var badLinesInARow = 0

    init(connection: ConnectionID, account: String) {
        self.connection = connection
        self.account = account
    }

    mutating func receive(_ frame: LineFrame) -> Action {
        switch frame {
        case .tooLong:
            let message = "a line has at most \(WireLimits.lineBytes) bytes; its rest is skipped"
            return bad(WireError(.lineTooLong, message))
        case .line(let bytes):
            let root: JSONNode
            do throws(JSONSyntaxError) {
                root = try JSONDocument(parsing: bytes, maximumDepth: WireLimits.depth).root
            } catch {
                return bad(WireError(.parseError, "\(error)", .offset(error.offset)))
            }
            badLinesInARow = 0
            return receive(root)
        }
    }

    private mutating func bad(_ error: WireError) -> Action {
        badLinesInARow += 1
        return .bad(ServerLine.error(nil, error), isLast: badLinesInARow >= WireLimits.badLines)
    }

    private mutating func receive(_ root: JSONNode) -> Action {
        let envelope: RequestEnvelope
        do throws(RequestEnvelope.Failure) { envelope = try RequestEnvelope(root) } catch {
            return .invalid(ServerLine.error(error.id, error.error))
        }
        do throws(WireError) {
            return try dispatch(envelope)
        } catch {
            return .answer(envelope.id, ServerLine.error(envelope.id, error))
        }
    }

    private mutating func dispatch(_ envelope: RequestEnvelope) throws(WireError) -> Action {
        let method = Method(rawValue: envelope.method)
        guard principal != nil || method?.needsNoHello == true else {
            throw WireError(.notInitialized, "say hello first; only ping and rpc.discover work before")
        }
        guard let method else {
            throw WireError(.methodNotFound, "there is no method \(envelope.method)")
        }
        if method == .hello, principal != nil {
            throw WireError(.invalidRequest, "this connection has said hello already")
        }
        let request = try Request(method, params: envelope.params)
        switch request {
        case .ping: return .answer(envelope.id, ServerLine.emptyReply(envelope.id))
        case .discover:
            return .answer(envelope.id, ServerLine.reply(envelope.id, encoded: ProtocolDocument.line))
        case .hello(let hello):
            let principal = try greet(hello)
            self.principal = principal
            return .welcome(envelope.id, principal)
        default:
            guard let principal else { preconditionFailure("what comes before hello is answered above") }
            return .request(
                Asked(
                    id: envelope.id, request: request,
                    fingerprint: request.fingerprint(method, envelope.params), principal: principal))
        }
    }

    private func greet(_ hello: Hello) throws(WireError) -> Principal {
        do throws(Rejection) {
            try TextRule.line(.textBytes).check(hello.clientName, field: "client.name")
            try TextRule.line(.textBytes).check(hello.clientVersion, field: "client.version")
            if let user = hello.user {
                try TextRule.line(.userBytes).check(user, field: "user")
                guard user.contains(where: { !$0.isWhitespace }) else {
                    throw .invalid(field: "user", "it must not be empty")
                }
            }
        } catch {
            throw WireError(textual: error)
        }
        return Principal(
            connection: connection, user: hello.user ?? account, client: hello.clientID ?? .random(),
            role: hello.role, person: hello.person)
    }
}
