/// A row of a file that gives no game, and why.
package struct BadRow: Error, Hashable, Sendable {
    /// The 1-based line it begins on.
    package let line: Int
    /// The column at fault, by its name; nil where it is the row as a whole.
    package let column: String?
    /// What is wrong and what would be right; text from the file is shown without control characters.
    package let message: String

    /// Makes a bad row.
    package init(line: Int, column: String?, message: String) {
        self.line = line
        self.column = column
        self.message = message
    }
}

extension BadRow: CustomStringConvertible {
    /// `line 7, startsAt: …`.
    package var description: String {
        "line \(line)\(column.map { ", \($0)" } ?? ""): \(message)"
    }
}

/// A piece of a file for a message: quoted, cut to 40 characters, what a terminal must not get written out.
func shown(_ text: String) -> String {
    var result = "“"
    for scalar in text.unicodeScalars.prefix(40) {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default:
            result.unicodeScalars.append(scalar)
        }
    }
    return result + (text.unicodeScalars.count > 40 ? "…”" : "”")
}
