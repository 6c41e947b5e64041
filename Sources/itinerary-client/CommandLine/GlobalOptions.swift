import CommandLineKit

/// The options that every command takes.
enum GlobalOptions {
    static let socket = OptionRow.value(
        "--socket", "PATH", "the daemon's socket (ITINERARYD_SOCKET)", .file)
    static let host = OptionRow.value(
        "--host", "ssh://[USER@]HOST[:PORT]", "use the daemon of another machine (ITINERARYD_HOST)")
    static let user = OptionRow.value("--user", "NAME", "your name for others (your account's name)")
    static let owner = OptionRow.value(
        "--owner", "NAME", "the account whose daemon to use (ITINERARYD_OWNER)")
    static let json = OptionRow.flag("--json", "print one JSON document with the protocol's field names")
    static let quiet = OptionRow.flag("--quiet", "print nothing but errors to standard error")
    static let noStart = OptionRow.flag("--no-start", "do not start a daemon")
    static let noInput = OptionRow.flag("--no-input", "do not ask questions")
    static let timeout = OptionRow.value(
        "--timeout", "SECONDS", "the longest wait for an answer or for input (10)")

    static let all = [
        socket, host, owner, user, json, quiet, noStart, noInput, timeout, CommandLineParser.help,
        CommandLineParser.version,
    ]
}
