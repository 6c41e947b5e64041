import LocalSystem

/// What was not done, or perhaps not, when nobody was there any more to be told, as when a window is closed: kept in the
/// client's state directory until the next editor says it.
struct UnsaidChanges: Sendable {
    /// More than this is not kept.
    private static let limit = 200
    /// Room for all that can be in hand at once.
    private static let mostBytes = 16 << 20

    private let directory: String
    private var path: String { directory + "/not-done" }

    init(_ environment: ProcessEnvironment) {
        let home = CurrentUser.home(environment: environment.variables) ?? "/"
        let base = environment.nonEmpty("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        directory = (base ?? home + "/.local/state") + "/itinerary-client"
    }

    /// Keeps sentences beside those that are there; where that is not possible, there is nobody to be told.
    func keep(_ sentences: [String]) {
        guard !sentences.isEmpty, (try? PrivateDirectory.ensure(directory, isDefault: true)) != nil else {
            return
        }
        let lines = (read() + sentences).suffix(Self.limit).map { $0.replacing("\n", with: " ") }
        var bytes = lines.joined(separator: "\n").utf8.map { $0 }
        while bytes.count > Self.mostBytes, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
            bytes.removeFirst(end + 1)
        }
        try? PrivateFile.write(bytes, to: path)
    }

    /// What is kept, a sentence each; it is not kept any longer.
    func take() -> [String] {
        let lines = read()
        if !lines.isEmpty { _ = try? RealFileSystem().unlink(path) }
        return lines
    }

    private func read() -> [String] {
        guard let bytes = try? PrivateFile.read(path, maximumBytes: Self.mostBytes + 1) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
