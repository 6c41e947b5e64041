import CommandLineKit
import ItineraryUI
import LocalSystem
import TripProtocol

/// The editor's options, with defaults from the user's configuration file.
struct EditorArguments: Sendable {
    /// The file's path below the user's configuration directory.
    private static let fileName = "/itineraryd/editor.conf"
    /// The maximum number of bytes to read.
    private static let fileLimit: Int64 = 64 * 1024

    private let configuration: Configuration
    private let ascii: Bool
    private let withoutMouse: Bool
    private let reduceMotion: Bool
    private let feedback: Feedback?
    /// Whether to use lines instead of a screen.
    private let isPlain: Bool
    /// Whether the editor is read-only.
    private let isViewer: Bool
    /// The role on the connection.
    var role: Hello.Role { isViewer ? .viewer : .editor }

    static let view = OptionRow.flag("--view", "read-only")
    private static let asciiOnly = OptionRow.flag("--ascii", "draw with ASCII characters only")
    private static let noMouse = OptionRow.flag("--no-mouse", "leave the mouse to the terminal")
    private static let lessMotion = OptionRow.flag("--reduce-motion", "show no animations")
    private static let plain = OptionRow.flag(
        "--plain", "read commands and answer in lines, for screen readers and scripts")
    private static let feedbackKind = OptionRow.value(
        "--feedback", "KIND", "how to signal a refusal: visual, bell, both or off",
        .oneOf(Feedback.allCases.map(\.rawValue)))
    private static let configurationFile = OptionRow.value("--config", "FILE", "the settings file", .file)

    /// The options of commands that open the editor.
    static let options = [view, asciiOnly, noMouse, lessMotion, plain, feedbackKind, configurationFile]

    /// Reads the options and the configuration file.
    ///
    /// - Throws: `CommandFailure` with each invalid line of the file.
    init(_ invocation: Invocation) throws(CommandFailure) {
        ascii = invocation.has(Self.asciiOnly)
        withoutMouse = invocation.has(Self.noMouse)
        reduceMotion = invocation.has(Self.lessMotion)
        isPlain = invocation.has(Self.plain)
        isViewer = invocation.has(Self.view)
        feedback = try invocation.value(Self.feedbackKind).map { name throws(CommandFailure) in
            if let feedback = Feedback(rawValue: name) { return feedback }
            let names = Feedback.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("--feedback is one of \(names), not \(PlainText.visible(name))")
        }
        configuration = try Self.configuration(at: invocation.value(Self.configurationFile))
    }

    /// The user interface: a screen or lines.
    ///
    /// - Throws: `CommandFailure` if a screen needs a terminal and there is none.
    func face(userName: String) throws(CommandFailure) -> any EditorFace {
        if isPlain { return PlainFace(userName: userName, options(for: nil)) }
        let terminal = try EditorTerminal(environment: .current)
        return ScreenFace(terminal, userName: userName, options(for: terminal))
    }

    /// The editor's options; the command line overrides the file.
    private func options(for terminal: EditorTerminal?) -> EditorOptions {
        var options = EditorOptions(colorDepth: terminal?.colorDepth ?? .none)
        // Some terminals set their colours as numbers: text;background.
        let background = ProcessEnvironment.current.nonEmpty("COLORFGBG")?.split(separator: ";").last
        if background == "7" || background == "15" { options.assumedBackground = .light }
        options.timeZone = Today.zoneToOffer
        options.seconds = { Today.seconds }
        options.today = { Today.date }
        options.isViewer = isViewer
        options.ascii = Self.isASCIIOnly(.current, drawsOnTerminal: terminal != nil)
        configuration.apply(to: &options)
        if ascii { options.ascii = true }
        if withoutMouse { options.takesMouse = false }
        if reduceMotion { options.reduceMotion = true }
        if let feedback { options.feedback = feedback }
        return options
    }

    /// Whether only ASCII can be shown: the locale has another encoding than UTF-8, or the terminal is the
    /// Linux console, which has few characters.
    static func isASCIIOnly(_ environment: ProcessEnvironment, drawsOnTerminal: Bool) -> Bool {
        if drawsOnTerminal, environment.nonEmpty("TERM") == "linux" { return true }
        // The first variable that is set decides. If none is, nothing is known.
        guard let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment.nonEmpty).first else {
            return false
        }
        let plain = locale.lowercased()
        return !plain.contains("utf-8") && !plain.contains("utf8")
    }

    private static func configuration(at named: String?) throws(CommandFailure) -> Configuration {
        let environment = ProcessEnvironment.current
        let home = CurrentUser.home(environment: environment.variables) ?? "/"
        let base = environment.nonEmpty("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let path = named ?? (base ?? home + "/.config") + fileName
        let text: String
        var isDirectory = false
        do throws(SystemError) {
            // The default file may be missing.
            let status = try FileStatus.ofPath(path)
            if named == nil, status == nil { return Configuration() }
            isDirectory = status?.kind == .directory
            let file = try OpenFile(path, .read, in: RealFileSystem())
            let count = Int(min(try file.size(), fileLimit))
            text = String(decoding: try file.read(at: 0, count: count), as: UTF8.self)
        } catch {
            let reason = isDirectory ? "it is a directory; a file is needed" : "\(error)"
            throw CommandFailure("\(path): \(reason)", exitCode: .noInput)
        }
        do throws(Configuration.Mistakes) { return try Configuration(text) } catch {
            let lines = error.all.map { "\(path), \($0)" }
            throw CommandFailure(lines.joined(separator: "\n"), exitCode: .badData)
        }
    }
}
