import CommandLineKit
import JSONLine
import LocalSystem
import TripModel

/// The format and the minimum level of the daemon's log.
struct DaemonLog: Sendable {
    enum Form: String, CaseIterable, Sendable {
        case text
        /// One JSON object: `time`, `level`, `message`.
        case json
    }

    private let level: LogLine.Level
    private let form: Form

    private static let levelOption = OptionRow.value(
        "--log-level", "LEVEL", "info: all events (default); warning: only problems; error: only failures",
        .oneOf(LogLine.Level.allCases.map(\.rawValue)))
    private static let formOption = OptionRow.value(
        "--log-format", "FORM", "text (default), or json: one object per line",
        .oneOf(Form.allCases.map(\.rawValue)))

    /// `--log-level` and `--log-format`.
    static let options = [levelOption, formOption]

    init(_ command: ParsedCommand) throws(UsageError) {
        level = try Self.choice(Self.levelOption, command) ?? .info
        form = try Self.choice(Self.formOption, command) ?? .text
    }

    private static func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ option: OptionRow, _ command: ParsedCommand
    ) throws(UsageError) -> Value? {
        guard let text = command.value(option) else { return nil }
        guard let value = Value(rawValue: text) else {
            let names = Value.allCases.map(\.rawValue)
            let all = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
            throw UsageError("\(option.name) is \(all), not \(UsageError.shown(text))")
        }
        return value
    }

    /// A formatted line; nil if its level is too low.
    func text(of line: LogLine) -> String? {
        let levels = LogLine.Level.allCases
        guard let asked = levels.firstIndex(of: level), levels[asked...].contains(line.level) else {
            return nil
        }
        // Names and paths may contain control characters.
        let message = TextRule.visible(line.message)
        let now = Timestamp(milliseconds: WallClock.nowMilliseconds)
        return form == .text ? "\(now) itineraryd: \(message)" : json(now, line.level, message)
    }

    /// The warning that a full log could not be rotated; nil without an error, or if its level is too low.
    func text(ofExcess error: SystemError?) -> String? {
        error.flatMap { text(of: .warning("the log is too long and cannot be rotated: \($0)")) }
    }

    /// The message for a daemon that cannot serve.
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
