import Foundation
import TripModel

/// Interprets pasted text.
package enum PastedText {
    /// Titles made from lines.
    package struct Titles: Equatable, Sendable {
        /// One for each line that is not blank.
        package fileprivate(set) var titles: [String] = []
        /// The number of lines that were truncated to the maximum length of a title.
        package fileprivate(set) var cutCount = 0

        /// The message about truncated lines; nil if there are none.
        package var cutSentence: String? {
            guard cutCount > 0 else { return nil }
            let lines = cutCount == 1 ? "1 line is longer" : "\(cutCount) lines are longer"
            return "\(lines) than a title may be (\(TripLimits.textBytes) bytes): the rest is left out."
        }
    }

    /// The title of each line, without characters that a title may not contain. Blank lines give none.
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

    /// The file extensions that can be imported.
    private static let scheduleEndings = [".csv", ".ics", ".json"]

    /// The path of a schedule file, if the text is one as terminals paste dropped files: plain, quoted, with
    /// escaped spaces or as a `file:` URL.
    package static func schedulePath(in text: String) -> String? {
        guard let path = path(in: text),
            let last = path.split(separator: "/", omittingEmptySubsequences: false).last?.lowercased(),
            scheduleEndings.contains(where: { last.hasSuffix($0) && last.count > $0.count })
        else { return nil }
        // A sentence with such an ending is a title.
        return isRooted(path) || path.hasPrefix("./") || !path.contains(" ") ? path : nil
    }

    /// The name of any other dropped file, without folder and extension.
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

    /// The text as a path, if possible.
    private static func path(in text: String) -> String? {
        let path = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !path.contains(where: \.isNewline) else { return nil }
        let plain = unquoted(path)
        guard plain.hasPrefix("file://") else { return plain }
        let rest = plain.dropFirst("file://".count)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        return String(rest[slash...]).removingPercentEncoding ?? String(rest[slash...])
    }

    /// A word without the quotes and backslashes that a shell would remove; unchanged if a quote is not
    /// closed.
    private static func unquoted(_ text: String) -> String {
        var result = ""
        var quote: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                result.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else {
                result.append(character)
            }
        }
        return quote == nil ? result : text
    }
}
