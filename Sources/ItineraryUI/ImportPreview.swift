/// The changes that a schedule file would make.
package struct ImportPreview: Equatable, Sendable {
    /// The file's name.
    package let name: String
    /// The changes, one per line.
    package let lines: [String]
    /// Whether there are any changes.
    package let hasChanges: Bool

    /// Makes a preview.
    package init(name: String, lines: [String], hasChanges: Bool) {
        self.name = name
        self.lines = lines
        self.hasChanges = hasChanges
    }
}
