import JSONLine
import LocalSystem
import TripModel

/// What the daemon's log looks like, and how much of it there is.
struct DaemonLog: Sendable {
    /// How much a line matters.
    enum Level: String, CaseIterable, Sendable {
        /// What happens.
        case info
        /// Why the daemon ends.
        case error
    }

    /// The form of a line.
    enum Form: String, CaseIterable, Sendable {
        case text
        /// One JSON object: `time`, `level`, `message`.
        case json
    }

    private let level: Level
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
            let all = Value.allCases.map(\.rawValue).joined(separator: " or ")
            throw .init("\(option) is \(all), not \(text)")
        }
        return value
    }

    /// A line of the log; nil where it is not wanted.
    func line(_ level: Level, _ message: String) -> String? {
        if self.level == .error, level == .info { return nil }
        // Names and paths are others' to choose.
        let message = TextRule.visible(message)
        let now = Timestamp(milliseconds: WallClock.nowMilliseconds)
        return form == .text ? "\(now) itineraryd: \(message)" : json(now, level, message)
    }

    /// Why the daemon cannot serve.
    func failure(_ message: String) -> String {
        let message = TextRule.visible(message)
        let now = Timestamp(milliseconds: WallClock.nowMilliseconds)
        return form == .text ? "itineraryd: \(message)" : json(now, .error, message)
    }

    private func json(_ time: Timestamp, _ level: Level, _ message: String) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.member("time", time.description)
        json.member("level", level.rawValue)
        json.member("message", message)
        json.endObject()
        return String(decoding: json.take(), as: UTF8.self)
    }
}
