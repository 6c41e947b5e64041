/// Something about a file that a person should know; nothing was skipped for it.
package struct FileNote: Hashable, Sendable {
    /// The 1-based line it is about; nil where it is the file as a whole.
    package let line: Int?
    /// What the file calls the entry, if it is about one.
    package let id: String?
    /// One sentence; text from the file is shown without control characters.
    package let text: String

    /// Makes a note.
    package init(line: Int? = nil, id: String? = nil, text: String) {
        self.line = line
        self.id = id
        self.text = text
    }
}

/// An entry of a file that is not imported, and why.
package struct SkippedEntry: Error, Hashable, Sendable {
    /// The 1-based line it begins on.
    package let line: Int
    /// What the file calls it, where that could be read.
    package let id: String?
    /// The column or property at fault; nil where it is the entry as a whole.
    package let field: String?
    /// What is wrong and what would be right; text from the file is shown without control characters.
    package let reason: String

    /// Makes a skipped entry.
    package init(line: Int, id: String? = nil, field: String? = nil, reason: String) {
        self.line = line
        self.id = id
        self.field = field
        self.reason = reason
    }
}
