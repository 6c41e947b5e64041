import JSONLine
import LocalSystem
import TripModel

/// What the daemon's log looks like, and how much of it there is.
struct DaemonLog: Sendable {
    /// The form of a line.
    enum Form: String, CaseIterable, Sendable {
        case text
        /// One JSON object: `time`, `level`, `message`.
        case json
    }

    /// What is wanted: lines that matter as much, and more.
    private let level: LogLine.Level
    private let form: Form

    /// Takes `--log-level` and `--log-format`.
    init(_ arguments: inout Arguments) throws(Arguments.UsageError) {
        level = try Self.choice("--log-level", &arguments) ?? .info
        form = try Self.choice("--log-format", &arguments) ?? .text
    }

    private static func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ option: String, _ arguments: inout Arguments
    ) throws(Arguments.UsageError) -> Value? {
        guard let text = try arguments.option(option) else { return nil }
        guard let value = Value(rawValue: text) else {
            let names = Value.allCases.map(\.rawValue)
            let all = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
            throw .init("\(option) is \(all), not \(text)")
        }
        return value
    }

    /// A line of the log; nil where it is not wanted.
    func text(of line: LogLine) -> String? {
        let levels = LogLine.Level.allCases
        guard let asked = levels.firstIndex(of: level), levels[asked...].contains(line.level) else {
            return nil
        }
        // Names and paths are others' to choose.
        let message = TextRule.visible(line.message)
        let now = Timestamp(milliseconds: WallClock.nowMilliseconds)
        return form == .text ? "\(now) itineraryd: \(message)" : json(now, line.level, message)
    }

    /// The line of a log that is longer than it may be; nil where it is not, or where that is not wanted.
    func text(ofExcess error: SystemError?) -> String? {
        error.flatMap { text(of: .warning("the log is too long, and cannot be put aside: \($0)")) }
    }

    /// Why the daemon cannot serve.
    func failure(_ message: String) -> String {
        let message = TextRule.visible(message)
        let now = Timestamp(milliseconds: WallClock.nowMilliseconds)
        return form == .text ? "itineraryd: \(message)" : json(now, .error, message)
    }

    private func json(_ time: Timestamp, _ level: LogLine.Level, _ message: String) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.member("time", time.description)
        json.member("level", level.rawValue)
        json.member("message", message)
        json.endObject()
        return String(decoding: json.take(), as: UTF8.self)
    }
}
