import LocalSystem
import TripClient
import TripProtocol

/// Who calls which daemon: what every command needs first.
struct Caller: Sendable {
    let socket: String
    private let socketIsDefault: Bool
    let user: String?
    /// Whether a daemon is started where none runs.
    private(set) var startsDaemon: Bool
    /// Whether a trip is only looked at.
    var isViewer = false
    /// How long the daemon may take to answer a request.
    let timeout: Duration
    private let environment: ProcessEnvironment

    /// Takes the options that all commands have.
    ///
    /// - Parameter startsDaemon: whether this command starts a daemon unless told not to.
    init(_ arguments: inout Arguments, startsDaemon: Bool) throws(CommandFailure) {
        environment = .current
        let named = try parsing { () throws(Arguments.UsageError) in try arguments.option("--socket") }
        let home = CurrentUser.home(environment: environment.variables) ?? "/"
        let defaults = DefaultPaths(
            environment: environment.variables, userID: CurrentUser.id, home: home)
        let chosen = named ?? environment.nonEmpty("ITINERARYD_SOCKET")
        socket = chosen ?? defaults.socket()
        socketIsDefault = chosen == nil
        user = try parsing { () throws(Arguments.UsageError) in try arguments.option("--user") }
        timeout = try Self.timeout(&arguments)
        let noStart = arguments.flag("--no-start")
        self.startsDaemon = startsDaemon && !noStart
    }

    private static func timeout(_ arguments: inout Arguments) throws(CommandFailure) -> Duration {
        guard let text = try parsing({ () throws(Arguments.UsageError) in try arguments.option("--timeout") })
        else { return .seconds(10) }
        guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
            throw CommandFailure(
                "--timeout is a number of seconds, such as 10, not \(text)", exitCode: CommandFailure.usage)
        }
        return .milliseconds(Int(seconds * 1000))
    }

    /// What the user is called where they see themselves.
    var userName: String { user ?? CurrentUser.name ?? "you" }

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
        caller.startsDaemon = true
        return caller
    }

    /// How a live trip calls: where nobody listens it has a daemon started, if one is wanted.
    var liveOptions: LiveTrip.Options {
        LiveTrip.Options(
            user: user, role: isViewer ? .viewer : .editor, client: (Self.program, ProtocolVersion.program),
            whenNobodyListens: { lastLoss throws(ClientError) in
                // A daemon that was stopped on purpose is not started again behind somebody's back.
                // Nor is another one started in the place of one that has not said what it served.
                guard startsDaemon, lastLoss != .closed(.shuttingDown),
                    lastLoss == nil || starter.record != nil
                else { throw .noDaemon(socket: socket) }
                try await connect(role: .viewer).client.close()
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
            clientID: clientID, role: role)
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
        DaemonStarter(socket: socket, socketIsDefault: socketIsDefault, environment: environment)
    }

    private func connectOnce(
        _ hello: Hello, _ loop: EventLoop?
    ) async throws(ClientError) -> (client: TripClient, welcome: Welcome) {
        if let loop {
            return try await TripClient.connect(to: socket, saying: hello, on: loop, patience: timeout)
        }
        return try await TripClient.connect(to: socket, saying: hello, patience: timeout)
    }
}
