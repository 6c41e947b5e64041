/// What a schedule's file would change.
package struct ImportPreview: Equatable, Sendable {
    /// What the file is called.
    package let name: String
    /// What it would do, a line each.
    package let lines: [String]
    /// Whether there is anything to do.
    package let hasChanges: Bool

    /// Makes a preview.
    package init(name: String, lines: [String], hasChanges: Bool) {
        self.name = name
        self.lines = lines
        self.hasChanges = hasChanges
    }
}
