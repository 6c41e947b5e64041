import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripProtocol

/// `dial-stdio`: relays a connection between the daemon and standard input and output, for ssh.
struct DialStdio {
    private let address: DaemonAddress
    private let user: String?
    private let role: Hello.Role?

    /// The time that the daemon may take to accept a restriction.
    private static let timeout: Int32 = 10_000

    private static let asUser = OptionRow.value(
        "--as", "NAME", "the user name of the connection, whatever the caller sends")
    private static let roleOption = OptionRow.value(
        "--role", "viewer|editor", "the highest role of the caller", .oneOf(["viewer", "editor"]))

    static let row = CommandRow(
        name: "dial-stdio", summary: "connect standard input and output to the daemon",
        forms: ["[--socket PATH] [--owner NAME] [--as NAME] [--role viewer|editor]"],
        options: [DaemonProgram.socket, DaemonProgram.owner, asUser, roleOption],
        examples: [
            .init("dial-stdio", "the far end of itinerary-client --host ssh://HOST"),
            .init("dial-stdio --as bob --role viewer", "in ~/.ssh/authorized_keys: bob's key, read-only"),
        ],
        details: [
            "Starts the daemon if none is running. With --as or --role one account can serve several",
            "people, by a line per key in its ~/.ssh/authorized_keys, such as:",
            "  command=\"itineraryd dial-stdio --as bob --role viewer\",restrict ssh-ed25519 AAAA…",
        ])

    init(_ command: ParsedCommand) throws(UsageError) {
        address = .named(
            socket: command.value(DaemonProgram.socket), owner: command.value(DaemonProgram.owner),
            in: .current)
        user = command.value(Self.asUser)
        role = try command.value(Self.roleOption).map { text throws(UsageError) in
            guard let role = Hello.Role(rawValue: text) else {
                throw UsageError("--role is viewer or editor, not \(UsageError.shown(text))")
            }
            return role
        }
    }

    /// Relays lines until one side ends. Starts the daemon first if none runs.
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
        try await DaemonStarter(at: address).startDaemon()
        return try DaemonConnection.open(to: address)
    }

    /// Restricts the connection before the remote client can send anything on it.
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
            Self.end("the daemon does not answer, so the connection is closed", 69)
        }
        guard let error = root["error"] else { return }
        let message = error["message"]?.string ?? "it gives no reason"
        switch error["data"]?["reason"]?.string {
        case "method_not_found"?, "not_initialized"?:
            Self.end("this daemon cannot restrict a connection (\(message)); it needs an update", 76)
        default: Self.end("the daemon refuses to restrict the connection: \(message)", 77)
        }
    }

    /// The daemon's first line, the answer to the restriction. The daemon sends nothing else unrequested.
    private func answer(from descriptor: borrowing Descriptor) throws(SystemError) -> [UInt8] {
        var line: [UInt8] = []
        var byte: [UInt8] = [0]
        while line.count < WireLimits.lineBytes, descriptor.isReadable(within: Self.timeout) {
            guard case .bytes = try descriptor.read(into: &byte), byte[0] != UInt8(ascii: "\n") else { break }
            line.append(byte[0])
        }
        return line
    }
}
