import Foundation
import TripModel

/// What a paste means.
package enum PastedText {
    /// The title that each line makes, without what a title may not hold; empty lines make none.
    package static func titles(in text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            var editor = LineEditor()
            _ = editor.insert(line.unicodeScalars.map { $0 == "\t" ? " " : $0 })
            guard let title = editor.trimmed else { return nil }
            return Prompt(purpose: .add, line: editor).objection(to: title) == nil ? title : nil
        }
    }

    /// The path of a table, where the text is the name of one as terminals write a dropped file: plain, quoted,
    /// with escaped spaces or as a `file:` address.
    package static func tablePath(in text: String) -> String? {
        var path = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !path.contains(where: \.isNewline) else { return nil }
        if let quote = path.first, quote == "'" || quote == "\"", path.last == quote, path.count > 2 {
            path = String(path.dropFirst().dropLast())
        } else if path.hasPrefix("file://") {
            let rest = path.dropFirst("file://".count)
            guard let slash = rest.firstIndex(of: "/") else { return nil }
            path = String(rest[slash...]).removingPercentEncoding ?? String(rest[slash...])
        } else {
            path = unescaped(path)
        }
        guard path.lowercased().hasSuffix(".csv"), path.count > ".csv".count else { return nil }
        // A sentence that ends so is a title.
        return path.hasPrefix("/") || path.hasPrefix("~/") || path.hasPrefix("./") || !path.contains(" ")
            ? path : nil
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
