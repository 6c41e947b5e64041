import LocalSystem
import TripClient
import TripProtocol

/// What the command line says of who calls which daemon.
struct CallerOptions: Sendable {
    var socket: String?
    var host: String?
    /// The account whose daemon is meant.
    var owner: String?
    var user: String?
    var timeout: String?
    /// Whether a daemon is started where none runs.
    var startsDaemon = true
}

/// Who calls which daemon: what every command needs first.
struct Caller: Sendable {
    /// Where the daemon is.
    let address: DaemonAddress
    private let socketIsDefault: Bool
    private(set) var user: String?
    /// Whether what can be undone is shared with the person's other programs.
    private var sharesUndo = true
    /// Whether a daemon is started where none runs; that of another machine is started there.
    private(set) var startsDaemon: Bool
    /// How long the daemon may take to answer a request, and how long input may take to come.
    let timeout: Duration
    private let environment: ProcessEnvironment

    /// Takes what the command line says, and the environment where it says nothing.
    init(_ options: CallerOptions) throws(CommandFailure) {
        environment = .current
        let home = CurrentUser.home(environment: environment.variables) ?? "/"
        let defaults = DefaultPaths(
            environment: environment.variables, userID: CurrentUser.id, home: home)
        if options.socket != nil, options.host != nil {
            throw .usage("--socket and --host exclude each other")
        }
        let host = options.socket == nil ? options.host ?? environment.nonEmpty("ITINERARYD_HOST") : nil
        let chosen = options.socket ?? environment.nonEmpty("ITINERARYD_SOCKET")
        if host != nil, options.owner != nil {
            throw .usage("--owner is for a daemon of this machine, and --host names another one")
        }
        if let host {
            do throws(RemoteHost.Mistake) { address = DaemonAddress(host: try RemoteHost(host)) } catch {
                throw .usage(PlainText.visible(error.description))
            }
        } else {
            address = DaemonAddress(
                path: chosen ?? defaults.socket(),
                owner: options.owner ?? environment.nonEmpty("ITINERARYD_OWNER"))
        }
        socketIsDefault = chosen == nil
        user = options.user
        timeout = try Self.timeout(options.timeout)
        // Another account's daemon is theirs to start.
        startsDaemon = options.startsDaemon && address.isOwn
    }

    private static func timeout(_ text: String?) throws(CommandFailure) -> Duration {
        guard let text else { return .seconds(10) }
        guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
            throw .usage("--timeout is a number of seconds, such as 10, not \(PlainText.visible(text))")
        }
        return .milliseconds(max(1, Int(seconds * 1000)))
    }

    /// What the user is called where they see themselves.
    var userName: String { user ?? CurrentUser.name ?? "you" }

    /// The same caller, whose changes are nobody else's to undo, nor the others' its.
    var asItself: Caller {
        var caller = self
        caller.sharesUndo = false
        return caller
    }

    /// The same caller under a name, where it has none yet.
    func named(ifNobody name: String) -> Caller {
        var caller = self
        let visible = PlainText.visible(name).prefix { $0 != "\n" }
        var text = ""
        for character in visible where text.utf8.count + character.utf8.count <= 64 { text.append(character) }
        if caller.user == nil, text.contains(where: { !$0.isWhitespace }) { caller.user = text }
        return caller
    }

    /// The same caller, who starts no daemon.
    var withoutStarting: Caller {
        var caller = self
        caller.startsDaemon = false
        return caller
    }

    /// The same caller, who has lost a daemon: another one is started only where it is known to be the same.
    var afterLoss: Caller { starter.record == nil ? withoutStarting : self }

    /// The same caller, who starts a daemon where none runs: a person has asked for it.
    var starting: Caller {
        var caller = self
        caller.startsDaemon = address.isOwn
        return caller
    }

    /// How a live trip calls: where nobody listens it has a daemon started, if one is wanted.
    func liveOptions(role: Hello.Role) -> LiveTrip.Options {
        LiveTrip.Options(
            user: user, role: role, client: (Self.program, ProtocolVersion.program),
            person: PersonFile.current(named: user, makes: role == .editor),
            // The editor has a limit of its own, which every key extends.
            dragTimeout: .seconds(3600),
            whenNobodyListens: { lastLoss throws(ClientError) in
                guard startsDaemon else { throw .noDaemon(socket: address.path) }
                try await starter.startDaemon(after: lastLoss)
            })
    }

    private static let program = "itinerary-client"

    /// Connects, starting the daemon first where none runs and one is wanted.
    ///
    /// - Parameter clientID: the id of an earlier connection of the same client.
    func connect(
        clientID: ClientID? = nil, role: Hello.Role = .editor, on loop: EventLoop? = nil
    ) async throws(ClientError) -> (client: TripClient, welcome: Welcome) {
        let hello = Hello(
            clientName: Self.program, clientVersion: ProtocolVersion.program, user: user,
            clientID: clientID,
            person: sharesUndo ? PersonFile.current(named: user, makes: role == .editor) : nil,
            role: role)
        do throws(ClientError) {
            return try await connectOnce(hello, loop)
        } catch {
            guard case .noDaemon = error, startsDaemon else { throw error }
        }
        let daemon = try starter.start()
        return try await starter.waitUntilServing(daemon) { () async throws(ClientError) in
            try await connectOnce(hello, loop)
        }
    }

    private var starter: DaemonStarter {
        DaemonStarter(at: address, socketIsDefault: socketIsDefault, environment: environment)
    }

    private func connectOnce(
        _ hello: Hello, _ loop: EventLoop?
    ) async throws(ClientError) -> (client: TripClient, welcome: Welcome) {
        try await TripClient.connect(to: address, saying: hello, on: loop, patience: timeout)
    }
}
