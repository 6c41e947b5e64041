import JSONLine
import LocalSystem
import TripClient
import TripProtocol

/// `dial-stdio`: carries the lines of a connection between the daemon and this process's standard streams, as a program
/// such as ssh needs them that leads here from another machine.
struct DialStdio {
    private let socket: String
    private let socketIsDefault: Bool
    private let owner: String?
    private let user: String?
    private let role: Hello.Role?

    /// How long the daemon may take to accept a restriction.
    private static let patience: Int32 = 10_000

    init(_ arguments: inout Arguments) throws(Arguments.UsageError) {
        let environment = ProcessEnvironment.current
        let named = try arguments.option("--socket") ?? environment.nonEmpty("ITINERARYD_SOCKET")
        let home = CurrentUser.home(environment: environment.variables) ?? "/"
        let defaults = DefaultPaths(
            environment: environment.variables, userID: CurrentUser.id, home: home)
        socket = named ?? defaults.socket()
        socketIsDefault = named == nil
        owner = try arguments.option("--owner") ?? environment.nonEmpty("ITINERARYD_OWNER")
        user = try arguments.option("--as")
        role = try arguments.option("--role").map { text throws(Arguments.UsageError) in
            guard let role = Hello.Role(rawValue: text) else {
                throw .init("--role is viewer or editor, not \(text)")
            }
            return role
        }
        try arguments.finish()
    }

    /// Carries lines until one side ends, starting the daemon first where none runs.
    func run() async -> Never {
        Signals.ignoreBrokenPipe()
        let connection: DaemonConnection
        do throws(ClientError) { connection = try await connect() } catch {
            Self.end("\(error)", 69)
        }
        let descriptor = connection.takeSocket()
        do throws(SystemError) {
            try descriptor.setNonBlocking(false)
            if user != nil || role != nil { try restrict(descriptor) }
            try StreamRelay.carry(descriptor)
        } catch {
            Self.end("\(error)", 74)
        }
    }

    private static func end(_ message: String, _ code: Int32) -> Never {
        StandardStream.error.print("itineraryd: \(message)")
        ProcessExit.now(code)
    }

    private func connect() async throws(ClientError) -> DaemonConnection {
        let address = DaemonAddress(path: socket, owner: owner)
        do throws(ClientError) { return try DaemonConnection.open(to: address) } catch {
            // Another account's daemon is theirs to start.
            guard case .noDaemon = error, address.isOwn else { throw error }
        }
        let starter = DaemonStarter(
            socket: socket, socketIsDefault: socketIsDefault, environment: .current)
        let daemon = try starter.start()
        try await starter.waitUntilServing(daemon) { () async throws(ClientError) in
            // It is only looked whether one serves.
            _ = try DaemonConnection.open(to: address).takeSocket()
        }
        return try DaemonConnection.open(to: address)
    }

    /// Narrows the connection before whoever dials can say anything on it.
    private func restrict(_ descriptor: borrowing Descriptor) throws(SystemError) {
        var json = JSONWriter()
        json.beginObject()
        json.member("jsonrpc", "2.0")
        json.member("id", "dial-stdio")
        json.member("method", "session.restrict")
        json.key("params")
        json.beginObject()
        json.member("user", user)
        json.member("role", role?.rawValue)
        json.endObject()
        json.endObject()
        json.endLine()
        _ = try descriptor.write(json.take())
        let line = try answer(from: descriptor)
        guard let root = try? JSONDocument(parsing: line).root else {
            Self.end("the daemon does not answer, so nothing is let through", 69)
        }
        guard let error = root["error"] else { return }
        let message = error["message"]?.string ?? "it gives no reason"
        switch error["data"]?["reason"]?.string {
        case "method_not_found"?, "not_initialized"?:
            Self.end("this daemon cannot restrict a connection (\(message)); it needs an update", 76)
        default: Self.end("the daemon refuses to restrict the connection: \(message)", 77)
        }
    }

    /// The first line that the daemon sends; nothing comes after it that nobody has asked for.
    private func answer(from descriptor: borrowing Descriptor) throws(SystemError) -> [UInt8] {
        var line: [UInt8] = []
        var byte: [UInt8] = [0]
        while line.count < WireLimits.lineBytes, descriptor.isReadable(within: Self.patience) {
            guard case .bytes = try descriptor.read(into: &byte), byte[0] != UInt8(ascii: "\n") else { break }
            line.append(byte[0])
        }
        return line
    }
}
