import Foundation
import TripModel

/// What a paste means.
package enum PastedText {
    /// The titles that lines make.
    package struct Titles: Equatable, Sendable {
        /// One for each line that makes one.
        package fileprivate(set) var titles: [String] = []
        /// Lines that were longer than a title may be: their ends are not in their titles.
        package fileprivate(set) var cutCount = 0

        /// What is said of the lines that were cut; nil where none was.
        package var cutSentence: String? {
            guard cutCount > 0 else { return nil }
            let lines = cutCount == 1 ? "1 line is longer" : "\(cutCount) lines are longer"
            return "\(lines) than a title may be (\(TripLimits.textBytes) bytes): the rest is left out."
        }
    }

    /// The title that each line makes, without what a title may not hold; empty lines make none.
    package static func titles(in text: String) -> Titles {
        var all = Titles()
        for line in text.split(whereSeparator: \.isNewline) {
            var editor = LineEditor()
            let isWhole = editor.insert(line.unicodeScalars.map { $0 == "\t" ? " " : $0 })
            guard let title = editor.trimmed, (try? ItemField.title.check(.text(title))) != nil else {
                continue
            }
            all.titles.append(title)
            if !isWhole { all.cutCount += 1 }
        }
        return all
    }

    /// The path of a table, where the text is the name of one as terminals write a dropped file: plain, quoted,
    /// with escaped spaces or as a `file:` address.
    package static func tablePath(in text: String) -> String? {
        guard let path = path(in: text), path.lowercased().hasSuffix(".csv"), path.count > ".csv".count else {
            return nil
        }
        // A sentence that ends so is a title.
        return isRooted(path) || path.hasPrefix("./") || !path.contains(" ") ? path : nil
    }

    /// What any other dropped file is called, without its folder and its kind.
    package static func fileName(in text: String) -> String? {
        guard let path = path(in: text), isRooted(path), let last = path.split(separator: "/").last else {
            return nil
        }
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return String(last) }
        return String(last[..<dot])
    }

    private static func isRooted(_ path: String) -> Bool {
        (path.hasPrefix("/") && path.dropFirst().contains("/")) || path.hasPrefix("~/")
    }

    /// The text as a path, as far as it can be one.
    private static func path(in text: String) -> String? {
        let path = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !path.contains(where: \.isNewline) else { return nil }
        if let quote = path.first, quote == "'" || quote == "\"", path.last == quote, path.count > 2 {
            return String(path.dropFirst().dropLast())
        }
        guard path.hasPrefix("file://") else { return unescaped(path) }
        let rest = path.dropFirst("file://".count)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        return String(rest[slash...]).removingPercentEncoding ?? String(rest[slash...])
    }

    private static func unescaped(_ text: String) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }
}
