import ItineraryUI
import LocalSystem
import TripClient

/// Failed or uncertain changes that could not be reported, for example after the window was closed. Stored in the
/// client's state directory until the next editor shows them.
struct UnsaidChanges: Sendable {
    /// The maximum number of sentences.
    private static let limit = 200
    /// The maximum size of the file; enough for everything that can be unsaved at once.
    private static let mostBytes = 16 << 20

    private let directory: String
    private let path: String

    /// - Parameter user: the name given by `--user`, which has its own reports; nil for those of the account.
    init(_ environment: ProcessEnvironment, user: String?) {
        let home = CurrentUser.home(environment: environment.variables) ?? "/"
        let base = environment.nonEmpty("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        directory = (base ?? home + "/.local/state") + "/itinerary-client"
        path = directory + "/" + PersonFile.fileName("not-done", of: user)
    }

    /// Adds sentences to the stored ones. Errors are ignored, because no user could see them.
    func keep(_ sentences: [String]) {
        if !sentences.isEmpty { write(read() + sentences.map(Self.line)) }
    }

    /// Replaces sentences by later ones. If another editor has shown the old ones meanwhile, only new refusals are
    /// stored.
    func replace(_ old: [String], by new: [String]) {
        let old = old.map(Self.line)
        let stored = read()
        var lines = stored
        var areShown = false
        for sentence in old {
            if let index = lines.lastIndex(of: sentence) { lines.remove(at: index) } else { areShown = true }
        }
        lines += new.map(Self.line).filter { sentence in
            !areShown || !old.contains(sentence) && !sentence.contains(EditorState.uncertainPrefix)
        }
        if lines != stored { write(lines) }
    }

    private static func line(_ sentence: String) -> String { sentence.replacing("\n", with: " ") }

    private func write(_ all: [String]) {
        guard !all.isEmpty else {
            _ = try? RealFileSystem().unlink(path)
            return
        }
        guard (try? PrivateDirectory.ensure(directory, isDefault: true)) != nil else { return }
        let lines = all.suffix(Self.limit)
        var bytes = lines.joined(separator: "\n").utf8.map { $0 }
        while bytes.count > Self.mostBytes, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
            bytes.removeFirst(end + 1)
        }
        try? PrivateFile.write(bytes, to: path)
    }

    /// Removes the stored sentences and returns them.
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
