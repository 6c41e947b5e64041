import Foundation

/// Files beside the tests.
enum TextFile {
    /// The text of a file, by its path below this directory.
    static func read(_ path: String) throws -> String {
        let directory = URL(filePath: #filePath).deletingLastPathComponent()
        return try String(contentsOf: directory.appending(path: path), encoding: .utf8)
    }
}
