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
        var request: Request
        /// See `ParkedRequest`.
        var fingerprint: UInt64
        let principal: Principal
        /// Bytes of its parameters as they came.
        let byteCount: Int
        /// See `ParkedRequest`.
        var batchBytes = 0
    }

    let connection: ConnectionID
    /// Whose it is, as the system says.
    let opener: Opener
    private(set) var principal: Principal?
    /// What it may be at most; nil where nobody has restricted it.
    private var restriction: Restriction?
    private var badLinesInARow = 0

    init(connection: ConnectionID, opener: Opener) {
        self.connection = connection
        self.opener = opener
    }

    /// Takes what the next line says.
    mutating func receive(_ reading: LineReading) -> Action {
        switch reading.content {
        case .bad(let error):
            badLinesInARow += 1
            return .bad(ServerLine.error(nil, error), isLast: badLinesInARow >= WireLimits.badLines)
        case .invalid(let failure):
            badLinesInARow = 0
            return .invalid(ServerLine.error(failure.id, failure.error))
        case .call(let call):
            badLinesInARow = 0
            do throws(WireError) { return try dispatch(call) } catch {
                return .answer(call.id, ServerLine.error(call.id, error))
            }
        }
    }

    private mutating func dispatch(_ call: LineReading.Call) throws(WireError) -> Action {
        let moment: MethodTraits.Moment =
            if case .known(let known) = call.asked { known.method.traits.moment } else { .afterHello }
        guard principal != nil || moment != .afterHello else {
            throw WireError(.notInitialized, "say hello first; only ping and rpc.discover work before")
        }
        let known: LineReading.Known
        switch call.asked {
        case .known(let asked): known = asked
        case .unknown(let name): throw WireError(.methodNotFound, "there is no method \(name)")
        }
        if principal != nil, moment == .beforeHello {
            throw WireError(.invalidRequest, "this connection has said hello already")
        }
        let request = try known.request.get()
        switch request {
        case .ping: return .answer(call.id, ServerLine.emptyReply(call.id))
        case .discover:
            return .answer(call.id, ServerLine.reply(call.id, encoded: ProtocolDocument.line))
        case .restrict(let more):
            try restrict(more)
            return .answer(call.id, ServerLine.emptyReply(call.id))
        case .hello(let hello):
            let principal = try greet(hello)
            self.principal = principal
            return .welcome(call.id, principal)
        default:
            guard let principal else { preconditionFailure("what comes before hello is answered above") }
            return .request(
                Asked(
                    id: call.id, request: request,
                    fingerprint: known.fingerprint, principal: principal,
                    byteCount: known.byteCount))
        }
    }

    private func greet(_ hello: Hello) throws(WireError) -> Principal {
        do throws(Rejection) {
            try TextRule.line(.textBytes).check(hello.clientName, field: "client.name")
            try TextRule.line(.textBytes).check(hello.clientVersion, field: "client.version")
            try Self.check(user: hello.user)
        } catch {
            throw WireError(textual: error)
        }
        let most: Access =
            switch restriction?.role {
            case _ where restriction == nil: .owner
            case .viewer?: .viewer
            case .editor?, nil: .editor
            }
        let rights = opener.rights.limited(to: min(most, hello.role == .viewer ? .viewer : .owner))
        let client = hello.clientID ?? .random()
        let said = opener.fixedName == nil && restriction?.user == nil ? hello.user : nil
        return Principal(
            connection: connection, user: said ?? restriction?.user ?? opener.name, client: client,
            repeater: opener.own(client, under: restriction), access: rights.inGeneral, rights: rights,
            isVerified: said == nil,
            person: hello.person.map { opener.own($0, under: restriction) })
    }

    private static func check(user: String?) throws(Rejection) {
        guard let user else { return }
        try TextRule.line(.userBytes).check(user, field: "user")
        guard user.contains(where: { !$0.isWhitespace }) else {
            throw .invalid(field: "user", "it must not be empty")
        }
    }

    /// Narrows what the connection may be; what was narrowed stays so.
    private mutating func restrict(_ more: Restriction) throws(WireError) {
        do throws(Rejection) { try Self.check(user: more.user) } catch { throw WireError(textual: error) }
        var narrowed = restriction ?? Restriction()
        if let user = more.user {
            if let known = narrowed.user ?? opener.fixedName, Array(known.utf8) != Array(user.utf8) {
                throw WireError(.invalidRequest, "this connection is \(known)'s already")
            }
            narrowed.user = user
        }
        if narrowed.role != .viewer { narrowed.role = more.role ?? narrowed.role }
        restriction = narrowed
    }
}
