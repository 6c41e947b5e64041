/// Actions of four connections and of their environment, in a form that a fuzzer can write: one command per
/// line.
///
/// `a:METHOD PARAMS` sends a request on the connection `a` with the next id, `a%TEXT` sends sixteen `RandomChanges`
/// that the text selects, `a>TEXT` sends any line, and `a+TEXT` sends bytes without a line end. `a!` closes its sending
/// side, `a~` resets it, and `a_` makes it stop or resume reading. After a connection has ended its name stands for a
/// new one. `.` waits until everything is at rest, `*` runs one iteration of the daemon's loop, `-250` advances the
/// clock by so many milliseconds, `@` restarts the daemon cleanly, and `#` cuts the power. Any other line is sent
/// unchanged by `a`.
enum SessionCommand: Equatable {
    case send(connection: Int, [UInt8])
    case request(connection: Int, method: String, params: ArraySlice<UInt8>)
    case randomChanges(connection: Int, seed: UInt64)
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
        case UInt8(ascii: "%"):
            let seed = rest.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) }
            self = .randomChanges(connection: connection, seed: seed)
        case UInt8(ascii: "!"): self = .shut(connection: connection)
        case UInt8(ascii: "~"): self = .reset(connection: connection)
        case UInt8(ascii: "_"): self = .toggleReading(connection: connection)
        default: return nil
        }
    }
}
