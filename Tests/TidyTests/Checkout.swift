import Foundation
import Synchronization
import Testing

/// The files of the checkout that this test was compiled from.
enum Checkout {
    struct File {
        let name: String
        let lines: [String]

        /// The types that the file declares, each with the lines of its stored variables.
        var types: [(name: String, variables: [String])] {
            var types: [(name: String, variables: [String])] = []
            // The enclosing declarations, by their indent. An extension stores nothing.
            var enclosing: [(indent: Int, type: Int?)] = []
            for line in lines where !line.isEmpty {
                let indent = line.prefix { $0 == " " }.count
                while let last = enclosing.last, indent <= last.indent { enclosing.removeLast() }
                if line.hasSuffix("{"),
                    let found = line.firstMatch(
                        of: #/^ *(?:[\w()]+ )*?(?:struct|class|actor|enum|extension) (?<name>\w+)/#)
                {
                    let isType = !line.contains("extension ")
                    enclosing.append((indent, isType ? types.count : nil))
                    if isType { types.append((String(found.name), [])) }
                } else if let last = enclosing.last, let type = last.type, indent == last.indent + 4,
                    line.contains(#/^ *(?:[\w()]+ )*var /#), !line.contains("{") || line.contains("didSet")
                {
                    types[type].variables.append(line)
                }
            }
            return types
        }

        /// Whether a line declares something public: with the keyword, or as a case of a public enum. Only
        /// cases begin with `case` directly inside an enum's braces.
        func isPublicName(at index: Int) -> Bool {
            let line = lines[index]
            let indent = line.prefix { $0 == " " }.count
            let text = line.dropFirst(indent)
            if text.hasPrefix("public ") { return !text.hasPrefix("public extension") }
            guard text.hasPrefix("case "), !text.hasSuffix(":"), indent >= 4 else { return false }
            // The enclosing declaration is the nearest line above that is indented one step less.
            let head = lines[..<index].last { other in
                other.prefix { $0 == " " }.count == indent - 4 && other.contains("{")
            }
            return head?.contains("public enum ") == true
        }
    }

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(of file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    static func sources() throws -> [File] { try files(below: "Sources") + files(below: "Tools") }

    /// The Swift files in a folder and its subfolders, read once.
    static func files(below folder: String) throws -> [File] {
        if let known = read.withLock({ $0[folder] }) { return known }
        let files = try readFiles(below: folder)
        read.withLock { $0[folder] = files }
        return files
    }

    private static let read = Mutex<[String: [File]]>([:])

    private static func readFiles(below folder: String) throws -> [File] {
        let base = root.appending(path: folder).resolvingSymlinksInPath()
        guard let found = FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil) else {
            return []
        }
        var files: [File] = []
        for case let url as URL in found where url.pathExtension == "swift" {
            let lines = try text(of: url).split(separator: "\n", omittingEmptySubsequences: false)
            files.append(File(name: url.lastPathComponent, lines: lines.map(String.init)))
        }
        // A check of no file would always pass.
        try #require(!files.isEmpty, "there are Swift files below \(folder)")
        return files
    }

    static func isComment(_ line: String) -> Bool {
        line.drop { $0 == " " }.hasPrefix("//")
    }
}
