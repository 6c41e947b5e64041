/// What four connections and the world do, as a fuzzer can write it: a command a line.
///
/// `a:METHOD PARAMS` is a request of the connection `a` with the next id, `a>TEXT` any line, `a+TEXT` bytes that end no
/// line; `a!` closes its sending side, `a~` breaks it, `a_` has it stop reading or go on. After its end a connection's
/// name stands for a new one. `.` lets everything come to rest, `*` is one round of the daemon, `-250` lets so many
/// milliseconds pass, `@` ends the daemon in good order and starts it again, `#` cuts the power. Any other line is
/// sent by `a` as it is.
enum SessionCommand: Equatable {
    case send(connection: Int, [UInt8])
    case request(connection: Int, method: String, params: ArraySlice<UInt8>)
    case shut(connection: Int)
    case reset(connection: Int)
    case toggleReading(connection: Int)
    case rest
    case round
    case wait(milliseconds: Int)
    case restart
    case powerCut

    static let connectionCount = 4

    init(_ line: ArraySlice<UInt8>) {
        let whole = Self.send(connection: 0, Array(line) + [UInt8(ascii: "\n")])
        guard let first = line.first else {
            self = .round
            return
        }
        let rest = line.dropFirst()
        switch first {
        case UInt8(ascii: "."): self = .rest
        case UInt8(ascii: "*"): self = .round
        case UInt8(ascii: "@"): self = .restart
        case UInt8(ascii: "#"): self = .powerCut
        case UInt8(ascii: "-"):
            self = .wait(milliseconds: min(max(Int(String(decoding: rest, as: UTF8.self)) ?? 1, 1), 100_000))
        case UInt8(ascii: "a")...UInt8(ascii: "d"):
            self = Self(connection: Int(first - UInt8(ascii: "a")), rest) ?? whole
        default: self = whole
        }
    }

    private init?(connection: Int, _ text: ArraySlice<UInt8>) {
        let rest = text.dropFirst()
        switch text.first {
        case UInt8(ascii: ">"): self = .send(connection: connection, Array(rest) + [UInt8(ascii: "\n")])
        case UInt8(ascii: "+"): self = .send(connection: connection, Array(rest))
        case UInt8(ascii: ":"):
            let method = rest.prefix { $0 != UInt8(ascii: " ") }
            self = .request(
                connection: connection, method: String(decoding: method, as: UTF8.self),
                params: rest[method.endIndex...].dropFirst())
        case UInt8(ascii: "!"): self = .shut(connection: connection)
        case UInt8(ascii: "~"): self = .reset(connection: connection)
        case UInt8(ascii: "_"): self = .toggleReading(connection: connection)
        default: return nil
        }
    }
}
