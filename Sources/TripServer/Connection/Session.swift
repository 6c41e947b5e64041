import TripModel
import TripProtocol

/// The protocol state of one connection, as a value: each received line returns an action.
struct Session {
    /// The result of a line.
    enum Action {
        /// An error for a line that is not JSON; after the last tolerated one the connection closes.
        case bad([UInt8], isLast: Bool)
        /// An answer that depends only on the session.
        case answer(RequestID?, [UInt8])
        /// An error for JSON that is not a request; it is sent even without an id.
        case invalid([UInt8])
        /// A valid `hello`.
        case welcome(RequestID?, Principal)
        /// A request for the daemon.
        case request(Call)
    }

    let connection: ConnectionID
    /// The account that opened the connection.
    let opener: Opener
    private(set) var principal: Principal?
    /// The restriction of the connection; nil if there is none.
    private var restriction: Restriction?
    private var badLinesInARow = 0

    /// The source of the ids of clients that name none.
    private var random: RandomSource

    init(connection: ConnectionID, opener: Opener, random: RandomSource = RandomSource()) {
        self.connection = connection
        self.opener = opener
        self.random = random
    }

    /// Processes a parsed line.
    mutating func receive(_ line: DecodedLine) -> Action {
        switch line {
        case .bad(let error):
            badLinesInARow += 1
            return .bad(ServerLine.error(nil, error), isLast: badLinesInARow >= WireLimits.badLines)
        case .invalid(let failure):
            badLinesInARow = 0
            return .invalid(ServerLine.error(failure.id, failure.error))
        case .request(let id, let moment, let parsed):
            badLinesInARow = 0
            do throws(WireError) { return try dispatch(id, moment, parsed) } catch {
                return .answer(id, ServerLine.error(id, error))
            }
        }
    }

    private mutating func dispatch(
        _ id: RequestID?, _ moment: MethodTraits.Moment, _ parsed: Result<ParsedRequest, WireError>
    ) throws(WireError) -> Action {
        if principal == nil, moment == .afterHello {
            throw WireError(
                .notInitialized,
                "send hello first; only ping and rpc.discover are allowed before it")
        }
        if principal != nil, moment == .beforeHello {
            throw WireError(.invalidRequest, "this connection has sent hello already")
        }
        let parsed = try parsed.get()
        switch parsed.request {
        case .ping: return .answer(id, ServerLine.emptyReply(id))
        case .discover: return .answer(id, ServerLine.reply(id, encoded: ProtocolDocument.line))
        case .restrict(let more):
            try restrict(more)
            return .answer(id, ServerLine.emptyReply(id))
        case .hello(let hello):
            let principal = try greet(hello)
            self.principal = principal
            return .welcome(id, principal)
        default:
            guard let principal else { preconditionFailure("requests before hello are answered above") }
            return .request(Call(parsed, by: principal, id))
        }
    }

    private mutating func greet(_ hello: Hello) throws(WireError) -> Principal {
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
        let client = hello.clientID ?? .random(using: &random)
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

    /// Restricts the connection further; a restriction is never lifted.
    private mutating func restrict(_ more: Restriction) throws(WireError) {
        do throws(Rejection) { try Self.check(user: more.user) } catch { throw WireError(textual: error) }
        var narrowed = restriction ?? Restriction()
        if let user = more.user {
            if let known = narrowed.user ?? opener.fixedName, Array(known.utf8) != Array(user.utf8) {
                throw WireError(.invalidRequest, "this connection belongs to \(known) already")
            }
            narrowed.user = user
        }
        if narrowed.role != .viewer { narrowed.role = more.role ?? narrowed.role }
        restriction = narrowed
    }
}

/// The embedded OpenRPC document, `Protocol/openrpc.json`.
enum ProtocolDocument {
    /// The document on one line, without white space between its tokens.
    static let line: [UInt8] = {
        var line: [UInt8] = []
        line.reserveCapacity(PackageResources.openrpc_json.count)
        var isInString = false
        var isEscaped = false
        for byte in PackageResources.openrpc_json {
            // Outside strings, all JSON bytes up to a space are white space.
            if !isInString, byte <= UInt8(ascii: " ") { continue }
            line.append(byte)
            if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return line
    }()
}
