/// The changes that a schedule file would make.
package struct ImportPreview: Equatable, Sendable {
    /// The file's name.
    package let name: String
    /// What it would do in numbers, such as `1 new, 4 changed`.
    package let result: String
    /// The changes, one per line.
    package let lines: [String]
    /// Whether there are any changes.
    package let hasChanges: Bool

    package init(name: String, result: String, lines: [String], hasChanges: Bool) {
        self.name = name
        self.result = result
        self.lines = lines
        self.hasChanges = hasChanges
    }
}
