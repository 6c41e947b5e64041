/// The options that every command takes.
enum GlobalOptions {
    static let socket = OptionRow.value(
        "--socket", "PATH", "the daemon's socket; else ITINERARYD_SOCKET, else the usual place", .file)
    static let host = OptionRow.value(
        "--host", "ssh://[USER@]HOST[:PORT]", "the daemon of another machine; else ITINERARYD_HOST")
    static let user = OptionRow.value(
        "--user", "NAME", "who you are for the others; else your account's name")
    static let owner = OptionRow.value(
        "--owner", "NAME", "the account whose daemon is meant; else ITINERARYD_OWNER, else your own")
    static let json = OptionRow.flag("--json", "one JSON document with the wire's field names")
    static let quiet = OptionRow.flag("--quiet", "say nothing on standard error but errors")
    static let noStart = OptionRow.flag("--no-start", "start no daemon")
    static let noInput = OptionRow.flag("--no-input", "ask nothing")
    static let timeout = OptionRow.value(
        "--timeout", "SECONDS", "how long an answer, or input, may take (10)")
    static let help = OptionRow.flag("--help", "tell more of a command")
    static let version = OptionRow.flag("--version", "tell the version")

    static let all = [socket, host, owner, user, json, quiet, noStart, noInput, timeout, help, version]
}
