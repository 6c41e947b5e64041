import LocalSystem
import TripClient
import TripProtocol

/// The options of the command line that select the user and the daemon.
struct CallerOptions: Sendable {
    var socket: String?
    var host: String?
    /// The account that owns the daemon.
    var owner: String?
    var user: String?
    var timeout: String?
    /// Whether to start a daemon if none runs.
    var startsDaemon = true
}

/// The user, the daemon to connect to, and how to connect.
struct Caller: Sendable {
    /// The daemon's address.
    let address: DaemonAddress
    private(set) var user: String?
    /// Whether the undo history is shared with the user's other programs.
    private var sharesUndo = true
    /// Whether to start a daemon if none runs; a remote daemon is started on its machine.
    private(set) var startsDaemon: Bool
    /// The time limit for an answer of the daemon, and for input to arrive.
    let timeout: Duration
    private let environment: ProcessEnvironment

    /// Reads the options; the environment gives the defaults.
    init(_ options: CallerOptions) throws(CommandFailure) {
        environment = .current
        if options.socket != nil, options.host != nil {
            throw .usage("--socket and --host exclude each other")
        }
        let host = options.socket == nil ? options.host ?? environment.nonEmpty("ITINERARYD_HOST") : nil
        if host != nil, options.owner != nil {
            throw .usage("--owner is for a daemon of this machine, and --host names another one")
        }
        if let host {
            do throws(DaemonAddress.Host.Mistake) {
                address = DaemonAddress(host: try DaemonAddress.Host(host))
            } catch {
                throw .usage(PlainText.visible(error.description))
            }
        } else {
            address = .named(socket: options.socket, owner: options.owner, in: environment)
        }
        user = options.user
        timeout = try Self.timeout(options.timeout)
        // Only its own account may start another account's daemon.
        startsDaemon = options.startsDaemon && address.isOwn
    }

    private static func timeout(_ text: String?) throws(CommandFailure) -> Duration {
        guard let text else { return .seconds(10) }
        guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
            throw .usage("--timeout is a number of seconds, such as 10, not \(PlainText.visible(text))")
        }
        return .milliseconds(max(1, Int(seconds * 1000)))
    }

    /// The name shown to the user.
    var userName: String { user ?? CurrentUser.name ?? "you" }

    /// The same caller with an undo history of its own.
    var asItself: Caller {
        var caller = self
        caller.sharesUndo = false
        return caller
    }

    /// The same caller, with this name if it has none.
    func named(ifNobody name: String) -> Caller {
        var caller = self
        let visible = PlainText.visible(name).prefix { $0 != "\n" }
        var text = ""
        for character in visible where text.utf8.count + character.utf8.count <= 64 { text.append(character) }
        if caller.user == nil, text.contains(where: { !$0.isWhitespace }) { caller.user = text }
        return caller
    }

    /// The same caller, which starts no daemon.
    var withoutStarting: Caller {
        var caller = self
        caller.startsDaemon = false
        return caller
    }

    /// The same caller after it lost a daemon. It starts another one only if that is known to be the same.
    var afterLoss: Caller { starter.record == nil ? withoutStarting : self }

    /// The same caller, which starts a daemon because the user asked for it.
    var starting: Caller {
        var caller = self
        caller.startsDaemon = address.isOwn
        return caller
    }

    /// Options for a live trip, which starts a daemon if none listens and the caller may.
    func liveOptions(role: Hello.Role) -> LiveTrip.Options {
        LiveTrip.Options(
            user: user, role: role, clientName: Self.program,
            person: PersonFile.current(named: user, createsIfMissing: role == .editor),
            // The editor has its own limit, which every key extends.
            dragTimeout: .seconds(3600),
            startDaemon: { lastLoss throws(ClientError) in
                guard startsDaemon else { throw .noDaemon(socket: address.path) }
                try await starter.startDaemon(after: lastLoss)
            })
    }

    private static let program = "itinerary-client"

    /// Connects; starts the daemon first if none runs and the caller may.
    ///
    /// - Parameter clientID: the id of an earlier connection of the same client.
    func connect(
        clientID: ClientID? = nil, role: Hello.Role = .editor, on loop: EventLoop? = nil
    ) async throws(ClientError) -> (client: TripClient, welcome: Welcome) {
        let hello = Hello(
            clientName: Self.program, clientVersion: ProtocolVersion.program, user: user,
            clientID: clientID,
            person: sharesUndo ? PersonFile.current(named: user, createsIfMissing: role == .editor) : nil,
            role: role)
        do throws(ClientError) {
            return try await connectOnce(hello, loop)
        } catch {
            guard case .noDaemon = error, startsDaemon || address.holder != nil else { throw error }
        }
        return try await starter.waitUntilServing(startsDaemon ? starter.start() : nil) {
            () async throws(ClientError) in
            try await connectOnce(hello, loop)
        }
    }

    private var starter: DaemonStarter { DaemonStarter(at: address, environment: environment) }

    private func connectOnce(
        _ hello: Hello, _ loop: EventLoop?
    ) async throws(ClientError) -> (client: TripClient, welcome: Welcome) {
        try await TripClient.connect(to: address, saying: hello, on: loop, timeout: timeout)
    }
}
