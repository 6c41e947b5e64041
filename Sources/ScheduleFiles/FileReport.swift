/// A note for the user about a file; nothing was skipped because of it.
package struct FileNote: Hashable, Sendable {
    /// The 1-based line; nil if the note is about the whole file.
    package let line: Int?
    /// The entry's id in the file, if the note is about an entry.
    package let id: String?
    /// One sentence without control characters.
    package let text: String

    package init(line: Int? = nil, id: String? = nil, text: String) {
        self.line = line
        self.id = id
        self.text = text
    }
}

/// An entry that is not imported, and the reason.
package struct SkippedEntry: Error, Hashable, Sendable {
    /// The 1-based line on which it begins.
    package let line: Int
    /// Its id in the file, if known.
    package let id: String?
    /// The invalid column or property; nil for the entry as a whole.
    package let field: String?
    /// What is wrong and what would be right, without control characters.
    package let reason: String

    package init(line: Int, id: String? = nil, field: String? = nil, reason: String) {
        self.line = line
        self.id = id
        self.field = field
        self.reason = reason
    }
}
